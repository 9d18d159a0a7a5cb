"""The command as a whole: its version, its help, its errors."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_trust._cli.options import ORACLE
from pytest_trust._plugin.options import OPTIONS, TrustConfig
from pytest_trust._version import __version__
from pytest_trust.cli import _parser, main

ROOT = Path(__file__).parents[2]


HEAVY = ("numpy", "scipy", "sklearn", "torch", "transformers", "joblib", "shtab")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["judge", "--help"], ["index", "edit", "--help"]])
def test_what_is_not_needed_is_not_loaded(arguments) -> None:
    code = (
        "import sys\nfrom pytest_trust.cli import main\n"
        f"try: main({arguments})\nfinally: print([name for name in {HEAVY} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_the_version_is_told(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"pytest-trust {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--help"], ["calibrate", "label"]),
        (["calibrate", "--help"], ["--pairs", "--trust-embeddings"]),
        (["label", "--help"], ["--verdicts", "--annotator", "--no-pickle"]),
    ],
)
def test_help_tells_what_there_is(arguments, told, capsys) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert all(word in printed for word in told)


def commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield command
                yield from commands(command)


@pytest.mark.parametrize("command", list(commands(_parser())), ids=lambda command: command.prog)
def test_the_help_of_every_command_shows_an_example_that_it_takes_and_its_exit_codes(command, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = command.format_help()
    _, _, end = shown.partition("\nexample:\n")
    example, _, codes = end.partition("\nexit codes:\n")
    assert {line.split()[0] for line in codes.splitlines()} >= {"0", "2", "130", "141"}
    for line in example.strip().splitlines():
        words = shlex.split(re.split(r" [<>|] (?!pytest-trust)", line)[0].rpartition("| ")[2])
        assert words[0] == "pytest-trust"
        assert callable(_parser().parse_args(words[1:]).run)


def test_defaults_are_those_of_the_plugin() -> None:
    options = _parser().parse_args(["judge", "--model", "m"])
    settings = TrustConfig()
    for name in ("explainer", "samples", "features", "sampling", "cap", "seed", "precision"):
        assert getattr(options, name) == getattr(settings, name)
    assert settings.oracle == ORACLE


def test_options_are_named_as_the_plugin_s() -> None:
    named = {option.name for option in OPTIONS} | {"no-pickle"}
    shared = ("model", "classes", "precision", "explainer", "samples", "features", "seed", "sampling", "cap")
    assert {*shared, "oracle", "train", "index", "embeddings", "descriptions", "columns", "no-pickle"} <= named
    options = vars(_parser().parse_args(["judge", "--model", "m"]))
    own = {"file", "batch", "strict", "fail_under", "run"}
    assert {name.replace("_", "-") for name in options.keys() - own} <= named


def test_a_command_is_needed(capsys) -> None:
    with pytest.raises(SystemExit) as end:
        main([])
    assert end.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def test_what_cannot_be_used_is_one_line_on_stderr(capsys) -> None:
    assert main(["calibrate", "no-such"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("pytest-trust: error: embeddings: ")
    assert "'no-such'" in shown.err
    assert len(shown.err.splitlines()) == 1


def test_the_package_installs_the_command() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"pytest-trust": "pytest_trust.cli:main"}

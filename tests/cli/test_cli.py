"""The command as a whole: its version, its help, its errors."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from pytest_trust._version import __version__
from pytest_trust.cli import main

ROOT = Path(__file__).parents[2]


def test_the_version_is_told_without_loading_what_is_not_needed() -> None:
    code = (
        "import sys\nfrom pytest_trust.cli import main\n"
        "try: main(['--version'])\nfinally: print('numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert run.stdout.splitlines() == [f"pytest-trust {__version__}", "False"]


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

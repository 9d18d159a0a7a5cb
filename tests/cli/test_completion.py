"""``pytest-trust completion``: scripts that shells take."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_trust.cli import main

pytest.importorskip("shtab")

ASK = """
source {script}
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_shtab_pytest_trust "${{COMP_WORDS[0]}}" "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
echo "${{COMPREPLY[*]}}"
"""


@pytest.fixture
def script(tmp_path, capsys):
    def write(shell: str) -> Path:
        assert main(["completion", shell]) == 0
        file = tmp_path / shell
        file.write_text(capsys.readouterr().out, encoding="utf-8")
        return file

    return write


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_hold_commands_and_options(script, shell) -> None:
    text = script(shell).read_text(encoding="utf-8")
    words = [
        "explain",
        "judge",
        "index",
        "calibrate",
        "label",
        "init",
        "completion",
        "edit",
        "fail-under",
        "sequential",
    ]
    assert [word for word in words if word not in text] == []
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n", script(shell)], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("pytest-trust ju", "judge"),
        ("pytest-trust index ''", "build show edit"),
        ("pytest-trust judge --sampling ''", "fixed sequential capped"),
        ("pytest-trust init ''", "sentiment topics toxicity"),
        ("pytest-trust judge --fail", "--fail-under"),
        ("pytest-trust index show i", "in.zip"),
    ],
)
def test_bash_completes(script, tmp_path, words, expected) -> None:
    (tmp_path / "in.zip").touch()
    asked = ASK.format(script=script("bash"), words=words)
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == expected.split()


def test_the_package_that_makes_them_is_named_where_it_is_missing(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "pip install 'pytest-trust[completion]'" in capsys.readouterr().err

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pytest_trust._cli.init import SUITES
from pytest_trust.cli import main

EXAMPLES = Path(__file__).parents[2] / "conftest_examples"


@pytest.mark.parametrize("suite", SUITES)
def test_it_writes_the_suite(suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", suite, str(tmp_path / "new" / "folder")]) == 0
    written = tmp_path / "new" / "folder" / f"test_{suite}.py"
    assert written.read_bytes() == (EXAMPLES / suite / f"test_{suite}.py").read_bytes()
    ast.parse(written.read_text(encoding="utf-8"))
    assert f"wrote {written}" in capsys.readouterr().out


def test_the_folder_is_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init", "topics"]) == 0
    assert (tmp_path / "test_topics.py").is_file()


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test_topics.py").write_text("mine", encoding="utf-8")
    assert main(["init", "topics", str(tmp_path)]) == 2
    assert "test_topics.py is there already" in capsys.readouterr().err
    assert (tmp_path / "test_topics.py").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main(["init", "topics", str(tmp_path / "file" / "below")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_an_unknown_suite_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["init", "weather"])
    assert caught.value.code == 2
    assert "sentiment" in capsys.readouterr().err

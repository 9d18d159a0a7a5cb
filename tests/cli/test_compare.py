"""pytest-trust compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_trust.cli import main
from pytest_trust.reports import baseline_text, encoded, json_report
from tests.reports.stored import check_record, texts_of

GOOD = texts_of([True] * 60, [0.9] * 60)
BAD = texts_of([False] * 12 + [True] * 48, [0.1] * 12 + [0.9] * 48)


def record(texts: list, **changes) -> dict:
    return check_record("functional", texts, n=60, n_total=60, **changes)


def write(path: Path, *records: dict) -> str:
    if path.suffix == ".json":
        path.write_text(json_report(records, seed=0), encoding="utf-8")
    else:
        path.write_bytes(encoded(path, baseline_text(records, seed=0)))
    return str(path)


def test_what_is_worse_is_shown_with_its_texts(tmp_path: Path, capsys) -> None:
    files = write(tmp_path / "main.gz", record(GOOD)), write(tmp_path / "branch.gz", record(BAD))
    assert main(["compare", *files]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "WORSE         test_x.py::test_y  functional: a name  n=60 in both  "
        "right 100.0% -> 80.0%, 12 turned worse, 0 better (p<0.001, adjusted p<0.001)"
    )
    assert "test_x.py::test_y  functional: a name, worst first:" in lines
    assert "1. good  was right  probability of the label 0.900 -> 0.100" in lines
    assert "   text 0" in lines
    assert lines[-1] == "and 2 more"


def test_plain_reports_are_compared_and_say_that_they_keep_no_texts(tmp_path: Path, capsys) -> None:
    files = write(tmp_path / "main.json", record(GOOD)), write(tmp_path / "branch.json", record(BAD))
    assert main(["compare", *files]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("WORSE")
    assert lines[-1] == "a JSON report keeps no texts; files of --trust-save-baseline do"


def test_one_file_with_texts_is_enough_to_show_them(tmp_path: Path, capsys) -> None:
    files = write(tmp_path / "main.gz", record(GOOD)), write(tmp_path / "branch.json", record(BAD))
    assert main(["compare", *files]) == 1
    assert "   text 0" in capsys.readouterr().out.splitlines()


def test_the_other_way_round_it_is_better(tmp_path: Path, capsys) -> None:
    files = write(tmp_path / "main.json", record(BAD)), write(tmp_path / "branch.json", record(GOOD))
    assert main(["compare", *files]) == 0
    assert capsys.readouterr().out.startswith("BETTER")


def test_the_level_can_be_set_and_the_comparison_printed_as_json(tmp_path: Path, capsys) -> None:
    files = write(tmp_path / "main.json", record(GOOD)), write(tmp_path / "branch.json", record(BAD))
    assert main(["compare", *files, "--alpha=1e-9", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["alpha"], document["checks"][0]["standing"]) == (1e-9, "no worse")
    assert main(["compare", *files, "--alpha=2"]) == 2
    assert "alpha=2.0: expected" in capsys.readouterr().err


def test_other_conditions_are_told_by_file_and_are_no_success(tmp_path: Path, capsys) -> None:
    files = write(tmp_path / "main.json", record(GOOD)), write(tmp_path / "branch.json", record(GOOD, seed=4))
    assert main(["compare", *files]) == 2
    assert f"seed differ: 4 in {files[1]}, 0 in {files[0]}" in capsys.readouterr().out


@pytest.mark.parametrize("place", [0, 1])
def test_what_cannot_be_read_is_one_line_on_stderr(tmp_path: Path, capsys, place: int) -> None:
    files = [write(tmp_path / "a.json", record(GOOD)), write(tmp_path / "b.json", record(GOOD))]
    Path(files[place]).write_text("{", encoding="utf-8")
    assert main(["compare", *files]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"pytest-trust: error: {files[place]}: damaged")
    assert len(told.err.splitlines()) == 1


def test_runs_without_a_common_check_cannot_be_compared(tmp_path: Path, capsys) -> None:
    files = write(tmp_path / "a.json", record(GOOD)), write(tmp_path / "b.json", record(GOOD, name="other"))
    assert main(["compare", *files]) == 2
    assert "have no check in common" in capsys.readouterr().err


def test_texts_cannot_steer_the_terminal(tmp_path: Path, capsys) -> None:
    nodeid = "test_x.py::test_y[\x1b[31m]"
    files = (
        write(tmp_path / "a.json", record(GOOD, nodeid=nodeid)),
        write(tmp_path / "b.json", record(BAD, nodeid=nodeid)),
    )
    assert main(["compare", *files]) == 1
    assert "\x1b" not in capsys.readouterr().out

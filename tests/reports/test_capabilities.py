from __future__ import annotations

import json
from typing import Any

from pytest_trust.reports import capability_lines, capability_matrix, json_report


def record(capability: str | None, kind: str, outcome: str) -> dict[str, Any]:
    return {"capability": capability, "kind": kind, "outcome": outcome, "subject": {"model": {}, "data": {}}}


RECORDS = [
    record("negation", "functional", "pass"),
    record("our own", "directional", "pass"),
    record("vocabulary", "directional", "pass"),
    record("vocabulary", "directional", "fail"),
    record("vocabulary", "directional", "inconclusive"),
    record("vocabulary", "invariant", "pass"),
    record(None, "trustworthy", "fail"),
]


def test_the_matrix_counts_outcomes_by_capability_and_kind() -> None:
    matrix = capability_matrix(RECORDS)
    assert list(matrix) == ["vocabulary", "negation", "our own"]
    assert matrix["vocabulary"]["directional"] == {"pass": 1, "fail": 1, "inconclusive": 1}
    assert matrix["negation"] == {"functional": {"pass": 1, "fail": 0, "inconclusive": 0}}


def test_the_table() -> None:
    assert list(capability_lines(capability_matrix(RECORDS))) == [
        "passed/failed   functional    invariant  directional",
        "vocabulary               -          1/0          1/2",
        "negation               1/0            -            -",
        "our own                  -            -          1/0",
    ]


def test_no_capability_no_table() -> None:
    assert list(capability_lines(capability_matrix(RECORDS[-1:]))) == []


def test_the_json_report_holds_the_matrix() -> None:
    functional = [item for item in RECORDS if item["kind"] != "trustworthy"]
    document = json.loads(json_report(functional, seed=0))
    assert document["capabilities"] == capability_matrix(RECORDS)


def test_long_names_do_not_break_the_table() -> None:
    long = record("a capability\nof many words " * 5, "functional", "pass")
    lines = list(capability_lines(capability_matrix([long])))
    assert len(lines) == 2
    assert lines[1].startswith("a capability of many words a capabil ...  ")

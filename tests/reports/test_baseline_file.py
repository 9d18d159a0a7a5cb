from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_trust.errors import BaselineError
from pytest_trust.reports import baseline_text, compare_runs, comparison_lines, encoded, json_report, read_run
from tests.reports.stored import check_record, stored_run, texts_of

RECORDS = [
    check_record("invariant", texts_of([True, False, True], [-0.1, -0.5, -0.2])),
    check_record("invariant", texts_of([True], [-0.1])),
    check_record("functional", texts_of([True, True], [0.9, 0.8])),
]
# What the summary of a report reads, too.
for _record in RECORDS:
    _record["n"] = _record["n_total"] = len(_record["texts"])


@pytest.mark.parametrize("name", ["main.json", "main.json.gz"])
def test_a_baseline_reads_as_the_run_that_wrote_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(encoded(path, baseline_text(RECORDS, seed=0)))
    assert path.read_bytes().startswith(b"\x1f\x8b") is name.endswith(".gz")
    run, live = read_run(path), stored_run(*RECORDS)
    assert run.checks.keys() == live.checks.keys()
    assert [check.outcomes for check in run.checks.values()] == [check.outcomes for check in live.checks.values()]
    shown = next(iter(run.checks.values())).texts
    assert [row["text"] for row in shown.values()] == ["text 0", "text 1", "text 2"]


def test_equal_checks_of_a_test_are_told_apart_by_their_place() -> None:
    assert [key[3] for key in stored_run(*RECORDS).checks] == [0, 1, 0]


def test_a_json_report_reads_too_without_texts(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json_report(RECORDS, seed=0), encoding="utf-8")
    run = read_run(path)
    assert [check.outcomes for check in run.checks.values()] == [
        check.outcomes for check in stored_run(*RECORDS).checks.values()
    ]
    assert not any(check.texts for check in run.checks.values())


def test_a_packed_file_does_not_depend_on_the_time(tmp_path: Path) -> None:
    assert encoded(tmp_path / "a.gz", "text") == encoded(tmp_path / "b.gz", "text")


def written(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "given.json"
    path.write_bytes(content)
    return path


GOOD = baseline_text(RECORDS, seed=0)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "damaged, or no JSON report"),
        (b"{}", "no JSON report and no baseline"),
        (b"[1]", "no JSON report and no baseline"),
        (b'{"schema": true, "checks": []}', r"version is NoneType None; expected str"),
        (b'{"schema": 0, "checks": []}', "no JSON report and no baseline"),
        (b'{"schema": 2, "checks": []}', "of schema 2, which a later version of pytest-trust wrote; expected 1"),
        (b'{"schema": 1, "version": "0.1", "seed": 1.5, "checks": []}', r"seed is float 1.5; expected int"),
        (b'{"schema": 1, "version": "0.1", "seed": 1, "checks": {}}', r"checks is dict {}; expected list"),
        (b'{"schema": 1, "version": "0.1", "seed": 1, "checks": [3]}', r"check 1: the record is int 3; expected dict"),
        (b'{"schema": NaN}', "NaN is no number"),
        (GOOD.encode()[:-40], "damaged, or no JSON report"),
        (gzip.compress(GOOD.encode())[:-20], "damaged, or no JSON report"),
        (b"\x1f\x8bxx", "damaged, or no JSON report"),
        (b"[" * 100_000, "damaged, or no JSON report"),
        (b"\xff\xfe", "damaged, or no JSON report"),
    ],
)
def test_what_is_no_stored_run_is_one_clear_error(tmp_path: Path, content: bytes, told: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(BaselineError, match=told) as error:
        read_run(path)
    assert str(error.value).startswith(str(path))
    assert len(str(error.value).splitlines()) == 1


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(BaselineError, match="cannot be read"):
            read_run(path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"kind": "other"}, "kind is str 'other'; expected one of trustworthy"),
        ({"kind": ["invariant"]}, "kind is list"),
        ({"nodeid": None}, "nodeid is NoneType None; expected str"),
        ({"seed": True}, "seed is bool True; expected int"),
        ({"details": []}, "details is list"),
        ({"subject": {}}, "model is NoneType None; expected dict"),
        ({"outcomes": None}, "outcomes are NoneType None"),
        ({"texts": [{}]}, "text is NoneType None; expected str"),
        ({"texts": [{"text": "a", "label": "b", "changed_text": None}]}, "1 texts for 3 outcomes"),
    ],
)
def test_a_malformed_check_is_named(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    document = json.loads(GOOD)
    document["checks"][0] |= change
    with pytest.raises(BaselineError, match=told):
        read_run(written(tmp_path, json.dumps(document).encode()))


@given(st.data())
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damage_gives_a_run_that_compares_or_a_baseline_error(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(GOOD.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try:
        run = read_run(written(tmp_path, bytes(content)))
    except BaselineError:
        return
    compare_runs(run, stored_run(*RECORDS))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in paths(item, (*path, key)))][bool(not path) :]


@given(st.data())
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_in_any_place_gives_a_run_that_compares_or_a_baseline_error(
    tmp_path: Path, data: st.DataObject
) -> None:
    document = json.loads(GOOD)
    *way, last = data.draw(st.sampled_from(paths(document)))
    holder = document
    for key in way:
        holder = holder[key]
    if isinstance(holder, dict) and data.draw(st.booleans()):
        del holder[last]
    else:
        holder[last] = data.draw(JSON)
    try:
        run = read_run(written(tmp_path, json.dumps(document).encode()))
    except BaselineError:
        return
    for before, now in ((run, stored_run(*RECORDS)), (stored_run(*RECORDS), run)):
        comparison = compare_runs(before, now)
        json.dumps(comparison.to_dict())
        assert all(len(line.splitlines()) == 1 for _, line in comparison_lines(comparison))

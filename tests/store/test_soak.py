"""A slice of ``python -m benchmarks.soak``, and whether it would notice what it looks for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("sklearn")

from benchmarks.soak.damage import _WAYS, damage
from benchmarks.soak.rounds import Soak
from benchmarks.soak.session import digest, store_path
from pytest_trust.store import ResultStore

ROOT = Path(__file__).parents[2]
RECORDS = {b"a" * 32: b"1", b"b" * 32: b"2"}


def test_some_rounds_go_well(tmp_path: Path) -> None:
    file = tmp_path / "soak.json"
    command = [sys.executable, "-m", "benchmarks.soak", "--seconds=1", "--sessions=1", "--texts=20", f"--json={file}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {row["name"]: row["value"] for row in json.loads(file.read_text())["rows"]}
    assert rows["wrong verdicts"] == rows["wrong records"] == 0
    ended = rows["sessions killed"] + rows["sessions finished, and their verdicts compared"]
    assert ended == rows["sessions"] > 1


@pytest.fixture
def soak(tmp_path: Path) -> Soak:
    parts: Any = None  # no session is started
    return Soak(parts, tmp_path, Random(0), expected={0: {"outcome": "pass"}})


def committed(folder: Path, records: dict[bytes, bytes], kept: dict[bytes, bytes]) -> None:
    """A session wrote down that it committed ``records``; ``kept`` are in the store."""
    store = ResultStore(store_path(folder))
    store.put_many(kept)
    store.close()
    lines = (f"{key.hex()} {digest(value)}\n" for key, value in records.items())
    (folder / "session.log").write_text("".join(lines) + "61616161 31")  # the last line was torn by a kill


def test_records_that_are_there_are_not_missed(soak: Soak, tmp_path: Path) -> None:
    committed(tmp_path, RECORDS, RECORDS)
    soak._check_records(tmp_path)
    assert (soak.tally.records_checked, soak.tally.lost_records, soak.tally.wrong_records) == (2, 0, 0)


def test_a_lost_record_is_noticed(soak: Soak, tmp_path: Path) -> None:
    committed(tmp_path, RECORDS, {b"a" * 32: b"1"})
    soak._check_records(tmp_path)
    assert soak.tally.lost_records == 1


def test_what_a_damaged_file_has_lost_is_told_apart(soak: Soak, tmp_path: Path) -> None:
    committed(tmp_path, RECORDS, {b"a" * 32: b"1"})
    soak._suspect = True
    soak._check_records(tmp_path)
    assert (soak.tally.lost_records, soak.tally.records_gone_with_a_damaged_file) == (0, 1)
    assert not soak._suspect, "SQLite finds nothing wrong with the file"


def test_a_wrong_record_is_noticed(soak: Soak, tmp_path: Path) -> None:
    committed(tmp_path, RECORDS, RECORDS | {b"a" * 32: b"another"})
    soak._check_records(tmp_path)
    assert soak.tally.wrong_records == 1


def test_a_wrong_verdict_and_a_failed_session_are_noticed(soak: Soak, tmp_path: Path) -> None:
    for name, outcome in (("right", "pass"), ("wrong", "fail")):
        (tmp_path / name).write_text(json.dumps({"verdicts": {"outcome": outcome}, "warnings": []}))
        soak._judge(tmp_path, name, 0, 0)
    soak._judge(tmp_path, "failed", 0, 1)
    assert (soak.tally.wrong_verdicts, soak.tally.failed_sessions) == (["wrong"], ["failed: ended with 1"])
    assert soak.tally.finished == 2


def test_damage_changes_a_file(tmp_path: Path) -> None:
    content = bytes(range(256)) * 40
    rng, seen = Random(1), set()
    for _ in range(60):
        path = tmp_path / "file"
        path.write_bytes(content)
        seen.add(damage(rng, path))
        assert not path.exists() or path.read_bytes() != content
    assert seen == _WAYS.keys()
    assert damage(rng, tmp_path / "none") == ""

"""Readers of JSON reports and baselines, and the comparison that follows."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.fuzzing.mutations import mutated_bytes, mutated_json
from benchmarks.fuzzing.tables import bomb
from benchmarks.fuzzing.target import Target, writer
from pytest_trust._version import __version__
from pytest_trust.errors import BaselineError
from pytest_trust.reports import compare_runs, comparison_lines, read_run, turned_lines
from pytest_trust.reports.baseline.file import KINDS
from pytest_trust.reports.baseline.outcomes import packed_outcomes
from pytest_trust.reports.document import SCHEMA
from pytest_trust.results import EvidenceRow, TextResult

_DETAILS: dict[str, dict[str, Any]] = {
    "trustworthy": {"oracle": "toki", "explainer": "lime", "target": None, "threshold": 0.5, "human": None},
    "invariant": {"perturbation": "typos", "target": None},
    "directional": {"perturbation": "typos", "target": "good", "expect": "decrease"},
    "functional": {"target": None},
    "adversarial": {"attack": "toki", "target": None, "compare": "bound", "max_queries": 100, "successes": 3},
}
_N = 8


def targets(folder: Path) -> Iterator[Target]:
    """Reports as they are and packed."""
    valid = _document(True)
    other = folder / "other.json"
    other.write_bytes(_document(False))
    for name, seeds, changes in (
        ("baseline.json", (valid, _document(False)), (mutated_json, mutated_json, _outcomes)),
        ("baseline.json.gz", (gzip.compress(valid, mtime=0),), (_repacked, bomb)),
    ):
        path = folder / name
        read = writer(path, lambda path: _read(path, other))
        share = 1.0 if changes[0] is mutated_json else 0.3
        yield Target(name, seeds, read, (BaselineError,), path.name, (b"schema", b"outcomes", b"#2"), changes, share)


def _read(path: Path, other: Path) -> None:
    run = read_run(path)
    for before, now in ((run, run), (read_run(other), run), (run, read_run(other))):
        comparison = compare_runs(before, now)
        json.dumps(comparison.to_dict(), allow_nan=False)
        assert all(type(line) is str for _, line in comparison_lines(comparison))
        for check in comparison.checks:
            turned_lines(check)
    for check in run.checks.values():
        for outcome in check.outcomes.values():
            assert outcome.holds in (True, False, None)
            assert outcome.value is None or abs(outcome.value) <= 1


def _document(better: bool) -> bytes:
    """A baseline with a check of each kind; ``better`` on every text, or not."""
    records = [_record(kind, [_text(i, better or i > 6) for i in range(_N)]) for kind in KINDS]
    return json.dumps({"schema": SCHEMA, "version": __version__, "seed": 0, "checks": records}).encode()


def _text(number: int, holds: bool) -> TextResult:
    row = EvidenceRow(f"a text, number {number} <b>é", "good", 0.5, changed_text=f"text {number}")
    return TextResult(row, holds, 0.25 if holds else -0.5, number // 2)


def _record(kind: str, texts: list[TextResult]) -> dict[str, Any]:
    return {
        "nodeid": f"test_x.py::test_{kind}",
        "kind": kind,
        "name": "a name",
        "outcome": "pass",
        "estimate": 0.9,
        "interval": [0.8, 1.0],
        "bound": 0.5,
        "p_value": 0.01,
        "n": _N,
        "n_total": _N,
        "seed": 0,
        "capability": None,
        "evidence": [],
        "details": dict(_DETAILS[kind]),
        "subject": {
            "model": {"source": "m", "fingerprint": "m", "classes": ["bad", "good"]},
            "data": {"name": "test.csv", "n": _N, "fingerprint": "d" * 64},
            "settings": {"explainer": {"name": "lime", "samples": 100}, "embeddings": ["glove"]},
        },
        "outcomes": packed_outcomes(kind, texts),
        "texts": [item.to_dict() for item in texts],
    }


def _outcomes(rng: Random, content: bytes) -> bytes:
    """Other outcomes of one check."""
    try:
        document = json.loads(content)
        packed = rng.choice(document["checks"])["outcomes"]
        name = rng.choice(list(packed))
        packed[name] = mutated_bytes(rng, packed[name].encode(), (b"#2", b"-", b"1 ")).decode(errors="replace")
    except Exception:
        return mutated_json(rng, content)
    return json.dumps(document).encode()


def _repacked(rng: Random, content: bytes) -> bytes:
    try:
        plain = gzip.decompress(content)
    except Exception:
        return mutated_bytes(rng, content)
    return gzip.compress(mutated_bytes(rng, plain[: 2**18]), 1, mtime=0)

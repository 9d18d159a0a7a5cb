"""Records of checks as sessions leave them, made from outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_trust._version import __version__
from pytest_trust.reports import packed_outcomes, run_of
from pytest_trust.reports.baseline.file import StoredRun
from pytest_trust.results import EvidenceRow, TextResult

DETAILS: Mapping[str, Mapping[str, Any]] = {
    "trustworthy": {"oracle": "toki", "explainer": "lime", "target": None, "threshold": None, "human": None},
    "invariant": {"perturbation": "typos", "target": None},
    "directional": {"perturbation": "typos", "target": "good", "expect": "decrease"},
    "functional": {"target": None},
    "adversarial": {"attack": "toki", "target": None, "compare": "bound", "max_queries": 100, "successes": 3},
}


def text_result(
    text: str, holds: bool | None, value: float | None, source: int, *, label: str = "good", changed: str | None = None
) -> TextResult:
    return TextResult(EvidenceRow(text, label, 0.5, changed_text=changed), holds, value, source)


def texts_of(holds: Iterable[bool | None], values: Iterable[float | None], sources: Iterable[int] | None = None) -> Any:
    """Texts numbered in order, each of its own source."""
    rows = list(zip(holds, values, strict=True))
    groups = list(range(len(rows))) if sources is None else list(sources)
    return [
        text_result(f"text {i}", held, value, group)
        for i, ((held, value), group) in enumerate(zip(rows, groups, strict=True))
    ]


def check_record(kind: str, texts: list[TextResult], *, kept: bool = True, **changes: Any) -> dict[str, Any]:
    record = {
        "nodeid": "test_x.py::test_y",
        "kind": kind,
        "name": "a name",
        "outcome": "pass",
        "estimate": 0.9,
        "seed": 0,
        "capability": None,
        "evidence": [],
        "details": dict(DETAILS[kind]),
        "subject": {
            "model": {"source": "m", "fingerprint": "m", "classes": ["bad", "good"]},
            "data": {"name": "test.csv", "n": len(texts), "fingerprint": "d" * 64},
            "settings": {},
        },
        "outcomes": packed_outcomes(kind, texts),
        "texts": [item.to_dict() for item in texts] if kept else [],
    }
    return record | changes


def stored_run(*records: Mapping[str, Any], name: str = "main.json", version: str = __version__) -> StoredRun:
    return run_of(records, name=name, version=version, seed=0)

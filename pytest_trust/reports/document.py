"""The JSON report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pytest_trust._version import __version__
from pytest_trust.reports.attacks import Attacks, by_attack
from pytest_trust.reports.capabilities import capability_matrix
from pytest_trust.reports.figures import Record, by_oracle, summarise

SCHEMA = 1


def json_report(records: Sequence[Record], *, seed: int, baseline: Mapping[str, Any] | None = None) -> str:
    """All results of a session as a JSON document, schema 1; ``baseline`` is its comparison with an earlier run."""
    document = report_document(records, seed=seed) | {"baseline": baseline}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def report_document(records: Sequence[Record], *, seed: int) -> dict[str, Any]:
    """All results of a session as plain values.

    ``model``, ``data`` and ``index`` are those of all checks where they agree, else null; every check carries its own
    under ``subject``. ``capabilities`` counts outcomes by capability and kind. The figures of ``summary`` are null
    where several oracles judged; ``oracles`` has those of each, and ``attacks`` those of each attack.
    """
    subjects = [record["subject"] for record in records]
    oracles, attacks = by_oracle(records), by_attack(records)
    return {
        "schema": SCHEMA,
        "version": __version__,
        "model": _common(subject["model"] for subject in subjects),
        "data": _common(subject["data"] for subject in subjects),
        "index": _common(subject["index"] for subject in subjects if "index" in subject),
        "seed": seed,
        "checks": [{key: value for key, value in record.items() if key != "texts"} for record in records],
        "summary": summarise([] if len(oracles) > 1 else records).to_dict() | {"asr": _only_asr(attacks)},
        "attacks": attacks,
        "capabilities": capability_matrix(records),
        "oracles": {name: figures.to_dict() for name, figures in oracles.items()},
    }


def _only_asr(attacks: Attacks) -> float | int | None:
    """The attack success rate where there was one attack: those of different attacks make no common rate."""
    return next(iter(attacks.values()))["asr"] if len(attacks) == 1 else None


def _common(values: Iterable[Any]) -> Any:
    """The one value that all share, or None."""
    distinct = list(values)
    return distinct[0] if distinct and all(value == distinct[0] for value in distinct) else None

"""Properties of test cases in JUnit files (``--junit-xml``): what a check measured, for tools that plot it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

_PREFIX = "trust."
_FIGURES = ("kind", "name", "outcome", "n", "estimate", "low", "high", "bound", "p_value", "seed")
_NAMES = {"p_value": "p"}
_FINGERPRINTS = {"model": "fingerprint", "data": "fingerprint", "index": "key"}


def set_properties(item: pytest.Item, records: Sequence[Mapping[str, Any]]) -> None:
    """Puts the figures of each check on the test, as ``trust.1.estimate``, in place of those of an earlier run."""
    kept = [(name, value) for name, value in item.user_properties if not name.startswith(_PREFIX)]
    item.user_properties[:] = [*kept, *_properties(records)]


def _properties(records: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, object]]:
    """Names and known values, by the number of the check among those of the test."""
    for number, record in enumerate(records, start=1):
        figures = {_NAMES.get(name, name): record[name] for name in _FIGURES}
        for name, value in (figures | _fingerprints(record["subject"])).items():
            if value is not None:
                yield f"{_PREFIX}{number}.{name}", value


def _fingerprints(subject: Mapping[str, Any]) -> dict[str, Any]:
    return {part: subject[part].get(key) for part, key in _FINGERPRINTS.items() if subject.get(part)}

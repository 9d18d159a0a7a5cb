"""The matrix of capabilities and kinds of checks, after CheckList (Ribeiro et al., ACL 2020, section 2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from pytest_trust.reports.figures import Record
from pytest_trust.reports.text import shorten
from pytest_trust.results import Outcome

CAPABILITIES = (
    "vocabulary",
    "part of speech",
    "taxonomy",
    "robustness",
    "named entities",
    "fairness",
    "temporality",
    "negation",
    "coreference",
    "semantic roles",
    "logic",
)
"""The capabilities of CheckList, in the order in which they are shown; a suite may name others."""

_LONGEST_NAME = 40
_KINDS = ("functional", "invariant", "directional", "adversarial", "trustworthy")

Matrix = Mapping[str, Mapping[str, Mapping[str, int]]]


def capability_matrix(records: Sequence[Record]) -> Matrix:
    """How many checks of each capability and kind had which outcome; records without a capability are left out."""
    counts: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for record in records:
        if record["capability"]:
            counts[record["capability"]][record["kind"]][record["outcome"]] += 1
    return {
        name: {kind: {outcome.value: cell[outcome.value] for outcome in Outcome} for kind, cell in row.items()}
        for name, row in sorted(counts.items(), key=lambda item: _place(item[0]))
    }


def _place(capability: str) -> tuple[int, str]:
    known = CAPABILITIES.index(capability) if capability in CAPABILITIES else len(CAPABILITIES)
    return known, capability


def kinds_of(matrix: Matrix) -> list[str]:
    """The kinds of checks that have a column, in order."""
    return [kind for kind in _KINDS if any(kind in row for row in matrix.values())]


def capability_lines(matrix: Matrix) -> Iterator[str]:
    """The matrix as a table of passed and failed checks, an inconclusive one among the failed."""
    if not matrix:
        return
    kinds = kinds_of(matrix)
    shown = {name: shorten(name, _LONGEST_NAME) for name in matrix}
    width = max(map(len, (*shown.values(), "passed/failed")))
    yield f"{'passed/failed':<{width}}" + "".join(f"  {kind:>11}" for kind in kinds)
    for name, row in matrix.items():
        yield f"{shown[name]:<{width}}" + "".join(f"  {_cell(row.get(kind)):>11}" for kind in kinds)


def _cell(counts: Mapping[str, int] | None) -> str:
    if counts is None:
        return "-"
    return f"{counts['pass']}/{sum(counts.values()) - counts['pass']}"

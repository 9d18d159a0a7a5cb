"""What the top of the page shows: outcomes of the checks, figures, capabilities, and what was tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_trust.reports.capabilities import capability_matrix, kinds_of
from pytest_trust.reports.figures import Record
from pytest_trust.reports.html.interval import interval_picture
from pytest_trust.reports.overview import CheckRow, FigureRow, check_row, counted_outcomes, figure_rows

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Check:
    """One check: its row, a picture of its interval (None without one), and every figure behind it."""

    number: int
    row: CheckRow
    picture: Markup | None
    figures: tuple[tuple[str, str], ...]
    predictions: int


@dataclass(frozen=True, slots=True)
class Cell:
    """How many checks of a capability and kind passed, of how many."""

    passed: int
    total: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The view of the top of the page; ``matrix`` has one row of cells a capability, None where there was no check."""

    checks: tuple[Check, ...]
    counts: Mapping[str, int]
    figures: tuple[FigureRow, ...]
    kinds: tuple[str, ...]
    matrix: tuple[tuple[str, tuple[Cell | None, ...]], ...]
    tested: tuple[tuple[str, str], ...]


def summary_of(records: Sequence[Record], *, seed: int) -> Summary:
    """The view of ``records``."""
    matrix = capability_matrix(records)
    kinds = tuple(kinds_of(matrix))
    return Summary(
        checks=tuple(_check(number, record) for number, record in enumerate(records)),
        counts=counted_outcomes(records),
        figures=figure_rows(records),
        kinds=kinds,
        matrix=tuple((name, tuple(_cell(row.get(kind)) for kind in kinds)) for name, row in matrix.items()),
        tested=(*_tested(records), ("seed", str(seed))),
    )


def _check(number: int, record: Record) -> Check:
    return Check(
        number, check_row(record), interval_picture(record), tuple(_figures(record)), len(record.get("texts", ()))
    )


def _cell(counts: Mapping[str, int] | None) -> Cell | None:
    return None if counts is None else Cell(counts["pass"], sum(counts.values()))


def _figures(record: Record) -> Iterable[tuple[str, str]]:
    """Everything known about a check, for those who want to look closely."""
    subject = record["subject"]
    known = {
        "alpha": record.get("alpha"),
        "seed": record["seed"],
        **record["details"],
        "model": _named(subject.get("model"), "source"),
        "data": _named(subject.get("data"), "name"),
        "index": _named(subject.get("index"), "key"),
    }
    return ((name.replace("_", " "), _shown(value)) for name, value in known.items() if value is not None)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _named(part: Mapping[str, Any] | None, key: str) -> str | None:
    """What a part of the session is called, with the beginning of its fingerprint."""
    if part is None or part.get(key) is None:
        return None
    fingerprint = part.get("fingerprint")
    return str(part[key]) + (f" ({fingerprint[:12]})" if fingerprint else "")


def _tested(records: Sequence[Record]) -> Iterable[tuple[str, str]]:
    """Models and data of all checks, each once."""
    for title, part, key in (("model", "model", "source"), ("data", "data", "name")):
        named = [_named(record["subject"].get(part), key) for record in records]
        yield from ((title, name) for name in dict.fromkeys(named) if name is not None)

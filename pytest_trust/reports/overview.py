"""The checks and figures of a session as rows of short texts: what pages and summaries show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_trust.reports.attacks import by_attack
from pytest_trust.reports.figures import AGREEMENT, Record, by_oracle
from pytest_trust.reports.text import (
    bound_text,
    check_remarks,
    estimate_text,
    estimated_name,
    interval_text,
    shown_figure,
    size_text,
)
from pytest_trust.results import Outcome

URGENCY = (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.PASS)
"""In order of how much they ask of a reader."""

_COUNTED = {Outcome.PASS: "passed", Outcome.FAIL: "failed", Outcome.INCONCLUSIVE: "inconclusive"}


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check. ``size``, ``estimate``, ``interval``, ``bound`` and ``remarks`` are empty where nothing is known."""

    nodeid: str
    kind: str
    name: str
    outcome: str
    size: str
    metric: str
    estimate: str
    interval: str
    bound: str
    remarks: tuple[str, ...]
    reason: str
    advice: str


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure of the session, its interval (or nothing), and what it is of."""

    name: str
    value: str
    interval: str
    of: str


def check_row(record: Record) -> CheckRow:
    """The row of one check."""
    return CheckRow(
        nodeid=record["nodeid"],
        kind=record["kind"],
        name=record["name"],
        outcome=record["outcome"],
        size=size_text(record),
        metric=estimated_name(record),
        estimate=estimate_text(record),
        interval=interval_text(record),
        bound=bound_text(record) if record["bound"] is not None else "",
        remarks=tuple(check_remarks(record)),
        reason=record["reason"],
        advice=record["advice"],
    )


def urgent_first(records: Sequence[Record]) -> list[Record]:
    """What failed, then what is inconclusive, then what passed; the order is kept otherwise."""
    return sorted(records, key=lambda record: URGENCY.index(record["outcome"]))


def counted_outcomes(records: Sequence[Record]) -> dict[str, int]:
    """How many checks passed, failed and were inconclusive."""
    counts = Counter(record["outcome"] for record in records)
    return {word: counts[outcome.value] for outcome, word in _COUNTED.items()}


def figure_rows(records: Sequence[Record]) -> tuple[FigureRow, ...]:
    """Trust rate and agreement with people of each oracle, and the success rate of each attack."""
    oracles = by_oracle(records)
    rows = [
        row
        for name, figures in oracles.items()
        for row in _oracle_rows(figures.to_dict(), figures.trust, name if len(oracles) > 1 else "")
    ]
    return (*rows, *(_attack_row(name, figures) for name, figures in by_attack(records).items()))


def _oracle_rows(values: Mapping[str, Any], trust: Any, oracle: str) -> Iterator[FigureRow]:
    by = f" ({oracle})" if oracle else ""
    if trust is not None and trust.estimate is not None:
        of = f"of {trust.n} correct predictions"
        yield FigureRow(f"trust rate{by}", f"{trust.estimate:.3f}", f"[{trust.low:.3f}, {trust.high:.3f}]", of)
    if values["human_verdicts"]:
        of = f"against {values['human_verdicts']} human verdicts"
        for name in AGREEMENT:
            yield _row(shown_figure(name) + by, values[name], values[f"{name}_low"], values[f"{name}_high"], of)


def _attack_row(name: str, figures: Mapping[str, float | int | None]) -> FigureRow:
    of = f"of {figures['attacked']} attacked"
    return _row(f"attack success rate ({name})", figures["asr"], figures["asr_low"], figures["asr_high"], of)


def _row(name: str, value: float | None, low: float | None, high: float | None, of: str) -> FigureRow:
    shown = "undefined" if value is None else f"{value:.3f}"
    return FigureRow(name, shown, "" if low is None or high is None else f"[{low:.2f}, {high:.2f}]", of)

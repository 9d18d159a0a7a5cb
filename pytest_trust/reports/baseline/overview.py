"""A comparison of two runs for reports that show it in their own markup."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pytest_trust.reports.baseline.lines import comparison_lines
from pytest_trust.reports.baseline.results import Comparison, Standing
from pytest_trust.reports.overview import URGENCY
from pytest_trust.results import Outcome

# What becomes of the test, whatever the bound of the check says; a new or unfinished check is held to that bound.
_OUTCOMES = {
    Standing.WORSE: Outcome.FAIL,
    Standing.REFUSED: Outcome.INCONCLUSIVE,
    Standing.INCONCLUSIVE: Outcome.INCONCLUSIVE,
    Standing.NO_WORSE: Outcome.PASS,
    Standing.BETTER: Outcome.PASS,
}


@dataclass(frozen=True, slots=True)
class StandingRow:
    """How one check stands, what follows for its test, and the lines that tell it."""

    standing: Standing
    outcome: Outcome
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """What reports show: the name of the earlier run, how many checks stand how, a row each, and closing remarks."""

    name: str
    counts: str
    rows: tuple[StandingRow, ...]
    remarks: tuple[str, ...]


def comparison_view(comparison: Comparison) -> ComparisonView:
    """The view of ``comparison``, worst first."""
    found = [(standing, len(comparison.of(standing))) for standing in Standing]
    counts = ", ".join(f"{count} {standing}" for standing, count in found if count) or "no check"
    rows, remarks = _rows(comparison)
    rows.sort(key=lambda row: URGENCY.index(row.outcome))
    return ComparisonView(Path(comparison.name).name, counts, tuple(rows), tuple(remarks))


def _rows(comparison: Comparison) -> tuple[list[StandingRow], list[str]]:
    """The rows, and what is said of all checks together."""
    told: list[list[str]] = []
    remarks: list[str] = []
    for standing, line in comparison_lines(comparison):
        if standing is not None:
            told.append([line])
        else:
            (told[-1] if line.startswith(" ") else remarks).append(line.strip())
    rows = [
        StandingRow(check.standing, _OUTCOMES.get(check.standing, Outcome(check.outcome)), tuple(lines))
        for check, lines in zip(comparison.checks, told, strict=True)
    ]
    return rows, remarks

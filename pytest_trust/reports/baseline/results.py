"""What a comparison with an earlier run gives, as plain frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from pytest_trust.reports.baseline.file import CheckKey
from pytest_trust.reports.baseline.outcomes import TextOutcome
from pytest_trust.reports.baseline.tests import Change
from pytest_trust.reports.text import shorten


class Standing(StrEnum):
    """How a check stands against its earlier run."""

    WORSE = "worse"
    NO_WORSE = "no worse"
    BETTER = "better"
    INCONCLUSIVE = "inconclusive"
    REFUSED = "refused"
    UNFINISHED = "unfinished"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Turned:
    """A text that speaks for a check being worse: what was found before and now, and what to show of it."""

    before: TextOutcome
    now: TextOutcome
    shown: Mapping[str, Any]

    @property
    def fell(self) -> bool:
        """Whether the text bore out the claim before and does not now."""
        return self.before.holds is True and self.now.holds is False

    @property
    def loss(self) -> float:
        """How much of the value was lost."""
        if self.before.value is None or self.now.value is None:
            return 0.0
        return self.before.value - self.now.value

    def to_dict(self) -> dict[str, Any]:
        """Plain values; of the text, its beginning."""
        excerpt = {name: None if self.shown.get(name) is None else shorten(self.shown[name]) for name in _EXCERPTS}
        sides = {"before": self.before, "now": self.now}
        return {"key": self.now.key, **excerpt} | {
            f"{figure}_{side}": getattr(outcome, figure)
            for figure in ("holds", "value")
            for side, outcome in sides.items()
        }


_EXCERPTS = ("text", "label", "changed_text")


@dataclass(frozen=True, slots=True)
class Compared:
    """One check against its earlier run.

    ``paired`` texts are decided in both; where they are too few for their verdicts ever to be significantly worse,
    ``needed`` is how many would have to turn, else 0. ``only_before`` and ``only_now`` count texts decided in one run
    alone, which no test looks at. ``texts`` are those that turned or lost most, worst first, and ``more`` the number of
    further ones. ``reason`` says why a check is refused or inconclusive.
    """

    key: CheckKey
    standing: Standing
    outcome: str
    reason: str = ""
    paired: int = 0
    only_before: int = 0
    only_now: int = 0
    changes: tuple[Change, ...] = ()
    texts: tuple[Turned, ...] = ()
    more: int = 0
    needed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values only."""
        nodeid, kind, name, place = self.key
        plain = {"nodeid": nodeid, "kind": kind, "name": name, "place": place, "standing": self.standing.value}
        plain |= {
            name: getattr(self, name) for name in ("reason", "paired", "needed", "only_before", "only_now", "more")
        }
        changed = {change.figure: asdict(change) for change in self.changes}
        return plain | {"changes": changed, "texts": [text.to_dict() for text in self.texts]}


@dataclass(frozen=True, slots=True)
class Comparison:
    """All checks of a run against an earlier one, ``name``. ``missing`` are checks of that one which did not run."""

    name: str
    alpha: float
    hypotheses: int
    checks: tuple[Compared, ...]
    missing: tuple[CheckKey, ...]

    def of(self, standing: Standing) -> list[Compared]:
        """The checks that stand so."""
        return [check for check in self.checks if check.standing is standing]

    def to_dict(self) -> dict[str, Any]:
        """Plain values only."""
        return {
            "file": self.name,
            "alpha": self.alpha,
            "hypotheses": self.hypotheses,
            "checks": [check.to_dict() for check in self.checks],
            "missing": [list(key) for key in self.missing],
        }

"""What keeps a gate from passing, and whether more texts could change that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_trust.checks.common import Decision
from pytest_trust.results import Outcome
from pytest_trust.stats import Rate, n_for_rate, safe_interval, stays_within


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing that keeps a gate from passing.

    ``reason`` tells what was found, ``why`` the figure that decides whether more texts could help, ``needed`` about how
    many would do: None where none would. ``what`` is counted, where it is not what the whole gate counts.
    """

    outcome: Outcome
    reason: str
    why: str
    needed: int | None
    what: str = ""

    def advice(self, what: str) -> str:
        """Whether more of ``what`` (texts, predictions) could change it, and how many."""
        what = self.what or what
        if self.needed is None:
            return f"more {what} would not change this: {self.why}"
        return f"more {what} could change this: {self.why}; about {self.needed} are needed"


def decide_by(obstacles: Sequence[Obstacle], passed: str, what: str = "texts") -> Decision:
    """PASS, for the reason ``passed``, where nothing stands in the way; else the worst of the obstacles, first first.

    The advice is that of the obstacle which is hardest to remove.
    """
    if not obstacles:
        return Decision(Outcome.PASS, passed)
    failed = [item for item in obstacles if item.outcome is Outcome.FAIL]
    shown = (failed or obstacles)[0]
    hardest = max(obstacles, key=lambda item: (item.needed is None, item.needed or 0))
    if hardest is not shown:  # of two that are as hard, the one that is told of
        hardest = shown if shown.needed == hardest.needed else replace(hardest, why=f"{hardest.reason}; {hardest.why}")
    return Decision(shown.outcome, shown.reason, hardest.advice(what))


def too_few(n: int, reason: str, why: str, needed: int | None) -> Obstacle:
    """An obstacle of an inconclusive gate, which more than the ``n`` that were seen would remove."""
    return Obstacle(Outcome.INCONCLUSIVE, reason, why, None if needed is None else max(needed, n + 1))


def rate_below(rate: Rate, least: float, alpha: float, reason: str) -> Obstacle:
    """The obstacle of a failed gate whose ``rate`` lies below ``least``."""
    low, high = safe_interval(rate, alpha)
    needed = n_for_rate(high, least, "lower", alpha)
    beyond = f"the interval [{low:.1%}, {high:.1%}] lies beyond {least:.1%}"
    return Obstacle(Outcome.FAIL, reason, f"the rate may be as high as {high:.1%}" if needed else beyond, needed)


def rate_not_shown(rate: Rate, least: float, alpha: float, reason: str) -> Obstacle:
    """The obstacle of an inconclusive gate whose ``rate`` is not shown to reach ``least``."""
    _, high = safe_interval(rate, alpha)
    likely = n_for_rate(rate.estimate or 0.0, least, "lower", alpha)
    if likely is None:
        why = f"the rate seen is all but the bound itself, and may be as high as {high:.1%}"
        return too_few(rate.n, reason, why, n_for_rate(high, least, "lower", alpha))
    return too_few(rate.n, reason, f"n = {rate.n} cannot certify a rate of {least:.1%}", likely)


def rate_above(rate: Rate, most: float, alpha: float, *, found: str, failed: str, claim: str) -> Obstacle | None:
    """What keeps ``rate`` from being shown to be at most ``most``.

    ``found`` tells the rate, ``failed`` that it is too large, ``claim`` what would have to be certified.
    """
    assert rate.estimate is not None, "decided over at least one pair"
    low, high = safe_interval(rate, alpha)
    needed = n_for_rate(low, most, "upper", alpha)
    if rate.estimate > most:
        beyond = f"the interval [{low:.1%}, {high:.1%}] lies beyond {most:.1%}"
        why = beyond if needed is None else f"the rate may be as low as {low:.1%}"
        return Obstacle(Outcome.FAIL, failed, why, needed)
    if stays_within(rate, most, alpha):
        return None
    likely = n_for_rate(rate.estimate, most, "upper", alpha)
    why = f"n = {rate.n} cannot certify {claim}"
    if likely is None:
        why = f"the rate seen is all but the bound itself, and may be as low as {low:.1%}"
    return too_few(rate.n, f"{found}, but up to {high:.1%} cannot be ruled out", why, likely or needed)

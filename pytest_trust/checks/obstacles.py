"""What keeps a gate from passing, and whether more texts could change that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_trust.checks.common import Decision
from pytest_trust.results import Outcome
from pytest_trust.stats import PairedTest, Rate, n_for_rate, safe_interval, stays_within

# More texts than a gate is ever given: how many more says nothing.
_MANY = 100_000


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
        return f"more {what} could change this: {self.why}; {_counted(self.needed)} are needed"


def _counted(needed: int) -> str:
    """A number of texts that somebody may gather, or that nobody will."""
    return f"about {needed}" if needed <= _MANY else f"more than {_MANY:,}"


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


def failed(reason: str, needed: int | None, *, hope: str, beyond: str) -> Obstacle:
    """The obstacle of a failed gate: its why is the ``hope`` where ``needed`` would do, else what lies ``beyond``."""
    return Obstacle(Outcome.FAIL, reason, beyond if needed is None else hope, needed)


def interval_text(test: PairedTest) -> str:
    """The interval of a mean shift in words; of fewer than two differences it is all that there can be."""
    low, high = (-1.0, 1.0) if test.low is None or test.high is None else (test.low, test.high)
    return f"the interval [{low:+.3f}, {high:+.3f}]"


def too_few(n: int, reason: str, why: str, needed: int | None) -> Obstacle:
    """An obstacle of an inconclusive gate, which more than the ``n`` that were seen would remove."""
    return Obstacle(Outcome.INCONCLUSIVE, reason, why, None if needed is None else max(needed, n + 1))


def rate_below(rate: Rate, least: float, alpha: float, reason: str) -> Obstacle:
    """The obstacle of a failed gate whose ``rate`` lies below ``least``."""
    low, high = safe_interval(rate, alpha)
    needed = n_for_rate(high, least, "lower", alpha)
    beyond = f"the interval [{low:.1%}, {high:.1%}] lies beyond {least:.1%}"
    return failed(reason, needed, hope=f"the rate may be as high as {high:.1%}", beyond=beyond)


def rate_not_shown(rate: Rate, least: float, alpha: float, reason: str) -> Obstacle:
    """The obstacle of an inconclusive gate whose ``rate`` is not shown to reach ``least``."""
    _, high = safe_interval(rate, alpha)
    likely, at_best = (n_for_rate(share, least, "lower", alpha) for share in (rate.estimate or 0.0, high))
    return _uncertified(rate.n, reason, f"a rate of {least:.1%}", likely, at_best, f"as high as {high:.1%}")


def rate_above(rate: Rate, most: float, alpha: float, *, found: str, too_large: str, claim: str) -> Obstacle | None:
    """What keeps ``rate`` from being shown to be at most ``most``.

    ``found`` tells the rate, ``too_large`` that it is, ``claim`` what would have to be certified.
    """
    assert rate.estimate is not None, "decided over at least one pair"
    low, high = safe_interval(rate, alpha)
    at_best = n_for_rate(low, most, "upper", alpha)
    if rate.estimate > most:
        beyond = f"the interval [{low:.1%}, {high:.1%}] lies beyond {most:.1%}"
        return failed(too_large, at_best, hope=f"the rate may be as low as {low:.1%}", beyond=beyond)
    if stays_within(rate, most, alpha):
        return None
    reason = f"{found}, but up to {high:.1%} cannot be ruled out"
    likely = n_for_rate(rate.estimate, most, "upper", alpha)
    return _uncertified(rate.n, reason, claim, likely, at_best, f"as low as {low:.1%}")


def _uncertified(n: int, reason: str, claim: str, likely: int | None, at_best: int | None, edge: str) -> Obstacle:
    """A rate not shown: ``likely`` texts would do if it is as seen, ``at_best`` if it lies at its good ``edge``."""
    if likely is None:
        return too_few(n, reason, f"the rate seen is all but the bound itself, and may be {edge}", at_best)
    return too_few(n, reason, f"n = {n} cannot certify {claim}", likely)

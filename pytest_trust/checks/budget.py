"""A time that checks may take: what is not finished then is inconclusive, and says how much that is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pytest_trust.arguments import require_between
from pytest_trust.checks.common import Decision, rate_result
from pytest_trust.errors import BudgetSpentError
from pytest_trust.results import CheckResult, Outcome
from pytest_trust.stats import NOTHING_KNOWN

# Work is done in slices, the first of so many texts. The next is twice as long where one took less than the smaller
# share of the budget, and half as long where it took more than the larger: so little is done after the end.
_FIRST = 8
_LONGEST = 1024
_SHORT, _LONG = 0.02, 0.1

ADVICE = "a larger budget could change this (--trust-budget=SECONDS)"


class Deadline:
    """The end of a budget of ``seconds`` that begins now; several checks may share one.

    A call of the model that is under way is not interrupted. ``clock`` gives seconds.

    Raises:
        ConfigurationError: ``seconds`` is no positive number.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = require_between("budget", seconds, 0.0, float("inf"))
        self._clock = clock
        self._end = clock() + self.seconds

    @property
    def is_spent(self) -> bool:
        """Whether nothing is to begin any more."""
        return self._clock() >= self._end

    @property
    def text(self) -> str:
        """The end in words."""
        return f"the budget of {self.seconds:g} s is spent"

    def require_left(self, what: str) -> None:
        """Accept a budget that is not spent; ``what`` says what comes to an end where it is.

        Raises:
            BudgetSpentError: it is spent.
        """
        if self.is_spent:
            raise BudgetSpentError(f"{self.text}: {what}")

    def slices(self, n: int) -> Iterator[slice]:
        """The slices of ``n`` items, in order, as long as there is time."""
        size, start = _FIRST, 0
        while start < n and not self.is_spent:
            begin = self._clock()
            yield slice(start, min(n, start + size))
            start, took = start + size, self._clock() - begin
            if took < _SHORT * self.seconds:
                size = min(_LONGEST, 2 * size)
            elif took > _LONG * self.seconds:
                size = max(1, size // 2)


def slices(deadline: Deadline | None, n: int) -> Iterator[slice]:
    """All of ``n`` items at once, or, where there is a deadline, slices of them until it."""
    return iter([slice(0, n)]) if deadline is None else deadline.slices(n)


def as_deadline(budget: float | Deadline | None) -> Deadline | None:
    """A deadline that begins now, of a number of seconds; one already is taken as it is.

    Raises:
        ConfigurationError: it is no positive number.
    """
    return budget if budget is None or isinstance(budget, Deadline) else Deadline(budget)


@dataclass(frozen=True, slots=True)
class Finished:
    """How much of a check was done: ``done`` of ``total`` texts, predictions, ... as ``what`` says."""

    deadline: Deadline | None
    done: int
    total: int
    what: str

    @property
    def is_cut(self) -> bool:
        """Whether the budget ended the check."""
        return self.deadline is not None and self.done < self.total

    @property
    def reason(self) -> str:
        """What was done, in words."""
        end = "" if self.deadline is None else f"{self.deadline.text}: "
        return f"{end}{self.done:,} of {self.total:,} {self.what}"

    def decide(self, decision: Decision) -> Decision:
        """``decision``, which is no more than a hint where the check was cut."""
        if not self.is_cut:
            return decision
        seen = f" (so far: {decision.reason})" if self.done else ""
        return Decision(Outcome.INCONCLUSIVE, self.reason + seen, ADVICE)

    def details(self) -> Mapping[str, float | int]:
        """For a result: nothing where there is no budget."""
        if self.deadline is None:
            return {}
        return {"budget": self.deadline.seconds, "unfinished": self.total - self.done}


def unfinished_result(
    kind: str,
    reason: str,
    *,
    n_total: int,
    bound: float,
    alpha: float,
    seed: int,
    name: str,
    capability: str | None,
    details: Mapping[str, float | int | str | None],
) -> CheckResult:
    """The inconclusive result of a check of which there is nothing to show."""
    return rate_result(
        NOTHING_KNOWN,
        Decision(Outcome.INCONCLUSIVE, reason, ADVICE),
        kind=kind,
        name=name,
        n_total=n_total,
        bound=bound,
        alpha=alpha,
        seed=seed,
        capability=capability,
        details={"unfinished": n_total, **details},
    )

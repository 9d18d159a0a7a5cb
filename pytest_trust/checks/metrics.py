"""Accuracy, precision and recall of labelled cases, and whether they reach what is asked of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_trust.checks.cases import Answers
from pytest_trust.checks.obstacles import Obstacle, rate_below, rate_not_shown
from pytest_trust.errors import DataError
from pytest_trust.results import Outcome
from pytest_trust.stats import Rate, clustered_rate, difference_lower, n_for_rate, safe_interval

METRICS = ("accuracy", "precision", "recall")


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: ``kind`` is one of :data:`METRICS`, ``name`` says of which class; ``rate`` counts cases, not copies."""

    kind: str
    name: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class Requirement:
    """``metric`` has to reach ``bound``, by its lower confidence bound ``low`` or by itself.

    ``reference`` is the same metric on the data that it is compared with, None for a bound that the user gave.
    """

    metric: Metric
    bound: float
    low: float
    reference: Metric | None = None

    @property
    def lead(self) -> float:
        """How far the metric lies above its bound; -inf where it is undefined."""
        return -math.inf if self.metric.rate.estimate is None else self.metric.rate.estimate - self.bound

    def obstacle(self, compare: str, alpha: float) -> Obstacle | None:
        """What keeps it from being met; None where it is."""
        rate = self.metric.rate
        if rate.estimate is None:
            needed = n_for_rate(1.0, self.bound, "lower", alpha)
            return Obstacle(Outcome.INCONCLUSIVE, f"{self.metric.name} is undefined", "there is no such case", needed)
        found = f"{self.metric.name} {rate.estimate:.1%} on {rate.n} cases"
        if self.lead < 0:
            return rate_below(rate, self.bound, alpha, f"{found} lies below {self._bound}")
        if compare == "estimate" or self.low >= self.bound:
            return None
        reason = f"{found} is not shown to reach {self._bound}: it may be as low as {self.low:.1%}"
        return rate_not_shown(rate, self.bound, alpha, reason)

    @property
    def _bound(self) -> str:
        if self.reference is None or self.reference.rate.estimate is None:
            return f"{self.bound:.1%}"
        return f"{self.bound:.1%} ({self.reference.rate.estimate:.1%} on the data)"


def measure(answers: Answers, kind: str, target: int | None, alpha: float) -> list[Metric]:
    """The metric ``kind`` on ``answers``: one for accuracy, else one for ``target``, or for every class with cases."""
    if kind == "accuracy":
        return [Metric(kind, kind, clustered_rate(answers.right, answers.groups, alpha))]
    columns = [target] if target is not None else sorted(set(answers.wanted.tolist()))
    return [_of_class(answers, kind, column, alpha) for column in columns]


def _of_class(answers: Answers, kind: str, column: int, alpha: float) -> Metric:
    """Precision looks at the cases predicted as the class, recall at those labelled so."""
    rows = (answers.predicted if kind == "precision" else answers.wanted) == column
    rate = clustered_rate(answers.right[rows], answers.groups[rows], alpha)
    return Metric(kind, f"{kind} of {answers.classes[column]}", rate)


def absolute(metrics: Sequence[Metric], bound: float, alpha: float) -> list[Requirement]:
    """Each of ``metrics`` has to reach ``bound``."""
    return [Requirement(metric, bound, safe_interval(metric.rate, alpha)[0]) for metric in metrics]


def relative(metrics: Sequence[Metric], on_data: Sequence[Metric], within: float, alpha: float) -> list[Requirement]:
    """Each of ``metrics`` may lie ``within`` below the one of its name among ``on_data``.

    Raises:
        DataError: it is undefined there.
    """
    references = {metric.name: metric for metric in on_data}
    return [_relative(metric, references.get(metric.name), within, alpha) for metric in metrics]


def _relative(metric: Metric, reference: Metric | None, within: float, alpha: float) -> Requirement:
    if reference is None or reference.rate.estimate is None:
        raise DataError(f"within: {metric.name} is undefined on the data, which hold no such case to compare with")
    difference = difference_lower(metric.rate, reference.rate, alpha)
    low = 0.0 if difference is None else difference + reference.rate.estimate
    return Requirement(metric, reference.rate.estimate - within, low, reference)

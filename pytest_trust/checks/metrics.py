"""Accuracy, precision and recall of labelled cases, and whether they reach what is asked of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_trust.checks.cases import Answers
from pytest_trust.checks.obstacles import Obstacle, rate_below, rate_not_shown, too_few
from pytest_trust.errors import DataError
from pytest_trust.results import Outcome
from pytest_trust.stats import (
    NOTHING_KNOWN,
    Rate,
    clustered_rate,
    difference_lower,
    n_for_difference,
    safe_interval,
    share_among,
)

METRICS = ("accuracy", "precision", "recall")


# What rounding may take from a rate that just reaches its bound.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: ``kind`` is one of :data:`METRICS`, ``name`` says of which class; ``rate`` counts cases, not copies.

    ``counted`` says what its n counts, ``undefined`` why there is no rate where there is none.
    """

    kind: str
    name: str
    rate: Rate
    counted: str
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Requirement:
    """``metric`` has to reach ``bound``, by its lower confidence bound ``low`` or by itself.

    ``reference`` is the same metric on the data that it is compared with, None for a bound that the user gave;
    ``within`` is how far it may lie below.
    """

    metric: Metric
    bound: float
    low: float
    reference: Metric | None = None
    within: float = 0.0

    @property
    def lead(self) -> float:
        """How far the metric lies above its bound; -inf where it is undefined."""
        return -math.inf if self.metric.rate.estimate is None else self.metric.rate.estimate - self.bound

    def obstacle(self, compare: str, alpha: float) -> Obstacle | None:
        """What keeps it from being met; None where it is."""
        rate, counted = self.metric.rate, self.metric.counted
        if rate.estimate is None:
            return Obstacle(
                Outcome.INCONCLUSIVE, f"{self.metric.name} is undefined", self.metric.undefined, None, counted
            )
        found = f"{self.metric.name} {rate.estimate:.1%} (n = {rate.n})"
        if self.lead < -_ROUNDING:
            return replace(rate_below(rate, self.bound, alpha, f"{found} lies below {self._bound}"), what=counted)
        if compare == "estimate" or self.low >= self.bound - _ROUNDING:
            return None
        reason = f"{found} is not shown to reach {self._bound}: it may be as low as {max(0.0, self.low):.1%}"
        return replace(self._not_shown(rate, rate.estimate, reason, alpha), what=counted)

    def _not_shown(self, rate: Rate, estimate: float, reason: str, alpha: float) -> Obstacle:
        if self.reference is None:
            return rate_not_shown(rate, self.bound, alpha, reason)
        needed = n_for_difference(estimate, self.reference.rate, self.within, alpha)
        known = f"the data, with n = {self.reference.rate.n}, leave too much open; more data could"
        return too_few(rate.n, reason, f"n = {rate.n} cannot certify it" if needed else known, needed)

    @property
    def _bound(self) -> str:
        if self.reference is None or self.reference.rate.estimate is None:
            return f"{self.bound:.1%}"
        return f"{self.bound:.1%} ({self.reference.rate.estimate:.1%} on the data)"


def measure(answers: Answers, kind: str, target: int | None, alpha: float) -> list[Metric]:
    """The metric ``kind`` on ``answers``: one for accuracy, else one for ``target``, or for every class with cases."""
    if kind == "accuracy":
        return [Metric(kind, kind, clustered_rate(answers.right, answers.groups, alpha), "cases")]
    columns = [target] if target is not None else sorted(classes_of(answers))
    return [_of_class(answers, kind, column, alpha) for column in columns]


def classes_of(answers: Answers) -> set[int]:
    """The columns of the classes that the cases are of."""
    return set(answers.wanted.tolist())


def _of_class(answers: Answers, kind: str, column: int, alpha: float) -> Metric:
    return (_precision if kind == "precision" else _recall)(answers, column, alpha)


def _recall(answers: Answers, column: int, alpha: float) -> Metric:
    label = answers.classes[column]
    rate = share_among(answers.right, answers.wanted == column, answers.groups, alpha)
    return Metric("recall", f"recall of {label}", rate, f"cases of {label}", f"there is no case of {label}")


def _precision(answers: Answers, column: int, alpha: float) -> Metric:
    """Undefined where all cases are of the class: no prediction of it can be wrong there."""
    label, rows = answers.classes[column], answers.predicted == column
    undefined = f"the model predicts {label} for none of the {len(rows)} cases"
    rate = share_among(answers.right, rows, answers.groups, alpha)
    if classes_of(answers) == {column}:
        rate, undefined = NOTHING_KNOWN, f"all cases are of {label}, so that no prediction of it can be wrong"
    return Metric("precision", f"precision of {label}", rate, f"cases predicted as {label}", undefined)


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
        why = f"there is no case of the class of {metric.name}" if reference is None else reference.undefined
        raise DataError(f"within: {metric.name} is undefined on the data, which it is compared with: {why}")
    difference = difference_lower(metric.rate, reference.rate, alpha)
    low = 0.0 if difference is None else max(0.0, difference + reference.rate.estimate)
    return Requirement(metric, max(0.0, reference.rate.estimate - within), low, reference, within)

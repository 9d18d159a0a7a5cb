"""How far an oracle's verdicts agree with those of people."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pytest_trust.arguments import require_alpha
from pytest_trust.errors import DataError
from pytest_trust.stats.rates import wilson

_DRAWS = 4000

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of verdicts against people's; the positive class is "trustworthy".

    Every figure is None where its denominator is zero. Confusions add up: ``sum(parts, Confusion())``.
    """

    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0

    @classmethod
    def from_pairs(cls, predicted: Iterable[bool], actual: Iterable[bool]) -> Confusion:
        """Count ``predicted`` verdicts (True: trustworthy) against the ``actual`` ones, pair by pair.

        Raises:
            DataError: the two differ in length, or an entry is not a bool.
        """
        predictions, truths = checked_verdicts("predicted", predicted), checked_verdicts("actual", actual)
        if len(predictions) != len(truths):
            raise DataError(f"{len(predictions)} predicted verdicts, {len(truths)} actual; expected equally many")
        pairs = list(zip(predictions, truths, strict=True))
        return cls(
            tp=pairs.count((True, True)),
            fp=pairs.count((True, False)),
            tn=pairs.count((False, False)),
            fn=pairs.count((False, True)),
        )

    def __add__(self, other: Confusion) -> Confusion:
        if not isinstance(other, Confusion):
            return NotImplemented
        return Confusion(self.tp + other.tp, self.fp + other.fp, self.tn + other.tn, self.fn + other.fn)

    @property
    def n(self) -> int:
        """The number of verdicts counted."""
        return self.tp + self.fp + self.tn + self.fn

    @property
    def sensitivity(self) -> float | None:
        """The share of the actually trustworthy that was found so (recall)."""
        return _ratio(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float | None:
        """The share of the actually untrustworthy that was found so."""
        return _ratio(self.tn, self.tn + self.fp)

    @property
    def g_mean(self) -> float | None:
        """The geometric mean of sensitivity and specificity."""
        if self.sensitivity is None or self.specificity is None:
            return None
        return math.sqrt(self.sensitivity * self.specificity)

    @property
    def accuracy(self) -> float | None:
        """The share of right verdicts."""
        return _ratio(self.tp + self.tn, self.n)

    @property
    def precision(self) -> float | None:
        """The share of the trustworthy among those found so."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and sensitivity, as 2 tp / (2 tp + fp + fn)."""
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def intervals(self, alpha: float = 0.05, seed: int = 0) -> dict[str, Interval | None]:
        """Two-sided intervals of confidence 1 - alpha of all six figures by name, None where the figure is.

        Wilson score intervals for the shares. F1 is 2 q / (1 + q) of one share, q = tp / (tp + fp + fn), and rises
        with it: its bounds are those of q, so turned. The G-mean takes percentiles of 4,000 draws, by ``seed``, of
        sensitivity and specificity from their posteriors under Jeffreys' prior, Beta(x + 1/2, n - x + 1/2) (Brown, Cai
        and DasGupta 2001, "Interval estimation for a binomial proportion"), widened to hold the figure itself.

        Raises:
            ConfigurationError: an alpha not within 0 and 0.5.
        """
        alpha = require_alpha(alpha)
        jaccard = _share_interval(self.tp, self.tp + self.fp + self.fn, alpha)
        return {
            "accuracy": _share_interval(self.tp + self.tn, self.n, alpha),
            "precision": _share_interval(self.tp, self.tp + self.fp, alpha),
            "sensitivity": _share_interval(self.tp, self.tp + self.fn, alpha),
            "specificity": _share_interval(self.tn, self.tn + self.fp, alpha),
            "f1": None if jaccard is None else (_f1_of(jaccard[0]), _f1_of(jaccard[1])),
            "g_mean": self._g_mean_interval(alpha, seed),
        }

    def _g_mean_interval(self, alpha: float, seed: int) -> Interval | None:
        if self.g_mean is None:
            return None
        draw = np.random.default_rng(seed)
        sensitivity = draw.beta(self.tp + 0.5, self.fn + 0.5, _DRAWS)
        specificity = draw.beta(self.tn + 0.5, self.fp + 0.5, _DRAWS)
        low, high = np.quantile(np.sqrt(sensitivity * specificity), [alpha / 2, 1 - alpha / 2])
        # A posterior never reaches 0 or 1, where the figure may lie.
        return min(float(low), self.g_mean), max(float(high), self.g_mean)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _share_interval(part: int, whole: int, alpha: float) -> Interval | None:
    if not whole:
        return None
    # Each bound of Wilson's holds alone with confidence 1 - alpha.
    rate = wilson(part, whole, alpha / 2)
    return rate.low, rate.high


def _f1_of(jaccard: float) -> float:
    return 2 * jaccard / (1 + jaccard)


def checked_verdicts(name: str, values: Iterable[bool]) -> list[bool]:
    """``values`` as plain bools.

    Raises:
        DataError: an entry is not a bool.
    """
    # Strict on purpose: the truth value of "false" or NaN is True.
    verdicts = list(values)
    for index, value in enumerate(verdicts):
        if not isinstance(value, bool | np.bool_):
            raise DataError(f"{name}[{index}] is {value!r}; expected True or False")
    return [bool(value) for value in verdicts]

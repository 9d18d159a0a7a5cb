"""How far an oracle's verdicts agree with those of people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pytest_trust.errors import DataError


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
        predictions, truths = _verdicts("predicted", predicted), _verdicts("actual", actual)
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


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _verdicts(name: str, values: Iterable[bool]) -> Sequence[bool]:
    # Strict on purpose: the truth value of "false" or NaN is True.
    verdicts = list(values)
    for index, value in enumerate(verdicts):
        if not isinstance(value, bool | np.bool_):
            raise DataError(f"{name}[{index}] is {value!r}; expected True or False")
    return [bool(value) for value in verdicts]

"""Outcomes of the same texts, before and after: what turned, which way more did, and many such tests at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.arguments import require_count
from pytest_trust.errors import DataError
from pytest_trust.stats.clusters import cluster_means


def turned(before: ArrayLike, after: ArrayLike, groups: ArrayLike | None = None) -> tuple[int, int]:
    """How many of n outcomes turned from True to False, and from False to True.

    ``before`` and ``after`` are booleans of shape (n,), paired. With ``groups``, integers of shape (n,), clusters are
    counted: those in which more outcomes turned the one way than the other.

    Raises:
        DataError: the two differ in shape or hold other values, or as from :func:`~pytest_trust.stats.cluster_means`.
    """
    old, new = _checked("before", before), _checked("after", after)
    if old.shape != new.shape:
        raise DataError(f"before has the shape {old.shape}, after {new.shape}; expected the same")
    changes = cluster_means(new.astype(np.float64) - old, groups)
    return int((changes < 0).sum()), int((changes > 0).sum())


def mcnemar_exact(worse: int, better: int) -> float:
    """The one-sided p-value of McNemar's exact test: do paired outcomes turn worse more often than better?

    Where a change of either kind is as likely, the number of those that turned ``worse`` is that of heads among as many
    tosses of a fair coin as there are changes (McNemar 1947, "Note on the sampling error of the difference between
    correlated proportions or percentages"; in exact form Mosteller 1952). 1.0 where nothing turned.

    Raises:
        ConfigurationError: a count is no whole number of at least 0.
    """
    from scipy.special import betainc

    worse, better = require_count("worse", worse, 0), require_count("better", better, 0)
    return float(betainc(worse, better + 1, 0.5)) if worse else 1.0


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The p-values adjusted for their number, in their order.

    Those at most alpha are the hypotheses that Holm's step-down procedure rejects (Holm 1979, "A simple sequentially
    rejective multiple test procedure"): the chance that one of them is true is at most alpha, however they depend on
    each other.

    Raises:
        DataError: one is no number from 0 to 1.
    """
    for place, value in enumerate(p_values):
        if not (isinstance(value, int | float) and 0 <= value <= 1):
            raise DataError(f"p_values[{place}] is {value!r}; expected a number from 0 to 1")
    adjusted, largest = [math.nan] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * float(p_values[place])))
        adjusted[place] = largest
    return tuple(adjusted)


def _checked(name: str, outcomes: ArrayLike) -> NDArray[np.bool_]:
    values = np.asarray(outcomes)
    if values.ndim != 1 or (values.size and values.dtype != np.bool_):
        raise DataError(f"{name} is an array of {values.dtype}, shape {values.shape}; expected booleans, shape (n,)")
    return values.astype(np.bool_)

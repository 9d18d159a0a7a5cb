"""Texts of one source: each source counts once.

Sentences filled into one template, or copies of one message, answer alike: a hundred of them are no hundred pieces of
evidence. Every statistic of clustered texts is therefore one of the sources. A source's figure is the mean over its
texts, and the number of sources is the n of the test, so that the tests stay what they are.

The effective sample size of Korn and Graubard (1998) would let texts of one source count for more where they were seen
to differ. It trusts the spread that was seen, and fails where sources that answer alike throughout are rare: with 30
sources of ten texts, a twentieth of them wrong throughout and one in a hundred texts of the others, its upper bound at
alpha = 0.05 lies below the rate in a fifth of samples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.arguments import require_alpha
from pytest_trust.errors import DataError
from pytest_trust.stats.rates import Rate, rate_of_share

# What rounding may take from a whole number of clusters.
_ROUNDING = 1e-9


def cluster_means(values: ArrayLike, groups: ArrayLike | None = None) -> NDArray[np.float64]:
    """The mean of ``values``, shape (n,), over each cluster of ``groups``, integers of shape (n,); in rising order.

    Without ``groups`` every value is a cluster of its own. The order of the values does not matter to the last digit.

    Raises:
        DataError: ``groups`` are no integers, or not as many as the values.
    """
    numbers = np.asarray(values, dtype=np.float64)
    if groups is None:
        return np.sort(numbers)
    clusters = _checked(groups, len(numbers))
    if not numbers.size:
        return numbers
    order = np.lexsort((numbers, clusters))
    starts = np.flatnonzero(np.diff(clusters[order], prepend=clusters[order[0]] - 1))
    sums, sizes = np.add.reduceat(numbers[order], starts), np.diff(starts, append=len(numbers))
    return np.sort(sums / sizes)


def clustered_rate(successes: ArrayLike, groups: ArrayLike | None = None, alpha: float = 0.05) -> Rate:
    """The mean over clusters of each one's share of ``successes``, booleans of shape (n,), with its Wilson interval.

    The n of the rate is the number of clusters. Without ``groups`` it is :func:`wilson` of the successes.

    Raises:
        ConfigurationError: alpha is not within 0 and 0.5.
        DataError: as from :func:`cluster_means`.
    """
    alpha = require_alpha(alpha)
    shares = cluster_means(successes, groups)
    n = int(shares.size)
    # A sum of shares may end a digit above n.
    return rate_of_share(min(1.0, float(shares.sum()) / n) if n else None, n, alpha)


def share_among(successes: ArrayLike, among: ArrayLike, groups: ArrayLike, alpha: float = 0.05) -> Rate:
    """The share of ``successes`` in those values that are ``among`` the ones looked at, booleans of shape (n,).

    A cluster weighs by the share of its values that is looked at, so that a cluster looked at in part does not count
    like a whole one. The n of the rate is Kish's effective number of clusters ("Survey Sampling", 1965), rounded down:
    the number of clusters where all weigh the same.

    Raises:
        ConfigurationError: alpha is not within 0 and 0.5.
        DataError: as from :func:`cluster_means`.
    """
    alpha = require_alpha(alpha)
    looked_at = np.asarray(among, dtype=bool)
    clusters = np.unique(_checked(groups, looked_at.size), return_inverse=True)[1]
    sizes = np.bincount(clusters)
    weights = np.bincount(clusters, weights=looked_at) / sizes
    if not weights.any():
        return rate_of_share(None, 0, alpha)
    right = np.bincount(clusters, weights=looked_at & np.asarray(successes, dtype=bool)) / sizes
    n = int(weights.sum() ** 2 / (weights**2).sum() + _ROUNDING)
    return rate_of_share(min(1.0, float(right.sum() / weights.sum())), n, alpha)


def _checked(groups: ArrayLike, n: int) -> NDArray[np.intp]:
    clusters = np.asarray(groups)
    if clusters.shape != (n,):
        raise DataError(f"groups have the shape {clusters.shape}; expected ({n},), one for each value")
    if n and clusters.dtype.kind not in "iu":
        raise DataError(f"groups are of type {clusters.dtype}; expected integers")
    return clusters.astype(np.intp)

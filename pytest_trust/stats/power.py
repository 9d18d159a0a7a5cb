"""How many texts a check needs, judged by what it has seen so far."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import Literal

import numpy as np

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.stats.paired import RANKED_UP_TO
from pytest_trust.stats.rates import lower_bound, upper_bound

MOST = 10_000_000
"""The largest number of texts that is looked at; a check that needs more gets None."""

_NODES = 1024


def n_for_equivalence(sd: float, mean: float, margin: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The smallest n at which :func:`equivalence` gives p < alpha with probability ``power``.

    The differences are taken for normal with the observed ``sd`` and ``mean``. None where no n can do it: the mean is
    not within the margin, or so close to it that more than ten million differences are needed.

    Raises:
        ConfigurationError: an argument is out of its range.
    """
    sd, mean = _spread_and_mean(sd, mean)
    margin = require_between("margin", margin, 0.0, math.inf)
    alpha, power = require_alpha(alpha), require_between("power", power, 0.0, 1.0)
    if abs(mean) >= margin:
        return None
    above, below = _in_sds(margin - mean, sd), _in_sds(margin + mean, sd)
    return smallest(2, lambda n: _rejection_probability(n, alpha, above, below) >= power)


def n_for_directional(sd: float, mean: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The smallest n at which :func:`directional` (``method="auto"``) gives p < alpha with probability ``power``.

    The direction is the one in which ``mean`` points. The differences are taken for normal with the observed ``sd`` and
    ``mean``. Above 30 it is the t-test's n. Up to 30, where the signed-rank test is taken, it is the t-test's n over
    that test's relative efficiency 3 / pi, and enough for its smallest p, 2 ** -n. None where the mean is zero or more
    than ten million are needed.

    Raises:
        ConfigurationError: an argument is out of its range.
    """
    sd, mean = _spread_and_mean(sd, mean)
    alpha, power = require_alpha(alpha), require_between("power", power, 0.0, 1.0)
    if mean == 0:
        return None
    effect = _in_sds(abs(mean), sd)
    n = smallest(2, lambda n: _rejection_probability(n, alpha, effect, math.inf) >= power)
    return n if n is None or n > RANKED_UP_TO else _n_by_ranks(n, alpha)


def n_for_rate(rate: float, bound: float, side: Literal["lower", "upper"], alpha: float = 0.05) -> int | None:
    """The smallest n at which the Wilson bound of the same observed ``rate`` clears ``bound``.

    The ``lower`` bound clears it from above, the ``upper`` one from below; touching is enough. None where no n up to
    ten million can do it, as when the rate itself is on the wrong side.

    Raises:
        ConfigurationError: rate or bound are not within 0 and 1, an unknown side, or alpha is not within 0 and 0.5.
    """
    rate = require_between("rate", rate, 0.0, 1.0, low_included=True, high_included=True)
    bound = require_between("bound", bound, 0.0, 1.0, low_included=True, high_included=True)
    require_choice("side", side, ("lower", "upper"))
    alpha = require_alpha(alpha)
    if side == "lower":
        return smallest(1, lambda n: lower_bound(rate, n, alpha) >= bound)
    return smallest(1, lambda n: upper_bound(rate, n, alpha) <= bound)


def _spread_and_mean(sd: float, mean: float) -> tuple[float, float]:
    return require_between("sd", sd, 0.0, math.inf, low_included=True), require_between(
        "mean", mean, -math.inf, math.inf
    )


def _in_sds(distance: float, sd: float) -> float:
    return distance / sd if sd else math.inf


def smallest(first: int, is_enough: Callable[[int], bool]) -> int | None:
    """The smallest n from ``first`` up that is enough, where every larger one is too; None beyond ``MOST``."""
    n = first + bisect_left(range(first, MOST + 1), True, key=is_enough)
    return n if n <= MOST else None


def _rejection_probability(n: int, alpha: float, above: float, below: float) -> float:
    """The chance that both one-sided t-tests of n normal differences reject.

    ``above`` and ``below`` are the distances, in standard deviations, from the true mean to the two bounds. Given the
    sample's standard deviation, the sample mean is normal and independent of it; the average runs over quantiles of the
    former (a chi distribution) at equal steps of probability.
    """
    from scipy.special import gammaincinv, ndtr, stdtrit

    df = n - 1
    quantiles = (np.arange(_NODES) + 0.5) / _NODES
    sample_sd = np.sqrt(2 * gammaincinv(df / 2, quantiles) / df)
    reach = -stdtrit(df, alpha) * sample_sd
    inside = ndtr(above * math.sqrt(n) - reach) - ndtr(reach - below * math.sqrt(n))
    return float(np.mean(np.maximum(inside, 0.0)))


def _n_by_ranks(n: int, alpha: float) -> int:
    reachable = math.floor(-math.log2(alpha)) + 1
    # One more than the limit always suffices: there the t-test is taken, which needs n of at most the limit.
    return min(RANKED_UP_TO + 1, max(math.ceil(n * math.pi / 3), reachable))

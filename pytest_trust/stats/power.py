"""How many texts a check needs, judged by what it has seen so far."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.stats.guard import lowest_passing
from pytest_trust.stats.paired import RANKED_UP_TO, Method
from pytest_trust.stats.rates import Rate, difference_lower, exact_lower, rate_of_share, safe_lower

MOST = 10_000_000
"""The largest number of texts that is looked at; a check that needs more gets None."""

_NODES = 1024

# What rounding takes from a bound that is mirrored.
_EXACT = 1e-12


def n_for_equivalence(sd: float, mean: float, margin: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The smallest n at which differences give a guarded p of equivalence below ``alpha`` with probability ``power``.

    The mean is taken for normal about ``mean``, the spread for the observed ``sd``. None where no n up to ten million
    does, as where the mean is not within the margin.

    Raises:
        ConfigurationError: an argument is out of its range.
    """
    sd, mean = _spread_and_mean(sd, mean)
    margin = require_between("margin", margin, 0.0, math.inf)
    alpha, power = require_alpha(alpha), require_between("power", power, 0.0, 1.0)
    if abs(mean) >= margin:
        return None

    def chance(n: int) -> float:
        lowest = lowest_passing(n, sd, -margin, alpha)
        return _chance_above(n, sd, mean, lowest) + _chance_above(n, sd, -mean, lowest) - 1.0

    return smallest(2, lambda n: chance(n) >= power)


def n_for_directional(
    sd: float,
    mean: float,
    alpha: float = 0.05,
    power: float = 0.8,
    method: Literal["auto", "t", "wilcoxon"] = "auto",
    reach: float = 1.0,
) -> int | None:
    """The smallest n at which the gate of a direction has p < alpha with probability ``power``.

    The direction is the one in which ``mean`` points; ``sd`` and ``mean`` are taken for those of all differences,
    ``reach`` is how far a text can shift against it. For ``t`` the test is guarded. For ``wilcoxon``, which is not, it
    is the plain t-test's n over the relative efficiency 3 / pi of ranks, and enough for their smallest p, 2 ** -n. With
    ``auto`` it is the larger of both up to 30, and that of ``t`` above. None where the mean is zero or more than ten
    million are needed. For ``sign`` there is :func:`n_for_sign`.

    Raises:
        ConfigurationError: an argument is out of its range.
    """
    sd, mean = _spread_and_mean(sd, mean)
    alpha, power = require_alpha(alpha), require_between("power", power, 0.0, 1.0)
    require_choice("method", method, get_args(Method)[:3])
    reach = require_between("reach", reach, 0.0, 1.0, high_included=True)
    if mean == 0:
        return None
    by_ranks = _n_by_ranks(abs(mean), sd, alpha, power) if method != "t" else None
    if method == "wilcoxon":
        return by_ranks
    by_mean = smallest(2, lambda n: _chance_above(n, sd, abs(mean), lowest_passing(n, sd, 0.0, alpha, reach)) >= power)
    if by_mean is None or by_mean > RANKED_UP_TO or method == "t":
        return by_mean
    # One more than the limit always suffices: there the mean decides alone, which needs n of at most the limit.
    return max(by_mean, min(RANKED_UP_TO + 1, by_ranks or RANKED_UP_TO + 1))


def n_for_sign(share: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The smallest n at which the sign test gives p < alpha with probability ``power``.

    ``share`` of all texts are taken to move as expected. None where no n up to ten million does, as for half of the
    texts or fewer.

    Raises:
        ConfigurationError: an argument is out of its range.
    """
    share = require_between("share", share, 0.0, 1.0, low_included=True, high_included=True)
    alpha, power = require_alpha(alpha), require_between("power", power, 0.0, 1.0)
    return smallest(1, lambda n: exact_lower(_likely_low(share, n, power), n, alpha) > 0.5)


def n_for_rate(
    rate: float, bound: float, side: Literal["lower", "upper"], alpha: float = 0.05, power: float = 0.8
) -> int | None:
    """The smallest n at which both bounds of a rate, Wilson's and the exact one, clear ``bound`` with that ``power``.

    ``rate`` is taken for the true one, and the share seen among n for normal about it. The ``lower`` bounds clear it
    from above, the ``upper`` ones from below; touching is enough. None where no n up to ten million can do it, as when
    the rate itself is on the wrong side.

    Raises:
        ConfigurationError: rate, bound or power are not within 0 and 1, an unknown side, or alpha is not within 0 and
            0.5.
    """
    rate = require_between("rate", rate, 0.0, 1.0, low_included=True, high_included=True)
    bound = require_between("bound", bound, 0.0, 1.0, low_included=True, high_included=True)
    require_choice("side", side, ("lower", "upper"))
    alpha, power = require_alpha(alpha), require_between("power", power, 0.0, 1.0)
    if side == "upper":
        rate, bound = 1.0 - rate, 1.0 - bound
    return smallest(1, lambda n: safe_lower(_likely_low(rate, n, power), n, alpha) >= bound - _EXACT)


def n_for_difference(
    rate: float, reference: Rate, within: float, alpha: float = 0.05, power: float = 0.8
) -> int | None:
    """The smallest n at which a rate is shown to lie at most ``within`` below ``reference``, with that ``power``.

    ``rate`` is taken for the true one. None where no n up to ten million can do it: the rate lies too low, or the
    reference is not known well enough.

    Raises:
        ConfigurationError: an argument is out of its range.
    """
    rate = require_between("rate", rate, 0.0, 1.0, low_included=True, high_included=True)
    alpha, power = require_alpha(alpha), require_between("power", power, 0.0, 1.0)

    def is_enough(n: int) -> bool:
        low = difference_lower(rate_of_share(_likely_low(rate, n, power), n, alpha), reference, alpha)
        return low is not None and low >= -within

    return smallest(1, is_enough)


def _likely_low(rate: float, n: int, power: float) -> float:
    """The share that n of a ``rate`` reach with probability ``power``, or more."""
    from scipy.special import ndtri

    return min(1.0, max(0.0, rate - float(ndtri(power)) * math.sqrt(rate * (1 - rate) / n)))


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


def _chance_above(n: int, sd: float, mean: float, lowest: float) -> float:
    """The chance that the mean of n differences lies above ``lowest``."""
    from scipy.special import ndtr

    if not sd:
        return float(mean > lowest)
    return float(ndtr((mean - lowest) / sd * math.sqrt(n)))


def _n_by_ranks(size: float, sd: float, alpha: float, power: float) -> int | None:
    from scipy.special import stdtrit

    n = smallest(2, lambda n: _chance_above(n, sd, size, -float(stdtrit(n - 1, alpha)) * sd / math.sqrt(n)) >= power)
    reachable = math.floor(-math.log2(alpha)) + 1
    return None if n is None else max(math.ceil(n * math.pi / 3), reachable)

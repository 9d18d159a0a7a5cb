"""Rates with Wilson score intervals, and the exact bounds that a gate needs besides.

Wilson's bound is the better interval, and too lenient for a gate at small n: with a bound of 0.5 and three texts it
lets 12 % of rates pass that do not clear it. A gate therefore also needs the exact bound of Clopper and Pearson (1934).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from pytest_trust.arguments import require_alpha, require_count


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of ``n`` with its interval ``[low, high]``; ``estimate`` is None where n is 0."""

    estimate: float | None
    low: float
    high: float
    n: int


NOTHING_KNOWN = Rate(None, 0.0, 1.0, 0)
"""The rate of nothing."""


def wilson(successes: int, n: int, alpha: float = 0.05) -> Rate:
    """The share ``successes / n`` with its Wilson score interval (Wilson 1927) of confidence 1 - 2 alpha.

    Each bound alone has the one-sided confidence 1 - alpha. With n = 0 nothing is known: the interval is [0, 1].

    Raises:
        ConfigurationError: n is below 0, successes are not within 0 and n, or alpha is not within 0 and 0.5.
    """
    n = require_count("n", n, 0)
    successes = require_count("successes", successes, 0, n)
    return rate_of_share(successes / n if n else None, n, require_alpha(alpha))


def rate_of_share(share: float | None, n: int, alpha: float) -> Rate:
    """A ``share`` of ``n``, which need not be a whole number of successes, with its Wilson interval."""
    if share is None:
        return NOTHING_KNOWN
    return Rate(share, lower_bound(share, n, alpha), upper_bound(share, n, alpha), n)


def reaches(rate: Rate, bound: float, alpha: float = 0.05) -> bool:
    """Whether ``rate`` is shown to be ``bound`` or more: both its lower bounds, Wilson's and the exact one, are."""
    return rate.estimate is not None and safe_lower(rate.estimate, rate.n, alpha) >= bound


def stays_within(rate: Rate, bound: float, alpha: float = 0.05) -> bool:
    """Whether ``rate`` is shown to be ``bound`` or less: both its upper bounds, Wilson's and the exact one, are."""
    return rate.estimate is not None and safe_upper(rate.estimate, rate.n, alpha) <= bound


def safe_interval(rate: Rate, alpha: float = 0.05) -> tuple[float, float]:
    """The wider of both intervals, Wilson's and the exact one, on either side; [0, 1] where n is 0."""
    if rate.estimate is None:
        return 0.0, 1.0
    return safe_lower(rate.estimate, rate.n, alpha), safe_upper(rate.estimate, rate.n, alpha)


def difference_lower(rate: Rate, reference: Rate, alpha: float = 0.05) -> float | None:
    """The lower confidence bound of ``rate`` minus an independent ``reference``, one-sided at 1 - alpha.

    Newcombe's hybrid of the two rates' own bounds ("Interval estimation for the difference between independent
    proportions", 1998, method 10); of Wilson's and the exact bounds the wider are taken. None where one is unknown.

    Raises:
        ConfigurationError: alpha is not within 0 and 0.5.
    """
    alpha = require_alpha(alpha)
    if rate.estimate is None or reference.estimate is None:
        return None
    below = rate.estimate - safe_lower(rate.estimate, rate.n, alpha)
    above = safe_upper(reference.estimate, reference.n, alpha) - reference.estimate
    return rate.estimate - reference.estimate - math.hypot(below, above)


def safe_lower(share: float, n: float, alpha: float) -> float:
    """The smaller of the two lower bounds."""
    return min(lower_bound(share, n, alpha), exact_lower(share, n, alpha))


def safe_upper(share: float, n: float, alpha: float) -> float:
    """The larger of the two upper bounds."""
    return max(upper_bound(share, n, alpha), exact_upper(share, n, alpha))


def lower_bound(share: float, n: float, alpha: float) -> float:
    """The Wilson lower bound for an observed ``share`` of ``n``, which need not be a whole number of successes.

    It is the smaller root of Wilson's quadratic, in the form that loses no digits near 0.
    """
    z = NormalDist().inv_cdf(alpha)
    spread = z * z / n
    return 2 * share * share / (2 * share + spread + math.sqrt(spread * (4 * share * (1 - share) + spread)))


def upper_bound(share: float, n: float, alpha: float) -> float:
    """The Wilson upper bound: the lower bound of the failures, mirrored."""
    return 1.0 - lower_bound(1.0 - share, n, alpha)


def exact_lower(share: float, n: float, alpha: float) -> float:
    """The exact lower bound (Clopper and Pearson 1934): the rate at which ``share`` of ``n`` or more has chance alpha.

    It is a quantile of a beta distribution, which knows no whole numbers: neither n nor the successes need be one.
    """
    from scipy.special import betaincinv

    successes = share * n
    return float(betaincinv(successes, n - successes + 1, alpha)) if successes > 0 else 0.0


def exact_upper(share: float, n: float, alpha: float) -> float:
    """The exact upper bound: the lower bound of the failures, mirrored."""
    return 1.0 - exact_lower(1.0 - share, n, alpha)

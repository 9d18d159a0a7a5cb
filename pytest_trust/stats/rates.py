"""Rates with Wilson score intervals."""

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


def wilson(successes: int, n: int, alpha: float = 0.05) -> Rate:
    """The share ``successes / n`` with its Wilson score interval (Wilson 1927) of confidence 1 - 2 alpha.

    Each bound alone has the one-sided confidence 1 - alpha. With n = 0 nothing is known: the interval is [0, 1].

    Raises:
        ConfigurationError: n is below 0, successes are not within 0 and n, or alpha is not within 0 and 0.5.
    """
    n = require_count("n", n, 0)
    successes = require_count("successes", successes, 0, n)
    alpha = require_alpha(alpha)
    if n == 0:
        return Rate(None, 0.0, 1.0, 0)
    share = successes / n
    return Rate(share, lower_bound(share, n, alpha), upper_bound(share, n, alpha), n)


def lower_bound(share: float, n: int, alpha: float) -> float:
    """The Wilson lower bound for an observed ``share`` of ``n``, which need not be a whole number of successes.

    It is the smaller root of Wilson's quadratic, in the form that loses no digits near 0.
    """
    z = NormalDist().inv_cdf(alpha)
    spread = z * z / n
    return 2 * share * share / (2 * share + spread + math.sqrt(spread * (4 * share * (1 - share) + spread)))


def upper_bound(share: float, n: int, alpha: float) -> float:
    """The Wilson upper bound: the lower bound of the failures, mirrored."""
    return 1.0 - lower_bound(1.0 - share, n, alpha)

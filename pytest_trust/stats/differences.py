"""How far one rate lies below another."""

from __future__ import annotations

import math

from pytest_trust.arguments import require_alpha
from pytest_trust.stats.rates import Rate, safe_lower, safe_upper


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

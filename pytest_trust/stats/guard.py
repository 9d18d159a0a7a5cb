"""One-sided tests of a mean difference of probabilities that hold however skewed the differences are.

The t-test's p is too small where a few texts shift far and most do not at all: no shift among n texts, or one, says
little of a share ``margin`` of texts that shift by 1.0, although that share moves the mean by the whole margin. Each
one-sided test is therefore made as if the data held some more texts that shift to its disadvantage as far as a text can
(its ``reach``, 1.0 unless something is known): z^2 / 2 of them, as in the interval for proportions of Agresti and Coull
(1998), and at least two. Against such two-point shifts the rate of false passes then stays below alpha (0.047 at
alpha = 0.05, n up to 2,000), where the plain test's reaches 0.2.

The texts that were seen do not bound what others can do: where a probability of 0.05 cannot fall by more than 0.05, one
text in thirty may still begin at 0.95, unseen among thirty in a third of samples. So ``reach`` is a bound for every
text there is, not for those at hand.
"""

from __future__ import annotations

import math
from typing import Literal

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.stats.paired import PairedTest


def n_worst_cases(alpha: float) -> int:
    """How many texts are added to the disadvantage of each one-sided test at level ``alpha``."""
    from scipy import special

    return max(2, math.ceil(float(special.ndtri(alpha)) ** 2 / 2))


def guarded_p(test: PairedTest, margin: float, alpha: float = 0.05) -> float | None:
    """The p-value of equivalence within ``margin``, guarded as told above, from the plain ``test`` of differences.

    None for fewer than two differences.

    Raises:
        ConfigurationError: a margin of zero or less, or an alpha not within 0 and 0.5.
    """
    margin, alpha = require_between("margin", margin, 0.0, math.inf), require_alpha(alpha)
    if test.mean is None or test.sd is None:
        return None
    sides = (_p(test.n, mean, test.sd, -margin, alpha, 1.0) for mean in (test.mean, -test.mean))
    return max(sides)


def guarded_direction_p(
    test: PairedTest, expect: Literal["increase", "decrease"], alpha: float = 0.05, reach: float = 1.0
) -> float | None:
    """The p-value of a mean above zero ("increase") or below ("decrease"), guarded, from the plain ``test``.

    ``reach`` is how far any text can shift against the expectation. None for fewer than two differences.

    Raises:
        ConfigurationError: an unknown ``expect``, an alpha not within 0 and 0.5, or a reach not above 0 and at most 1.
    """
    require_choice("expect", expect, ("increase", "decrease"))
    alpha, reach = require_alpha(alpha), require_between("reach", reach, 0.0, 1.0, high_included=True)
    if test.mean is None or test.sd is None:
        return None
    return _p(test.n, test.mean if expect == "increase" else -test.mean, test.sd, 0.0, alpha, reach)


def guarded_interval(test: PairedTest, alpha: float = 0.05) -> tuple[float, float]:
    """Both guarded bounds of the mean, each of confidence 1 - alpha; (-1.0, 1.0) for fewer than two differences."""
    if test.mean is None or test.sd is None:
        return -1.0, 1.0
    low, high = (_guarded_low(test.n, mean, test.sd, alpha) for mean in (test.mean, -test.mean))
    return max(-1.0, low), min(1.0, -high)


def lowest_passing(n: int, sd: float, bound: float, alpha: float, reach: float = 1.0) -> float:
    """The observed mean above which n differences of spread ``sd`` give a guarded p below alpha; inf where none does.

    The test rejects where ``gain * u - distance`` exceeds the root of ``noise + pull * u ** 2``, with ``u`` the mean's
    distance from the worst cases: a quadratic, whose larger root is taken.
    """
    worst = n_worst_cases(alpha)
    total = n + worst
    critical = _quantile(total - 1, alpha) ** 2 / (total * (total - 1))
    gain, distance = n / total, bound + reach
    noise, pull = critical * (n - 1) * sd**2, critical * n * worst / total
    leading = gain**2 - pull
    if leading <= 0:
        return math.inf
    inner = (gain * distance) ** 2 - leading * (distance**2 - noise)
    return (gain * distance + math.sqrt(inner)) / leading - reach


def _p(n: int, mean: float, sd: float, bound: float, alpha: float, reach: float) -> float:
    """p of the guarded test of a mean above ``bound``."""
    from scipy.special import stdtr

    shifted, error = _shifted(n, mean, sd, n_worst_cases(alpha), reach)
    # Without any spread all differences lie where the worst cases do, below every bound of interest.
    t = (shifted - bound) / error if error else math.copysign(math.inf, shifted - bound)
    return float(stdtr(n + n_worst_cases(alpha) - 1, -t))


def _guarded_low(n: int, mean: float, sd: float, alpha: float) -> float:
    shifted, error = _shifted(n, mean, sd, n_worst_cases(alpha), 1.0)
    return shifted - _quantile(n + n_worst_cases(alpha) - 1, alpha) * error


def _shifted(n: int, mean: float, sd: float, worst: int, reach: float) -> tuple[float, float]:
    """Mean and standard error of n differences with ``worst`` further ones of ``-reach``."""
    total = n + worst
    shifted = (n * mean - worst * reach) / total
    squares = (n - 1) * sd**2 + n * (mean - shifted) ** 2 + worst * (reach + shifted) ** 2
    return shifted, math.sqrt(squares / (total - 1) / total)


def _quantile(freedom: int, alpha: float) -> float:
    from scipy.special import stdtrit

    return -float(stdtrit(freedom, alpha))

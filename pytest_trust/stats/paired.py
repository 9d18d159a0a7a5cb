"""Paired tests on differences of probabilities: equivalence (two one-sided tests) and direction.

Differences are rounded to twelve decimals first: a model's rounding noise makes no variance, no ranks and no sign.
What is left is decided as follows, without a warning:

- fewer than two differences are not testable: ``p_value``, ``low`` and ``high`` are None;
- where all differences are equal, the variance is zero and the interval is that one value. Equivalence and the t-test
  answer with the limit, 0.0 or 1.0; the signed-rank test needs no variance and answers as always;
- the signed-rank test leaves out zero differences (Wilcoxon's own way), and where all are zero p is 1.0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.errors import ConfigurationError, DataError

RANKED_UP_TO = 30
"""The largest number of differences at which ``method="auto"`` takes the signed-rank test."""

# Numbers beyond it would overflow where they are squared and summed.
_LARGEST = 1e120
_DECIMALS = 12
_NOISE = 2e-12
_EXHAUSTIVE_UP_TO = 13

_Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The mean of ``n`` paired differences, its t-interval ``[low, high]`` of confidence 1 - 2 alpha, and the p-value.

    ``sd`` is the sample standard deviation (divisor n - 1). ``mean`` is None for no difference, ``sd``, ``low``,
    ``high`` and ``p_value`` for fewer than two. ``method`` is ``tost``, ``t`` or ``wilcoxon``.
    """

    mean: float | None
    sd: float | None
    n: int
    low: float | None
    high: float | None
    p_value: float | None
    method: str


def equivalence(differences: ArrayLike, margin: float, alpha: float = 0.05) -> PairedTest:
    """Test that the mean of ``differences``, shape (n,), lies strictly within ``-margin`` and ``margin``.

    Two one-sided t-tests (Lakens, Scheel and Isager 2018, "Equivalence testing for psychological research");
    p is the larger of their two p-values, so it is below alpha just where the interval lies within the margin.
    For equal differences p is 0.0 where they are closer to zero than the margin, else 1.0.

    Raises:
        ConfigurationError: a margin of zero or less, an alpha not within 0 and 0.5, or not one dimension.
        DataError: a difference that is no finite number.
    """
    margin = require_between("margin", margin, 0.0, _LARGEST)
    alpha = require_alpha(alpha)
    values = _prepared(differences)
    return _paired_test(values, _equivalence_p(values, margin), alpha, "tost")


def directional(
    differences: ArrayLike,
    expect: Literal["increase", "decrease"],
    alpha: float = 0.05,
    method: Literal["auto", "t", "wilcoxon"] = "auto",
) -> PairedTest:
    """Test that ``differences``, shape (n,), lie above zero ("increase") or below ("decrease").

    ``auto`` takes the one-sided t-test for n > 30 and the Wilcoxon signed-rank test otherwise. The latter is exact up
    to 50 differences without ties and up to 13 with ties; beyond that it is the normal approximation. For equal
    differences the t-test's p is 0.0 where they have the expected sign, else 1.0.

    Raises:
        ConfigurationError: an unknown ``expect`` or ``method``, an alpha not within 0 and 0.5, or not one dimension.
        DataError: a difference that is no finite number.
    """
    require_choice("expect", expect, ("increase", "decrease"))
    require_choice("method", method, ("auto", "t", "wilcoxon"))
    alpha = require_alpha(alpha)
    values = _prepared(differences)
    if method == "auto":
        method = "wilcoxon" if values.size <= RANKED_UP_TO else "t"
    increases = values if expect == "increase" else -values
    p_value = _signed_rank_p(increases) if method == "wilcoxon" else _t_p(increases)
    return _paired_test(values, p_value, alpha, method)


def _prepared(differences: ArrayLike) -> _Values:
    # Sorted, so that the order of the texts cannot move the last digit of a sum.
    values = np.sort(np.round(_finite(differences), _DECIMALS))
    if values.size and values[-1] - values[0] <= _NOISE * max(1.0, -values[0], values[-1]):
        return np.full_like(values, np.median(values))
    return values


def _finite(differences: ArrayLike) -> _Values:
    try:
        values = np.asarray(differences, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"differences cannot be read as an array of numbers: {error}") from error
    if values.ndim != 1:
        raise ConfigurationError(f"differences have the shape {values.shape}; expected one dimension, (n,)")
    bad = np.flatnonzero(~(np.abs(values) < _LARGEST))
    if bad.size:
        found = f"differences[{bad[0]}] is {values[bad[0]]}"
        raise DataError(f"{found}; expected a finite number below {_LARGEST:g} in size")
    return values


def _is_constant(values: _Values) -> bool:
    return bool(values[0] == values[-1])


def _equivalence_p(values: _Values, margin: float) -> float | None:
    if values.size < 2:
        return None
    if _is_constant(values):
        return 0.0 if abs(values[0]) < margin else 1.0
    from scipy import stats

    above_low = stats.ttest_1samp(values, -margin, alternative="greater").pvalue
    below_high = stats.ttest_1samp(values, margin, alternative="less").pvalue
    return float(max(above_low, below_high))


def _t_p(increases: _Values) -> float | None:
    if increases.size < 2:
        return None
    if _is_constant(increases):
        return 0.0 if increases[0] > 0 else 1.0
    from scipy import stats

    return float(stats.ttest_1samp(increases, 0.0, alternative="greater").pvalue)


def _signed_rank_p(increases: _Values) -> float | None:
    if increases.size < 2:
        return None
    nonzero = increases[increases != 0]
    if not nonzero.size:
        return 1.0
    from scipy import stats

    return float(stats.wilcoxon(nonzero, alternative="greater", method=_null_distribution(nonzero)).pvalue)


def _null_distribution(nonzero: _Values) -> Any:
    from scipy import stats

    has_ties = np.unique(np.abs(nonzero)).size < nonzero.size
    # Older scipy takes the normal approximation for any ties, which rejects too often when n is small.
    return stats.PermutationMethod() if has_ties and nonzero.size <= _EXHAUSTIVE_UP_TO else "auto"


def _paired_test(values: _Values, p_value: float | None, alpha: float, method: str) -> PairedTest:
    n = int(values.size)
    if n < 2:
        return PairedTest(float(values[0]) if n else None, None, n, None, None, None, method)
    mean, sd = _moments(values)
    half = _half_width(sd, n, alpha)
    return PairedTest(mean, sd, n, mean - half, mean + half, p_value, method)


def _moments(values: _Values) -> tuple[float, float]:
    if _is_constant(values):
        return float(values[0]), 0.0
    return float(np.mean(values)), float(np.std(values, ddof=1))


def _half_width(sd: float, n: int, alpha: float) -> float:
    from scipy.special import stdtrit

    return float(-stdtrit(n - 1, alpha)) * sd / math.sqrt(n)

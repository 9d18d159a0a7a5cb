"""Paired tests on differences of probabilities: equivalence (two one-sided tests) and direction.

Differences are rounded to twelve decimals first: a model's rounding noise makes no variance, no ranks and no sign.
Where ``groups`` are given, all tests are of the means of the groups (:mod:`pytest_trust.stats.clusters`).
What is left is decided as follows, without a warning:

- fewer than two differences are not testable: ``p_value``, ``low`` and ``high`` are None;
- where all differences are equal, the variance is zero and the interval is that one value. Equivalence and the t-test
  answer with the limit, 0.0 or 1.0; the other tests need no variance and answer as always;
- the signed-rank test leaves out zero differences (Wilcoxon's own way), and where all are zero p is 1.0;
- the sign test counts zero differences against the expectation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.stats.clusters import cluster_means
from pytest_trust.stats.paired_rates import mcnemar_exact

Method = Literal["auto", "t", "wilcoxon", "sign"]

RANKED_UP_TO = 30
"""The largest number of differences at which ``method="auto"`` takes the signed-rank test."""

# Numbers beyond it would overflow where they are squared and summed.
_LARGEST = 1e120
_DECIMALS = 12
_NOISE = 2e-12
_TIES_EXACT_UP_TO = 200

_Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The mean of ``n`` paired differences, its t-interval ``[low, high]`` of confidence 1 - 2 alpha, and the p-value.

    ``sd`` is the sample standard deviation (divisor n - 1). ``mean`` is None for no difference, ``sd``, ``low``,
    ``high`` and ``p_value`` for fewer than two. ``method`` is ``tost``, ``t``, ``wilcoxon`` or ``sign``.
    """

    mean: float | None
    sd: float | None
    n: int
    low: float | None
    high: float | None
    p_value: float | None
    method: str


def equivalence(
    differences: ArrayLike, margin: float, alpha: float = 0.05, groups: ArrayLike | None = None
) -> PairedTest:
    """Test that the mean of ``differences``, shape (n,), lies strictly within ``-margin`` and ``margin``.

    Two one-sided t-tests (Lakens, Scheel and Isager 2018, "Equivalence testing for psychological research");
    p is the larger of their two p-values, so it is below alpha just where the interval lies within the margin.
    For equal differences p is 0.0 where they are closer to zero than the margin, else 1.0.

    Raises:
        ConfigurationError: a margin of zero or less, an alpha not within 0 and 0.5, or not one dimension.
        DataError: a difference that is no finite number, or ``groups`` that are not as many integers.
    """
    margin = require_between("margin", margin, 0.0, _LARGEST)
    alpha = require_alpha(alpha)
    values = _prepared(differences, groups)
    return _paired_test(values, _equivalence_p(values, margin), alpha, "tost")


def directional(
    differences: ArrayLike,
    expect: Literal["increase", "decrease"],
    alpha: float = 0.05,
    method: Method = "auto",
    groups: ArrayLike | None = None,
) -> PairedTest:
    """Test that ``differences``, shape (n,), lie above zero ("increase") or below ("decrease").

    Each method has the null hypothesis of its own claim; for an expected increase they are:

    - ``t``: the mean difference is zero or less. The one-sided t-test, which is sound for differences near normal;
      :func:`~pytest_trust.stats.guard.guarded_direction_p` guards it against rare large ones;
    - ``wilcoxon``: the differences are symmetric about zero, or about a value below. The signed-rank test, exact up to
      50 differences without ties and up to 200 with ties, beyond that the normal approximation;
    - ``sign``: at most half of the differences are above zero. The exact binomial test;
    - ``auto``: ``wilcoxon`` up to 30 differences, ``t`` above.

    For equal differences the t-test's p is 0.0 where they have the expected sign, else 1.0.

    Raises:
        ConfigurationError: an unknown ``expect`` or ``method``, an alpha not within 0 and 0.5, or not one dimension.
        DataError: a difference that is no finite number, or ``groups`` that are not as many integers.
    """
    require_choice("expect", expect, ("increase", "decrease"))
    require_choice("method", method, get_args(Method))
    alpha = require_alpha(alpha)
    values = _prepared(differences, groups)
    if method == "auto":
        method = "wilcoxon" if values.size <= RANKED_UP_TO else "t"
    increases = values if expect == "increase" else -values
    test = {"t": _t_p, "wilcoxon": _signed_rank_p, "sign": _sign_p}[method]
    return _paired_test(values, test(increases) if values.size > 1 else None, alpha, method)


def _prepared(differences: ArrayLike, groups: ArrayLike | None) -> _Values:
    # Sorted, so that the order of the texts cannot move the last digit of a sum.
    values = np.sort(np.round(cluster_means(_finite(differences), groups), _DECIMALS))
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
    return max(_one_sided_t_p(values, -margin), _one_sided_t_p(-values, -margin))


def _t_p(increases: _Values) -> float:
    if _is_constant(increases):
        return 0.0 if increases[0] > 0 else 1.0
    return _one_sided_t_p(increases, 0.0)


def _one_sided_t_p(values: _Values, bound: float) -> float:
    """p of the t-test of a mean above ``bound``; the values are not all equal."""
    from scipy.special import stdtr

    mean, sd = _moments(values)
    return float(stdtr(values.size - 1, (bound - mean) / sd * math.sqrt(values.size)))


def _sign_p(increases: _Values) -> float:
    """The chance that a fair coin, tossed for each value, shows as many heads as there are increases, or more."""
    up = int((increases > 0).sum())
    return mcnemar_exact(up, int(increases.size) - up)


def _signed_rank_p(increases: _Values) -> float:
    nonzero = increases[increases != 0]
    if not nonzero.size:
        return 1.0
    from scipy import stats

    sizes = np.abs(nonzero)
    if np.unique(sizes).size == nonzero.size:
        return float(stats.wilcoxon(nonzero, alternative="greater").pvalue)
    ranks = stats.rankdata(sizes)
    above = float(ranks[nonzero > 0].sum())
    return _tied_p(ranks, above) if ranks.size <= _TIES_EXACT_UP_TO else _approximate_p(ranks, above)


def _tied_p(ranks: _Values, above: float) -> float:
    """The exact chance that ``ranks``, each with a fair sign, sum to ``above`` or more over the positive ones.

    scipy has the exact distribution for ranks without ties alone; its normal approximation rejects too often.
    """
    doubled = np.rint(2 * np.sort(ranks)).astype(np.intp)
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    reached = 0
    for rank in doubled:
        with_rank = chances[: reached + 1] / 2
        reached += int(rank)
        chances[: reached + 1] /= 2
        chances[rank : reached + 1] += with_rank
    return float(min(1.0, chances[int(np.rint(2 * above)) :].sum()))


def _approximate_p(ranks: _Values, above: float) -> float:
    """The normal approximation, corrected for the widest step between two sums that ties can make."""
    from scipy.special import ndtr

    values, counts = np.unique(ranks, return_counts=True)
    step = values[counts > 1].max()
    sd = math.sqrt(float(np.square(ranks).sum())) / 2
    return float(ndtr(-(above - step / 2 - ranks.sum() / 2) / sd))


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

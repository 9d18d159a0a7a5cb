from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pytest_trust.errors import ConfigurationError
from pytest_trust.stats import equivalence, guarded_p, n_for_guarded


def test_it_is_the_plain_test_with_two_worst_cases_on_each_side() -> None:
    rng = np.random.default_rng(4)
    for n in (2, 5, 40, 300):
        d = rng.normal(0.01, 0.1, n).clip(-1, 1)
        low = stats.ttest_1samp([*d, -1, -1], -0.1, alternative="greater").pvalue
        high = stats.ttest_1samp([*d, 1, 1], 0.1, alternative="less").pvalue
        assert guarded_p(equivalence(d, 0.1), 0.1) == pytest.approx(max(low, high), rel=1e-9)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1, 0.2, 0.5])
def test_false_passes_stay_below_alpha_where_a_share_of_texts_jumps(margin: float, alpha: float) -> None:
    """Exactly at the margin: each text shifts by -1.0 with probability ``margin``, else not at all."""
    for n in (5, 14, 29, 59, 100, 150, 300, 600, 1200, 2000):
        jumps = np.arange(int(n * margin) + 2)
        passing = [
            guarded_p(equivalence([-1.0] * int(k) + [0.0] * (n - int(k)), margin), margin, alpha) < alpha for k in jumps
        ]
        assert stats.binom.pmf(jumps[passing], n, margin).sum() <= alpha


def test_the_plain_test_does_not_hold_there() -> None:
    jumps = np.arange(4)
    passing = [equivalence([-1.0] * int(k) + [0.0] * (29 - int(k)), 0.1).p_value < 0.05 for k in jumps]
    assert stats.binom.pmf(jumps[passing], 29, 0.1).sum() > 0.19


@given(st.floats(-0.3, 0.3), st.floats(0, 0.5), st.integers(2, 500), st.floats(0.01, 0.5))
def test_never_below_the_plain_p_where_both_can_pass(mean: float, sd: float, n: int, margin: float) -> None:
    d = mean + sd * np.linspace(-1, 1, n)
    plain, guarded = equivalence(d, margin).p_value, guarded_p(equivalence(d, margin), margin)
    assert 0.0 <= guarded <= 1.0
    if guarded < 0.05:
        assert plain < 0.05


@pytest.mark.parametrize(("margin", "needed"), [(0.1, 42), (0.05, 85)])
def test_how_many_equal_texts_are_needed(margin: float, needed: int) -> None:
    assert n_for_guarded(0.0, 0.0, margin) == needed
    assert guarded_p(equivalence([0.0] * needed, margin), margin) < 0.05
    assert guarded_p(equivalence([0.0] * (needed - 1), margin), margin) >= 0.05


def test_the_number_needed_is_enough_and_no_more() -> None:
    rng = np.random.default_rng(2)
    d = rng.normal(0.02, 0.2, 50)
    test = equivalence(d, 0.1)
    needed = n_for_guarded(test.sd, test.mean, 0.1)
    # Differences of the same mean and sample sd at other n.
    for n, passes in ((needed, True), (needed - 1, False)):
        e = np.linspace(-1, 1, n)
        e = test.mean + e / e.std(ddof=1) * test.sd
        assert (guarded_p(equivalence(e, 0.1), 0.1) < 0.05) is passes


def test_none_where_nothing_can_be_tested_or_helped() -> None:
    assert guarded_p(equivalence([], 0.1), 0.1) is None
    assert guarded_p(equivalence([0.0], 0.1), 0.1) is None
    assert n_for_guarded(0.1, 0.1, 0.1) is None
    assert n_for_guarded(0.1, -0.2, 0.1) is None


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ConfigurationError, match="margin"):
        guarded_p(equivalence([0.0, 0.1], 0.1), 0.0)
    with pytest.raises(ConfigurationError, match="sd"):
        n_for_guarded(-1.0, 0.0, 0.1)
    with pytest.raises(ConfigurationError, match="sd"):
        n_for_guarded(math.nan, 0.0, 0.1)

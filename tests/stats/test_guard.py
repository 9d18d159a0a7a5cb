from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pytest_trust.errors import ConfigurationError
from pytest_trust.stats import (
    directional,
    equivalence,
    guarded_direction_p,
    guarded_interval,
    guarded_p,
    n_for_equivalence,
)
from pytest_trust.stats.guard import lowest_passing


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
    assert n_for_equivalence(0.0, 0.0, margin) == needed
    assert guarded_p(equivalence([0.0] * needed, margin), margin) < 0.05
    assert guarded_p(equivalence([0.0] * (needed - 1), margin), margin) >= 0.05


@given(st.floats(0, 0.5), st.integers(3, 3000), st.sampled_from([-0.3, -0.1, 0.0]), st.sampled_from([0.5, 1.0]))
def test_the_lowest_passing_mean_is_where_p_is_alpha(sd: float, n: int, bound: float, reach: float) -> None:
    lowest = lowest_passing(n, sd, bound, 0.05, reach)
    if math.isinf(lowest):
        return
    total, worst = n + 2, 2
    shifted = (n * lowest - worst * reach) / total
    squares = (n - 1) * sd**2 + n * (lowest - shifted) ** 2 + worst * (reach + shifted) ** 2
    t = (shifted - bound) / math.sqrt(squares / (total - 1) / total)
    assert stats.t.sf(t, total - 1) == pytest.approx(0.05, rel=1e-6)


def test_the_interval_turns_the_test_around() -> None:
    rng = np.random.default_rng(8)
    for n in (5, 50, 500):
        test = equivalence(rng.normal(0.1, 0.2, n).clip(-1, 1), 0.1)
        low, high = guarded_interval(test)
        assert low < test.low < test.high < high
        if low > 0:
            assert guarded_direction_p(test, "increase") < 0.05
        assert guarded_p(test, max(-low, high) + 1e-9) < 0.05 < guarded_p(test, max(-low, high) - 1e-9)


class TestDirection:
    def test_it_is_the_plain_test_with_two_texts_at_the_reach(self) -> None:
        rng = np.random.default_rng(4)
        for n in (2, 5, 40, 300):
            d = rng.normal(0.1, 0.1, n).clip(-1, 1)
            reference = stats.ttest_1samp([*d, -0.5, -0.5], 0.0, alternative="greater").pvalue
            test = directional(d, "increase", method="t")
            assert guarded_direction_p(test, "increase", reach=0.5) == pytest.approx(reference, rel=1e-9)
            mirrored = directional(-d, "decrease", method="t")
            assert guarded_direction_p(mirrored, "decrease", reach=0.5) == pytest.approx(reference, rel=1e-9)

    @pytest.mark.parametrize("reach", [0.5, 1.0])
    @pytest.mark.parametrize("share", [0.002, 0.01, 0.05, 0.2, 0.5])
    def test_false_passes_stay_below_alpha_where_few_large_shifts_cancel_many_small_ones(self, share, reach) -> None:
        """Exactly at no mean shift: a ``share`` of texts falls by ``reach``, all others rise a little."""
        rise = reach * share / (1 - share)
        for n in (5, 14, 29, 59, 100, 300, 1000, 2000):
            falls = np.arange(int(n * share) + 2)
            falls = falls[falls <= n]
            tests = [directional([-reach] * int(k) + [rise] * (n - int(k)), "increase", method="t") for k in falls]
            passing = [guarded_direction_p(test, "increase", reach=reach) < 0.05 for test in tests]
            assert stats.binom.pmf(falls[passing], n, share).sum() <= 0.05

    def test_the_plain_test_does_not_hold_there(self) -> None:
        tests = [directional([-1.0] * k + [0.05 / 0.95] * (40 - k), "increase", method="t") for k in range(3)]
        passing = [test.p_value < 0.05 for test in tests]
        assert stats.binom.pmf(np.arange(3)[passing], 40, 0.05).sum() > 0.12

    def test_wrong_arguments_are_named(self) -> None:
        test = directional([0.1, 0.2], "increase")
        with pytest.raises(ConfigurationError, match="expect"):
            guarded_direction_p(test, "up")
        with pytest.raises(ConfigurationError, match="reach"):
            guarded_direction_p(test, "increase", reach=0.0)

    def test_none_for_fewer_than_two(self) -> None:
        assert guarded_direction_p(directional([0.1], "increase"), "increase") is None
        assert guarded_interval(directional([0.1], "increase")) == (-1.0, 1.0)


def test_none_where_nothing_can_be_tested_or_helped() -> None:
    assert guarded_p(equivalence([], 0.1), 0.1) is None
    assert guarded_p(equivalence([0.0], 0.1), 0.1) is None
    assert n_for_equivalence(0.1, 0.1, 0.1) is None
    assert n_for_equivalence(0.1, -0.2, 0.1) is None


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ConfigurationError, match="margin"):
        guarded_p(equivalence([0.0, 0.1], 0.1), 0.0)
    with pytest.raises(ConfigurationError, match="sd"):
        n_for_equivalence(-1.0, 0.0, 0.1)
    with pytest.raises(ConfigurationError, match="sd"):
        n_for_equivalence(math.nan, 0.0, 0.1)

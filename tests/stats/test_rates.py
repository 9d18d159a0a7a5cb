"""Wilson intervals against scipy and by hand."""

from __future__ import annotations

import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from pytest_trust.errors import ConfigurationError
from pytest_trust.stats import Rate, exact_lower, exact_upper, reaches, safe_interval, stays_within, wilson

counts = st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
alphas = st.floats(1e-12, 0.499)


@pytest.mark.parametrize("alpha", [0.001, 0.025, 0.05, 0.3])
@pytest.mark.parametrize(
    ("successes", "n"), [(0, 1), (1, 1), (0, 10), (10, 10), (1, 3), (7, 12), (95, 100), (3, 10**5), (999_999, 10**6)]
)
def test_agrees_with_scipy(successes: int, n: int, alpha: float):
    reference = stats.binomtest(successes, n).proportion_ci(confidence_level=1 - 2 * alpha, method="wilson")
    rate = wilson(successes, n, alpha)
    assert (rate.low, rate.high) == pytest.approx((reference.low, reference.high), rel=1e-9, abs=1e-15)
    assert (rate.estimate, rate.n) == (successes / n, n)


def test_by_hand():
    # With half of n: 0.5 -+ z / (2 sqrt(n + z^2)), z = 1.6448536.
    rate = wilson(8, 16)
    half = 1.6448536269514722 / (2 * math.sqrt(16 + 1.6448536269514722**2))
    assert (rate.low, rate.high) == pytest.approx((0.5 - half, 0.5 + half))


def test_nothing_seen_is_nothing_known():
    assert wilson(0, 0) == Rate(estimate=None, low=0.0, high=1.0, n=0)


@given(counts, alphas)
@settings(deadline=None)
def test_bounds_are_ordered_shares(count: tuple[int, int], alpha: float):
    rate = wilson(*count, alpha)
    assert 0 <= rate.low <= rate.estimate + 1e-15
    assert rate.estimate - 1e-15 <= rate.high <= 1
    assert rate.low < rate.high


@given(counts, alphas)
@settings(deadline=None)
def test_failures_mirror_successes(count: tuple[int, int], alpha: float):
    successes, n = count
    rate, mirrored = wilson(successes, n, alpha), wilson(n - successes, n, alpha)
    assert rate.low == pytest.approx(1 - mirrored.high, abs=1e-12)
    assert rate.high == pytest.approx(1 - mirrored.low, abs=1e-12)


@given(counts)
@settings(deadline=None)
def test_none_and_all_touch_the_ends_exactly(count: tuple[int, int]):
    n = count[1]
    assert wilson(0, n).low == 0.0
    assert wilson(n, n).high == 1.0


@given(counts, st.integers(2, 50))
@settings(deadline=None)
def test_more_of_the_same_narrows_the_interval(count: tuple[int, int], times: int):
    few, many = wilson(*count), wilson(count[0] * times, count[1] * times)
    assert few.low <= many.low
    assert many.high <= few.high


@pytest.mark.parametrize("share", [0.1, 0.5, 0.83])
def test_each_bound_alone_holds_with_confidence_one_minus_alpha(share: float):
    n, alpha = 400, 0.05
    chances = stats.binom.pmf(np.arange(n + 1), n, share)
    rates = [wilson(k, n, alpha) for k in range(n + 1)]
    assert sum(chances[k] for k in range(n + 1) if rates[k].low > share) == pytest.approx(alpha, abs=0.015)
    assert sum(chances[k] for k in range(n + 1) if rates[k].high < share) == pytest.approx(alpha, abs=0.015)


class TestExact:
    @pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
    @pytest.mark.parametrize(("successes", "n"), [(0, 1), (1, 1), (0, 10), (10, 10), (7, 12), (95, 100), (3, 10**5)])
    def test_agrees_with_scipy(self, successes: int, n: int, alpha: float):
        reference = stats.binomtest(successes, n).proportion_ci(confidence_level=1 - 2 * alpha, method="exact")
        share = successes / n
        found = exact_lower(share, n, alpha), exact_upper(share, n, alpha)
        assert found == pytest.approx((reference.low, reference.high), rel=1e-9, abs=1e-12)

    def test_by_hand(self):
        assert exact_lower(1.0, 29, 0.05) == pytest.approx(0.05 ** (1 / 29))
        assert exact_upper(0.0, 29, 0.05) == pytest.approx(1 - 0.05 ** (1 / 29))

    @given(st.integers(0, 1000).map(lambda count: count / 1000), st.floats(1, 1e4), st.floats(1.01, 10))
    @settings(deadline=None)
    def test_a_real_number_of_texts_will_do_and_more_narrow_the_interval(self, share: float, n: float, times: float):
        assert 0 <= exact_lower(share, n, 0.05) <= exact_lower(share, n * times, 0.05) + 1e-12
        assert exact_upper(share, n * times, 0.05) <= exact_upper(share, n, 0.05) + 1e-12 <= 1 + 1e-12


class TestGates:
    @pytest.mark.parametrize("bound", [0.01, 0.1, 0.5, 0.8, 0.95, 0.99])
    def test_none_passes_more_often_than_alpha_at_its_bound(self, bound: float):
        for n in (1, 3, 5, 10, 29, 100, 500):
            successes = np.arange(n + 1)
            chances = stats.binom.pmf(successes, n, bound)
            rates = [wilson(int(k), n) for k in successes]
            assert chances[[reaches(rate, bound) for rate in rates]].sum() <= 0.05 + 1e-9
            assert chances[[stays_within(rate, bound) for rate in rates]].sum() <= 0.05 + 1e-9

    def test_wilsons_bound_alone_does(self):
        assert wilson(3, 3).low > 0.5  # which a fair coin shows in 12 % of three tosses
        assert not reaches(wilson(3, 3), 0.5)

    def test_they_agree_with_the_interval(self):
        rate = wilson(45, 50)
        low, high = safe_interval(rate)
        assert low == min(rate.low, exact_lower(0.9, 50, 0.05))
        assert high == max(rate.high, exact_upper(0.9, 50, 0.05))
        assert reaches(rate, low)
        assert not reaches(rate, low + 1e-9)
        assert stays_within(rate, high)
        assert not stays_within(rate, high - 1e-9)

    def test_nothing_seen_shows_nothing(self):
        nothing = wilson(0, 0)
        assert not reaches(nothing, 0.0)
        assert not stays_within(nothing, 1.0)
        assert safe_interval(nothing) == (0.0, 1.0)


def test_results_are_plain_values():
    rate = wilson(np.int64(3), np.int32(7), np.float64(0.05))
    assert [type(value) for value in asdict(rate).values()] == [float, float, float, int]


@pytest.mark.parametrize("n", [-1, 2.0, "3", None, True])
def test_rejects_n(n: object):
    with pytest.raises(ConfigurationError, match=r"n=.*expected a whole number of at least 0"):
        wilson(0, n)


@pytest.mark.parametrize("successes", [-1, 6, 2.5, None])
def test_rejects_successes(successes: object):
    with pytest.raises(ConfigurationError, match=r"successes=.*expected a whole number from 0 to 5"):
        wilson(successes, 5)


@pytest.mark.parametrize("alpha", [0, 0.5, math.nan])
def test_rejects_alpha(alpha: float):
    with pytest.raises(ConfigurationError, match="alpha="):
        wilson(1, 2, alpha)

"""Sample sizes by definition (n is enough, n - 1 is not), by exact references and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.stats.proportion import proportion_confint

from pytest_trust.errors import ConfigurationError
from pytest_trust.stats import (
    difference_lower,
    directional,
    equivalence,
    guarded_direction_p,
    guarded_p,
    n_for_difference,
    n_for_directional,
    n_for_equivalence,
    n_for_rate,
    n_for_sign,
    reaches,
    wilson,
)
from pytest_trust.stats.rates import rate_of_share


def equivalence_power(n: int, sd: float, mean: float, margin: float, alpha: float) -> float:
    """The exact power: the integral over the density of the sample's standard deviation."""
    error, quantile = sd / math.sqrt(n), stats.t.isf(alpha, n - 1)

    def passing(ratio: float) -> float:
        reach = quantile * ratio * error
        if reach >= margin:
            return 0.0
        density = stats.chi.pdf(ratio * math.sqrt(n - 1), n - 1) * math.sqrt(n - 1)
        inside = stats.norm.cdf((margin - reach - mean) / error) - stats.norm.cdf((reach - margin - mean) / error)
        return inside * density

    spread = 8 / math.sqrt(2 * (n - 1))
    return integrate.quad(passing, max(0, 1 - spread), 1 + spread, limit=200)[0]


def share_that_pass(n: int, sd: float, mean: float, test, runs: int) -> float:
    rng = np.random.default_rng(n)
    return float(np.mean([test(rng.normal(mean, sd, n)).p_value < 0.05 for _ in range(runs)]))


def gate_p(d: np.ndarray, method: str, reach: float = 1.0) -> float:
    """The p of the gate of an expected increase, as the checks put it together."""
    test = directional(d, "increase", method=method)
    if method == "wilcoxon":
        return test.p_value
    guarded = guarded_direction_p(test, "increase", reach=reach)
    return max(guarded, test.p_value) if test.method == "wilcoxon" else guarded


class TestGuarded:
    @pytest.mark.parametrize(("sd", "mean", "margin"), [(0.1, 0.0, 0.1), (0.2, 0.02, 0.1), (0.05, -0.02, 0.05)])
    def test_simulation(self, sd, mean, margin):
        n = n_for_equivalence(sd, mean, margin)
        rng = np.random.default_rng(n)
        found = [guarded_p(equivalence(rng.normal(mean, sd, n), margin), margin) < 0.05 for _ in range(600)]
        assert np.mean(found) == pytest.approx(0.8, abs=0.05)

    @pytest.mark.parametrize("alpha", [0.01, 0.05])
    def test_without_spread_n_is_enough_and_one_less_is_not(self, alpha):
        n = n_for_equivalence(0.0, 0.03, 0.1, alpha)
        assert guarded_p(equivalence([0.03] * n, 0.1, alpha), 0.1, alpha) < alpha
        assert guarded_p(equivalence([0.03] * (n - 1), 0.1, alpha), 0.1, alpha) >= alpha

    def test_more_power_needs_more(self):
        needed = [n_for_equivalence(0.3, 0.0, 0.1, power=power) for power in (0.5, 0.8, 0.95)]
        assert needed == sorted(set(needed))

    @pytest.mark.parametrize("mean", [0.1, -0.2, 0.1 - 1e-9])
    def test_none_where_no_n_can(self, mean):
        assert n_for_equivalence(0.1, mean, 0.1) is None


class TestDirectional:
    @pytest.mark.parametrize("method", ["auto", "t", "wilcoxon"])
    @pytest.mark.parametrize(("sd", "mean", "reach"), [(0.1, 0.04, 1.0), (0.3, 0.1, 0.5), (0.1, 0.2, 1.0)])
    def test_simulation(self, sd, mean, reach, method):
        n = n_for_directional(sd, mean, method=method, reach=reach)
        rng = np.random.default_rng(n)
        found = [gate_p(rng.normal(mean, sd, n), method, reach) < 0.05 for _ in range(400)]
        assert 0.72 < np.mean(found) < 0.93

    @pytest.mark.parametrize("reach", [0.5, 1.0])
    @pytest.mark.parametrize("alpha", [0.01, 0.05])
    def test_without_spread_n_is_enough_and_one_less_is_not(self, alpha, reach):
        n = n_for_directional(0.0, 0.1, alpha, method="t", reach=reach)
        passing = [
            guarded_direction_p(directional([0.1] * size, "increase", alpha, "t"), "increase", alpha, reach) < alpha
            for size in (n, n - 1)
        ]
        assert passing == [True, False]

    def test_a_reach_of_half_needs_half_as_many(self):
        assert n_for_directional(0.0, 0.05, method="t", reach=1.0) == 90
        assert n_for_directional(0.0, 0.05, method="t", reach=0.5) == 46

    @pytest.mark.parametrize(("alpha", "n"), [(0.05, 5), (0.01, 7), (1 / 32, 6)])
    def test_is_never_below_what_ranks_can_certify(self, alpha, n):
        assert n_for_directional(0.0, 0.3, alpha, method="wilcoxon") == n
        assert directional([0.3] * n, "increase").p_value < alpha
        assert directional([0.3] * (n - 1), "increase").p_value >= alpha

    def test_auto_moves_on_to_the_mean_where_ranks_need_more_than_thirty(self):
        assert n_for_directional(0.0, 1.0, alpha=1e-10, method="wilcoxon") == 34
        assert n_for_directional(0.0, 1.0, alpha=1e-10) > 30

    @pytest.mark.parametrize("mean", [0.02, 0.06])
    def test_is_the_same_for_a_decrease(self, mean):
        assert n_for_directional(0.1, -mean) == n_for_directional(0.1, mean) > 2

    def test_none_where_nothing_moves(self):
        assert n_for_directional(0.1, 0.0) is None

    @pytest.mark.parametrize("method", ["auto", "t", "wilcoxon"])
    def test_none_beyond_ten_million(self, method):
        assert n_for_directional(0.1, 1e-6, method=method) is None


class TestSign:
    @pytest.mark.parametrize(("share", "alpha"), [(1.0, 0.05), (1.0, 0.01), (0.8, 0.05), (0.55, 0.05)])
    def test_n_is_enough_and_one_less_is_not(self, share, alpha):
        n = n_for_sign(share, alpha, power=0.5)
        assert proportion_confint(share * n, n, 2 * alpha, "beta")[0] > 0.5
        assert proportion_confint(share * (n - 1), n - 1, 2 * alpha, "beta")[0] <= 0.5

    def test_all_texts_the_same_way(self):
        assert n_for_sign(1.0) == 5
        assert directional([0.1] * 5, "increase", method="sign").p_value < 0.05

    @pytest.mark.parametrize("share", [0.0, 0.5])
    def test_none_for_half_of_the_texts(self, share):
        assert n_for_sign(share) is None

    @pytest.mark.parametrize("share", [0.6, 0.7, 0.9])
    def test_the_power_is_about_what_was_asked_for(self, share):
        n = n_for_sign(share)
        least = next(count for count in range(n + 1) if stats.binom.sf(count - 1, n, 0.5) < 0.05)
        assert stats.binom.sf(least - 1, n, share) == pytest.approx(0.8, abs=0.1)


class TestDifference:
    @pytest.mark.parametrize(("right", "n_data"), [(9, 10), (27, 30), (450, 500)])
    def test_n_is_enough_and_one_less_is_not(self, right, n_data):
        reference = wilson(right, n_data)

        def clears(n: int) -> bool:
            return difference_lower(rate_of_share(0.9, n, 0.05), reference) >= -0.1

        n = n_for_difference(0.9, reference, 0.1, power=0.5)
        assert clears(n)
        assert not clears(n - 1)
        assert n_for_difference(0.9, reference, 0.1) > n

    def test_none_where_the_rate_is_too_low_or_the_reference_unknown(self):
        assert n_for_difference(0.79, wilson(450, 500), 0.1) is None
        assert n_for_difference(0.9, wilson(3, 3), 0.05) is None


class TestRate:
    @pytest.mark.parametrize("alpha", [0.01, 0.05])
    @pytest.mark.parametrize(
        ("rate", "bound", "side"),
        [
            (0.85, 0.8, "lower"),
            (1.0, 0.95, "lower"),
            (0.801, 0.8, "lower"),
            (0.0, 0.05, "upper"),
            (0.3, 0.4, "upper"),
            (0.03, 0.05, "upper"),
        ],
    )
    def test_n_is_enough_and_one_less_is_not(self, rate, bound, side, alpha):
        def clears(size: int) -> bool:
            intervals = [proportion_confint(rate * size, size, 2 * alpha, name) for name in ("wilson", "beta")]
            return all(low >= bound if side == "lower" else high <= bound for low, high in intervals)

        n = n_for_rate(rate, bound, side, alpha, power=0.5)
        assert clears(n)
        assert not clears(n - 1)

    @pytest.mark.parametrize(("rate", "bound"), [(0.98, 0.9), (0.95, 0.9), (0.97, 0.9), (0.9, 0.8), (0.6, 0.5)])
    def test_the_power_is_about_what_was_asked_for(self, rate, bound):
        n = n_for_rate(rate, bound, "lower")
        passing = [right for right in range(n + 1) if reaches(wilson(right, n), bound)]
        assert stats.binom.sf(passing[0] - 1, n, rate) == pytest.approx(0.8, abs=0.08)

    def test_by_hand(self):
        # All right: the exact bound is 0.05 ** (1 / n), so n = log(0.05) / log(0.9) = 28.4; Wilson's alone needs 25.
        assert n_for_rate(1.0, 0.9, "lower") == 29
        assert wilson(25, 25).low >= 0.9 > wilson(24, 24).low

    @pytest.mark.parametrize(
        ("rate", "bound", "side"),
        [
            (0.7, 0.8, "lower"),
            (0.8, 0.8, "lower"),
            (1.0, 1.0, "lower"),
            (0.5, 0.4, "upper"),
            (0.4, 0.4, "upper"),
            (0.0, 0.0, "upper"),
            (0.5 + 1e-9, 0.5, "lower"),
        ],
    )
    def test_none_where_no_n_can(self, rate, bound, side):
        assert n_for_rate(rate, bound, side) is None

    def test_a_bound_that_binds_nothing_needs_one(self):
        assert n_for_rate(0.0, 0.0, "lower") == 1
        assert n_for_rate(1.0, 1.0, "upper") == 1

    @given(st.integers(0, 1000), st.integers(0, 1000))
    @settings(deadline=None)
    def test_sides_mirror_each_other(self, thousandths, bound_thousandths):
        rate, bound = thousandths / 1000, bound_thousandths / 1000
        lower, upper = n_for_rate(rate, bound, "lower"), n_for_rate(1 - rate, 1 - bound, "upper")
        if lower is not None and lower < 10_000:
            assert upper == pytest.approx(lower, abs=1)


def test_results_are_plain_integers():
    found = [
        n_for_equivalence(np.float64(0.1), np.float64(0.0), np.float64(0.1)),
        *(n_for_directional(np.float64(0.1), np.float64(0.02), method=method) for method in ("auto", "t", "wilcoxon")),
        n_for_rate(np.float64(0.9), np.float64(0.8), "lower"),
        n_for_sign(np.float64(0.9)),
    ]
    assert {type(n) for n in found} == {int}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("sd", {"sd": -0.1}),
        ("sd", {"sd": math.inf}),
        ("sd", {"sd": None}),
        ("mean", {"mean": math.nan}),
        ("mean", {"mean": None}),
        ("alpha", {"alpha": 0.5}),
        ("power", {"power": 0}),
        ("power", {"power": 1}),
    ],
)
def test_rejections_of_paired_sizes(name, change):
    arguments = {"sd": 0.1, "mean": 0.0, "alpha": 0.05, "power": 0.8} | change
    with pytest.raises(ConfigurationError, match=f"{name}="):
        n_for_equivalence(margin=0.1, **arguments)
    with pytest.raises(ConfigurationError, match=f"{name}="):
        n_for_directional(**arguments)


@pytest.mark.parametrize(("name", "value"), [("method", "sign"), ("reach", 0.0), ("reach", 1.5)])
def test_rejections_of_direction(name, value):
    with pytest.raises(ConfigurationError, match=f"{name}="):
        n_for_directional(0.1, 0.1, **{name: value})


@pytest.mark.parametrize(("arguments", "name"), [((1.5,), "share"), ((0.8, 0.5), "alpha")])
def test_rejections_of_signs(arguments, name):
    with pytest.raises(ConfigurationError, match=f"{name}="):
        n_for_sign(*arguments)


def test_rejections_of_margin():
    with pytest.raises(ConfigurationError, match="margin=0: expected a finite number above 0"):
        n_for_equivalence(0.1, 0.0, margin=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.1, 0.5, "lower"), "rate=1.1: expected a number from 0 to 1"),
        ((0.5, -0.1, "lower"), "bound=-0.1: expected a number from 0 to 1"),
        ((0.5, 0.4, "low"), "side='low': expected 'lower' or 'upper'"),
        ((0.5, 0.4, "lower", 0.6), "alpha=0.6"),
    ],
)
def test_rejections_of_rates(arguments, message):
    with pytest.raises(ConfigurationError, match=message):
        n_for_rate(*arguments)

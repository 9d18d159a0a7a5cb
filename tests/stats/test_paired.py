"""Paired tests against statsmodels, scipy, exhaustive enumeration and values worked out by hand."""

from __future__ import annotations

import itertools
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW, ttost_paired

from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.stats import PairedTest, directional, equivalence

DRAWS = {
    "normal": lambda rng, n: rng.normal(0.01, 0.1, n),
    "skewed": lambda rng, n: rng.exponential(0.08, n) - 0.05,
    "heavy": lambda rng, n: 0.05 * rng.standard_t(3, n),
    "mostly still": lambda rng, n: np.where(rng.random(n) < 0.7, 1e-3 * rng.normal(size=n), rng.uniform(-0.6, 0.2, n)),
    "opposite": lambda rng, n: rng.choice([-0.5, 0.5], n) + 0.05 * rng.normal(size=n),
}

differences_of_probabilities = st.lists(st.floats(-1, 1), min_size=2, max_size=35)
few_differences = st.lists(st.floats(-1, 1), min_size=2, max_size=8)
margins = st.floats(1e-3, 1)


def pair(shape: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([n, *shape.encode()])
    before = rng.beta(4, 1, n)
    return before, before + DRAWS[shape](rng, n)


def is_varied(values: list[float]) -> bool:
    return max(values) - min(values) > 1e-6


class TestEquivalence:
    @pytest.mark.parametrize("margin", [0.02, 0.05, 0.1, 0.3])
    @pytest.mark.parametrize("n", [2, 3, 5, 12, 30, 31, 100, 1000])
    @pytest.mark.parametrize("shape", DRAWS)
    def test_agrees_with_statsmodels(self, shape: str, n: int, margin: float):
        before, after = pair(shape, n)
        p_value, _, _ = ttost_paired(after, before, -margin, margin)
        reference = DescrStatsW(after - before)
        low, high = reference.tconfint_mean(alpha=0.1)

        result = equivalence(after - before, margin)

        assert result.p_value == pytest.approx(p_value, rel=1e-7, abs=1e-13)
        assert (result.low, result.high) == pytest.approx((low, high), rel=1e-9, abs=1e-11)
        assert result.mean == pytest.approx(reference.mean, abs=1e-11)
        assert result.sd == pytest.approx(np.std(after - before, ddof=1), rel=1e-9)
        assert (result.n, result.method) == (n, "tost")

    def test_by_hand(self):
        # mean 0.02, sd 0.01; t = (0.02 - 0.1) / (0.01 / sqrt 3) = -13.8564; Student's t with 2 degrees of freedom has
        # the distribution function (1 + t / sqrt(t^2 + 2)) / 2, so p = (1 - sqrt(192 / 194)) / 2.
        result = equivalence([0.01, 0.02, 0.03], margin=0.1)
        assert result.p_value == pytest.approx((1 - math.sqrt(192 / 194)) / 2)
        assert result.mean == pytest.approx(0.02)
        assert result.sd == pytest.approx(0.01)
        # The 95 % point with 2 degrees of freedom is 0.9 / sqrt(0.19 / 2).
        assert result.high - 0.02 == pytest.approx(0.9 / math.sqrt(0.095) * 0.01 / math.sqrt(3))
        assert result.low == pytest.approx(0.04 - result.high)

    def test_the_far_margin_decides(self):
        # Certain to be above -0.1, certain not to be below 0.1: the larger p-value counts.
        assert equivalence([0.29, 0.30, 0.31, 0.30], margin=0.1).p_value > 0.999

    def test_opposite_shifts_that_cancel_are_not_equivalent_in_a_small_sample(self):
        assert equivalence([0.8, -0.8] * 10, margin=0.1).p_value > 0.05

    @given(differences_of_probabilities, margins, st.sampled_from([0.01, 0.05, 0.2]))
    @settings(deadline=None)
    def test_p_is_below_alpha_just_where_the_interval_is_within_the_margin(self, differences, margin, alpha):
        result = equivalence(differences, margin, alpha)
        assert result.low <= result.mean <= result.high
        assume(abs(result.p_value - alpha) > 1e-9)
        assume(abs(max(-result.low, result.high) - margin) > 1e-9)
        assert (result.p_value < alpha) == (-margin < result.low and result.high < margin)

    @given(differences_of_probabilities, margins)
    @settings(deadline=None)
    def test_turning_all_signs_turns_the_interval_and_keeps_p(self, differences, margin):
        one, other = equivalence(differences, margin), equivalence([-d for d in differences], margin)
        assert other.p_value == pytest.approx(one.p_value, rel=1e-6, abs=1e-12)
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=1e-12)

    @given(differences_of_probabilities.flatmap(lambda d: st.tuples(st.just(d), st.permutations(d))), margins)
    @settings(deadline=None, max_examples=40)
    def test_order_does_not_matter_to_the_last_digit(self, orders, margin):
        assert equivalence(orders[0], margin) == equivalence(orders[1], margin)

    @given(differences_of_probabilities, margins, st.floats(1, 3))
    @settings(deadline=None)
    def test_a_wider_margin_never_raises_p(self, differences, margin, factor):
        wide, narrow = equivalence(differences, margin * factor), equivalence(differences, margin)
        assert wide.p_value <= narrow.p_value + 1e-12

    @pytest.mark.parametrize("n", [2, 7, 500])
    @pytest.mark.parametrize(
        ("shift", "p_value"), [(0.0, 0.0), (0.05, 0.0), (-0.0999, 0.0), (0.1, 1.0), (-0.1, 1.0), (0.4, 1.0)]
    )
    def test_equal_differences(self, shift: float, p_value: float, n: int):
        assert equivalence([shift] * n, margin=0.1) == PairedTest(shift, 0.0, n, shift, shift, p_value, "tost")

    def test_a_constant_at_the_margin_is_outside_in_spite_of_rounding(self):
        assert 0.3 - 0.2 < 0.1
        assert equivalence([0.3 - 0.2] * 5, margin=0.1).p_value == 1.0


class TestDirectional:
    @pytest.mark.parametrize("expect", ["increase", "decrease"])
    @pytest.mark.parametrize("n", [2, 3, 12, 30, 31, 100, 1000])
    @pytest.mark.parametrize("shape", DRAWS)
    def test_t_agrees_with_scipy(self, shape: str, n: int, expect: str):
        before, after = pair(shape, n)
        reference = stats.ttest_rel(after, before, alternative="greater" if expect == "increase" else "less")
        low, high = DescrStatsW(after - before).tconfint_mean(alpha=0.1)

        result = directional(after - before, expect, method="t")

        assert result.p_value == pytest.approx(reference.pvalue, rel=1e-7, abs=1e-13)
        assert (result.low, result.high) == pytest.approx((low, high), rel=1e-9, abs=1e-11)
        assert result.method == "t"

    @pytest.mark.parametrize("expect", ["increase", "decrease"])
    @pytest.mark.parametrize("n", [2, 3, 6, 12, 30, 60, 200])
    @pytest.mark.parametrize("shape", DRAWS)
    def test_wilcoxon_agrees_with_scipy(self, shape: str, n: int, expect: str):
        before, after = pair(shape, n)
        alternative = "greater" if expect == "increase" else "less"
        reference = stats.wilcoxon(after - before, alternative=alternative)

        result = directional(after - before, expect, method="wilcoxon")

        assert result.p_value == pytest.approx(reference.pvalue, rel=1e-9)
        assert result.method == "wilcoxon"

    @pytest.mark.parametrize("seed", range(20))
    def test_wilcoxon_with_ties_and_zeros_agrees_with_enumeration(self, seed: int):
        rng = np.random.default_rng(seed)
        differences = rng.integers(-2, 5, size=rng.integers(4, 12)) / 10
        nonzero = differences[differences != 0]
        ranks = stats.rankdata(np.abs(nonzero))
        signs = np.array(list(itertools.product([0, 1], repeat=nonzero.size)))
        p_value = np.mean(signs @ ranks >= ranks[nonzero > 0].sum())

        assert directional(differences, "increase").p_value == pytest.approx(p_value)

    def test_wilcoxon_by_hand(self):
        # Ranks 1, 2, 3, 4 with minus on rank 1: of 16 sign patterns, the sums 9 and 10 are as far out.
        assert directional([-0.1, 0.2, 0.3, 0.4], "increase").p_value == pytest.approx(2 / 16)

    @pytest.mark.parametrize(("n", "method"), [(2, "wilcoxon"), (30, "wilcoxon"), (31, "t"), (90, "t")])
    def test_auto_takes_ranks_up_to_thirty(self, n: int, method: str):
        differences = np.random.default_rng(n).normal(0.1, 0.2, n)
        assert directional(differences, "increase") == directional(differences, "increase", method=method)
        assert directional(differences, "increase").method == method

    @given(few_differences, st.sampled_from(["t", "wilcoxon", "sign"]))
    @settings(deadline=None, max_examples=60)
    def test_turning_all_signs_and_the_expectation_changes_nothing(self, differences, method):
        up = directional(differences, "increase", method=method)
        down = directional([-d for d in differences], "decrease", method=method)
        assert up.p_value == pytest.approx(down.p_value, rel=1e-6, abs=1e-12)
        assert (up.low, up.high) == pytest.approx((-down.high, -down.low), abs=1e-12)

    @given(differences_of_probabilities.filter(is_varied))
    @settings(deadline=None)
    def test_the_two_t_directions_share_the_whole_probability(self, differences):
        both = [directional(differences, expect, method="t").p_value for expect in ("increase", "decrease")]
        assert sum(both) == pytest.approx(1)

    @given(few_differences.flatmap(lambda d: st.tuples(st.just(d), st.permutations(d))))
    @settings(deadline=None, max_examples=40)
    def test_order_does_not_matter_to_the_last_digit(self, orders):
        assert directional(orders[0], "decrease") == directional(orders[1], "decrease")

    @pytest.mark.parametrize(
        ("shift", "expect", "p_value"),
        [(0.2, "increase", 0.0), (0.2, "decrease", 1.0), (-0.2, "decrease", 0.0), (-0.2, "increase", 1.0)],
    )
    def test_equal_differences_by_t(self, shift: float, expect: str, p_value: float):
        assert directional([shift] * 40, expect) == PairedTest(shift, 0.0, 40, shift, shift, p_value, "t")

    @pytest.mark.parametrize("n", [2, 4, 10])
    def test_equal_differences_by_ranks_are_the_coin_tossed_n_times(self, n: int):
        assert directional([0.2] * n, "increase").p_value == pytest.approx(0.5**n)
        assert directional([0.2] * n, "decrease").p_value == 1.0

    @pytest.mark.parametrize("method", ["t", "wilcoxon", "sign"])
    @pytest.mark.parametrize("expect", ["increase", "decrease"])
    @pytest.mark.parametrize("n", [2, 20, 100])
    def test_no_difference_at_all_is_no_evidence(self, n: int, expect: str, method: str):
        assert directional([0.0] * n, expect, method=method) == PairedTest(0.0, 0.0, n, 0.0, 0.0, 1.0, method)

    def test_one_text_that_moved_among_still_ones(self):
        assert directional([0.0, 0.0, 0.3, 0.0], "increase").p_value == pytest.approx(0.5)


class TestSign:
    @pytest.mark.parametrize(
        ("up", "down", "still"), [(9, 1, 0), (9, 1, 5), (0, 4, 2), (60, 40, 0), (30, 0, 0), (1, 1, 0)]
    )
    def test_agrees_with_the_binomial_test_and_counts_still_ones_against(self, up: int, down: int, still: int):
        differences = [0.2] * up + [-0.9] * down + [0.0] * still
        reference = stats.binomtest(up, up + down + still, alternative="greater").pvalue
        result = directional(differences, "increase", method="sign")
        assert result.p_value == pytest.approx(reference)
        assert result.method == "sign"

    def test_by_hand(self):
        # Of 32 tosses of five coins, one shows five heads and five show four.
        assert directional([-0.1] * 5, "decrease", method="sign").p_value == pytest.approx(1 / 32)
        assert directional([-0.1] * 4 + [0.5], "decrease", method="sign").p_value == pytest.approx(6 / 32)

    def test_sizes_do_not_matter(self):
        many_small, few_large = [0.001] * 40, [-1.0] * 10
        assert directional(many_small + few_large, "increase", method="sign").p_value < 1e-4


class TestTiedRanks:
    """scipy has no exact distribution for ties beyond 13 differences."""

    @pytest.mark.parametrize("n", [14, 20, 64, 200])
    def test_all_tied_is_the_sign_test(self, n: int):
        up = n * 5 // 8
        p_value = directional([0.1] * up + [-0.1] * (n - up), "increase", method="wilcoxon").p_value
        assert p_value == pytest.approx(stats.binomtest(up, n, alternative="greater").pvalue)

    def test_exact_and_approximate_meet(self):
        rng = np.random.default_rng(5)
        for n in (200, 201):
            differences = rng.integers(-9, 11, n) / 10
            scipys = stats.wilcoxon(differences, alternative="greater", method="approx").pvalue
            found = directional(differences, "increase", method="wilcoxon").p_value
            assert found == pytest.approx(scipys, rel=0.15)

    def test_the_approximation_is_never_below_the_exact_p_where_it_matters(self):
        n = 400
        for up in range(200, 240):
            found = directional([0.1] * up + [-0.1] * (n - up), "increase", method="wilcoxon").p_value
            assert found >= stats.binomtest(up, n, alternative="greater").pvalue * 0.99 - 1e-4


class TestGroups:
    def test_each_group_counts_once(self):
        differences, groups = [0.1, 0.3, 0.0, -0.1, 0.05], [7, 7, 2, 5, 5]
        means = [0.2, 0.0, -0.025]
        assert equivalence(differences, 0.1, groups=groups) == equivalence(means, 0.1)
        for method in ("t", "wilcoxon", "sign"):
            found = directional(differences, "increase", method=method, groups=groups)
            assert found == directional(means, "increase", method=method)

    def test_copies_add_nothing(self):
        few = [0.02, -0.01, 0.03, 0.04]
        many = [value for value in few for _ in range(25)]
        assert equivalence(many, 0.1, groups=np.repeat(range(4), 25)) == equivalence(few, 0.1)

    @given(st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 5)), min_size=2, max_size=30), st.randoms())
    @settings(deadline=None, max_examples=60)
    def test_neither_order_nor_names_of_groups_matter_to_the_last_digit(self, rows, random):
        shuffled = random.sample(rows, len(rows))
        names = random.sample(range(100), 6)
        one = equivalence([d for d, _ in rows], 0.1, groups=[g for _, g in rows])
        assert one == equivalence([d for d, _ in shuffled], 0.1, groups=[names[g] for _, g in shuffled])

    @pytest.mark.parametrize("groups", [[1, 2], [[1], [2], [3]], [0.5, 1.0, 2.0], ["a", "b", "c"]])
    def test_groups_that_do_not_fit(self, groups: list):
        with pytest.raises(DataError, match="groups"):
            equivalence([0.1, 0.2, 0.3], 0.1, groups=groups)
        with pytest.raises(DataError, match="groups"):
            directional([0.1, 0.2, 0.3], "increase", groups=groups)

    def test_no_difference_has_no_group(self):
        assert equivalence([], 0.1, groups=[]).n == 0


class TestRoundingNoise:
    noisy = (0.1 + 1e-17, 0.3 - 0.2, 0.1, 0.4 - 0.3, 0.8 - 0.7)

    def test_makes_no_variance(self):
        assert len(set(self.noisy)) > 2
        result = equivalence(self.noisy * 8, margin=0.2)
        assert (result.sd, result.p_value) == (0.0, 0.0)
        assert result.low == result.mean == result.high == pytest.approx(0.1)
        assert directional(self.noisy * 8, "increase").p_value == 0.0

    @pytest.mark.parametrize("n", [10, 100])
    def test_around_zero_is_no_change(self, n: int):
        noise = np.abs(np.random.default_rng(0).normal(scale=1e-16, size=n))
        for method in ("t", "wilcoxon"):
            assert directional(noise, "increase", method=method).p_value == 1.0
        assert equivalence(noise, margin=0.01) == PairedTest(0.0, 0.0, n, 0.0, 0.0, 0.0, "tost")

    @pytest.mark.parametrize("n", [2, 3])
    def test_leaves_no_negative_zero(self, n: int):
        result = equivalence([-1e-17] * n, margin=0.01)
        assert [str(value) for value in (result.mean, result.low, result.high)] == ["0.0"] * 3

    def test_makes_no_ranks(self):
        assert directional([*self.noisy, -0.5], "increase") == directional([0.1] * 5 + [-0.5], "increase")
        assert directional([1e-17, -2e-17, 0.2, 0.3], "increase").p_value == pytest.approx(1 / 4)

    @given(st.floats(-1, 1), st.lists(st.integers(-4, 4), min_size=2, max_size=40), margins)
    @settings(deadline=None)
    def test_a_few_units_in_the_last_place_count_as_equal(self, value, steps, margin):
        differences = [value + step * 2**-52 for step in steps]
        result = equivalence(differences, margin)
        assert result.sd == 0.0
        assert result.p_value in (0.0, 1.0)
        assert directional(differences, "increase", method="t").p_value in (0.0, 1.0)

    @pytest.mark.parametrize("size", [1e3, 1e50, 9e119])
    def test_of_large_numbers_is_relative(self, size: float):
        differences = [size, np.nextafter(size, 0), np.nextafter(size, 0)]
        assert equivalence(differences, margin=1).p_value == 1.0
        assert directional(differences, "increase", method="t").p_value == 0.0

    def test_large_spread_stays_finite(self):
        result = equivalence([9e119, -9e119, 0.0], margin=1e-9)
        assert all(math.isfinite(value) for value in (result.low, result.high, result.sd, result.p_value))


class TestNotTestable:
    def test_one_difference(self):
        assert equivalence([0.05], margin=0.1) == PairedTest(0.05, None, 1, None, None, None, "tost")
        assert directional([0.05], "increase") == PairedTest(0.05, None, 1, None, None, None, "wilcoxon")
        assert directional([0.05], "increase", method="t").p_value is None

    def test_no_difference(self):
        assert equivalence([], margin=0.1) == PairedTest(None, None, 0, None, None, None, "tost")
        assert directional([], "decrease", method="t") == PairedTest(None, None, 0, None, None, None, "t")


@pytest.mark.parametrize("method", ["t", "wilcoxon", "sign"])
def test_results_are_plain_values(method: str):
    differences = np.random.default_rng(1).normal(size=25).astype(np.float32)
    for result in (
        equivalence(differences, np.float64(0.5), np.float64(0.1)),
        directional(differences, "increase", method=method),
        directional(differences[:1] * 0 + 1, "increase", method=method),
    ):
        assert {type(value) for value in asdict(result).values()} <= {float, int, str, type(None)}


def both_tests(differences: object) -> list:
    return [lambda: equivalence(differences, margin=0.1), lambda: directional(differences, "increase")]


class TestRejections:
    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e120, None])
    def test_values_that_are_not_finite(self, bad: float | None):
        for test in both_tests([0.1, 0.2, bad, 0.3]):
            with pytest.raises(DataError, match=r"differences\[2\] is .*expected a finite number"):
                test()

    @pytest.mark.parametrize("bad", [["a", "b"], [[0.1], [0.1, 0.2]], [object()]])
    def test_values_that_are_no_numbers(self, bad: list):
        for test in both_tests(bad):
            with pytest.raises(DataError, match="differences cannot be read as an array of numbers"):
                test()

    @pytest.mark.parametrize(("bad", "shape"), [(0.1, r"\(\)"), ([[0.1, 0.2]], r"\(1, 2\)")])
    def test_other_than_one_dimension(self, bad: object, shape: str):
        for test in both_tests(bad):
            with pytest.raises(ConfigurationError, match=f"differences have the shape {shape}"):
                test()

    @pytest.mark.parametrize("margin", [0, -0.1, math.nan, math.inf, 1e120, "0.1", None, True, 10**400])
    def test_margin(self, margin: object):
        with pytest.raises(ConfigurationError, match=r"margin=.*expected a number above 0"):
            equivalence([0.1, 0.2], margin)

    @pytest.mark.parametrize("alpha", [0, 0.5, 1, -0.05, math.nan, "0.05", None])
    def test_alpha(self, alpha: object):
        with pytest.raises(ConfigurationError, match=r"alpha=.*expected a number above 0 and below 0\.5"):
            equivalence([0.1, 0.2], 0.1, alpha)
        with pytest.raises(ConfigurationError, match="alpha="):
            directional([0.1, 0.2], "increase", alpha)

    def test_expect(self):
        with pytest.raises(ConfigurationError, match="expect='up': expected 'increase' or 'decrease'"):
            directional([0.1, 0.2], "up")

    def test_method(self):
        with pytest.raises(ConfigurationError, match="method='z': expected 'auto', 't', 'wilcoxon' or 'sign'"):
            directional([0.1, 0.2], "increase", method="z")

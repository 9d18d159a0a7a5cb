"""Thresholds against a search by hand, and cross-fitted verdicts on scores that say nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.stats import Confusion, cross_fitted, fitted_threshold

# Few distinct scores, so that ties between people and between thresholds occur.
items = st.lists(st.tuples(st.integers(0, 12).map(lambda tenths: tenths / 10), st.booleans()), min_size=4, max_size=40)


def both_kinds(pairs: list[tuple[float, bool]], least: int = 1) -> bool:
    trusted = sum(human for _, human in pairs)
    return least <= trusted <= len(pairs) - least


class TestFittedThreshold:
    def test_is_half_way_from_the_default_to_the_middle_of_the_means_at_40_verdicts(self):
        scores, humans = [0.1, 0.3, 0.6, 1.0] * 10, [False, False, True, True] * 10
        assert fitted_threshold(scores, humans, 0.9) == pytest.approx((0.5 + 0.9) / 2)

    def test_few_verdicts_move_it_little_and_many_move_it_far(self):
        few, many = ([0.0, 0.4] * n for n in (2, 2000))
        assert fitted_threshold(few, [False, True] * 2, 0.9) == pytest.approx((4 * 0.2 + 40 * 0.9) / 44)
        assert fitted_threshold(many, [False, True] * 2000, 0.9) == pytest.approx(0.2, abs=0.01)

    def test_the_share_of_either_kind_does_not_matter(self):
        scores, humans = [0.2] * 60 + [0.6] * 20, [False] * 60 + [True] * 20
        assert fitted_threshold(scores, humans, 0.4) == pytest.approx(0.4)

    def test_agrees_with_people_nearly_as_well_as_a_threshold_can(self):
        draw = np.random.default_rng(3)
        humans = draw.random(4000) < 0.3
        scores = draw.normal(np.where(humans, 0.6, 0.3), 0.2)
        found = Confusion.from_pairs(scores >= fitted_threshold(scores, humans, 0.9), humans).g_mean
        best = max(Confusion.from_pairs(scores >= t, humans).g_mean for t in np.linspace(0, 1, 101))
        assert found > best - 0.01

    @given(items.filter(both_kinds), st.randoms(use_true_random=False))
    def test_order_does_not_matter(self, pairs: list[tuple[float, bool]], shuffler):
        shuffled = shuffler.sample(pairs, len(pairs))
        assert fitted_threshold(*zip(*pairs, strict=True), 0.5) == fitted_threshold(*zip(*shuffled, strict=True), 0.5)


class TestCrossFitted:
    def test_clear_scores_are_judged_as_people_do(self):
        scores = np.concatenate([np.linspace(0, 0.4, 20), np.linspace(0.6, 1, 20)])
        humans = scores > 0.5
        assert np.array_equal(cross_fitted(scores, humans, 0.5), humans)

    def test_no_item_has_a_say_in_its_own_verdict(self):
        # With its own say, a prediction far beyond the others would draw the threshold past the rest.
        scores, humans = np.array([0.0] * 10 + [0.2] * 9 + [9.0]), [False] * 10 + [True] * 10
        verdicts = cross_fitted(scores, humans, 0.1, folds=10)
        assert verdicts[-1]
        held = cross_fitted(scores[:-1], humans[:-1], 0.1, folds=10)
        assert held[10:].all()
        assert not verdicts[10:-1].all()

    def test_scores_without_meaning_get_no_credit(self):
        draw = np.random.default_rng(5)
        honest = Confusion()
        for run in range(60):
            scores, humans = draw.random(30), draw.random(30) < 0.5
            honest += Confusion.from_pairs(cross_fitted(scores, humans, 0.5, seed=run), humans)
        # Of 1,800 verdicts the share of right ones has a standard error of about 0.012 by chance alone.
        assert 0.46 < honest.accuracy < 0.54

    @given(items.filter(lambda pairs: both_kinds(pairs, 2)), st.integers(0, 3), st.randoms(use_true_random=False))
    def test_order_does_not_matter(self, pairs: list[tuple[float, bool]], seed: int, shuffler):
        def judged(some: list[tuple[float, bool]]) -> list[tuple[float, bool, bool]]:
            scores, humans = zip(*some, strict=True)
            return sorted(
                (*pair, bool(v)) for pair, v in zip(some, cross_fitted(scores, humans, 0.5, 3, seed), strict=True)
            )

        assert judged(pairs) == judged(shuffler.sample(pairs, len(pairs)))

    def test_the_seed_draws_the_folds(self):
        draw = np.random.default_rng(1)
        scores, humans = draw.random(60), draw.random(60) < 0.5
        verdicts = [cross_fitted(scores, humans, 0.5, seed=seed) for seed in (0, 0, 1, 2, 3)]
        assert np.array_equal(verdicts[0], verdicts[1])
        assert any(not np.array_equal(verdicts[0], other) for other in verdicts[2:])

    def test_fewer_of_a_kind_make_fewer_folds(self):
        scores, humans = [0.1, 0.2, 0.3, 0.4, 0.8, 0.9], [False] * 4 + [True] * 2
        assert cross_fitted(scores, humans, 0.5, folds=5).tolist() == humans
        with pytest.raises(DataError, match=r"1 predictions trustworthy and 4 untrustworthy; .* at least 2 of each"):
            cross_fitted(scores[:5], humans[:5], 0.5)

    @pytest.mark.parametrize("folds", [1, 0, 2.5, None])
    def test_rejects_folds(self, folds: object):
        with pytest.raises(ConfigurationError, match="folds="):
            cross_fitted([0.1, 0.2, 0.3, 0.4], [True, False, True, False], 0.5, folds)


@pytest.mark.parametrize("fit", [fitted_threshold, cross_fitted])
class TestRefused:
    def test_one_kind_alone(self, fit):
        with pytest.raises(DataError, match="2 predictions trustworthy and 0 untrustworthy"):
            fit([0.1, 0.2], [True, True], 0.5)
        with pytest.raises(DataError, match="0 predictions trustworthy and 0 untrustworthy"):
            fit([], [], 0.5)

    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
    def test_what_is_no_finite_number(self, fit, bad: float):
        with pytest.raises(DataError, match=r"scores\[2\] is .*expected a finite number"):
            fit([0.1, 0.2, bad, 0.3], [True, False, True, False], 0.5)

    def test_what_is_no_number(self, fit):
        with pytest.raises(DataError, match="scores cannot be read as an array of numbers"):
            fit(["high", "low"], [True, False], 0.5)

    def test_other_shapes_and_lengths(self, fit):
        with pytest.raises(DataError, match=r"scores have the shape \(1, 2\)"):
            fit([[0.1, 0.2]], [True, False], 0.5)
        with pytest.raises(DataError, match="3 scores, 2 human verdicts"):
            fit([0.1, 0.2, 0.3], [True, False], 0.5)

    def test_what_is_no_verdict(self, fit):
        with pytest.raises(DataError, match=r"humans\[1\] is None; expected True or False"):
            fit([0.1, 0.2], [True, None], 0.5)

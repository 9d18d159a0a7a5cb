"""The local linear model against scikit-learn and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.explain.surrogate import LocalFit, by_size, forward_selection

PROBLEMS = st.tuples(st.integers(2, 80), st.integers(1, 12), st.integers(0, 2**32 - 1))


def problem(n_rows: int, n_words: int, seed: int):
    generator = np.random.default_rng(seed)
    masks = generator.random((n_rows, n_words)) < generator.random((n_rows, 1))
    return masks, generator.uniform(1e-4, 3.0, n_rows), generator.random(n_rows)


def ridge(masks, weights, target, penalty: float):
    linear_model = pytest.importorskip("sklearn.linear_model")
    return linear_model.Ridge(alpha=penalty).fit(masks.astype(float), target, sample_weight=weights).coef_


@settings(max_examples=60, deadline=None)
@given(PROBLEMS)
def test_the_fit_over_all_features_is_that_of_scikit_learn(shape):
    masks, weights, target = problem(*shape)
    expected = ridge(masks, weights, target, 0.01)
    fit = LocalFit(masks, weights)
    assert fit.coefficients(target) == pytest.approx(expected, abs=1e-9, rel=0)
    if fit.is_tall:
        assert fit.solve(fit.moments(target)) == pytest.approx(expected, abs=1e-9, rel=0)


@pytest.mark.parametrize("n_rows", [50, 5])
def test_the_fit_over_some_features_is_that_of_scikit_learn(n_rows):
    masks, weights, target = problem(n_rows, 8, 0)
    fit = LocalFit(masks, weights)
    expected = ridge(masks[:, [6, 1]], weights, target, 1.0)
    assert fit.fitted([6, 1], fit.moments(target)) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(PROBLEMS)
def test_explanations_of_many_moments_are_those_of_each_target(shape):
    masks, weights, target = problem(shape[0] + shape[1], *shape[1:])
    fit = LocalFit(masks, weights)
    targets = [target, target[::-1].copy(), target**2]
    chosen, found = fit.explained_by(np.stack([fit.moments(one) for one in targets]), 7)
    for one, words, scores in zip(targets, chosen, found, strict=True):
        sizes = np.sort(np.abs(fit.coefficients(one)))
        if len(sizes) > 7 and sizes[-7] - sizes[-8] < 1e-9:
            continue  # a tie: either word will do
        expected = dict(fit.explained(one, 7))
        assert dict(zip(words.tolist(), scores.tolist(), strict=True)) == pytest.approx(expected, abs=1e-9)


def test_the_blocks_of_a_large_problem_add_up():
    masks, weights, target = problem(1000, 6, 1)
    assert LocalFit(masks, weights).coefficients(target) == pytest.approx(ridge(masks, weights, target, 0.01), abs=1e-9)


def r_squared(masks, weights, target, chosen: list[int]) -> float:
    roots = np.sqrt(weights)
    design = np.column_stack([np.ones(len(masks)), masks[:, chosen]]) * roots[:, None]
    fitted = design @ np.linalg.lstsq(design, target * roots, rcond=None)[0]
    mean = np.average(target, weights=weights)
    return 1 - float(np.sum((target * roots - fitted) ** 2)) / float(weights @ (target - mean) ** 2)


@settings(max_examples=40, deadline=None)
@given(PROBLEMS, st.integers(1, 6))
def test_forward_selection_takes_the_best_feature_at_every_step(shape, count):
    masks, weights, target = problem(*shape)
    chosen = LocalFit(masks, weights).selected(target, count)
    assert len(chosen) == len(set(chosen)) == min(count, masks.shape[1])
    for step, feature in enumerate(chosen):
        before = chosen[:step]
        scores = {j: r_squared(masks, weights, target, [*before, j]) for j in range(masks.shape[1]) if j not in before}
        assert scores[feature] == pytest.approx(max(scores.values()), abs=1e-9)


def test_forward_selection_leaves_what_adds_nothing_to_the_end():
    masks = np.array([[1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 1, 0], [0, 0, 1, 0], [1, 1, 1, 1]], dtype=bool)
    target = np.array([1.0, 0.0, 0.7, 0.1, 1.0])
    # Column 1 repeats column 0 and column 2 is constant: after 0 and 3, neither raises R^2, and the first wins.
    assert LocalFit(masks, np.ones(5)).selected(target, 4) == [0, 3, 1, 2]


def test_forward_selection_does_not_change_what_it_is_given():
    masks, weights, target = problem(30, 5, 7)
    fit = LocalFit(masks, weights)
    gram, moments = fit.gram.copy(), fit.moments(target)
    forward_selection(fit.gram, moments, 1.0, np.zeros(5), 3)
    assert np.array_equal(fit.gram, gram)
    assert np.array_equal(moments, fit.moments(target))


def test_a_constant_target_gives_zero_weights_in_word_order():
    masks, weights, _ = problem(60, 15, 4)
    target = np.full(60, 1 / 3)
    for count, features in [(4, [0, 1, 2, 3]), (10, list(range(10)))]:
        assert LocalFit(masks, weights).explained(target, count) == [(feature, 0.0) for feature in features]


def test_ties_go_to_the_earlier_word():
    assert by_size(np.array([0.1, -0.3, 0.3, 0.3 + 1e-15, 0.2])) == [1, 2, 3, 4, 0]


def test_highest_weights_are_chosen_in_a_fit_over_all_words():
    masks, weights, _ = problem(200, 9, 2)
    target = 0.5 * masks[:, 7] - 0.4 * masks[:, 2] + 0.1 * masks[:, 0]
    assert LocalFit(masks, weights).selected(target, 7)[:3] == [7, 2, 0]


def test_plain_values_come_out():
    masks, weights, target = problem(30, 3, 1)
    found = LocalFit(masks, weights).explained(target, 7)
    assert {(type(feature), type(weight)) for feature, weight in found} == {(int, float)}

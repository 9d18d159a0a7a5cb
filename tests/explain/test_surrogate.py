"""The local linear model against scikit-learn and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.explain.surrogate import (
    by_size,
    forward_selection,
    highest_weights,
    least_squares,
    local_weights,
    ridge,
)

PROBLEMS = st.tuples(st.integers(2, 80), st.integers(1, 12), st.integers(0, 2**32 - 1))


def problem(n_rows: int, n_words: int, seed: int):
    generator = np.random.default_rng(seed)
    masks = generator.random((n_rows, n_words)) < generator.random((n_rows, 1))
    return masks, generator.uniform(1e-4, 3.0, n_rows), generator.random(n_rows)


@settings(max_examples=60, deadline=None)
@given(PROBLEMS, st.sampled_from([0.01, 1.0]))
def test_ridge_is_that_of_scikit_learn(shape, penalty):
    linear_model = pytest.importorskip("sklearn.linear_model")
    masks, weights, target = problem(*shape)
    expected = linear_model.Ridge(alpha=penalty).fit(masks.astype(float), target, sample_weight=weights).coef_
    assert ridge(least_squares(masks, weights, target), penalty) == pytest.approx(expected, abs=1e-9, rel=0)


def test_ridge_over_some_features():
    linear_model = pytest.importorskip("sklearn.linear_model")
    masks, weights, target = problem(50, 8, 0)
    expected = linear_model.Ridge(alpha=1.0).fit(masks[:, [6, 1]].astype(float), target, sample_weight=weights).coef_
    assert ridge(least_squares(masks, weights, target), 1.0, [6, 1]) == pytest.approx(expected, abs=1e-12)


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
    chosen = forward_selection(least_squares(masks, weights, target), count)
    assert len(chosen) == len(set(chosen)) == min(count, masks.shape[1])
    for step, feature in enumerate(chosen):
        before = chosen[:step]
        scores = {j: r_squared(masks, weights, target, [*before, j]) for j in range(masks.shape[1]) if j not in before}
        assert scores[feature] == pytest.approx(max(scores.values()), abs=1e-9)


def test_forward_selection_leaves_what_adds_nothing_to_the_end():
    masks = np.array([[1, 1, 1, 1], [0, 0, 1, 1], [1, 1, 1, 0], [0, 0, 1, 0], [1, 1, 1, 1]], dtype=bool)
    target = np.array([1.0, 0.0, 0.7, 0.1, 1.0])
    # Column 1 repeats column 0 and column 2 is constant: after 0 and 3, neither raises R^2, and the first wins.
    assert forward_selection(least_squares(masks, np.ones(5), target), 4) == [0, 3, 1, 2]


def test_a_constant_target_gives_zero_weights_in_word_order():
    masks, weights, _ = problem(60, 15, 4)
    target = np.full(60, 1 / 3)
    for count, features in [(4, [0, 1, 2, 3]), (10, list(range(10)))]:
        assert local_weights(masks, weights, target, count) == [(feature, 0.0) for feature in features]


def test_ties_go_to_the_earlier_word():
    assert by_size(np.array([0.1, -0.3, 0.3, 0.3 + 1e-15, 0.2])) == [1, 2, 3, 4, 0]


def test_highest_weights_are_chosen_in_a_fit_over_all_words():
    masks, weights, _ = problem(200, 9, 2)
    target = 0.5 * masks[:, 7] - 0.4 * masks[:, 2] + 0.1 * masks[:, 0]
    assert highest_weights(least_squares(masks, weights, target), 3) == [7, 2, 0]


def test_plain_values_come_out():
    masks, weights, target = problem(30, 3, 1)
    assert {(type(feature), type(weight)) for feature, weight in local_weights(masks, weights, target, 7)} == {
        (int, float)
    }

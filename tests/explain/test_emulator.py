"""The emulator: what it predicts, and its leave-one-out residuals against fits made without each neighbour."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_trust.explain import emulator
from pytest_trust.explain.emulator import emulate
from pytest_trust.explain.masks import neighbourhood


def sigmoid(logits):
    return 1 / (1 + np.exp(-logits))


def logistic(masks, seed: int):
    effects = np.random.default_rng(seed).normal(0, 1, masks.shape[1])
    return sigmoid(masks @ effects)


def test_what_is_known_stays_and_the_rest_is_predicted():
    near = neighbourhood(12, 1000, 0, 25.0)
    truth = logistic(near.masks, 1)
    found = emulate(near.masks, near.kernel, truth[:100])
    assert np.array_equal(found.column[:100], truth[:100])
    errors = np.abs(found.column - truth)
    assert np.mean(errors) < 0.01
    assert np.max(errors) < 0.1
    assert found.column.shape == truth.shape


def test_interactions_of_words_are_learned_too():
    near = neighbourhood(10, 2000, 0, 25.0)
    both = near.masks[:, 0] & near.masks[:, 1]
    truth = sigmoid(2.0 * both - 1.0 + near.masks[:, 2])
    few, many = (emulate(near.masks, near.kernel, truth[:n]).column for n in (48, 300))
    error = np.sqrt(np.mean((many[300:] - truth[300:]) ** 2))
    assert error < 0.05
    assert error < np.sqrt(np.mean((few[300:] - truth[300:]) ** 2)) / 2


def test_residuals_are_those_of_fits_without_each(monkeypatch):
    monkeypatch.setattr(emulator, "_NOISES", (0.05,))
    near = neighbourhood(8, 60, 3, 25.0)
    truth = logistic(near.masks, 5) + 0.05 * near.masks[:, 0] * near.masks[:, 3]
    n = 30
    residuals = emulate(near.masks, near.kernel, truth[:n]).residuals
    for left_out in (0, 7, n - 1):
        order = [*(i for i in range(n) if i != left_out), left_out]
        without = emulate(near.masks[order], near.kernel[order], truth[order][: n - 1])
        assert residuals[left_out] == pytest.approx(truth[left_out] - without.column[-1], abs=1e-9)


def test_certain_answers_stay_finite():
    near = neighbourhood(6, 200, 0, 25.0)
    found = emulate(near.masks, near.kernel, np.ones(50))
    assert np.isfinite(found.column).all()
    assert np.isfinite(found.residuals).all()
    assert found.column.min() > 0.99

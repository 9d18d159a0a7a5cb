"""The neighbourhood engine: draws, distinct masks, weights, and the bank that keeps them."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pytest_trust.explain.masks import (
    MaskBank,
    distinct_rows,
    draw_masks,
    kernel_weights,
    leave_one_out,
    neighbourhood,
)


@pytest.mark.parametrize(("n_words", "samples", "seed"), [(1, 5, 0), (2, 40, 1), (17, 300, 7), (90, 700, 2**32 - 1)])
def test_the_draws_are_sizes_first_and_then_a_choice_a_row(n_words, samples, seed):
    state = np.random.RandomState(seed)
    sizes = state.randint(1, n_words + 1, samples - 1)
    expected = np.ones((samples, n_words), dtype=bool)
    for row, size in enumerate(sizes, start=1):
        expected[row, state.choice(range(n_words), size, replace=False)] = False
    np.testing.assert_array_equal(draw_masks(n_words, samples, seed), expected)


def test_no_global_state_is_touched():
    np.random.seed(3)
    expected = np.random.random_sample(2)
    np.random.seed(3)
    first = np.random.random_sample()
    draw_masks(10, 50, seed=3)
    assert [first, np.random.random_sample()] == expected.tolist()


@given(hnp.arrays(np.bool_, hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=20)))
def test_distinct_masks_keep_the_order_and_the_number_of_draws(masks):
    expected: dict[tuple[bool, ...], int] = {}
    for row in masks.tolist():
        expected[tuple(row)] = expected.get(tuple(row), 0) + 1
    firsts, counts = distinct_rows(masks)
    assert [tuple(row) for row in masks[firsts].tolist()] == list(expected)
    assert firsts.tolist() == sorted(firsts)
    assert counts.tolist() == list(expected.values())


def test_weights_by_hand():
    masks = np.array([[1, 1, 1, 1], [0, 1, 0, 0], [0, 0, 0, 0]], dtype=bool)
    # cos([0,1,0,0], ones) = 1/2, so D = 50; without any word D = 100.
    expected = [1.0, math.exp(-(50**2) / 625 / 2), math.exp(-(100**2) / 625 / 2)]
    assert kernel_weights(masks, 25.0).tolist() == pytest.approx(expected, rel=1e-12)


def test_a_neighbourhood_weighs_a_repeated_mask_by_its_draws():
    near = neighbourhood(1, samples=9, seed=0, kernel_width=25.0)
    assert near.masks.tolist() == [[True], [False]]
    assert near.weights.tolist() == pytest.approx([1.0, 8 * math.exp(-8)])


def test_a_neighbourhood_knows_the_draws_behind_its_first_rows():
    near = neighbourhood(3, samples=200, seed=4, kernel_width=25.0)
    drawn = draw_masks(3, 200, 4)
    for n in range(1, len(near.masks)):
        assert len({tuple(row) for row in drawn[: near.drawn(n)].tolist()}) == n
    assert near.drawn(len(near.masks)) == near.samples == 200


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_few_words_have_at_most_two_to_the_d_neighbours(n_words, seed):
    near = neighbourhood(n_words, samples=400, seed=seed, kernel_width=25.0)
    assert near.masks[0].all()
    assert len(near.masks) <= 2**n_words
    assert len(np.unique(near.masks, axis=0)) == len(near.masks)


def test_leave_one_out():
    near = leave_one_out(3)
    assert near.masks.astype(int).tolist() == [[1, 1, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert leave_one_out(0).masks.shape == (1, 0)


def test_the_bank_returns_what_it_kept_and_drops_the_least_recently_used():
    size = neighbourhood(30, 100, 0, 25.0).nbytes
    bank = MaskBank(100, 25.0, max_bytes=2 * size + size // 2)
    first = bank.get(30, 0)
    second = bank.get(30, 1)
    assert bank.get(30, 0) is first
    bank.get(30, 2)
    assert bank.get(30, 0) is first
    assert bank.get(30, 1) is not second
    np.testing.assert_array_equal(bank.get(30, 1).masks, second.masks)
    assert 0 < bank.nbytes <= 2 * size + size // 2


def test_what_is_larger_than_the_bank_is_given_and_not_kept():
    bank = MaskBank(100, 25.0, max_bytes=10)
    assert bank.get(30, 0).masks.shape[1] == 30
    assert bank.nbytes == 0


def test_a_copied_bank_starts_empty():
    bank = MaskBank(100, 25.0)
    kept = bank.get(5, 0)
    copy = pickle.loads(pickle.dumps(bank))
    assert copy.nbytes == 0
    np.testing.assert_array_equal(copy.get(5, 0).masks, kept.masks)

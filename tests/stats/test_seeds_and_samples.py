"""Seeds and samples depend on content alone."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.errors import ConfigurationError
from pytest_trust.stats import sample_indices, seed_for


class TestSeeds:
    def test_are_the_digest_of_seed_and_parts(self):
        digest = blake2b(b"7:5:hello:3:\xe2\x82\xac", digest_size=4).digest()
        assert seed_for(7, "hello", "€") == int.from_bytes(digest, "big")

    def test_never_change(self):
        assert seed_for(0, "a text") == 726448257

    @given(st.integers(), st.lists(st.text(), max_size=3))
    @settings(deadline=None, max_examples=40)
    def test_fit_numpy_and_depend_on_each_part(self, session_seed: int, parts: list[str]):
        seed = seed_for(session_seed, *parts)
        assert 0 <= seed < 2**32
        np.random.default_rng(seed)
        assert seed == seed_for(session_seed, *parts)

    def test_differ_with_the_session_the_content_and_the_cut(self):
        seeds = [
            seed_for(1, "ab", "c"),
            seed_for(2, "ab", "c"),
            seed_for(1, "a", "bc"),
            seed_for(1, "abc"),
            seed_for(1, "abc", ""),
            seed_for(1, "c", "ab"),
            seed_for(1),
        ]
        assert len(set(seeds)) == len(seeds)

    def test_spread_over_all_bits(self):
        seeds = np.array([seed_for(0, f"text {i}") for i in range(2000)], dtype=np.uint32)
        shares = (seeds[:, None] >> np.arange(32, dtype=np.uint32) & 1).mean(axis=0)
        assert np.all(np.abs(shares - 0.5) < 0.06)

    def test_take_texts_that_utf8_cannot_hold(self):
        assert seed_for(0, "broken \ud83d") != seed_for(0, "broken \ud83c")


class TestSamples:
    @given(st.integers(0, 200), st.integers(1, 250), st.integers(0, 2**32 - 1))
    @settings(deadline=None)
    def test_hold_n_different_indices_in_order(self, n_total: int, n: int, seed: int):
        indices = sample_indices(n_total, n, seed)
        assert len(indices) == min(n, n_total)
        assert indices == sorted(set(indices))
        assert set(indices) <= set(range(n_total))
        assert indices == sample_indices(n_total, n, seed)

    @pytest.mark.parametrize("n", [None, 5, 6, 1000])
    def test_all_in_order_where_enough_is_asked(self, n: int | None):
        assert sample_indices(5, n, seed=3) == [0, 1, 2, 3, 4]

    def test_of_nothing_is_empty(self):
        assert sample_indices(0, 3, seed=0) == sample_indices(0, None, seed=0) == []

    def test_never_change(self):
        assert sample_indices(1000, 8, seed=42) == [19, 124, 290, 368, 394, 427, 481, 684]

    def test_differ_with_the_seed(self):
        assert len({tuple(sample_indices(100, 5, seed)) for seed in range(50)}) == 50

    @given(st.integers(2, 40), st.integers(0, 1000))
    @settings(deadline=None, max_examples=40)
    def test_larger_ones_hold_the_smaller(self, n_total: int, seed: int):
        samples = [set(sample_indices(n_total, n, seed)) for n in range(1, n_total + 1)]
        assert all(small < large for small, large in pairwise(samples))

    def test_every_index_is_as_likely(self):
        drawn = Counter(index for seed in range(4000) for index in sample_indices(10, 3, seed))
        assert [drawn[index] / 4000 for index in range(10)] == pytest.approx([0.3] * 10, abs=0.03)

    @pytest.mark.parametrize("n", [0, -3, 2.0, "4", True])
    def test_reject_n(self, n: object):
        with pytest.raises(ConfigurationError, match=r"n=.*expected a whole number of at least 1"):
            sample_indices(10, n, seed=0)

    def test_reject_a_negative_total(self):
        with pytest.raises(ConfigurationError, match="n_total=-1"):
            sample_indices(-1, None, seed=0)

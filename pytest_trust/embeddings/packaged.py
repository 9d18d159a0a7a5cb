"""What the members whose model comes inside a package have in common."""

from __future__ import annotations

import hashlib
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import WordVectors
from pytest_trust.embeddings.files import PackagedFile, require_modules
from pytest_trust.embeddings.known import known_threshold
from pytest_trust.errors import EmbeddingError

Vector = NDArray[np.float32]


class PackagedEmbedding(ABC):
    """An embedding whose model comes inside a pinned package.

    A word's vector is, bit for bit, that of the word alone, and is then remembered. So it depends on no other word, no
    order and no number of workers, while products over a batch may round differently with the batch's size and the
    word's place in it.

    Raises:
        MissingExtraError: a package that it needs is not installed.
        EmbeddingError: another version than the pinned one is installed.
    """

    name: ClassVar[str]
    dimension: ClassVar[int]
    files: ClassVar[tuple[PackagedFile, ...]]
    modules: ClassVar[tuple[str, ...]]
    # Says how vectors are made from the files; to be changed whenever that changes.
    recipe: ClassVar[str]

    def __init__(self) -> None:
        for file in self.files:
            file.locate()
        require_modules(self.modules, self.name)
        self._remembered: dict[str, Vector | None] = {}

    def __reduce__(self) -> tuple[type[PackagedEmbedding], tuple[()]]:
        # Workers load the model from their own disk instead of receiving vectors.
        return type(self), ()

    @property
    def threshold(self) -> float:
        """theta_relate, as shipped."""
        return known_threshold(self.name)

    @property
    def fingerprint(self) -> str:
        """Hex digest over the pinned digests of the model files and the recipe of the vectors."""
        parts = [self.name, self.recipe, *(file.sha256 for file in self.files)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def vectors(self, words: Sequence[str]) -> WordVectors:
        """Vectors of ``words``, lower-cased: matrix (n, dimension) with unit rows, zero where a word is unknown.

        Raises:
            EmbeddingError: ``words`` is one string; a model file is damaged (checked once a process).
        """
        if isinstance(words, str):
            raise EmbeddingError(f"{self.name}: vectors takes a sequence of words, not the string {words!r}")
        keys = [unicodedata.normalize("NFC", word.lower()) for word in words]
        new = [key for key in dict.fromkeys(keys) if key not in self._remembered]
        for key, raw in self._raw(new).items():
            self._remembered[key] = None if raw is None else unit(raw)
        return self._stack([self._remembered[key] for key in keys])

    @abstractmethod
    def _raw(self, words: Sequence[str]) -> Mapping[str, Vector | None]:
        """The vectors of distinct lower-cased words, shape (dimension,), of any length but zero; None where unknown."""

    def _stack(self, found: list[Vector | None]) -> WordVectors:
        matrix = np.zeros((len(found), self.dimension), dtype=np.float32)
        known = np.array([vector is not None for vector in found], dtype=np.bool_)
        for row, vector in zip(matrix, found, strict=True):
            if vector is not None:
                row[:] = vector
        return WordVectors(matrix, known)


def unit(vector: NDArray[np.floating]) -> Vector:
    """``vector`` at length one, float32; the length is taken in float64."""
    wide = vector.astype(np.float64)
    return np.asarray(wide / np.sqrt(np.dot(wide, wide)), dtype=np.float32)

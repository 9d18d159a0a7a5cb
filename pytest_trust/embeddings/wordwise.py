"""What the members whose vectors are made here, word by word, have in common."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import WordVectors
from pytest_trust.errors import EmbeddingError
from pytest_trust.remembered import Remembered

Vector = NDArray[np.float32]


class WordwiseEmbedding(ABC):
    """An embedding that gives a word the vector of that word alone, bit for bit, and then remembers it.

    So a vector depends on no other word, no order and no number of workers, while products over a batch may round
    differently with the batch's size and the word's place in it.
    """

    def __init__(self) -> None:
        self._remembered = Remembered(self._computed)

    @property
    @abstractmethod
    def name(self) -> str:
        """Short name, by which members are told apart."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """d, the length of a vector."""

    @property
    @abstractmethod
    def threshold(self) -> float:
        """theta_relate."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Hex digest over the model files and the settings that shape the vectors."""

    def vectors(self, words: Sequence[str]) -> WordVectors:
        """Vectors of ``words``, lower-cased: matrix (n, dimension) with unit rows, zero where a word is unknown.

        Raises:
            EmbeddingError: ``words`` is one string; a model file is damaged (checked once a process).
        """
        if isinstance(words, str):
            raise EmbeddingError(f"{self.name}: vectors takes a sequence of words, not the string {words!r}")
        keys = [unicodedata.normalize("NFC", word.lower()) for word in words]
        return self._stack(self._remembered.of(keys))

    def _computed(self, keys: Sequence[str]) -> list[Vector | None]:
        found = self._raw(keys)
        return [None if (raw := found[key]) is None else unit(raw) for key in keys]

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


def unit_rows(matrix: NDArray[np.floating]) -> NDArray[np.float32]:
    """The rows of ``matrix`` at length one, float32; a row of zeros stays one."""
    wide = matrix.astype(np.float64)
    lengths = np.sqrt(np.sum(wide**2, axis=1, keepdims=True))
    unit: NDArray[np.float64] = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return unit.astype(np.float32)

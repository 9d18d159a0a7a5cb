"""A user's own embedding as a member of the ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import WordVectors
from pytest_trust.errors import EmbeddingError

_ABILITIES = ("name", "threshold", "fingerprint", "vectors")
_PROBE = ("good", "bad")


class CustomEmbedding:
    """Checks every answer of a user's object that has the abilities of an :class:`~pytest_trust.embeddings.Embedding`.

    Its ``vectors(words)`` may answer with a ``WordVectors`` or with a pair (matrix, known mask). Rows of any length
    are taken and brought to length one, and rows of unknown words are set to zero.

    Args:
        inner: the user's object.
        source: where it came from, for messages.

    Raises:
        EmbeddingError: an ability is missing or of a wrong type, ``threshold`` lies outside (-1, 1], or what it
            answers for two words is not a float matrix (2, d) with a mask (2,).
    """

    def __init__(self, inner: Any, source: str) -> None:
        missing = [ability for ability in _ABILITIES if not hasattr(inner, ability)]
        if missing:
            raise EmbeddingError(
                f"{source}: {type(inner).__name__} has no {', '.join(missing)}; "
                f"an embedding has {', '.join(_ABILITIES)}"
            )
        self._inner = inner
        self._source = source
        self.name = self._text("name")
        self.fingerprint = self._text("fingerprint")
        self.threshold = self._checked_threshold()
        self._dimension: int | None = None
        self._dimension = self.vectors(_PROBE).matrix.shape[1]

    def vectors(self, words: Sequence[str]) -> WordVectors:
        """Vectors of ``words`` as the user's object gives them, checked, with unit rows.

        Raises:
            EmbeddingError: the answer has a wrong type or shape, NaN or infinite values, or a zero row for a word
                that is called known.
        """
        matrix, known = self._pair(self._inner.vectors(list(words)))
        self._check_matrix(matrix, len(words))
        self._check_known(known, len(words))
        return WordVectors(self._unit_rows(matrix.astype(np.float64), known), known)

    def _text(self, ability: str) -> str:
        value = getattr(self._inner, ability)
        if not isinstance(value, str) or not value:
            raise EmbeddingError(f"{self._source}: {ability} is {value!r}, expected a string that is not empty")
        return value

    def _checked_threshold(self) -> float:
        value = self._inner.threshold
        if isinstance(value, bool) or not isinstance(value, int | float | np.floating) or not -1.0 < value <= 1.0:
            raise EmbeddingError(f"{self._source}: threshold is {value!r}, expected a cosine in (-1, 1]")
        return float(value)

    def _pair(self, answer: object) -> tuple[NDArray[Any], NDArray[Any]]:
        pair = (answer.matrix, answer.known) if isinstance(answer, WordVectors) else answer
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise self._error(f"found {type(answer).__name__}, expected WordVectors or a pair (matrix, known)")
        return np.asarray(pair[0]), np.asarray(pair[1])

    def _check_matrix(self, matrix: NDArray[Any], n: int) -> None:
        width = "d" if self._dimension is None else self._dimension
        shaped = matrix.ndim == 2 and len(matrix) == n and matrix.shape[1] > 0
        if not shaped or self._dimension not in (None, matrix.shape[1]):
            raise self._error(f"found a matrix of shape {matrix.shape} for {n} words, expected ({n}, {width})")
        if not np.issubdtype(matrix.dtype, np.floating):
            raise self._error(f"found a matrix of {matrix.dtype}, expected floating point numbers")

    def _check_known(self, known: NDArray[Any], n: int) -> None:
        if known.shape != (n,) or known.dtype != np.bool_:
            raise self._error(f"found a known mask {known.dtype}{list(known.shape)}, expected bool[{n}]")

    def _unit_rows(self, matrix: NDArray[np.float64], known: NDArray[np.bool_]) -> NDArray[np.float32]:
        lengths = np.sqrt(np.sum(matrix**2, axis=1, keepdims=True))
        usable = np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0)
        bad = np.flatnonzero(known & ~usable)
        if len(bad):
            raise self._error(f"row {bad[0]} is called known but is zero, NaN or infinite: {matrix[bad[0]][:5]} ...")
        unit = np.zeros(matrix.shape, dtype=np.float32)
        unit[known] = matrix[known] / lengths[known]
        return unit

    def _error(self, finding: str) -> EmbeddingError:
        return EmbeddingError(f"{self._source}: vectors(words) of the embedding {self.name!r}: {finding}")

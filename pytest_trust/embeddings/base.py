"""The contract of a word embedding, a member of an ensemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Vectors of n words: ``matrix`` has shape (n, d), float32, unit rows; ``known`` has shape (n,), bool.

    The row of an unknown word is zero.
    """

    matrix: NDArray[np.float32]
    known: NDArray[np.bool_]


@runtime_checkable
class Embedding(Protocol):
    """Words to vectors. Cosines of different members are never compared with each other."""

    @property
    def name(self) -> str:
        """Short name, as in ``--trust-embeddings``."""

    @property
    def threshold(self) -> float:
        """theta_relate: the cosine at or above which two words count as related."""

    @property
    def fingerprint(self) -> str:
        """Hex digest over the model files and the settings that shape the vectors."""

    def vectors(self, words: Sequence[str]) -> WordVectors:
        """Vectors of ``words`` (a word may be a phrase of several words), lower-cased where the member is uncased."""

"""The words nearest to a word in a list of words with their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Rows of a product: what is compared stays in the processor's cache.
_ROWS = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class WordRows:
    """n words and their unit vectors, ``rows`` of shape (n, d); a row of zeros is that of an unknown word."""

    words: Sequence[str]
    rows: NDArray[np.float32]

    def cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of each word to a unit vector, shape (n,); 0 for an unknown word."""
        blocks = [self.rows[start : start + _ROWS] @ vector for start in range(0, len(self.rows), _ROWS)]
        return np.concatenate(blocks) if blocks else np.empty(0, dtype=np.float32)


def highest(cosines: NDArray[np.floating], count: int, least: float) -> list[int]:
    """The places of the ``count`` highest ``cosines``, at least ``least``, the highest first and equals by place."""
    near = np.flatnonzero(cosines >= least)
    return [int(place) for place in near[np.argsort(-cosines[near], kind="stable")[:count]]]

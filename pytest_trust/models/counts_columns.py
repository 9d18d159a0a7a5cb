"""The columns of n-grams in a vectorizer's matrix: by vocabulary or by hashing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Signs = NDArray[np.int8]


class Columns(Protocol):
    """Says where n-grams are counted.

    ``width`` is the number of columns; ``signed`` says whether some grams are counted downwards.
    """

    width: int
    signed: bool

    def find(self, grams: Sequence[str]) -> tuple[Ints, Signs]:
        """The column (-1 for none) and the sign of each gram, both of shape (len(grams),)."""

    def may_begin(self, grams: Sequence[str], joiner: str) -> NDArray[np.bool_]:
        """Whether a counted gram may begin with each of ``grams`` and ``joiner``, shape (len(grams),)."""


class VocabularyColumns:
    """Columns by the vocabulary of a fitted CountVectorizer or TfidfVectorizer."""

    signed = False

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.width = len(vocabulary)
        self._vocabulary = vocabulary

    def find(self, grams: Sequence[str]) -> tuple[Ints, Signs]:
        """See :class:`Columns`."""
        columns = np.fromiter(map(self._vocabulary.get, grams, repeat(-1)), dtype=np.intp, count=len(grams))
        return columns, np.ones(len(grams), dtype=np.int8)

    def may_begin(self, grams: Sequence[str], joiner: str) -> NDArray[np.bool_]:
        """See :class:`Columns`."""
        return np.fromiter((self._begins(gram + joiner) for gram in grams), dtype=np.bool_, count=len(grams))

    def _begins(self, start: str) -> bool:
        place = bisect_left(self._sorted, start)
        if place < len(self._sorted) and self._sorted[place] == start:
            place += 1  # itself, not a longer one
        return place < len(self._sorted) and self._sorted[place].startswith(start)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._vocabulary)


class HashedColumns:
    """Columns by the hash of a HashingVectorizer; every gram has one."""

    def __init__(self, vectorizer: Any) -> None:
        from sklearn.feature_extraction import FeatureHasher

        self.width, self.signed = int(vectorizer.n_features), bool(vectorizer.alternate_sign)
        self._hasher = FeatureHasher(self.width, input_type="string", alternate_sign=self.signed)

    def find(self, grams: Sequence[str]) -> tuple[Ints, Signs]:
        """See :class:`Columns`."""
        if not grams:
            return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.int8)
        hashed = self._hasher.transform([gram] for gram in grams)
        return hashed.indices.astype(np.intp), hashed.data.astype(np.int8)

    def may_begin(self, grams: Sequence[str], joiner: str) -> NDArray[np.bool_]:
        """See :class:`Columns`."""
        return np.ones(len(grams), dtype=np.bool_)

"""Relatedness of words to a class, r(w, c), by the nearest pool word (TOKI, Eq. 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.keywords.index import ClassKeywords, KeywordIndex
from pytest_trust.keywords.votes import plurality

# Two cosines closer than this differ by rounding alone, and a tie counts as related.
_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Relation:
    """Whether a word is related to a class, and the pool word nearest to it (None where nobody knows the word)."""

    related: bool
    nearest: str | None


class ClassRelatedness:
    """r(w, c) of one class under an ensemble; answers are remembered by word."""

    def __init__(self, index: KeywordIndex, keywords: ClassKeywords, members: Sequence[Embedding]) -> None:
        self._members = members
        self._pool = [item.word for item in keywords.pool]
        self._is_keyword = np.array([word in keywords.keywords for word in self._pool], dtype=np.bool_)
        self._vectors = [index.pool_vectors(keywords, member.name) for member in members]
        self._known: dict[str, Relation] = {}

    def relate(self, words: Sequence[str]) -> list[Relation]:
        """Relations of ``words``, in order."""
        new = sorted(set(words) - self._known.keys())
        if new:
            self._known.update(zip(new, self._compute(new), strict=True))
        return [self._known[word] for word in words]

    def _compute(self, words: list[str]) -> list[Relation]:
        ballots = [
            self._ballot(member.vectors(words), pool) for member, pool in zip(self._members, self._vectors, strict=True)
        ]
        votes, present = np.stack([b[0] for b in ballots]), np.stack([b[1] for b in ballots])
        elected = plurality(votes, present)
        nearest = np.stack([b[2] for b in ballots])
        return [
            Relation(bool(elected[i]), self._nearest(nearest[:, i], present[:, i], votes[:, i] == elected[i]))
            for i in range(len(words))
        ]

    def _ballot(
        self, words: WordVectors, pool: WordVectors
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.intp]]:
        """One member's votes, where it votes, and the place of the nearest pool word, each of shape (words,)."""
        none = np.zeros(len(words.known), dtype=np.intp)
        if not pool.known.any():
            return none.astype(np.bool_), none.astype(np.bool_), none
        # float64, so that a verdict does not depend on which words share a matrix product.
        cosine = words.matrix.astype(np.float64) @ pool.matrix.T.astype(np.float64)
        cosine[:, ~pool.known] = -np.inf
        to_keyword = cosine[:, self._is_keyword].max(axis=1, initial=-np.inf)
        to_other = cosine[:, ~self._is_keyword].max(axis=1, initial=-np.inf)
        return to_keyword >= to_other - _TIE, words.known, cosine.argmax(axis=1)

    def _nearest(self, places: NDArray[np.intp], present: NDArray[np.bool_], agrees: NDArray[np.bool_]) -> str | None:
        """The pool word that the first member of the winning side found nearest."""
        for place in places[present & agrees]:
            return self._pool[int(place)]
        return None

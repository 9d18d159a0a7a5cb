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
    """Whether a word is related to a class, the pool word nearest to it, and the keyword nearest to it.

    The latter two are as the first member of the winning side sees them; None where nobody knows the word, and where
    the class has no keyword.
    """

    related: bool
    nearest: str | None
    keyword: str | None


@dataclass(frozen=True, slots=True)
class _Ballot:
    """One member on n words, each array of shape (n,): its votes, where it votes, and the places of pool words.

    ``keyword`` is -1 where the class has none that the member knows.
    """

    votes: NDArray[np.bool_]
    present: NDArray[np.bool_]
    nearest: NDArray[np.intp]
    keyword: NDArray[np.intp]


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
        elected = plurality(np.stack([b.votes for b in ballots]), np.stack([b.present for b in ballots]))
        return [self._relation(ballots, i, bool(elected[i])) for i in range(len(words))]

    def _relation(self, ballots: Sequence[_Ballot], i: int, related: bool) -> Relation:
        for ballot in ballots:
            if ballot.present[i] and ballot.votes[i] == related:
                keyword = int(ballot.keyword[i])
                return Relation(
                    related, self._pool[int(ballot.nearest[i])], self._pool[keyword] if keyword >= 0 else None
                )
        return Relation(False, None, None)

    def _ballot(self, words: WordVectors, pool: WordVectors) -> _Ballot:
        if not pool.known.any():
            none = np.zeros(len(words.known), dtype=np.intp)
            return _Ballot(none.astype(np.bool_), none.astype(np.bool_), none, none - 1)
        # float64, so that a verdict does not depend on which words share a matrix product.
        cosine = words.matrix.astype(np.float64) @ pool.matrix.T.astype(np.float64)
        cosine[:, ~pool.known] = -np.inf
        nearest = cosine.argmax(axis=1)
        to_keywords = np.where(self._is_keyword, cosine, -np.inf)
        to_keyword, to_other = to_keywords.max(axis=1), np.where(self._is_keyword, -np.inf, cosine).max(axis=1)
        keyword = np.where(to_keyword > -np.inf, to_keywords.argmax(axis=1), -1)
        return _Ballot(to_keyword >= to_other - _TIE, words.known, nearest, keyword)

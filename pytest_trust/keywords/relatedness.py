"""Relatedness of words to a class, r(w, c), by the nearest pool word (TOKI, Eq. 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.keywords.index import ClassKeywords, KeywordIndex
from pytest_trust.keywords.votes import plurality
from pytest_trust.remembered import Remembered

# Two cosines closer than this differ by rounding alone, and a tie counts as related.
_TIE = 1e-9

# Entries of the largest product of words and pool: 16 MB, two of which exist for a moment.
_CELLS = 1 << 21


@dataclass(frozen=True, slots=True)
class Relation:
    """Whether a word is related to a class, the pool word nearest to it, and the keyword nearest to it.

    The latter two are as the first member of the winning side sees them; None where nobody knows the word, and where
    the class has no keyword. Of equally near pool words it is a keyword, then the one with the higher mean score.
    """

    related: bool
    nearest: str | None
    keyword: str | None


@dataclass(frozen=True, slots=True)
class _Ballot:
    """One member on n words, each array of shape (n,): its votes, where it votes, and the places of pool words.

    Places are -1 where the member knows no such word of the pool.
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
        self._keywords = keywords.keywords
        self._is_keyword = np.array([word in keywords.keywords for word in self._pool], dtype=np.bool_)
        self._vectors = [index.pool_vectors(keywords, member.name) for member in members]
        self._known = Remembered(self._compute)

    def relate(self, words: Sequence[str]) -> list[Relation]:
        """Relations of ``words``, in order."""
        return self._known.of(words)

    def related(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """r(w, c) of n ``words``, shape (n,)."""
        return np.array([relation.related for relation in self.relate(words)], dtype=np.bool_)

    def _compute(self, words: Sequence[str]) -> list[Relation]:
        ballots = [
            self._ballot(member.vectors(words), pool) for member, pool in zip(self._members, self._vectors, strict=True)
        ]
        elected = plurality(np.stack([b.votes for b in ballots]), np.stack([b.present for b in ballots]))
        return [self._relation(ballots, i, bool(elected[i])) or self._unknown(word) for i, word in enumerate(words)]

    def _unknown(self, word: str) -> Relation:
        """The relation of a word that nobody knows: by itself where it is in the pool, as where a user allowed it."""
        if word in self._keywords:
            return Relation(True, word, word)
        return Relation(False, None, None)

    def _relation(self, ballots: Sequence[_Ballot], i: int, related: bool) -> Relation | None:
        for ballot in ballots:
            if ballot.present[i] and ballot.votes[i] == related:
                keyword = int(ballot.keyword[i])
                return Relation(
                    related, self._pool[int(ballot.nearest[i])], self._pool[keyword] if keyword >= 0 else None
                )
        return None

    def _ballot(self, words: WordVectors, pool: WordVectors) -> _Ballot:
        to_keyword, keyword = nearest_words(words.matrix, pool, np.flatnonzero(pool.known & self._is_keyword))
        to_other, other = nearest_words(words.matrix, pool, np.flatnonzero(pool.known & ~self._is_keyword))
        votes = to_keyword >= to_other - _TIE
        return _Ballot(votes, words.known & pool.known.any(), np.where(votes, keyword, other), keyword)


def nearest_words(
    words: NDArray[np.float32], pool: WordVectors, places: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Cosine and place of the pool word nearest to each of n words among ``places``, both (n,); -inf and -1 for none.

    Of equally near ones it is the first.
    """
    best, nearest = np.full(len(words), -np.inf), np.full(len(words), -1, dtype=np.intp)
    if not len(places):
        return best, nearest
    # float64, so that a verdict does not depend on which words share a matrix product.
    columns = pool.matrix[places].astype(np.float64).T
    step = max(1, _CELLS // len(places))
    for start in range(0, len(words), step):
        block = slice(start, start + step)
        cosine = words[block].astype(np.float64) @ columns
        best[block] = cosine.max(axis=1)
        nearest[block] = places[(cosine >= best[block, None] - _TIE).argmax(axis=1)]
    return best, nearest

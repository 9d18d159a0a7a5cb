"""Words and their vectors, and the rules by which a word or phrase is looked up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.subwords import Subwords
from pytest_trust.embeddings.words import WordList
from pytest_trust.embeddings.wordwise import Vector, unit
from pytest_trust.text import words as words_of

_CASES: tuple[Callable[[str], str], ...] = (str, lambda part: part[:1].upper() + part[1:], str.upper)


@dataclass(frozen=True, slots=True)
class Table:
    """n words with vectors of any length, ``rows`` of shape (n, d); a word whose row is zero counts as unknown.

    A lower-cased word is looked up as it stands; in a ``cased`` table, where that fails, also capitalised, then in
    upper case. What is not found so is a phrase: its words joined by ``_`` (``new_york``, in a cased table also
    ``New_York`` and ``NEW_YORK``), else the mean of the unit vectors of those of its words that are known. Words that
    the table lacks are made of their sub-words where it has these.
    """

    words: WordList
    rows: NDArray[np.float32]
    cased: bool = False
    subwords: Subwords | None = None

    def vector(self, text: str) -> Vector | None:
        """The vector of a lower-cased word or phrase, of any length but zero; None where nothing of it is known."""
        whole = self._entry([text])
        if whole is not None:
            return whole
        parts = words_of(text)
        joined = self._entry(parts) if len(parts) > 1 else None
        return self._mean(parts) if joined is None else joined

    def _entry(self, parts: list[str]) -> Vector | None:
        for case in _CASES if self.cased else _CASES[:1]:
            place = self.words.find("_".join(map(case, parts)))
            if place is not None and self.rows[place].any():
                return np.array(self.rows[place])
        return None

    def _mean(self, parts: list[str]) -> Vector | None:
        found = [unit(vector) for part in parts if (vector := self._word(part)) is not None]
        mean = np.asarray(np.mean(found, axis=0), dtype=np.float32) if found else None
        return None if mean is None or not mean.any() else mean

    def _word(self, word: str) -> Vector | None:
        entry = self._entry([word])
        return self.subwords.vector(word) if entry is None and self.subwords is not None else entry

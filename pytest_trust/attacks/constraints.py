"""What a changed text has to keep: checked before the model is asked about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytest_trust.attacks.base import NearbyEncoder, SentenceEncoder, Tagger
from pytest_trust.attacks.words import WordsOfText, cased_like, context_of, is_replacement

# A word's part of speech is told from so many words on either side.
_REACH = 4
# Cosines are of float32: closer than this is equal.
_ROUNDING = 1e-6

Encode = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A changed text and its cosine to the original."""

    words: WordsOfText
    text: str
    similarity: float


def same_class(tagger: Tagger, words: WordsOfText, place: int, candidates: Sequence[str]) -> list[WordsOfText]:
    """``words`` with each of the ``candidates`` in a place that is one word and of the same class there.

    A candidate takes the case of the word that it replaces, and is left out where it is that word.
    """
    old = words.words[place]
    near, middle = context_of(words.words, place, _REACH)
    wanted = tagger.tags(near)[middle]
    kept = []
    for word in candidates:
        if not is_replacement(word) or word == old.lower():
            continue
        near[middle] = cased_like(word, old)
        if tagger.tags(near)[middle] == wanted:
            kept.append(words.replaced(place, near[middle]))
    return kept


class Closeness:
    """How near texts are to ``original`` by ``encoder``; the vector of that is made once."""

    def __init__(self, encoder: SentenceEncoder, original: str) -> None:
        self._encoder = encoder
        self._original = original
        self._nearby: tuple[str, Encode] | None = None

    @cached_property
    def _vector(self) -> NDArray[np.float64]:
        vector: NDArray[np.float64] = self._encode_from(self._original)([self._original])[0].astype(np.float64)
        return vector

    def _encode_from(self, text: str) -> Encode:
        """The fastest way to encode texts that differ little from ``text``."""
        if not isinstance(self._encoder, NearbyEncoder):
            return self._encoder.encode
        if self._nearby is None or self._nearby[0] != text:
            self._nearby = text, self._encoder.nearby(text)
        return self._nearby[1]

    def near(self, text: str, changed: Sequence[WordsOfText], least: float) -> list[Candidate]:
        """Those of ``changed``, which differ from ``text`` in a word, whose cosine is at least ``least``, in order."""
        if not changed:
            return []
        texts, vector = [words.text for words in changed], self._vector
        # One product a row, so that a cosine does not depend on who shares the call.
        cosines = [float(np.dot(row.astype(np.float64), vector)) for row in self._encode_from(text)(texts)]
        found = zip(changed, texts, cosines, strict=True)
        return [Candidate(words, text, cosine) for words, text, cosine in found if cosine >= least - _ROUNDING]

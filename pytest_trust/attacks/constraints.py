"""What a changed text has to keep: checked before the model is asked about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytest_trust.attacks.base import NearbyEncoder, NearbyTexts, SentenceEncoder, Tagger
from pytest_trust.attacks.tagging import PatternTagger
from pytest_trust.attacks.words import WordsOfText, cased_like, context_of, is_replacement

# A word's part of speech is told from so many words on either side.
_REACH = 4
# Cosines are of float32: closer than this is equal.
_ROUNDING = 1e-6


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
    offered = [cased_like(word, old) for word in candidates if is_replacement(word) and word != old.lower()]
    found, *tags = _tags(tagger, words, place, [old, *offered])
    return [words.replaced(place, word) for word, tag in zip(offered, tags, strict=True) if tag == found]


def _tags(tagger: Tagger, words: WordsOfText, place: int, offered: Sequence[str]) -> list[str]:
    """The class of each of ``offered`` in a place."""
    if isinstance(tagger, PatternTagger):
        return tagger.tags(offered)
    near, middle = context_of(words.words, place, _REACH)
    return [tagger.tags([*near[:middle], word, *near[middle + 1 :]])[middle] for word in offered]


class Closeness:
    """How near texts are to ``original`` by ``encoder``; the vector of that is made once."""

    def __init__(self, encoder: SentenceEncoder, original: str) -> None:
        self._encoder = encoder
        self._original = original

    @cached_property
    def _vector(self) -> NDArray[np.float64]:
        vector: NDArray[np.float64] = self._encode([self._original], self._original)[0].astype(np.float64)
        return vector

    @cached_property
    def _nearby(self) -> NearbyTexts | None:
        """What encodes texts that differ little from another, where that is faster."""
        return self._encoder.nearby(self._original) if isinstance(self._encoder, NearbyEncoder) else None

    def _encode(self, texts: Sequence[str], known: str) -> NDArray[np.float32]:
        """The vectors of ``texts``, which differ little from ``known``."""
        if self._nearby is None:
            return self._encoder.encode(texts)
        self._nearby.move(known)
        return self._nearby.encode(texts)

    def near(self, text: str, changed: Sequence[WordsOfText], least: float) -> list[Candidate]:
        """Those of ``changed``, which differ from ``text`` in a word, whose cosine is at least ``least``, in order."""
        if not changed:
            return []
        texts, vector = [words.text for words in changed], self._vector
        # One product a row, so that a cosine does not depend on who shares the call.
        cosines = [float(np.dot(row.astype(np.float64), vector)) for row in self._encode(texts, text)]
        found = zip(changed, texts, cosines, strict=True)
        return [Candidate(words, text, cosine) for words, text, cosine in found if cosine >= least - _ROUNDING]

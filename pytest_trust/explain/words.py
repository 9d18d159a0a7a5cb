"""A text as the bag of its words: what a mask removes, and what is left of the text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain.explanation import WordScore
from pytest_trust.models.masked import MaskedText
from pytest_trust.text import Span, Tokenizer

Masks = NDArray[np.bool_]

# Rows made into strings together: enough to be fast, few enough for the cache.
_ROWS_AT_ONCE = 64


@dataclass(frozen=True, slots=True, eq=False)
class WordBag:
    """The d removable words of ``text``, in the order in which they first stand there.

    Words are told apart by their exact characters, case included. ``ids`` has shape (t,): the word that each of the
    t occurrences belongs to. ``head`` stands before the first occurrence, ``tails`` (t strings) behind each, and
    ``pieces`` (t strings) are the occurrences with their tails. ``read`` is the part of the text that all this covers:
    what a model does not read has no words, and no neighbour holds it.
    """

    text: str
    read: Span
    words: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]
    ids: NDArray[np.intp]
    head: str
    tails: NDArray[np.object_]
    pieces: NDArray[np.object_]

    @property
    def read_text(self) -> str:
        """The part of the text that the words are of."""
        return self.text[self.read.start : self.read.end]

    def strings(self, masks: Masks) -> list[str]:
        """The text once for each row of ``masks``, shape (m, d), without the words whose column is False.

        Separators stay where they are, as in the lime package.
        """
        strings: list[str] = []
        for start in range(0, len(masks), _ROWS_AT_ONCE):
            kept = masks[start : start + _ROWS_AT_ONCE, self.ids]
            strings += map("".join, np.where(kept, self.pieces, self.tails).tolist())
        return [self.head + string for string in strings] if self.head else strings

    def masked(self) -> MaskedText:
        """The same text for a model that scores masks."""
        return MaskedText(tuple(self.words[word] for word in self.ids), (self.head, *self.tails), self.ids)

    def score(self, word: int, score: float) -> WordScore:
        """The word numbered ``word`` with its ``score`` and all its places."""
        return WordScore(self.words[word], float(score), self.spans[word])


def word_bag(text: str, tokenizer: Tokenizer, *, positions: bool = False, read: Span | None = None) -> WordBag:
    """The bag of the words of ``text`` within ``read`` (default: all); with ``positions`` every occurrence is a word.

    Raises:
        ConfigurationError: the tokenizer's spans overlap, are empty or out of order, or leave the text.
    """
    found = tokenizer(text)
    _check_spans(found, text)
    read = read or Span(0, len(text))
    spans = [span for span in found if read.start <= span.start and span.end <= read.end]
    surfaces = [text[span.start : span.end] for span in spans]
    keys = range(len(spans)) if positions else surfaces
    numbers: dict[int | str, int] = {}
    ids = [numbers.setdefault(key, len(numbers)) for key in keys]
    places: list[list[Span]] = [[] for _ in numbers]
    for word, span in zip(ids, spans, strict=True):
        places[word].append(span)
    ends = [*(span.start for span in spans), read.end]
    tails = [text[span.end : end] for span, end in zip(spans, ends[1:], strict=True)]
    return WordBag(
        text=text,
        read=read,
        words=tuple(text[first.start : first.end] for first, *_ in places),
        spans=tuple(map(tuple, places)),
        ids=np.array(ids, dtype=np.intp),
        head=text[read.start : ends[0]],
        tails=np.array(tails, dtype=np.object_),
        pieces=np.array([a + b for a, b in zip(surfaces, tails, strict=True)], dtype=np.object_),
    )


def _check_spans(spans: list[Span], text: str) -> None:
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(text)]
    in_order = all(a <= b for a, b in pairwise(edges))
    if not in_order or any(span.start == span.end for span in spans):
        raise ConfigurationError(
            f"the tokenizer must return non-empty spans in order, without overlap, within the text of {len(text)} "
            f"characters; it returned {[(span.start, span.end) for span in spans]} for {text[:80]!r}"
        )

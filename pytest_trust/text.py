"""Words of a text by the Unicode rules for word boundaries (UAX #29)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import regex

_BOUNDARY = regex.compile(r"(?V1w)\b")
_WORDLIKE = regex.compile(r"[\p{Alphabetic}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]")


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range ``[start, end)`` of characters in a text."""

    start: int
    end: int


Tokenizer = Callable[[str], list[Span]]


def word_spans(text: str) -> list[Span]:
    """Spans of the words of ``text`` in order.

    A word holds at least one letter, digit or emoji. Contractions ("don't"), numbers ("3.14"), letters with
    combining marks and emoji sequences stay whole; scripts without spaces are cut as UAX #29 cuts them
    (an ideograph, or a Thai grapheme cluster, is a word).
    """
    cuts = [0, *(match.start() for match in _BOUNDARY.finditer(text)), len(text)]
    return [Span(a, b) for a, b in pairwise(cuts) if b > a and _WORDLIKE.search(text, a, b)]


def words(text: str) -> list[str]:
    """The words of ``text`` in order, as they stand there."""
    return [text[span.start : span.end] for span in word_spans(text)]

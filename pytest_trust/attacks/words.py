"""The words of a text under attack: which may change, and the text with another word in a place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate
from operator import attrgetter

import regex

from pytest_trust.attacks.base import WordChange
from pytest_trust.text import Span, word_spans

# A change of these changes what is meant, or nothing that a reader knows: addresses, handles, and words with digits.
_DOMAINS = "com|org|net|edu|gov|io"
# What begins anywhere in a token is looked for from its start alone: a long text without spaces is one token.
_PROTECTED = regex.compile(
    rf"(?:https?://|www\.)\S+|@\w+|(?<!\S)\S+@\S+|(?<!\S)\S+\.(?:{_DOMAINS})\b\S*", regex.IGNORECASE
)
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}'’]*")


@cache
def function_words() -> frozenset[str]:
    """English words of closed classes, contractions and their parts, which no attack changes.

    Pronouns, determiners, prepositions, conjunctions, auxiliary verbs, negations and adverbs of degree, as grammars of
    English list them.
    """
    file = resources.files("pytest_trust.attacks").joinpath("function_words.txt")
    return frozenset(file.read_text(encoding="utf-8").split())


@dataclass(frozen=True, slots=True)
class WordsOfText:
    """A text of n words: ``words``, and the n + 1 strings before, between and after them."""

    words: tuple[str, ...]
    separators: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> WordsOfText:
        """The words of ``text`` by :func:`~pytest_trust.text.word_spans`."""
        spans = word_spans(text)
        ends = [0, *(span.end for span in spans)]
        starts = [*(span.start for span in spans), len(text)]
        between = tuple(text[a:b] for a, b in zip(ends, starts, strict=True))
        return cls(tuple(text[span.start : span.end] for span in spans), between)

    @property
    def text(self) -> str:
        """The words and what stands between them."""
        return self.separators[0] + "".join(map("".join, zip(self.words, self.separators[1:], strict=True)))

    def replaced(self, place: int, word: str) -> WordsOfText:
        """The same with ``word`` in a place."""
        return WordsOfText((*self.words[:place], word, *self.words[place + 1 :]), self.separators)

    def spans(self) -> list[Span]:
        """Where the words stand in the text."""
        lengths = [len(part) for pair in zip(self.separators, self.words, strict=False) for part in pair]
        edges = list(accumulate(lengths))
        return [Span(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]

    def changes(self, other: WordsOfText) -> tuple[WordChange, ...]:
        """The words that are others in ``other``, which has as many."""
        pairs = zip(self.words, other.words, self.spans(), other.spans(), strict=True)
        return tuple(WordChange(here, there, old, new) for old, new, here, there in pairs if old != new)


def open_places(text: str, read: Span | None, fixed: frozenset[str]) -> list[int]:
    """The places of the words of ``text`` that may change, in order.

    These are made of letters, are none of the ``fixed`` words, lie within ``read`` (all of the text where None) and in
    no address or handle.
    """
    read = read or Span(0, len(text))
    protected = [Span(*match.span()) for match in _PROTECTED.finditer(text)]
    return [
        place
        for place, span in enumerate(word_spans(text))
        if read.start <= span.start
        and span.end <= read.end
        and _may_change(text[span.start : span.end], fixed)
        and not _overlaps(span, protected)
    ]


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    """Whether ``span`` shares a character with one of ``others``, which are in order and apart."""
    before = bisect_left(others, span.end, key=attrgetter("start"))
    return before > 0 and span.start < others[before - 1].end


def _may_change(word: str, fixed: frozenset[str]) -> bool:
    return _WORD.fullmatch(word) is not None and word.lower().replace("’", "'") not in fixed


@cache
def is_replacement(word: str) -> bool:
    """Whether ``word`` is one lower-cased word of letters, so that a text keeps its number of words."""
    return _WORD.fullmatch(word) is not None and word == word.lower() and word_spans(word) == [Span(0, len(word))]


def cased_like(word: str, found: str) -> str:
    """The lower-cased ``word`` in the case of the word ``found``: upper, capitalised or lower."""
    if found.isupper() and len(found) > 1:
        return word.upper()
    return word[:1].title() + word[1:] if found[:1].isupper() else word


def context_of(words: Sequence[str], place: int, reach: int) -> tuple[list[str], int]:
    """The words at most ``reach`` away from ``place``, in order, and its place among them."""
    start = max(0, place - reach)
    return list(words[start : place + reach + 1]), place - start

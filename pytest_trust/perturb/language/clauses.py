"""A text cut into sentences, and these into words that know their neighbours."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pytest_trust.perturb.language.boundaries import sentence_boundaries
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import words_of
from pytest_trust.text import word_spans

_LONGEST_CLAUSE = 40
_END_OF_CLAUSE = re.compile(r"[;!?]|\n\s*\n")
# As in "far from good".
_DENYING_PAIRS = frozenset({("anything", "but"), ("far", "from")})


@dataclass(frozen=True, slots=True)
class Word:
    """The word at ``[start, end)``: its form in small letters, and whether blanks alone part it from the one before."""

    start: int
    end: int
    form: str
    follows: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence, but for protected ones."""

    words: tuple[Word, ...]
    is_question: bool

    def form(self, at: int) -> str:
        """The form of the word at place ``at``; empty where there is none."""
        return self.words[at].form if 0 <= at < len(self.words) else ""

    def before(self, at: int) -> str:
        """The form of the word right before place ``at``; empty where a sign stands between."""
        return self.words[at - 1].form if 0 < at < len(self.words) and self.words[at].follows else ""

    def after(self, at: int) -> str:
        """The form of the word right behind place ``at``; empty where a sign stands between."""
        return self.form(at + 1) if at + 1 < len(self.words) and self.words[at + 1].follows else ""

    def clause_before(self, at: int) -> list[str]:
        """The forms of the words before place ``at``, back to the nearest sign, or for the length of a long clause."""
        first = at
        while first > max(0, at - _LONGEST_CLAUSE) and self.words[first].follows:
            first -= 1
        return [word.form for word in self.words[first:at]]


def sentences(text: str) -> list[Sentence]:
    """The sentences of ``text``; a semicolon or line break within one ends none."""
    cuts = [0, *sentence_boundaries(text), len(text)]
    words = list(_words(text))
    places = [bisect_left(words, cut, key=lambda word: word.start) for cut in cuts]
    return [
        Sentence(tuple(words[first:last]), "?" in text[start:end])
        for (start, end), (first, last) in zip(pairwise(cuts), pairwise(places), strict=True)
    ]


def denied_words(text: str) -> frozenset[int]:
    """Where the words start behind a negation: until "but", the end of the sentence or a sign such as a semicolon."""
    return frozenset(word.start for sentence in sentences(text) for word in _denied(text, sentence))


def _denied(text: str, sentence: Sentence) -> Iterator[Word]:
    is_denied, end, last = False, 0, ""
    for word in sentence.words:
        is_denied = is_denied and _END_OF_CLAUSE.search(text, end, word.start) is None
        if is_denied:
            yield word
        is_denied = _denies(last, word.form) or (is_denied and word.form != "but")
        end, last = word.end, word.form


def _denies(before: str, form: str) -> bool:
    return (
        form.endswith("n't")
        or form in words_of("negation")
        or form in words_of("denying")
        or (before, form) in _DENYING_PAIRS
    )


def _words(text: str) -> Iterator[Word]:
    shielded = protected_spans(text)
    last = len(text)
    for span in word_spans(text):
        if overlaps(shielded, span.start, span.end):
            last = len(text)  # nothing follows a protected word
            continue
        form = text[span.start : span.end].replace("’", "'").lower()
        yield Word(span.start, span.end, form, follows=last < span.start and not text[last : span.start].strip())
        last = span.end

"""What stands around a word: the words beside it, and whether it is part of a compound or of a name."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import cache

from pytest_trust.perturb.language.casing import TextCase, starts_sentence
from pytest_trust.text import Span

# What a word before is taken to be.
WORD = r"[\w'’]+"
PLAIN_WORD = r"\w+"
STOPPED_WORD = r"\w+\."
PIECE = r"\S+"

_LONGEST_BEFORE = 40
_AFTER = re.compile(rf"\s+({WORD})")
_JOINING = frozenset("-‐‑–—/_&+=\u00ad")


def span_before(text: str, start: int, form: str = WORD) -> Span | None:
    """Where the word before ``start`` stands, of the pattern ``form``; None where more than blanks stands between.

    Of a word longer than forty characters only the end is seen.
    """
    found = _before(form).search(text, max(0, start - _LONGEST_BEFORE), start)
    return None if found is None else Span(*found.span())


@cache
def _before(form: str) -> re.Pattern[str]:
    return re.compile(rf"{form}(?=\s+\Z)")


def written_before(text: str, start: int, form: str = WORD) -> str:
    """The word before ``start`` as it is written; empty where anything but blanks stands between."""
    span = span_before(text, start, form)
    return "" if span is None else text[span.start : span.end]


def word_before(text: str, start: int) -> str:
    """The word before ``start``, in small letters; empty where anything but blanks stands between."""
    return _plain(written_before(text, start))


def abbreviation_before(text: str, start: int) -> str:
    """The word before ``start`` that a full stop ends, in small letters and without it: "mr"."""
    return _plain(written_before(text, start, STOPPED_WORD).removesuffix("."))


def word_after(text: str, end: int) -> str:
    """The word after ``end``, in small letters; empty where anything but blanks stands between."""
    after = _AFTER.match(text, end)
    return "" if after is None else _plain(after[1])


def end_of_word_after(text: str, end: int) -> int:
    """Where the word right behind ``end`` ends; ``end`` where there is none."""
    after = _AFTER.match(text, end)
    return end if after is None else after.end()


def words_before(text: str, start: int, count: int) -> list[str]:
    """Up to ``count`` words right before ``start``, the nearest first, as far as only blanks part them."""
    words: list[str] = []
    while len(words) < count and (span := span_before(text, start)):
        words.append(_plain(text[span.start : span.end]))
        start = span.start
    return words


def is_behind(text: str, start: int, words: Container[str]) -> bool:
    """Whether the word before ``start`` is one of ``words``, or ends in "n't"."""
    before = word_before(text, start)
    return before in words or before.endswith("n't")


def _plain(word: str) -> str:
    return word.replace("’", "'").casefold()


def is_compound(text: str, start: int, end: int) -> bool:
    """Whether a sign such as a hyphen joins the word at ``[start, end)`` to another."""
    return text[start - 1 : start] in _JOINING or text[end : end + 1] in _JOINING


def is_in_name(text: str, start: int, end: int, case: TextCase) -> bool:
    """Whether the word at ``[start, end)`` of a text of ``case`` is written as part of a name or title.

    It has a capital within a sentence, or has one at the start and the next word has one too ("Doctor Who"). A word all
    in capitals is only stressed.
    """
    word = text[start:end]
    if case is not TextCase.MIXED or not word[0].isupper() or (len(word) > 1 and word.isupper()):
        return False
    after = _AFTER.match(text, end)
    return not starts_sentence(text, start) or (after is not None and after[1].istitle() and len(after[1]) > 1)

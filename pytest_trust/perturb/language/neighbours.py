"""What stands around a word: the words beside it, and whether it is part of a compound or of a name."""

from __future__ import annotations

import re
from collections.abc import Container

from pytest_trust.perturb.language.casing import TextCase, starts_sentence

_LONGEST_BEFORE = 40
_BEFORE = re.compile(r"([\w'’]+)\s+\Z")
_AFTER = re.compile(r"\s+([\w'’]+)")
_JOINING = frozenset("-‐‑–—/_&+=\u00ad")


def word_before(text: str, start: int) -> str:
    """The word before ``start``, in small letters; empty where anything but blanks stands between."""
    before = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
    return "" if before is None else _plain(before[1])


def word_after(text: str, end: int) -> str:
    """The word after ``end``, in small letters; empty where anything but blanks stands between."""
    after = _AFTER.match(text, end)
    return "" if after is None else _plain(after[1])


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

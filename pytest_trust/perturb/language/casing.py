"""Letter case: of a text, of a phrase in it, and of what takes the phrase's place."""

from __future__ import annotations

import re
from enum import Enum

_CLOSES_SENTENCE = ".!?:;…。！？।؟"
_BEFORE_FIRST_WORD = " \t\"'“”‘’«»„([{<>*_#-–—•|/"

_WINDOW = 64  # so far back the end of a sentence is looked for
_TITLE = re.compile(r"(?<!\w)(?:Mr|Mrs|Ms|Dr|Prof|Capt|Col|Gen|Gov|Hon|Lt|Rep|Rev|Sen|Sgt)\.\Z")


class TextCase(Enum):
    """How a whole text is written."""

    LOWER = "no upper-case letter"
    UPPER = "no lower-case letter"
    MIXED = "both"


def text_case(text: str) -> TextCase:
    """The case of ``text``; a text without cased letters counts as LOWER, a lone capital ("I") as MIXED."""
    upper = sum(map(str.isupper, text))
    if upper == 0:
        return TextCase.LOWER
    return TextCase.MIXED if upper == 1 or any(map(str.islower, text)) else TextCase.UPPER


def capitalised(phrase: str) -> str:
    """``phrase`` with its first character in title case."""
    return phrase[:1].title() + phrase[1:]


def match_case(replacement: str, phrase: str, found: str, case: TextCase) -> str:
    """``replacement`` in the case in which ``phrase`` was ``found`` in a text of ``case``.

    A phrase found just as it was given is replaced just as it was given, unless the whole text is upper-case.
    """
    if case is TextCase.UPPER:
        return replacement.upper()
    if found == phrase:
        return replacement
    if found.islower():
        return replacement.lower()
    return _raised(replacement, found)


def _raised(replacement: str, found: str) -> str:
    """``replacement`` with the capitals of ``found``, which holds some."""
    if found.isupper() and sum(map(str.isalpha, found)) > 1:
        return replacement.upper()
    if replacement != replacement.lower():
        return replacement  # it brings its own capitals
    words = found.split()
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return " ".join(map(capitalised, replacement.split(" ")))
    return capitalised(replacement) if found[0].isupper() else replacement


def starts_sentence(text: str, start: int) -> bool:
    """Whether the word at ``start`` is the first of its sentence, where any word has a capital.

    The full stop of a title ("Dr. King") ends none.
    """
    before = text[max(0, start - _WINDOW) : start].rstrip(_BEFORE_FIRST_WORD)
    if before.endswith(".") and _TITLE.search(before):
        return False
    return not before or before[-1] in _CLOSES_SENTENCE or before[-1].isspace()

"""Weekdays and months that are part of a name: "Black Friday", "the Sunday Times"."""

from __future__ import annotations

import re

from pytest_trust.perturb.language.casing import TextCase, starts_sentence
from pytest_trust.perturb.language.neighbours import PLAIN_WORD, span_before, word_after, word_before
from pytest_trust.perturb.lexicon import words_of

_CAPITAL_AFTER = re.compile(r"\s+[^\W\d_]\w")


def is_named_day(text: str, start: int, end: int, case: TextCase) -> bool:
    """Whether the day or month at ``[start, end)`` of a text of ``case`` is named by the word before or behind it."""
    if word_before(text, start) in words_of("before a named day") or word_after(text, end) in words_of(
        "after a named day"
    ):
        return True
    return is_before_capital(text, end, case) or (case is TextCase.MIXED and _is_behind_capital(text, start))


def is_before_capital(text: str, end: int, case: TextCase) -> bool:
    """Whether a word of two letters or more with a capital stands behind ``end``."""
    after = _CAPITAL_AFTER.match(text, end)
    return case is TextCase.MIXED and after is not None and after[0].strip()[0].isupper()


def _is_behind_capital(text: str, start: int) -> bool:
    """Whether a word with a capital, within a sentence, stands before ``start``: "on Ash Wednesday"."""
    before = span_before(text, start, PLAIN_WORD)
    return before is not None and text[before.start].isupper() and not starts_sentence(text, before.start)

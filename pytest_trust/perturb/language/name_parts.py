"""What tells that a name of the lists is part of a longer one: "Jack London", "Lake Geneva", "Peter the Great"."""

from __future__ import annotations

import re
from functools import cache

from pytest_trust.perturb.language.casing import TextCase, starts_sentence
from pytest_trust.perturb.language.names import NameMatch, clear_first_names, first_names, is_part_of_name
from pytest_trust.perturb.language.neighbours import span_before, word_after
from pytest_trust.perturb.language.phrases import fold
from pytest_trust.perturb.lexicon import column, common_words, entries, members, words_of

_WORD = r"[^\W\d_][\w'’-]*\.?"
_WORD_AFTER = re.compile(r"\s+([^\W\d_][\w'’-]*)")
_AMPERSAND_AFTER = re.compile(r"\s*&")
_AMPERSAND_BEFORE = re.compile(r"&\s*\Z")
_LONGEST_GAP = 8
_LONGEST_INITIALS = 3
# As in "Peter the Great" and "Henry VIII".
_EPITHET = re.compile(
    r"\s+(?:the\s+(?:baptist|bold|brave|builder|conqueror|fat|first|good|great|impaler|lionheart|magnificent|ripper|"
    r"second|terrible|third|wise)\b|(?-i:the\s+[A-Z]|[IVX]{2,}\b))",
    re.IGNORECASE,
)


def is_in_name_with_place(match: NameMatch, text: str, case: TextCase) -> bool:
    """Whether the place at ``match`` is part of the name of a person, a firm, a water or a thing.

    In a text with capitals it is where a capitalised word stands right before or behind it, but for function words,
    days, months, other places, and the first word of a sentence that is a common one ("Visiting Paris").
    """
    if is_part_of_name(_names_and_titles(), False, match, text, case):
        return True
    if word_after(text, match.end) in words_of("named after a place"):
        return True
    return case is TextCase.MIXED and (
        _continues_name(text, match, _apart()) or _is_continued(text, match.end) or _is_joined(text, match)
    )


def is_in_name_with_first_name(match: NameMatch, text: str, case: TextCase) -> bool:
    """Whether the first name at ``match`` stands behind another name or a title, or a number, epithet or "&" behind it.

    Titles and offices of any person ("Mr. John", "Senator John") make no other name.
    """
    if is_part_of_name(_names_and_titles(), True, match, text, case):
        return True
    if _EPITHET.match(text, match.end):
        return True
    return case is TextCase.MIXED and (_continues_name(text, match, _before_people()) or _is_joined(text, match))


def _continues_name(text: str, match: NameMatch, plain: frozenset[str]) -> bool:
    """Whether the word before a name has a capital that is that of a name, and is none of ``plain``."""
    span = span_before(text, match.start, _WORD)
    if span is None or not text[span.start].isupper():
        return False
    written = text[span.start : span.end]
    word = written.rstrip(".").replace("’", "'").lower()
    if word in plain or word.endswith("'s") or _is_dateline(match.found, written):
        return False
    if not starts_sentence(text, span.start):
        return True
    return word in first_names() or not (word in common_words() or word.endswith("ing"))


def _is_dateline(found: str, before: str) -> bool:
    """Whether a name all in capitals stands behind a word that is not: "Stocks Fall LONDON (Reuters)"."""
    return len(found) > _LONGEST_INITIALS and found.isupper() and not before.isupper()


def _is_continued(text: str, end: int) -> bool:
    after = _WORD_AFTER.match(text, end)
    return after is not None and after[1][0].isupper() and after[1].replace("’", "'").lower() not in _apart()


def _is_joined(text: str, match: NameMatch) -> bool:
    """Whether an ampersand stands beside the name, as in those of firms."""
    before = _AMPERSAND_BEFORE.search(text, max(0, match.start - _LONGEST_GAP), match.start)
    return before is not None or _AMPERSAND_AFTER.match(text, match.end) is not None


@cache
def _names_and_titles() -> frozenset[str]:
    return clear_first_names() | members("titles")


@cache
def _before_people() -> frozenset[str]:
    """Words that make no longer name with a first name behind them."""
    return _apart() | words_of("title of a person") | words_of("office of a person")


@cache
def _apart() -> frozenset[str]:
    """Words that make no name with a place beside them, though they may have a capital."""
    places = (spelling for file in ("cities", "countries") for place in entries(file) for spelling in place)
    days = map(str.lower, (*column("weekdays"), *(form for forms in entries("months") for form in forms)))
    return words_of("function word").union(days, map(fold, places), ("i'd", "i'll", "i'm", "i've"))

"""Numbers in digits, written as words (English)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

from pytest_trust.errors import missing_extra
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.casing import TextCase, capitalised, starts_sentence, text_case
from pytest_trust.perturb.language.neighbours import PIECE, span_before
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import entries, words_of
from pytest_trust.perturb.parameters import called
from pytest_trust.text import Span

# A number that stands alone: no part of 3.14, 10:30, 2-3, 1/2, $5, 50%, v2, (1) or 007, and no figure of a formula.
_NUMERAL = re.compile(
    r"""
    (?<![\w.,:;/\\$€£¥\#%&~^+\-−–—'’(\[{<>=*_|@])
    (?P<number>[1-9],[0-9]{3}|[1-9][0-9]{0,3}|0)
    (?P<ordinal>st|nd|rd|th)?
    (?![\w%°€£$/\\:\-−–—'’)\]}*=<>_|@²³]|[.,]\w|\s*[+=*×<>%/^$€£¥]|\s+(?:[\-−–—]\s*)?[0-9])
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_MONTH_AFTER = re.compile(r"\s+(?:of\s+)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)", re.IGNORECASE)
_WIDEST_INDENT = 40
_LISTED = re.compile(r"(?<![\w.,])([0-9]{1,3})\.(?=\s)", re.ASCII)
_SIGNS = frozenset("+=*×<>/^&-−–—#$€£¥")
_NUMBER_BEFORE = re.compile(r"[0-9](?:st|nd|rd|th)?\Z", re.IGNORECASE)


def numbers_to_words() -> Rewriting:
    """Writes whole numbers up to 9,999 and ordinals as words: "3 of 20" becomes "three of twenty". Idempotent.

    Left as they are: years (1900 to 2099, and other numbers of four digits behind "in" or "since"), dates, times,
    amounts of money, percentages, fractions, ranges, formulas, numbers that are part of a name ("Windows 10", "page 7";
    any word with a capital within a sentence counts) and those that number a list. Needs the package num2words.

    Raises:
        MissingExtraError: at the first text with a number, num2words is not installed.
    """
    return Rewriting(called(numbers_to_words), _in_words)


def _in_words(text: str, rng: random.Random) -> Iterator[Edit]:
    case, shielded, listed = text_case(text), protected_spans(text), _listed(text)
    for numeral in _NUMERAL.finditer(text):
        if numeral.start() in listed or overlaps(shielded, *numeral.span()):
            continue
        if _counts(text, numeral):
            words = _words(int(numeral["number"].replace(",", "")), numeral["ordinal"] is not None)
            yield Edit(*numeral.span(), _cased(words, text, numeral.start(), case))


def _listed(text: str) -> set[int]:
    """Where the numbers of a list in a line stand: those with a full stop next to which there is a neighbour."""
    starts: dict[int, list[int]] = {}
    for found in _LISTED.finditer(text):
        starts.setdefault(int(found[1]), []).append(found.start())
    return {start for number, places in starts.items() if {number - 1, number + 1} & starts.keys() for start in places}


def _counts(text: str, numeral: re.Match[str]) -> bool:
    """Whether the number tells how many or the how manieth, and is no year, date, name or number of a list."""
    if _MONTH_AFTER.match(text, numeral.end()) or _numbers_line(text, numeral):
        return False
    before = span_before(text, numeral.start(), PIECE)
    if before is None:
        return True
    return not _is_year(numeral[0], text[before.start : before.end]) and not _is_named(text, before)


def _is_named(text: str, before: Span) -> bool:
    """Whether the word before a number makes a name, a formula or a longer number with it."""
    word = text[before.start : before.end]
    form = word.rstrip(".").lower()
    if word in _SIGNS or _NUMBER_BEFORE.search(word) or form in words_of("before a number") or form in _months():
        return True
    if any(map(str.isupper, word[1:])):
        return True  # iPhone
    return word[0].isupper() and word[-1].isalnum() and not starts_sentence(text, before.start)


@cache
def _months() -> frozenset[str]:
    return frozenset(form.lower() for forms in entries("months") for form in forms)


def _is_year(number: str, word_before: str) -> bool:
    has_four_digits = number.isdigit() and len(number) == 4
    return has_four_digits and (number[:2] in ("19", "20") or word_before.lower() in words_of("before a year"))


def _numbers_line(text: str, numeral: re.Match[str]) -> bool:
    """Whether the number begins a line and a full stop follows: "1. Buy milk"."""
    first = max(0, numeral.start() - _WIDEST_INDENT)
    _, line_break, indent = text[first : numeral.start()].rpartition("\n")
    begins_line = not indent.strip() and (first == 0 or bool(line_break))
    return begins_line and text.startswith(".", numeral.end())


def _cased(words: str, text: str, start: int, case: TextCase) -> str:
    if case is TextCase.UPPER:
        return words.upper()
    return capitalised(words) if case is TextCase.MIXED and starts_sentence(text, start) else words


@cache
def _words(number: int, ordinal: bool) -> str:
    try:
        from num2words import num2words
    except ImportError as error:
        raise missing_extra("num2words", "perturb", "numbers_to_words") from error
    words = str(num2words(number, lang="en", to="ordinal" if ordinal else "cardinal"))
    return words.replace(",", "")  # "one thousand, two hundred"

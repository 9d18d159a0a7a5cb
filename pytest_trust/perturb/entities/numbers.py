"""Numbers and ages replaced by others close to them.

What carries the label or is no quantity stays: ratings ("3/10", "5 stars"), years, dates, times, versions, telephone
numbers and numbers that name a thing ("Windows 10", "page 3"). The same number in one text gets the same new one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache, partial

from pytest_trust.arguments import require_between, require_count
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.entities.date_moves import month_numbers
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, starts_sentence, text_case
from pytest_trust.perturb.language.neighbours import abbreviation_before, span_before, word_after, word_before
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import common_words, members, words_of
from pytest_trust.perturb.parameters import called

_DEFAULT_WITHIN = 0.1
_DEFAULT_BY = 5

# A run of digits that no letter, digit or joining sign touches; a sign or a currency may stand before it.
_NUMBER = re.compile(
    r"(?<![\w.,:/\\#*^=~'’\"“‘$€£¥–—+−-])(?:[+−-](?=[$€£¥]?[0-9]))?[$€£¥]?"
    r"(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)"
    r"(?![\w(/\\#*^=~'’\"”°–—+−-]|[.,:][0-9])"
)
_MOST_DIGITS = 4  # with more and no separators it is an identifier or a telephone number
_LONGEST_NUMBER = 15  # characters; a longer one is no quantity that anybody reads
_YEARS = range(1500, 2101)
_FAMED = frozenset({"101", "404", "411", "420", "666", "911"})
_RANGE_AFTER = re.compile(r"%?\s+(?:and|through|to|until)\s+[+$€£¥−-]*[0-9]", re.IGNORECASE)
_RANGE_BEFORE = re.compile(r"[0-9]%?\s+(?:and|through|to|until)\s+[+$€£¥−-]*\Z", re.IGNORECASE)
_NUMBER_BESIDE = re.compile(r"\s+[0-9]")
_NUMBER_BEFORE = re.compile(r"[0-9]\s+[+$€£¥−-]*\Z")

_OUT_OF = re.compile(r"\s+(?:out\s+of|of\s+[0-9])", re.IGNORECASE)
_BEHIND_OUT_OF = re.compile(r"(?:\bout\s+of|[0-9]\s+of)\s+\Z", re.IGNORECASE)
_RATING_WORD = re.compile(
    r"\b(?:g[ai]v(?:e[ns]?|ing)|grad(?:e[ds]?|ing)|rat(?:e[ds]?|ing)|scor(?:e[ds]?|ing))\b[^.!?\n]*\Z",
    re.IGNORECASE,
)
_RATING_UNITS = frozenset({"out", "point", "points", "rating", "score", "star", "stars", "thumb", "thumbs"})
_FROM_ONE = re.compile(r"\s+from\s+(?:her|him|me|my|us)\b", re.IGNORECASE)
_GREATEST_RATING = 10
_RATE = re.compile(
    r"\s+(?:second|minute|min|hour|hr|day|night|week|month|year|yr)s?\s+(?:an?|each|every|in\s+an?|per)\s+"
    r"(?:minute|hour|day|week|month|year|decade|century)\b",
    re.IGNORECASE,
)
_NAME_AFTER = re.compile(r"\s+[A-Z][a-z]")
_SIGNS = "+$€£¥−-"
_LETTERS_FIRST = r"\b[^\W\d_]\w*"
_LONGEST_BEFORE = 40
_CLOCK_BEHIND = frozenset({"at", "by", "til", "till", "until"})
_CLOCK = re.compile(r"[0-9]{1,2}\.[0-5][0-9]")
_TIME_UNITS = frozenset({"a", "ad", "am", "bc", "bce", "ce", "gmt", "o'clock", "p", "pm"})

_AGE = re.compile(
    r"(?<![\w.,:/$€£¥–-])(?P<age>[0-9]{1,3})(?=(?:\s+|-)(?:years?|yrs?)(?:\s+|-)old\b|\s?y/?o\b)"
    r"|\b(?:age[ds]?(?:\s+of|:)?|i(?:['’]?m|\s+am|\s+was)|(?:s?he|who)(?:['’]s|\s+is|\s+was))\s+"
    r"(?P<age_behind>[0-9]{1,3})"
    r"(?=\s*(?:[.,;!?)]|\Z)|\s+(?:and|at|but|in|now|or|to|when|with)\b)(?![.,][0-9])",
    re.IGNORECASE,
)
_LIFE_STAGES = (range(2, 13), range(13, 20), range(20, 65), range(65, 121))


def change_numbers(within: float = _DEFAULT_WITHIN) -> Rewriting:
    """Replaces numbers in digits by others close to them, of as many decimals; round ones stay round.

    Signs, currencies and thousands separators are kept, percentages below 100 stay up to 100, and no number becomes 0.
    A number so small that the bound leaves no other stays, and so does "100%", which means "wholly". Left alone are
    ratings ("3/10", "5 stars", "scored 70", "a 95 from me", a number up to 10 with no word of content behind it),
    years, dates, times, versions, ranges, ordinals, telephone numbers and other long ones, ages (see
    :func:`change_ages`), rates ("24 hours a day") and numbers that name a thing ("A320", "Windows 10", "page 3") or
    stand before a capital ("12 Angry Men"). Not idempotent.

    Args:
        within: the largest change, as a share of the number, in (0, 1).

    Raises:
        ConfigurationError: ``within`` is no number in (0, 1).
    """
    within = require_between("within", within, 0.0, 1.0)
    return Rewriting(called(change_numbers, within), partial(_other_numbers, within))


def change_ages(by: int = _DEFAULT_BY) -> Rewriting:
    """Replaces ages in digits ("34 years old", "aged 34", "I'm 34") by others of the same stage of life (in English).

    The stages are those under 13, 13 to 19, 20 to 64 and from 65. The age of 1 stays, for its noun has no plural. Not
    idempotent.

    Args:
        by: the largest change in years.

    Raises:
        ConfigurationError: ``by`` is no whole number of at least 1.
    """
    by = require_count("by", by)
    return Rewriting(called(change_ages, by), partial(_other_ages, by))


def _other_numbers(within: float, text: str, rng: random.Random) -> list[Edit]:
    changed = cache(partial(_changed, within, rng))
    edits = [
        Edit(*match.span("number"), changed(match["number"], _is_percentage(text, match.end())))
        for match in _quantities(text)
    ]
    return with_articles(text, edits)


def _other_ages(by: int, text: str, rng: random.Random) -> list[Edit]:
    changed = cache(partial(_changed_age, by, rng))
    return with_articles(text, [Edit(start, end, changed(text[start:end])) for start, end in _ages(text)])


def _changed(within: float, rng: random.Random, number: str, is_percentage: bool) -> str:
    """Another number of the form of ``number``; itself where the bound leaves none."""
    whole, _, decimals = number.replace(",", "").partition(".")
    value, unit = int(whole + decimals), 10 ** len(decimals)
    least = 1 if decimals else 2  # "1" would need a noun in the singular
    most = 100 * unit if is_percentage and value <= 100 * unit else 2 * value
    new = _drawn(value, max(least, _least(value, within)), min(most, _most(value, within)), rng)
    before, after = divmod(new, unit)
    grouped = f"{before:,}" if "," in number else str(before)
    return f"{grouped}.{after:0{len(decimals)}d}" if decimals else grouped


def _least(value: int, within: float) -> int:
    return value - _bound(value, within)


def _most(value: int, within: float) -> int:
    return value + _bound(value, within)


def _bound(value: int, within: float) -> int:
    return int(value * within + 1e-9)  # 0.1 of 30 is 3, though the product of the floats may be less


def _drawn(value: int, low: int, high: int, rng: random.Random) -> int:
    """Another number from ``low`` to ``high``, as round as ``value`` where two such are; ``value`` if there is none."""
    step = 1
    while value % (10 * step) == 0 and _count(value, low, high, 10 * step) > 1:
        step *= 10
    count = _count(value, low, high, step)
    if count == 0:
        return value
    below = max(0, value - low) // step
    place = rng.randrange(count)
    return value - (place + 1) * step if place < below else value + (place - below + 1) * step


def _count(value: int, low: int, high: int, step: int) -> int:
    return max(0, value - low) // step + max(0, high - value) // step


def _changed_age(by: int, rng: random.Random, age: str) -> str:
    value = int(age)
    stage = next((stage for stage in _LIFE_STAGES if value in stage), range(0))
    others = [other for other in stage if other != value and abs(other - value) <= by]
    return str(rng.choice(others)) if others else age


def _ages(text: str) -> Iterator[tuple[int, int]]:
    shielded = protected_spans(text)
    for match in _AGE.finditer(text):
        span = match.span("age" if match["age"] else "age_behind")
        if not overlaps(shielded, *span):
            yield span


def _quantities(text: str) -> Iterator[re.Match[str]]:
    case, shielded, ages = text_case(text), protected_spans(text), {start for start, _ in _ages(text)}
    for match in _NUMBER.finditer(text):
        start, end = match.span("number")
        if start in ages or overlaps(shielded, match.start(), end):
            continue
        if _RANGE_AFTER.match(text, end) or _RANGE_BEFORE.search(_before(text, start)):
            continue
        if not (_is_identifier(text, match) or _is_rating(text, match) or _is_named(text, start, end, case)):
            yield match


def _is_percentage(text: str, end: int) -> bool:
    return text[end : end + 1] == "%" or word_after(text, end) in ("percent", "pct") or text[end : end + 2] == " %"


def _is_identifier(text: str, match: re.Match[str]) -> bool:
    """Whether the number tells one thing from others: a year, a code, a telephone number."""
    number = match["number"]
    if len(number) > _LONGEST_NUMBER:
        return True
    if _NUMBER_BESIDE.match(text, match.end()) or _NUMBER_BEFORE.search(_before(text, match.start("number"))):
        return True
    if "," not in number and len(number.partition(".")[0]) > _MOST_DIGITS:
        return True
    if not number.isdecimal():
        return False
    is_year = len(number) == 4 and int(number) in _YEARS
    is_whole = number == "100" and _is_percentage(text, match.end())
    return is_year or is_whole or number in _FAMED or (number[0] == "0" and len(number) > 1)


def _is_rating(text: str, match: re.Match[str]) -> bool:
    start, end = match.span("number")
    after, before = word_after(text, end), _before(text, start)
    if after in _RATING_UNITS or _OUT_OF.match(text, end) or _FROM_ONE.match(text, end):
        return True
    if _BEHIND_OUT_OF.search(before) or _RATING_WORD.search(before):
        return True
    is_bare = (
        (not after or after in words_of("function word"))
        and text[start - 1 : start].isspace()
        and not _is_percentage(text, end)
    )
    return is_bare and float(match["number"].replace(",", "")) <= _GREATEST_RATING


def _is_named(text: str, start: int, end: int, case: TextCase) -> bool:
    """Whether the number is part of a date, a time or the name of a thing."""
    word, after, months = word_before(text, start), word_after(text, end), month_numbers()
    before = abbreviation_before(text, start) or word
    if before in members("numbered_things") or before in months or after in _TIME_UNITS or after in months:
        return True
    if _RATE.match(text, end) or (_CLOCK.fullmatch(text, start, end) and word in _CLOCK_BEHIND):
        return True
    return case is TextCase.MIXED and (_NAME_AFTER.match(text, end) is not None or _is_behind_name(text, start))


def _is_behind_name(text: str, start: int) -> bool:
    """Whether the word before has a capital that neither "I" nor the start of a sentence gives it."""
    while start and text[start - 1] in _SIGNS:
        start -= 1
    span = span_before(text, start, _LETTERS_FIRST)
    word = "" if span is None else text[span.start : span.end]
    if span is None or word == "I":
        return False
    if not word[0].isupper():
        return any(map(str.isupper, word))  # iPhone
    return not (starts_sentence(text, span.start) and word.casefold() in common_words())


def _before(text: str, start: int) -> str:
    return text[max(0, start - _LONGEST_BEFORE) : start]

"""Dates moved to other dates of the same form: how they are found. What they become: ``date_moves``."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.entities import date_moves
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, text_case
from pytest_trust.perturb.language.days import is_before_capital, is_named_day
from pytest_trust.perturb.language.neighbours import word_before
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import column
from pytest_trust.perturb.parameters import called
from pytest_trust.text import Span

Accepts = Callable[[re.Match[str], TextCase], bool]
Read = Callable[[re.Match[str]], date_moves.WrittenDate | None]

_UNCLEAR = frozenset({"may", "march", "mar"})  # months that are also words
_BEFORE_DATE = frozenset({"by", "from", "last", "next", "of", "on", "since", "this", "till", "to", "until"})
_BEFORE_MONTH = frozenset({"during", "early", "every", "in", "last", "late", "mid", "next", "since", "till", "until"})

_START, _END = r"(?<![\w.,:/–—-])", r"(?![\w/%–—-]|[.,:][0-9])"
_DAY = r"(?P<day>[0-9]{1,2})(?P<suffix>st|nd|rd|th)?"
_FIRST, _SIGN, _SECOND = r"(?P<first>[0-9]{1,2})", r"(?P<sign>[-/.])", r"(?P<second>[0-9]{1,2})"
_YEAR = r"(?P<year>[12][0-9]{3})"
_AND_YEAR = rf"(?:(?P<comma>,?\s+){_YEAR})?"
_DAY_BEFORE = re.compile(r"[0-9](?:st|nd|rd|th)?\s+\Z")
_LONGEST_DAY_BEFORE = 40
_RANGE = re.compile(
    r"(?<!\w)(?P<left>\w++)[.,]?\s*+(?:[-–—]|\b(?:and|or|thru|through|till?|to|until)\s+(?:the\s+)?)"
    r"\s*(?=(?P<right>\w+))",
    re.IGNORECASE,
)


def change_dates() -> Rewriting:
    """Moves dates to other dates of the same form, within three years (in English). Not idempotent.

    The forms are "3 May 2021", "3rd of May", "May 3rd, 2021", "2021-05-03", "03/05/2021", "May 2021", a month behind a
    word such as "in" or "last", and the name of a weekday; a weekday before a date with a year becomes the right one.
    New dates exist; where day and month cannot be told apart, in both orders. The same date in one text gets the same
    new one. Several dates of a text move by the same number of months, and several weekdays by the same number of days:
    dates keep their order, and different ones stay different. Where that cannot be, or one of them is a holiday by its
    date ("July 4th"), they all stay. Left alone are "may", "march" and "sun" as words, years alone, named days ("Black
    Friday") and ranges of weekdays ("Monday to Friday").
    """
    return Rewriting(called(change_dates), _moved)


def _moved(text: str, rng: random.Random) -> list[Edit]:
    found = _found(text)
    new = ({} if _opens_range(text, found) else _new_dates(found, rng)) | _new_weekdays(found, rng)
    return with_articles(text, [Edit(*match.span(), new[match[0]]) for match, _ in found if match[0] in new])


def _opens_range(text: str, found: Sequence[_FormMatch]) -> bool:
    """Whether a date of ``found`` is one end of a range whose other end is none: "2019 to May 2021"."""
    spans = _with([], [match for match, _ in found])
    for ends in _RANGE.finditer(text) if spans else ():
        is_found = {name: overlaps(spans, *ends.span(name)) for name in ("left", "right")}
        if sum(is_found.values()) == 1 and any(_may_be_date(ends[name]) for name in is_found if not is_found[name]):
            return True
    return False


def _may_be_date(word: str) -> bool:
    return word[0].isdigit() or word.lower() in date_moves.month_numbers()


def _new_dates(found: Sequence[_FormMatch], rng: random.Random) -> dict[str, str]:
    """What is written for each date; empty where they stay."""
    read = {match[0]: form.read(match) for match, form in found if form.read is not None}
    dates = {written: one for written, one in read.items() if one is not None}
    days = date_moves.moved(list(dates.values()), rng) if dates else None
    return (
        {} if days is None else {written: dates[written].write(day) for written, day in zip(dates, days, strict=True)}
    )


def _new_weekdays(found: Sequence[_FormMatch], rng: random.Random) -> dict[str, str]:
    weekdays = {match[0]: match for match, form in found if form.read is None}
    days = rng.randrange(1, len(column("weekdays"))) if weekdays else 0
    return {written: date_moves.weekday_later(match, days) for written, match in weekdays.items()}


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write dates: where they stand, whether that is one in a text of a case, and which; None: a weekday."""

    pattern: re.Pattern[str]
    accepts: Accepts
    read: Read | None


_FormMatch = tuple[re.Match[str], _Form]


def _found(text: str) -> list[_FormMatch]:
    """The dates in ``text``, in order and apart; a part of what has a longer form is not found as a shorter one."""
    case = text_case(text)
    taken = protected_spans(text)
    ranges = [match for match in _weekday_ranges().finditer(text) if not overlaps(taken, *match.span())]
    taken = _with(taken, ranges)
    found: list[_FormMatch] = []
    for form in _forms():
        matches = [match for match in form.pattern.finditer(text) if not overlaps(taken, *match.span())]
        taken = _with(taken, matches)
        found += [(match, form) for match in matches if form.accepts(match, case)]
    return sorted(found, key=lambda pair: pair[0].start())


def _with(taken: Sequence[Span], matches: Sequence[re.Match[str]]) -> list[Span]:
    return sorted([*taken, *(Span(*match.span()) for match in matches)], key=lambda span: span.start)


@cache
def _forms() -> tuple[_Form, ...]:
    """The forms of dates, longer ones first."""
    month = rf"(?P<month>{'|'.join(sorted(date_moves.month_numbers(), key=len, reverse=True))})(?P<dot>\.)?"
    weekday = rf"(?P<weekday>{'|'.join(column('weekdays'))})"
    leading = rf"(?:{weekday}(?P<gap>,?\s+(?:the\s+)?))?"
    return (
        _form(rf"{leading}{_DAY}(?P<between>\s+(?:of\s+)?){month}{_AND_YEAR}", _is_day_first, date_moves.day_first),
        _form(rf"{leading}{month}(?P<between>\s+){_DAY}{_AND_YEAR}", _is_month_first, date_moves.month_first),
        _form(rf"{_YEAR}{_SIGN}{_FIRST}(?P=sign){_SECOND}", _always, date_moves.year_first),
        _form(rf"{_FIRST}{_SIGN}{_SECOND}(?P=sign){_YEAR}", _always, date_moves.year_last),
        _form(rf"{_FIRST}/{_SECOND}/(?P<year>[0-9]{{2}})", _always, date_moves.short_year_last),
        _form(rf"{month}(?P<comma>,?\s+(?:of\s+)?){_YEAR}", _is_month_of_year, date_moves.month_of_year),
        _form(rf"(?P<month>{'|'.join(column('months'))})", _is_month_alone, date_moves.month_alone),
        _form(rf"{weekday}(?P<plural>s)?", _is_weekday, None),
    )


def _form(pattern: str, accepts: Accepts, read: Read | None) -> _Form:
    return _Form(re.compile(_START + pattern + _END, re.IGNORECASE), accepts, read)


@cache
def _weekday_ranges() -> re.Pattern[str]:
    """As in "Monday to Friday", "between Monday and Friday"."""
    weekday = rf"(?:{'|'.join(column('weekdays'))})s?"
    until = r"(?:to|thru|through|til|till|until)"
    return re.compile(
        rf"(?<!\w)(?:{weekday}\s+{until}\s+{weekday}|between\s+{weekday}\s+and\s+{weekday})(?!\w)", re.IGNORECASE
    )


def _always(match: re.Match[str], case: TextCase) -> bool:
    return True


def _is_day_first(match: re.Match[str], case: TextCase) -> bool:
    return _is_clear(match) or _is_name(match["month"], case)


def _is_month_first(match: re.Match[str], case: TextCase) -> bool:
    is_dated = word_before(match.string, match.start()) in _BEFORE_DATE
    return _is_clear(match) or (is_dated and _is_name(match["month"], case))


def _is_clear(match: re.Match[str]) -> bool:
    """Whether nothing but a date is written so: "may 3" is open, "june 3" and "may 3rd" are not."""
    return match["month"].lower() not in _UNCLEAR or bool(match["year"] or match["suffix"] or match["weekday"])


def _is_name(word: str, case: TextCase) -> bool:
    return case is TextCase.MIXED and word[0].isupper()


def _is_month_of_year(match: re.Match[str], case: TextCase) -> bool:
    """Whether no day stands before the month: in "30-31 May 2021" not every month would do."""
    first = max(0, match.start() - _LONGEST_DAY_BEFORE)
    return _DAY_BEFORE.search(match.string, first, match.start()) is None


def _is_month_alone(match: re.Match[str], case: TextCase) -> bool:
    if word_before(match.string, match.start()) not in _BEFORE_MONTH or is_before_capital(
        match.string, match.end(), case
    ):
        return False
    is_word = case is TextCase.MIXED or match["month"].lower() in _UNCLEAR
    return not is_word or _is_name(match["month"], case)


def _is_weekday(match: re.Match[str], case: TextCase) -> bool:
    is_written = case is not TextCase.MIXED or match[0][0].isupper()
    return is_written and not is_named_day(match.string, *match.span(), case)

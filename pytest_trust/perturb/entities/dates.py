"""Dates moved to other dates of the same form: how they are found. What they become: ``date_moves``."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.entities import date_moves
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, starts_sentence, text_case
from pytest_trust.perturb.language.neighbours import PLAIN_WORD, span_before, word_after, word_before
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import column
from pytest_trust.perturb.parameters import called
from pytest_trust.text import Span

Accepts = Callable[[re.Match[str], TextCase], bool]
Move = Callable[[re.Match[str], random.Random], str]

_UNCLEAR = frozenset({"may", "march", "mar"})  # months that are also words
_BEFORE_DATE = frozenset({"by", "from", "last", "next", "of", "on", "since", "this", "till", "to", "until"})
_BEFORE_MONTH = frozenset({"during", "early", "every", "in", "last", "late", "mid", "next", "since", "till", "until"})
# What makes a weekday part of a name: "Black Friday", "Friday the 13th".
_BEFORE_NAMED_DAY = frozenset({"ash", "black", "bloody", "cyber", "easter", "freaky", "good", "palm", "super"})
_AFTER_NAMED_DAY = frozenset({"night", "school", "the"})

_START, _END = r"(?<![\w.,:/–—-])", r"(?![\w/%–—-]|[.,:][0-9])"
_DAY = r"(?P<day>[0-9]{1,2})(?P<suffix>st|nd|rd|th)?"
_FIRST, _SIGN, _SECOND = r"(?P<first>[0-9]{1,2})", r"(?P<sign>[-/.])", r"(?P<second>[0-9]{1,2})"
_YEAR = r"(?P<year>[12][0-9]{3})"
_AND_YEAR = rf"(?:(?P<comma>,?\s+){_YEAR})?"
_DAY_BEFORE = re.compile(r"[0-9](?:st|nd|rd|th)?\s+\Z")
_CAPITAL_AFTER = re.compile(r"\s+[^\W\d_]\w")
_LONGEST_DAY_BEFORE = 40


def change_dates() -> Rewriting:
    """Moves dates to other dates of the same form, within three years (in English). Not idempotent.

    The forms are "3 May 2021", "3rd of May", "May 3rd, 2021", "2021-05-03", "03/05/2021", "May 2021", a month behind a
    word such as "in" or "last", and the name of a weekday; a weekday before a date with a year becomes the right one.
    New dates exist; where day and month cannot be told apart, in both orders. The same date in one text gets the same
    new one. Left alone are "may", "march" and "sun" as words, years alone, holidays by their date ("July 4th") and
    named days ("Black Friday").
    """
    return Rewriting(called(change_dates), _moved)


def _moved(text: str, rng: random.Random) -> list[Edit]:
    found = _found(text)
    first: dict[str, tuple[re.Match[str], _Form]] = {}
    for match, form in found:
        first.setdefault(match[0], (match, form))
    new = {written: form.move(match, rng) for written, (match, form) in first.items()}
    return with_articles(text, [Edit(*match.span(), new[match[0]]) for match, _ in found])


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to write dates: where they stand, whether that is one in a text of a case, and what it becomes."""

    pattern: re.Pattern[str]
    accepts: Accepts
    move: Move


def _found(text: str) -> list[tuple[re.Match[str], _Form]]:
    """The dates in ``text``, in order and apart; a part of what has a longer form is not found as a shorter one."""
    case, taken = text_case(text), protected_spans(text)
    found: list[tuple[re.Match[str], _Form]] = []
    for form in _forms():
        matches = [match for match in form.pattern.finditer(text) if not overlaps(taken, *match.span())]
        taken = sorted([*taken, *(Span(*match.span()) for match in matches)], key=lambda span: span.start)
        found += [(match, form) for match in matches if form.accepts(match, case)]
    return sorted(found, key=lambda pair: pair[0].start())


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
        _form(rf"{weekday}(?P<plural>s)?", _is_weekday, date_moves.weekday_alone),
    )


def _form(pattern: str, accepts: Accepts, move: Move) -> _Form:
    return _Form(re.compile(_START + pattern + _END, re.IGNORECASE), accepts, move)


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
    if word_before(match.string, match.start()) not in _BEFORE_MONTH or _is_before_capital(match, case):
        return False
    is_word = case is TextCase.MIXED or match["month"].lower() in _UNCLEAR
    return not is_word or _is_name(match["month"], case)


def _is_weekday(match: re.Match[str], case: TextCase) -> bool:
    text, start = match.string, match.start()
    if word_before(text, start) in _BEFORE_NAMED_DAY or word_after(text, match.end()) in _AFTER_NAMED_DAY:
        return False
    if case is not TextCase.MIXED:
        return True
    return match[0][0].isupper() and not _is_before_capital(match, case) and not _is_behind_capital(text, start)


def _is_before_capital(match: re.Match[str], case: TextCase) -> bool:
    after = _CAPITAL_AFTER.match(match.string, match.end())
    return case is TextCase.MIXED and after is not None and after[0].strip()[0].isupper()


def _is_behind_capital(text: str, start: int) -> bool:
    """Whether a word with a capital, within a sentence, stands before ``start``: "on Ash Wednesday"."""
    before = span_before(text, start, PLAIN_WORD)
    return before is not None and text[before.start].isupper() and not starts_sentence(text, before.start)

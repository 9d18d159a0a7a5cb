"""Words written in another way that a reader takes for the same: other spellings, homophones, abbreviations (English).

Whole words are replaced, in the case in which they stand. A word with a capital within a sentence is taken for a name
and stays ("Pearl Harbor", "Black Friday"). URLs, e-mail addresses, @handles, #hashtags, `code` and markup stay, and all
preserve the label.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache, partial

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.casing import TextCase, starts_sentence, text_case
from pytest_trust.perturb.language.days import is_named_day
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, fold, substitution
from pytest_trust.perturb.lexicon import entries, words_of
from pytest_trust.perturb.parameters import called, require_rate

_STOPPED = re.compile(r"([\w.]+\.)\W*\Z")
_LOOK_BACK = 64

Spellings = PhraseMatcher[tuple[str, ...]]


def british_spelling() -> Rewriting:
    """American spellings become British ("color" becomes "colour", "organize" becomes "organise"). Idempotent.

    Words whose American spelling is right in Britain too, for another word ("program", "practice", "meter"), stay.
    """
    return Rewriting(called(british_spelling), partial(_respelt, _british, 1.0))


def american_spelling() -> Rewriting:
    """British spellings become American ("colour" becomes "color", "organise" becomes "organize"). Idempotent.

    Words whose British spelling is right in America too, or whose American spelling has two meanings ("metre",
    "programme", "cheque"), stay.
    """
    return Rewriting(called(american_spelling), partial(_respelt, _american, 1.0))


def abbreviate() -> Rewriting:
    """Abbreviates frequent words as in messages ("please" becomes "pls") and notes ("approx."). Idempotent."""
    return Rewriting(called(abbreviate), partial(_respelt, _abbreviations, 1.0))


def homophones(rate: float = 1.0) -> Rewriting:
    """Replaces words by others that sound the same ("their" by "there"), as in a hasty message. Not idempotent.

    Numbers, negations and names are never replaced, nor put in.

    Args:
        rate: the chance of each word that has a homophone, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    rate = require_rate(rate)
    return Rewriting(called(homophones, rate), partial(_respelt, _homophones, rate))


def _respelt(spellings: Callable[[], Spellings], rate: float, text: str, rng: random.Random) -> list[Edit]:
    """Other spellings; ``spellings`` reads the lists at first use."""
    case = text_case(text)
    found = spellings().find(text, lambda match: not match.value or not _is_name(text, match, case))
    chosen = [match for match in found if match.value and (rate == 1 or rng.random() < rate)]
    return [_edit(text, match, rng.choice(match.value), case) for match in chosen]


def _is_name(text: str, match: Match[tuple[str, ...]], case: TextCase) -> bool:
    """Whether the word at ``match`` is part of a name.

    It has a capital (and not all are) within a sentence. Of a word that always has one ("Sunday") the words beside it
    tell: "the Sunday Times", "Black Friday".
    """
    if match.phrase[0].isupper() and is_named_day(text, match.start, match.end, case):
        return True
    if not match.found[0].isupper() or match.found.isupper() or match.found == match.phrase:
        return False
    return case is TextCase.MIXED and not (
        _starts_sentence(text, match.start) and fold(match.found) not in words_of("name with a capital")
    )


def _starts_sentence(text: str, start: int) -> bool:
    """Whether the word at ``start`` is the first of its sentence; the full stop of an abbreviation ends none."""
    before = _STOPPED.search(text, max(0, start - _LOOK_BACK), start)
    return starts_sentence(text, start) and (before is None or before[1].lower() not in _stopped_abbreviations())


def _edit(text: str, match: Match[tuple[str, ...]], new: str, case: TextCase) -> Edit:
    """The edit; the full stop of an abbreviation is also that of the sentence."""
    stopped = new.endswith(".") and text.startswith(".", match.end)
    return substitution(text, match, new[:-1] if stopped else new, case)


@cache
def _british() -> Spellings:
    return PhraseMatcher(_kept() | {american: (british,) for british, american in entries("british_american")})


@cache
def _american() -> Spellings:
    return PhraseMatcher(_kept() | {british: (american,) for british, american in entries("british_american")})


def _kept() -> dict[str, tuple[str, ...]]:
    """Names that stay in any case."""
    return dict.fromkeys(("Labor Day", "Labour Party", "Labour MP", "Labour MPs", "Labour government"), ())


@cache
def _abbreviations() -> Spellings:
    return PhraseMatcher({words: (short,) for words, short in entries("abbreviations")})


@cache
def _stopped_abbreviations() -> frozenset[str]:
    """Those of the list of abbreviations that end with a full stop, in small letters."""
    return frozenset(short.lower() for _, short in entries("abbreviations") if short.endswith("."))


@cache
def _homophones() -> Spellings:
    groups = entries("homophones")
    return PhraseMatcher({word: tuple(other for other in group if other != word) for group in groups for word in group})

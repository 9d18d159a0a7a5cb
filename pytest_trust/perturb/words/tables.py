"""Replacement by a user's own table."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import text_case
from pytest_trust.perturb.language.phrases import PhraseMatcher, fold, substitution
from pytest_trust.perturb.parameters import called


def replace(
    table: Mapping[str, str | Sequence[str]], *, case_sensitive: bool = False, preserves_label: bool = True
) -> Rewriting:
    """Replaces words and phrases by those that ``table`` gives for them.

    Where several words are given one is drawn, the same for every occurrence of the phrase in one text. Whole words
    are matched, the longest phrase first; the new word takes the case of the old one, and an "a" or "an" before it is
    mended; URLs, e-mail addresses, @handles, #hashtags, `code` and markup stay as they are.

    Args:
        table: phrase -> its replacement, or a sequence of replacements to draw from.
        case_sensitive: match "Mark" but not "mark".
        preserves_label: False where the replacement is meant to change the class.

    Raises:
        ConfigurationError: the table is empty or no mapping, a phrase or replacement is no string or blank, two phrases
            are one in different case, or a phrase has no replacement but itself.
    """
    if not isinstance(table, Mapping) or not table:
        raise ConfigurationError(f"replace needs a non-empty mapping of phrases to replacements, found {table!r}")
    options = {_checked(phrase, "a phrase"): _replacements(phrase, given) for phrase, given in table.items()}
    _check_distinct(list(options), case_sensitive)
    matcher = PhraseMatcher(options, case_sensitive=case_sensitive)
    return Rewriting(
        called(replace, _summary(options), case_sensitive, preserves_label),
        partial(_replaced, matcher),
        preserves_label,
    )


def _checked(value: object, role: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError(f"{role} in the table of replace must be a str that is not blank, found {value!r}")
    return value


def _replacements(phrase: str, given: str | Sequence[str]) -> tuple[str, ...]:
    options = (given,) if isinstance(given, str) else given
    if not isinstance(options, Sequence):
        raise ConfigurationError(f"the replacement of {phrase!r} must be a str or a sequence of str, found {given!r}")
    role = f"the replacement of {phrase!r}"
    others = tuple(option for option in options if _checked(option, role) != phrase)
    if not others:
        raise ConfigurationError(f"{phrase!r} has no replacement but itself, found {given!r}")
    return others


def _check_distinct(phrases: list[str], case_sensitive: bool) -> None:
    seen: dict[str, str] = {}
    for phrase in phrases:
        other = seen.setdefault(phrase if case_sensitive else fold(phrase), phrase)
        if other != phrase:
            raise ConfigurationError(
                f"the table of replace has both {other!r} and {phrase!r}, which are one phrase without regard to case"
            )


def _summary(options: Mapping[str, tuple[str, ...]]) -> str:
    phrase, replacements = next(iter(options.items()))
    more = f", {len(options) - 1} more" if len(options) > 1 else ""
    return f"{phrase} -> {replacements[0]}{'|...' if len(replacements) > 1 else ''}{more}"


def _replaced(matcher: PhraseMatcher[tuple[str, ...]], text: str, rng: random.Random) -> list[Edit]:
    case = text_case(text)

    @cache
    def new(phrase: str, options: tuple[str, ...]) -> str:
        return rng.choice(options)

    found = matcher.find(text)
    return with_articles(text, [substitution(text, match, new(match.phrase, match.value), case) for match in found])

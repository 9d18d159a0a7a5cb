"""Nationalities replaced by others: adjectives and people."""

from __future__ import annotations

import random
from functools import cache

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, text_case
from pytest_trust.perturb.language.grammar import begins_noun_phrase, has_determiner, is_predicate, precedes_capital
from pytest_trust.perturb.language.names import Bearer, Entity, NameMatch, NameTable, others_for
from pytest_trust.perturb.language.neighbours import is_compound, word_after, word_before
from pytest_trust.perturb.language.phrases import fold, substitution
from pytest_trust.perturb.lexicon import column, entries, words_of
from pytest_trust.perturb.parameters import called

# The groups of the table, which are also the columns of the list.
_ADJECTIVE, _PEOPLE = 0, 1


def swap_nationalities() -> Rewriting:
    """Replaces adjectives of nationality and the people: "a German chef" by "an Indian chef", "Germans" by "Indians".

    Different ones of a text become different ones, which do not stand in it. Left alone are languages ("in German", "a
    French teacher"), names ("Turkish Airlines") and fixed phrases ("Dutch oven"). Not idempotent.
    """
    return Rewriting(called(swap_nationalities), _swapped)


def _swapped(text: str, rng: random.Random) -> list[Edit]:
    case, peoples = text_case(text), _peoples()
    found = _nationalities().find(text, case)
    new = others_for({bearer.entity: bearer.entity for _, bearer in found}, range(len(peoples)), rng)
    edits = [substitution(text, match, peoples[new[bearer.entity]][bearer.group], case) for match, bearer in found]
    return with_articles(text, edits)


@cache
def _peoples() -> list[Entity]:
    """Adjective and people of the nationalities that have both: they stand in for others."""
    return [row for row in entries("nationalities") if len(row) > 1]


@cache
def _nationalities() -> NameTable:
    """The adjectives, and the people with the same numbers."""
    adjectives = [(adjective,) for adjective in column("nationalities")]
    return NameTable([adjectives, [(row[_PEOPLE],) for row in _peoples()]], column("nationality_phrases"), _claims)


def _claims(match: NameMatch, text: str, case: TextCase) -> bool:
    """Whether the word at ``match`` is part of a name, or names a language."""
    if is_compound(text, match.start, match.end) or (case is TextCase.MIXED and precedes_capital(text, match.end)):
        return True
    before, after = word_before(text, match.start), word_after(text, match.end)
    if match.value is None or match.value.group == _PEOPLE:
        return before in _adjectives()
    if before in words_of("before a language") | _adjectives():
        return True
    if begins_noun_phrase(text, match.end):
        return after in words_of("after a language") or (before == "the" and after in words_of("bare verb"))
    return not (_names_person(match.value, text, match.start) or is_predicate(text, match.start))


@cache
def _adjectives() -> frozenset[str]:
    """The adjectives in small letters: before another they make a compound ("Mexican Americans")."""
    return frozenset(map(fold, column("nationalities")))


def _names_person(bearer: Bearer, text: str, start: int) -> bool:
    """As in "a young German"."""
    return bearer.entity < len(_peoples()) and has_determiner(text, start)

"""Names of people and places, replaced by others of their kind.

What is found more than once in a text gets the same new name throughout; different names get different new names, none
of which stood in the text. The rules that tell a name from a word are in :mod:`pytest_trust.perturb.language.names`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import text_case
from pytest_trust.perturb.language.name_parts import is_in_name_with_first_name, is_in_name_with_place
from pytest_trust.perturb.language.names import Group, NameTable, longer_names
from pytest_trust.perturb.language.phrases import substitution
from pytest_trust.perturb.lexicon import column, entries
from pytest_trust.perturb.parameters import called, excerpt


def swap(*groups: Sequence[str], name: str | None = None) -> Rewriting:
    """Replaces each of the user's names by another of its group.

    A name that is also a common English word is replaced only where it stands capitalised within a sentence: with
    ``swap(["Do", "Kim", "Linh"])`` the question "Do you go?" stays, and "Ask Do." changes.

    An "a" or "an" before a name is mended.

    Args:
        groups: names of one kind each, written as in a sentence.
        name: what summaries call the perturbation; by default the names stand in it: ``swap(Anna|Bob)``.

    Raises:
        ConfigurationError: there is no group, a group has fewer than two names, or a name is no string, blank or
            given twice.
    """
    if not groups:
        raise ConfigurationError("swap needs at least one group of names, found none")
    table = NameTable([_checked(group) for group in groups])
    summary = excerpt(", ".join("|".join(group) for group in groups))
    return Rewriting(called(swap, summary) if name is None else name, partial(_swapped, table))


def swap_locations() -> Rewriting:
    """Replaces cities by other cities and countries by other countries, and mends "a" or "an" before (in English).

    A place that is part of a longer name stays ("Jack London", "USA Today", "Lake Geneva"), and so does one beside
    another capitalised word that is no place: of headlines in title case many stay whole.
    """
    return Rewriting(called(swap_locations), _other_locations)


def swap_names() -> Rewriting:
    """Replaces first names of men by those of other men, and of women by those of other women (lists of the USA).

    Names that both bear, and those that are as often a family name, a place or a month ("Kelly", "Jordan", "April"),
    are not in the lists. Parts of longer names stay ("Big Ben", "Alexander the Great", "Ben & Jerry's").
    """
    return Rewriting(called(swap_names), _other_names)


def _other_locations(text: str, rng: random.Random) -> list[Edit]:
    return _swapped(_locations(), text, rng)


def _other_names(text: str, rng: random.Random) -> list[Edit]:
    return _swapped(_first_names(), text, rng)


def _swapped(table: NameTable, text: str, rng: random.Random) -> list[Edit]:
    case = text_case(text)
    found = table.find(text, case)
    names = table.draw([bearer for _, bearer in found], rng)
    return with_articles(text, [substitution(text, match, names[bearer], case) for match, bearer in found])


def _checked(group: Sequence[str]) -> Group:
    if isinstance(group, str) or not isinstance(group, Sequence) or len(group) < 2:
        raise ConfigurationError(f"a group of swap must be a sequence of at least two names, found {group!r}")
    for name in group:
        if not isinstance(name, str) or not name.strip():
            raise ConfigurationError(f"a name in a group of swap must be a str that is not blank, found {name!r}")
    return [(name,) for name in group]


@cache
def _locations() -> NameTable:
    return NameTable([entries("cities"), entries("countries")], column("kept_phrases"), is_in_name_with_place)


@cache
def _first_names() -> NameTable:
    return NameTable([entries("male_names"), entries("female_names")], longer_names(), is_in_name_with_first_name)

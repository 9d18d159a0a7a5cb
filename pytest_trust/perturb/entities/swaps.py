"""Names of people and places, replaced by others of their kind.

What is found more than once in a text gets the same new name throughout; different names get different new names, none
of which stood in the text. The rules that tell a name from a word are in :mod:`pytest_trust.perturb.language.names`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.language.casing import text_case
from pytest_trust.perturb.language.names import Context, Group, NameTable
from pytest_trust.perturb.language.phrases import substitution
from pytest_trust.perturb.lexicon import common_words, entries


def swap(*groups: Sequence[str], name: str = "swap") -> Swap:
    """Replaces each of the user's names by another of its group.

    A name that is also a common English word is replaced only where it stands capitalised within a sentence: with
    ``swap(["Do", "Kim", "Linh"])`` the question "Do you go?" stays, and "Ask Do." changes.

    Args:
        groups: names of one kind each, written as in a sentence.
        name: what summaries call the perturbation.

    Raises:
        ConfigurationError: there is no group, a group has fewer than two names, or a name is no string, blank or
            given twice.
    """
    if not groups:
        raise ConfigurationError("swap needs at least one group of names, found none")
    table = NameTable([_checked(group) for group in groups])
    return Swap(name=name, source=partial(_given, table))


def swap_locations() -> Swap:
    """Replaces cities by other cities and countries by other countries (in English)."""
    return Swap(name="swap_locations", source=_locations)


def swap_names() -> Swap:
    """Replaces first names of men by those of other men, and of women by those of other women (lists of the USA).

    Names that both bear, and those that are as often a family name, a place or a month ("Kelly", "Jordan", "April"),
    are not in the lists.
    """
    return Swap(name="swap_names", source=_first_names)


@dataclass(frozen=True, slots=True, repr=False)
class Swap(Named):
    """What the functions of this module make; ``source`` reads the lists at first use."""

    name: str
    source: Callable[[], NameTable]
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with its names replaced."""
        case, table = text_case(text), self.source()
        found = table.find(text, case)
        names = table.draw([spelling for _, spelling in found], rng)
        return edited(text, [substitution(text, match, names[spelling], case) for match, spelling in found])


def _checked(group: Sequence[str]) -> Group:
    if isinstance(group, str) or not isinstance(group, Sequence) or len(group) < 2:
        raise ConfigurationError(f"a group of swap must be a sequence of at least two names, found {group!r}")
    for name in group:
        if not isinstance(name, str) or not name.strip():
            raise ConfigurationError(f"a name in a group of swap must be a str that is not blank, found {name!r}")
    return [(name,) for name in group]


def _given(table: NameTable) -> NameTable:
    return table


@cache
def _locations() -> NameTable:
    kept = [phrase for (phrase,) in entries("kept_phrases")]
    return NameTable([entries("cities"), entries("countries")], kept, Context(after=clear_first_names()))


@cache
def _first_names() -> NameTable:
    titles = frozenset(title for (title,) in entries("titles"))
    context = Context(after=clear_first_names() | titles, before_number=True)
    return NameTable([entries("male_names"), entries("female_names")], longer_names(), context)


def longer_names() -> list[str]:
    """Places and phrases of several words, which may hold a name."""
    places = [spelling for place in (*entries("cities"), *entries("countries")) for spelling in place]
    return [phrase for phrase in (*places, *(phrase for (phrase,) in entries("kept_phrases"))) if " " in phrase]


def clear_first_names() -> frozenset[str]:
    """First names that are no common words, in small letters."""
    return frozenset(name.lower() for (name,) in (*entries("male_names"), *entries("female_names"))) - common_words()

"""Names and countries of one group, replaced by those of another."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from pytest_trust.arguments import require_choice
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, text_case
from pytest_trust.perturb.language.name_parts import is_in_name_with_first_name, is_in_name_with_place
from pytest_trust.perturb.language.names import (
    Bearer,
    Claims,
    Entity,
    NameMatch,
    NameTable,
    first_names,
    longer_names,
    others_for,
    reads_anywhere,
)
from pytest_trust.perturb.language.neighbours import abbreviation_before, word_before
from pytest_trust.perturb.language.phrases import fold, substitution
from pytest_trust.perturb.lexicon import common_words, entries, words_of
from pytest_trust.perturb.parameters import called

NAME_GROUPS = (
    "african_american", "arabic", "chinese", "english", "french", "german", "hispanic", "indian", "italian", "japanese",
    "nigerian",
)  # fmt: skip
"""The groups of :func:`swap_group_names`, by the origin of the names."""

Kind = tuple[str, str]
"""A group, and what of it: names of men, of women, last names, countries."""

Targets = Callable[[Sequence[str], random.Random], Mapping[str, str]]
"""The groups found in a text, and a generator -> for each of them the group that takes its place."""


def swap_group_names(to: str | None = None) -> Rewriting:
    """Replaces first and last names that belong clearly to one group by names of another.

    "Emily Baker" becomes, for instance, "Lakisha Gaines". First names keep the gender. All names of a text become names
    of one group, each the same throughout. Names that are also common words follow the rules of ``swap_names``; a last
    name that is also a common word or a place changes only behind a first name or a title ("Mr. Baker"). Idempotent
    where ``to`` is given.

    Args:
        to: the group of the new names, one of ``NAME_GROUPS``; by default one is drawn for each text among those that
            it holds no name of.

    Raises:
        ConfigurationError: ``to`` is no group.
    """
    if to is not None:
        require_choice("to", to, NAME_GROUPS)
    return Rewriting(called(swap_group_names, to), partial(_other_group_names, to))


def swap_countries(to: str | None = None) -> Rewriting:
    """Replaces countries by countries of another income level (World Bank, July 2022).

    Idempotent where ``to`` is given.

    Args:
        to: "high" replaces every country that is not a high-income one by one that is, "low" every country that is
            not a low-income one by one that is. By default high-income countries become low-income ones, and all others
            high-income ones.

    Raises:
        ConfigurationError: ``to`` is something else.
    """
    if to is not None:
        require_choice("to", to, ("high", "low"))
    return Rewriting(called(swap_countries, to), partial(_other_countries, to))


@dataclass(frozen=True, slots=True)
class Grouped:
    """Names in a table, the kind of each of its groups, and for each kind the names that stand in for others."""

    table: NameTable
    kinds: tuple[Kind, ...]
    stand_ins: Mapping[Kind, Sequence[str]]


def _other_group_names(to: str | None, text: str, rng: random.Random) -> list[Edit]:
    return _swapped(_group_names(), partial(_one_group, to), text, rng)


def _other_countries(to: str | None, text: str, rng: random.Random) -> list[Edit]:
    return _swapped(_countries(), partial(_levels, to), text, rng)


def _one_group(to: str | None, groups: Sequence[str], rng: random.Random) -> dict[str, str]:
    """All names become names of one group."""
    others = [group for group in NAME_GROUPS if group not in groups]
    target = to or rng.choice(others or NAME_GROUPS)
    return dict.fromkeys(groups, target)


def _levels(to: str | None, levels: Sequence[str], rng: random.Random) -> dict[str, str]:
    return {level: to or ("low" if level == "high" else "high") for level in levels}


def _swapped(grouped: Grouped, targets: Targets, text: str, rng: random.Random) -> list[Edit]:
    case = text_case(text)
    found = grouped.table.find(text, case)
    groups = list(dict.fromkeys(grouped.kinds[bearer.group][0] for _, bearer in found))
    if not groups:
        return []
    names = _drawn(grouped, [bearer for _, bearer in found], targets(groups, rng), rng)
    edits = [substitution(text, match, names[bearer], case) for match, bearer in found if bearer in names]
    return with_articles(text, edits)


def _drawn(
    grouped: Grouped, found: Sequence[Bearer], targets: Mapping[str, str], rng: random.Random
) -> dict[Bearer, str]:
    """A new name for each that is not of its target already."""
    own = {bearer: grouped.table.name_of(bearer) for bearer in found}
    by_kind: dict[Kind, dict[Bearer, str]] = {}
    for bearer, name in own.items():
        group, kind = grouped.kinds[bearer.group]
        if targets[group] != group:
            by_kind.setdefault((targets[group], kind), {})[bearer] = name
    drawn: dict[Bearer, str] = {}
    for wanted, names in by_kind.items():
        drawn |= others_for(names, grouped.stand_ins[wanted], rng, taken=own.values())
    return drawn


def _grouped(names: Mapping[Kind, list[Entity]], claims: Claims) -> Grouped:
    stand_ins = {kind: [name for name, *_ in found if reads_anywhere(name)] for kind, found in names.items()}
    return Grouped(NameTable(list(names.values()), longer_names(), claims), tuple(names), stand_ins)


@cache
def _group_names() -> Grouped:
    names: dict[Kind, list[Entity]] = {}
    for group, kind, *spellings in entries("group_names"):
        names.setdefault((group, kind), []).append(tuple(spellings))
    lasts = frozenset(number for number, (_, kind) in enumerate(names) if kind == "last")
    return _grouped(names, _name_claims(lasts))


def _name_claims(last_names: frozenset[int]) -> Claims:
    """Claims of first names, as those of ``swap_names``, and of the groups of ``last_names``."""
    of_last_name = partial(_is_no_last_name, first_names() | words_of("title of a person"))

    def claims(match: NameMatch, text: str, case: TextCase) -> bool:
        is_last_name = match.value is not None and match.value.group in last_names
        return (of_last_name if is_last_name else is_in_name_with_first_name)(match, text, case)

    return claims


def _is_no_last_name(before_last: frozenset[str], match: NameMatch, text: str, case: TextCase) -> bool:
    """Whether a word or a place that is also a last name stands behind no first name or title."""
    before = word_before(text, match.start) or abbreviation_before(text, match.start)
    return fold(match.phrase) in _doubtful() and before not in before_last


@cache
def _doubtful() -> frozenset[str]:
    """Common words, and places."""
    places = (spelling for file in ("cities", "countries") for place in entries(file) for spelling in place)
    return common_words().union(map(fold, places))


@cache
def _countries() -> Grouped:
    level_of = {row[0]: row[1] for row in entries("country_incomes")}
    names: dict[Kind, list[Entity]] = {}
    for spellings in entries("countries"):
        if spellings[0] in level_of:
            names.setdefault((level_of[spellings[0]], "country"), []).append(spellings)
    return _grouped(names, is_in_name_with_place)

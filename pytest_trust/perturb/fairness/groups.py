"""Names, countries and nationalities of one group, replaced by those of another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from pytest_trust.arguments import require_choice
from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.entities.swaps import clear_first_names, longer_names
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, text_case
from pytest_trust.perturb.language.grammar import (
    begins_noun_phrase,
    has_determiner,
    is_predicate,
    precedes_capital,
)
from pytest_trust.perturb.language.names import Context, Entity, NameTable, Spelling
from pytest_trust.perturb.language.neighbours import is_compound, word_after, word_before
from pytest_trust.perturb.language.phrases import Match, fold, substitution
from pytest_trust.perturb.lexicon import common_words, entries, words_of

NAME_GROUPS = (
    "african_american", "arabic", "chinese", "english", "french", "german", "hispanic", "indian", "italian", "japanese",
    "nigerian",
)  # fmt: skip
"""The groups of :func:`swap_group_names`, by the origin of the names."""

_ADJECTIVE, _PEOPLE = 0, 1

Targets = Callable[[Sequence[str], random.Random], Mapping[str, str]]
"""The groups found in a text, and a generator -> for each of them the group that takes its place."""


def swap_group_names(to: str | None = None) -> GroupSwap:
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
    name = "swap_group_names" if to is None else f"swap_group_names({to})"
    return GroupSwap(name=name, source=_group_names, targets=partial(_one_group, to))


def swap_countries(income: str | None = None) -> GroupSwap:
    """Replaces countries by countries of another income level (World Bank, July 2022).

    Idempotent where ``income`` is given.

    Args:
        income: "high" replaces every country that is not a high-income one by one that is, "low" every country that is
            not a low-income one by one that is. By default high-income countries become low-income ones, and all others
            high-income ones.

    Raises:
        ConfigurationError: ``income`` is something else.
    """
    if income is not None:
        require_choice("income", income, ("high", "low"))
    name = "swap_countries" if income is None else f"swap_countries({income})"
    return GroupSwap(name=name, source=_countries, targets=partial(_levels, income))


def swap_nationalities() -> NationalitySwap:
    """Replaces adjectives of nationality and the people: "a German chef" by "an Indian chef", "Germans" by "Indians".

    Different ones of a text become different ones, which do not stand in it. Left alone are languages ("in German", "a
    French teacher"), names ("Turkish Airlines") and fixed phrases ("Dutch oven"). Not idempotent.
    """
    return NationalitySwap()


@dataclass(frozen=True, slots=True)
class Grouped:
    """Names in a table, and for each of its groups what it holds: group and kind."""

    table: NameTable
    keys: tuple[tuple[str, str], ...]
    stand_ins: Mapping[tuple[str, str], Sequence[str]]


@dataclass(frozen=True, slots=True, repr=False)
class GroupSwap(Named):
    """What :func:`swap_group_names` and :func:`swap_countries` make; ``source`` reads the lists at first use."""

    name: str
    source: Callable[[], Grouped]
    targets: Targets
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with its names replaced."""
        case, grouped = text_case(text), self.source()
        found = grouped.table.find(text, case)
        if not found:
            return Perturbed(text, ())
        groups = list(dict.fromkeys(grouped.keys[spelling.group][0] for _, spelling in found))
        names = _drawn(grouped, found, self.targets(groups, rng), rng)
        edits = [
            substitution(text, match, names[spelling.group, spelling.entity], case)
            for match, spelling in found
            if (spelling.group, spelling.entity) in names
        ]
        return edited(text, with_articles(text, edits))


def _drawn(
    grouped: Grouped,
    found: Sequence[tuple[Match[Spelling | None], Spelling]],
    targets: Mapping[str, str],
    rng: random.Random,
) -> dict[tuple[int, int], str]:
    """A new name for each that is not of its target already, by the numbers of its group and entity."""
    present = {fold(match.found) for match, _ in found}
    pools: dict[tuple[str, str], list[str]] = {}
    drawn: dict[tuple[int, int], str] = {}
    for number, entity in dict.fromkeys((spelling.group, spelling.entity) for _, spelling in found):
        group, kind = grouped.keys[number]
        key = targets[group], kind
        if group == key[0]:
            continue
        if not pools.get(key):  # at first, and where a text holds more names than there are to draw from
            pools[key] = [name for name in grouped.stand_ins[key] if fold(name) not in present]
            rng.shuffle(pools[key])
        drawn[number, entity] = pools[key].pop()
    return drawn


def _one_group(to: str | None, groups: Sequence[str], rng: random.Random) -> dict[str, str]:
    """All names become names of one group."""
    others = [group for group in NAME_GROUPS if group not in groups]
    target = to or rng.choice(others or NAME_GROUPS)
    return dict.fromkeys(groups, target)


def _levels(income: str | None, levels: Sequence[str], rng: random.Random) -> dict[str, str]:
    return {level: income or ("low" if level == "high" else "high") for level in levels}


def _grouped(names: Mapping[tuple[str, str], list[Entity]], kept: Iterable[str], context: Context) -> Grouped:
    stand_ins = {key: _plain([name for name, *_ in entities]) for key, entities in names.items()}
    return Grouped(NameTable(list(names.values()), kept, context), tuple(names), stand_ins)


def _plain(names: Sequence[str]) -> list[str]:
    """The names that read well in any place."""
    return [name for name in names if fold(name) not in common_words() and not name.startswith("the ")]


@cache
def _group_names() -> Grouped:
    names: dict[tuple[str, str], list[Entity]] = {}
    for group, kind, *spellings in entries("group_names"):
        names.setdefault((group, kind), []).append(tuple(spellings))
    lasts = frozenset(number for number, (_, kind) in enumerate(names) if kind == "last")
    firsts = {fold(name) for (_, kind), found in names.items() if kind != "last" for entity in found for name in entity}
    return _grouped(names, longer_names(), _group_context(lasts, frozenset(firsts)))


def _group_context(last_names: frozenset[int], first_names: frozenset[str]) -> GroupContext:
    titles = frozenset(title for (title,) in entries("titles"))
    places = frozenset(
        fold(spelling) for file in ("cities", "countries") for place in entries(file) for spelling in place
    )
    return GroupContext(
        after=clear_first_names() | (first_names - common_words()) | titles,
        before_number=True,
        last_names=last_names,
        first_names=clear_first_names() | first_names | words_of("title of a person"),
        doubtful=common_words() | places,
    )


@dataclass(frozen=True, slots=True)
class GroupContext(Context):
    """Where a first name is part of another name, and where a doubtful last name is none."""

    last_names: frozenset[int] = frozenset()
    first_names: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()

    def claims(self, match: Match[Spelling | None], text: str, case: TextCase) -> bool:
        """Whether the name at ``match`` is part of something else, or a word."""
        if match.value is None or match.value.group not in self.last_names:
            return Context.claims(self, match, text, case)
        before = word_before(text, match.start) or _abbreviation_before(text, match.start)
        return fold(match.phrase) in self.doubtful and before not in self.first_names


def _abbreviation_before(text: str, start: int) -> str:
    """The word before ``start`` with its full stop taken off: "mr"."""
    stem = text[max(0, start - 8) : start].rstrip()
    return word_before(f"{stem[:-1]} ", len(stem)) if stem.endswith(".") else ""


@cache
def _countries() -> Grouped:
    level_of = {row[0]: row[1] for row in entries("country_incomes")}
    names: dict[tuple[str, str], list[Entity]] = {}
    for spellings in entries("countries"):
        if spellings[0] in level_of:
            names.setdefault((level_of[spellings[0]], "country"), []).append(spellings)
    return _grouped(names, longer_names(), Context(after=clear_first_names()))


@dataclass(frozen=True, slots=True, repr=False)
class NationalitySwap(Named):
    """What :func:`swap_nationalities` makes."""

    name: str = "swap_nationalities"
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with its nationalities replaced."""
        case = text_case(text)
        found = _nationalities().find(text, case)
        old = list(dict.fromkeys(spelling.entity for _, spelling in found))
        unused = [number for number, _ in enumerate(_peoples()) if number not in old]
        new = dict(zip(old, rng.sample(unused, len(old)), strict=True)) if len(old) <= len(unused) else {}
        edits = [
            substitution(text, match, _peoples()[new[spelling.entity]][spelling.group], case)
            for match, spelling in found
            if new
        ]
        return edited(text, with_articles(text, edits))


@cache
def _peoples() -> list[Entity]:
    """Adjective and people of the nationalities that have both: they stand in for others."""
    return [row for row in entries("nationalities") if len(row) > 1]


@cache
def _nationalities() -> NameTable:
    """The adjectives, and the people with the same numbers."""
    adjectives = [(row[_ADJECTIVE],) for row in entries("nationalities")]
    kept = [phrase for (phrase,) in entries("nationality_phrases")]
    return NameTable([adjectives, [(row[_PEOPLE],) for row in _peoples()]], kept, NationalityContext())


@dataclass(frozen=True, slots=True)
class NationalityContext(Context):
    """Where the adjective of a nationality is part of a name, or names a language."""

    def claims(self, match: Match[Spelling | None], text: str, case: TextCase) -> bool:
        """Whether the word at ``match`` is no nationality."""
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
    return frozenset(fold(row[_ADJECTIVE]) for row in entries("nationalities"))


def _names_person(spelling: Spelling, text: str, start: int) -> bool:
    """As in "a young German"."""
    return spelling.entity < len(_peoples()) and has_determiner(text, start)

"""Tables of names, and what tells a name from a word that is spelled like it.

- In a text with capitals and small letters a name is taken as it is written in the list ("New York", at the start of a
  sentence also "The United States") or all in capitals ("NEW YORK"), never in small letters.
- A name that is also a common English word ("Will", "China", "Do") is taken only as it is written in the list, and only
  within a sentence: at its start the capital tells nothing.
- In a text all in small letters, or all in capitals, common words are left alone and the other names are taken.
- A phrase that holds a name and means something else ("New Mexico", "Bank of England") stays, and so does a part of a
  longer name: "George Washington", "St. John", "King James", "John 3:16".
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.language.casing import TextCase, capitalised, starts_sentence
from pytest_trust.perturb.language.neighbours import written_before
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, fold
from pytest_trust.perturb.lexicon import column, common_words, entries, members, words_of

Entity = tuple[str, ...]
"""The spellings of one person or place; the first stands in for others."""

Group = Sequence[Entity]
"""Entities of one kind, which may stand in for each other."""

Key = TypeVar("Key")
Value = TypeVar("Value")

_WORD_OR_ABBREVIATION = r"\w+\.?"
_NUMBER_AFTER = re.compile(r"\s+\d")


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who or what bears a name: an entity of a group, by their numbers in the table."""

    group: int
    entity: int


NameMatch = Match[Bearer | None]

Claims = Callable[[NameMatch, str, TextCase], bool]
"""Whether the name at a match in a text of a case is part of something else, or no name."""


def is_part_of_name(after: frozenset[str], before_number: bool, match: NameMatch, text: str, case: TextCase) -> bool:
    """Whether a word of ``after`` stands before the name at ``match``, or behind it a number where that counts."""
    if before_number and _NUMBER_AFTER.match(text, match.end):
        return True
    before = written_before(text, match.start, _WORD_OR_ABBREVIATION)
    return before.casefold() in after and (case is not TextCase.MIXED or before[0].isupper())


class NameTable:
    """Groups of names, ready to be found in texts and replaced.

    Args:
        groups: the names.
        kept: phrases that stay as they are, in any case.
        claims: what makes a name a part of something else; by default nothing does.

    Raises:
        ConfigurationError: a spelling is there twice.
    """

    def __init__(self, groups: Sequence[Group], kept: Iterable[str] = (), claims: Claims | None = None) -> None:
        self._groups = groups
        self._stand_ins = [_stand_ins(group) for group in groups]
        self._claims = claims
        bearers = _bearers(groups)
        self._common = frozenset(spelling for spelling in bearers if fold(spelling) in common_words())
        phrases: dict[str, Bearer | None] = dict.fromkeys(kept)
        self._matcher = PhraseMatcher(phrases | bearers)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NameTable)
            and (self._groups, self._claims) == (other._groups, other._claims)
            and self._matcher == other._matcher
        )

    def find(self, text: str, case: TextCase) -> list[tuple[NameMatch, Bearer]]:
        """The names in ``text``, which is of ``case``, in order."""

        def accept(match: NameMatch) -> bool:
            if match.value is None:
                return True
            claims = self._claims
            return self._is_written_as_name(match, text, case) and not (claims and claims(match, text, case))

        matches = self._matcher.find(text, accept)
        return [(match, match.value) for match in matches if match.value is not None]

    def name_of(self, bearer: Bearer) -> str:
        """The name of ``bearer`` that stands in for others."""
        return self._groups[bearer.group][bearer.entity][0]

    def draw(self, found: Sequence[Bearer], rng: random.Random) -> dict[Bearer, str]:
        """A new name for each of ``found``, of its group and never its own; all different, where there are enough."""
        drawn: dict[Bearer, str] = {}
        for number, (group, stand_ins) in enumerate(zip(self._groups, self._stand_ins, strict=True)):
            own = {bearer: bearer.entity for bearer in found if bearer.group == number}
            new = others_for(own, stand_ins, rng)
            drawn.update((bearer, group[entity][0]) for bearer, entity in new.items())
        return drawn

    def _is_written_as_name(self, match: NameMatch, text: str, case: TextCase) -> bool:
        is_common = match.phrase in self._common
        if case is not TextCase.MIXED:
            return not is_common
        if is_common:
            return match.found == match.phrase and not starts_sentence(text, match.start)
        return match.found in (match.phrase, capitalised(match.phrase), match.phrase.upper())


def others_for(
    own: Mapping[Key, Value], stand_ins: Sequence[Value], rng: random.Random, taken: Iterable[Value] = ()
) -> dict[Key, Value]:
    """For each key of ``own`` another of ``stand_ins``: all different, none its own or another's or ``taken``.

    Where fewer than that are left, each gets any but its own, and two may get the same.
    """
    used = {*own.values(), *taken}
    unused = [one for one in stand_ins if one not in used]
    if len(unused) >= len(own):
        return dict(zip(own, rng.sample(unused, len(own)), strict=True))
    return {key: rng.choice([one for one in stand_ins if one != value]) for key, value in own.items()}


def reads_anywhere(name: str) -> bool:
    """Whether ``name`` reads well in any place: it is no common word, and has no article."""
    return fold(name) not in common_words() and not name.startswith("the ")


@cache
def longer_names() -> tuple[str, ...]:
    """Places and phrases of several words, which may hold a name."""
    places = (spelling for place in (*entries("cities"), *entries("countries")) for spelling in place)
    return tuple(phrase for phrase in (*places, *column("kept_phrases")) if " " in phrase)


@cache
def first_names() -> frozenset[str]:
    """First names of all lists that are no function words, in small letters."""
    of_groups = {name for _, kind, *names in entries("group_names") if kind != "last" for name in names}
    names = members("male_names") | members("female_names") | of_groups
    return frozenset(map(str.lower, names)) - words_of("function word")


@cache
def clear_first_names() -> frozenset[str]:
    """Those of them that are no common words."""
    return first_names() - common_words()


def _bearers(groups: Sequence[Group]) -> dict[str, Bearer]:
    bearers: dict[str, Bearer] = {}
    seen: dict[str, str] = {}
    for bearer, spelling in _numbered(groups):
        other = seen.setdefault(fold(spelling), spelling)
        if spelling in bearers or other != spelling:
            raise ConfigurationError(f"the names {other!r} and {spelling!r} are the same name, given twice")
        bearers[spelling] = bearer
    return bearers


def _numbered(groups: Sequence[Group]) -> Iterator[tuple[Bearer, str]]:
    for number, group in enumerate(groups):
        for index, entity in enumerate(group):
            yield from ((Bearer(number, index), spelling) for spelling in entity)


def _stand_ins(group: Group) -> list[int]:
    """The entities that read well in any place; all of them where fewer than two do."""
    plain = [index for index, (name, *_) in enumerate(group) if reads_anywhere(name)]
    return plain if len(plain) > 1 else list(range(len(group)))

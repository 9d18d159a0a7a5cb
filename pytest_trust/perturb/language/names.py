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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.language.casing import TextCase, capitalised, starts_sentence
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, fold
from pytest_trust.perturb.lexicon import common_words

Entity = tuple[str, ...]
"""The spellings of one person or place; the first stands in for others."""

Group = Sequence[Entity]
"""Entities of one kind, which may stand in for each other."""

_WORD_BEFORE = re.compile(r"(\w+\.?)\s+\Z")
_LONGEST_WORD_BEFORE = 40
_NUMBER_AFTER = re.compile(r"\s+\d")
_TITLE_BEFORE = re.compile(r"(?<!\w)(?:Mr|Mrs|Ms|Dr|Prof)\.\s+\Z")


@dataclass(frozen=True, slots=True)
class Spelling:
    """One spelling of an entity, by numbers; ``common`` where a common word is spelled so too."""

    group: int
    entity: int
    common: bool


@dataclass(frozen=True, slots=True)
class Context:
    """What around a name makes it a part of something else: a word before it, or a number after it."""

    after: frozenset[str] = frozenset()
    before_number: bool = False

    def claims(self, match: Match[Spelling | None], text: str, case: TextCase) -> bool:
        """Whether the name at ``match`` is part of something else."""
        if self.before_number and _NUMBER_AFTER.match(text, match.end):
            return True
        before = _WORD_BEFORE.search(text[max(0, match.start - _LONGEST_WORD_BEFORE) : match.start])
        if before is None or before[1].casefold() not in self.after:
            return False
        return case is not TextCase.MIXED or before[1][0].isupper()


class NameTable:
    """Groups of names, ready to be found in texts and replaced.

    Args:
        groups: the names.
        kept: phrases that stay as they are, in any case.
        context: what makes a name a part of something else.

    Raises:
        ConfigurationError: a spelling is there twice.
    """

    def __init__(self, groups: Sequence[Group], kept: Iterable[str] = (), context: Context | None = None) -> None:
        self._groups = groups
        self._stand_ins = [_stand_ins(group) for group in groups]
        self._context = context or Context()
        phrases: dict[str, Spelling | None] = dict.fromkeys(kept)
        phrases.update(_spellings(groups))
        self._matcher = PhraseMatcher(phrases)

    def find(self, text: str, case: TextCase) -> list[tuple[Match[Spelling | None], Spelling]]:
        """The names in ``text``, which is of ``case``, in order."""

        def accept(match: Match[Spelling | None]) -> bool:
            spelling = match.value
            if spelling is None:
                return True
            return _is_written_as_name(match, spelling, text, case) and not self._context.claims(match, text, case)

        matches = self._matcher.find(text, accept)
        return [(match, match.value) for match in matches if match.value is not None]

    def draw(self, found: Sequence[Spelling], rng: random.Random) -> dict[Spelling, str]:
        """A new name for each of ``found``: one for all spellings of an entity, and never its own."""
        drawn: dict[tuple[int, int], str] = {}
        for number, (group, stand_ins) in enumerate(zip(self._groups, self._stand_ins, strict=True)):
            entities = list(dict.fromkeys(spelling.entity for spelling in found if spelling.group == number))
            if not entities:
                continue
            for old, new in zip(entities, _others(entities, stand_ins, rng), strict=True):
                drawn[number, old] = group[new][0]
        return {spelling: drawn[spelling.group, spelling.entity] for spelling in found}


def _spellings(groups: Sequence[Group]) -> dict[str, Spelling]:
    spellings: dict[str, Spelling] = {}
    seen: dict[str, str] = {}
    for group, entity, spelling in _numbered(groups):
        folded = fold(spelling)
        if folded in seen:
            raise ConfigurationError(f"the names {seen[folded]!r} and {spelling!r} are the same name, given twice")
        seen[folded] = spelling
        spellings[spelling] = Spelling(group, entity, folded in common_words())
    return spellings


def _numbered(groups: Sequence[Group]) -> Iterator[tuple[int, int, str]]:
    for number, group in enumerate(groups):
        for index, entity in enumerate(group):
            yield from ((number, index, spelling) for spelling in entity)


def _stand_ins(group: Group) -> list[int]:
    """The entities that read well in any place: no common word, no article; all of them where fewer than two do."""
    plain = [index for index, (name, *_) in enumerate(group) if fold(name) not in common_words() and name[:4] != "the "]
    return plain if len(plain) > 1 else list(range(len(group)))


def _is_written_as_name(match: Match[Spelling | None], spelling: Spelling, text: str, case: TextCase) -> bool:
    if case is not TextCase.MIXED:
        return not spelling.common
    if spelling.common:
        return match.found == match.phrase and _stands_within_sentence(text, match.start)
    return match.found in (match.phrase, capitalised(match.phrase), match.phrase.upper())


def _stands_within_sentence(text: str, start: int) -> bool:
    """Whether a capital at ``start`` tells a name; the full stop of a title ends no sentence."""
    before = text[max(0, start - _LONGEST_WORD_BEFORE) : start]
    return _TITLE_BEFORE.search(before) is not None or not starts_sentence(text, start)


def _others(entities: Sequence[int], stand_ins: Sequence[int], rng: random.Random) -> list[int]:
    """For each of ``entities`` another: all different, none of them in the text, where there are enough."""
    found = set(entities)
    unused = [index for index in stand_ins if index not in found]
    if len(unused) >= len(entities):
        return rng.sample(unused, len(entities))
    return [rng.choice([index for index in stand_ins if index != entity]) for entity in entities]

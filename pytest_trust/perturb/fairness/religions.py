"""Religions, and what goes with them: believers, adjectives, places, books and leaders of worship."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, starts_sentence, text_case
from pytest_trust.perturb.language.grammar import (
    begins_noun_phrase,
    begins_verb,
    has_determiner,
    is_predicate,
    precedes_capital,
)
from pytest_trust.perturb.language.names import others_for
from pytest_trust.perturb.language.neighbours import PIECE, is_compound, word_after, word_before, written_before
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, substitution
from pytest_trust.perturb.lexicon import common_words, entries, words_of
from pytest_trust.perturb.parameters import called


@dataclass(frozen=True, slots=True)
class Role:
    """What a word is in a religion: its believer, its place of worship, ...; a branch is of one family with others."""

    family: str
    branch: str
    part: str


Found = tuple[Match[tuple[Role, ...]], Role]


def swap_religions() -> Rewriting:
    """Replaces each religion by another, with its believers, adjective, place, book and leader of worship.

    "A Muslim went to the mosque" becomes, for instance, "A Hindu went to the temple"; two religions of a text become
    two others, where there are enough. Words that several religions share ("temple", "priest") go with the religion
    that the text names. Names ("Christian Bale", "the Muslim Brotherhood") stay, and so do words of branches that are
    in no list. Not idempotent.
    """
    return Rewriting(called(swap_religions), _swapped)


def _swapped(text: str, rng: random.Random) -> list[Edit]:
    case = text_case(text)
    found = list(_owned(_matcher().find(text, lambda match: _is_meant(match, text, case))))
    families = _drawn([role for _, role in found], rng)
    return with_articles(text, [_edit(text, match, role, families[role.branch], case) for match, role in found])


@cache
def _roles() -> dict[str, tuple[Role, ...]]:
    """Word -> what it may be."""
    roles: dict[str, tuple[Role, ...]] = {}
    for family, branch, part, *words in entries("religions"):
        for word in words:
            roles[word] = (*roles.get(word, ()), Role(family, branch, part))
    return roles


@cache
def _stand_ins() -> dict[tuple[str, str], str]:
    """Family and part -> the word that stands in for others."""
    rows = entries("religions")
    return {(family, part): word for family, branch, part, word, *_ in rows if family == branch}


@cache
def _matcher() -> PhraseMatcher[tuple[Role, ...]]:
    return PhraseMatcher(_roles())


def _is_meant(match: Match[tuple[Role, ...]], text: str, case: TextCase) -> bool:
    """Whether the word at ``match`` stands for a religion, and is no name or part of one."""
    if is_compound(text, match.start, match.end):
        return False
    if case is TextCase.MIXED and not _is_written_as_word(match, text):
        return False
    if match.found == "Christian":  # also a first name
        return _is_adjective(text, match) or has_determiner(text, match.start) or is_predicate(text, match.start)
    return True


def _is_written_as_word(match: Match[tuple[Role, ...]], text: str) -> bool:
    if match.found[0].isupper() and (precedes_capital(text, match.end) or _is_last_name(match, text)):
        return False
    if match.phrase[0].islower():
        return match.found[0].islower() or starts_sentence(text, match.start)
    return match.found[0].isupper() or match.found not in common_words()


def _is_last_name(match: Match[tuple[Role, ...]], text: str) -> bool:
    """Whether "Islam" stands behind a capitalised word that is no function word ("Nazrul Islam")."""
    before = written_before(text, match.start, PIECE)
    is_religion = match.value[0].part == "religion"
    return is_religion and before.istitle() and before.lower() not in words_of("function word")


def _is_adjective(text: str, match: Match[tuple[Role, ...]]) -> bool:
    """Whether the word at ``match`` stands before a noun; "a Hindu lives" is told by its -s behind "a"."""
    if not begins_noun_phrase(text, match.end) or begins_verb(text, match.end):
        return False
    return not (word_before(text, match.start) in ("a", "an") and word_after(text, match.end).endswith("s"))


def _owned(matches: Iterable[Match[tuple[Role, ...]]]) -> Iterator[Found]:
    """The matches whose religion is clear; a word of a family goes with the first of its branches that is named."""
    matches = list(matches)
    clear = (match.value[0] for match in matches if len({role.branch for role in match.value}) == 1)
    named = list({role.branch: role for role in clear}.values())
    for match in matches:
        fitting = [role for one in named for role in match.value if role.branch == one.branch]
        if fitting:
            yield match, fitting[0]
        elif len({role.family for role in match.value}) == 1:
            first = match.value[0]
            branch = next((one.branch for one in named if one.family == first.family), first.branch)
            yield match, Role(first.family, branch, first.part)


def _drawn(found: Sequence[Role], rng: random.Random) -> dict[str, str]:
    """Branch -> the family that takes its place: none of the text, and different ones, where there are enough."""
    families = list(dict.fromkeys(family for family, _ in _stand_ins()))
    return others_for({role.branch: role.family for role in found}, families, rng)


def _edit(text: str, match: Match[tuple[Role, ...]], role: Role, family: str, case: TextCase) -> Edit:
    part = role.part
    if part in ("believer", "adjective"):
        part = "adjective" if _reads_as_adjective(text, match, role) else "believer"
    new = _stand_ins()[family, part]
    if part == "place" and word_before(text, match.start) in words_of("before a bare place"):
        new = f"the {new}"
    return substitution(text, match, new, case)


def _reads_as_adjective(text: str, match: Match[tuple[Role, ...]], role: Role) -> bool:
    """Whether the word at ``match``, which may be a believer or an adjective, is one here ("is Jewish", "a Jew")."""
    if len({found.part for found in match.value}) == 1:
        return role.part == "adjective"
    return _is_adjective(text, match) or not has_determiner(text, match.start)

"""Gendered words and pronouns, both ways."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, text_case
from pytest_trust.perturb.language.grammar import (
    begins_noun_phrase,
    begins_verb,
    is_adverb,
    precedes_capital,
)
from pytest_trust.perturb.language.names import clear_first_names
from pytest_trust.perturb.language.neighbours import (
    abbreviation_before,
    end_of_word_after,
    is_in_name,
    word_after,
    word_before,
    words_before,
)
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, substitution
from pytest_trust.perturb.lexicon import column, entries, words_of
from pytest_trust.perturb.parameters import called

_PRONOUNS = {
    "he": "she", "she": "he", "he's": "she's", "she's": "he's", "he'd": "she'd", "she'd": "he'd", "he'll": "she'll",
    "she'll": "he'll", "him": "her", "her": "his", "his": "her", "hers": "his", "himself": "herself",
    "herself": "himself",
}  # fmt: skip
_TITLES = {"Mr.": "Ms.", "Mr": "Ms", "Mrs.": "Mr.", "Mrs": "Mr", "Ms.": "Mr.", "Ms": "Mr", "Miss": "Mr"}
_OPENING = re.compile(r"\s+[\"“‘'*_(\d]")


def swap_gender() -> Rewriting:
    """Swaps gendered words and pronouns both ways: "he" and "she", "actor" and "actress", "Mr." and "Ms.".

    "her" becomes "his" before a noun phrase and "him" elsewhere; where the words around do not tell ("saw her dance",
    "told her stories") it stays. Names stay, and so do words that are part of one ("King Arthur", "Mother Teresa"),
    of a fixed phrase ("you guys", "he or she") or capitalised within a sentence. Not idempotent: the second
    time swaps back, but for the pronouns that stayed and for "Mrs.", which becomes "Mr." and then "Ms.".
    """
    return Rewriting(called(swap_gender), _edits)


def _edits(text: str, rng: random.Random) -> list[Edit]:
    case = text_case(text)
    matches = _matcher().find(text, lambda match: match.value is None or not _is_name(match, text, case))
    swaps = ((match, _swapped(match, text)) for match in matches)
    return with_articles(text, [substitution(text, match, new, case) for match, new in swaps if new is not None])


@cache
def _matcher() -> PhraseMatcher[str | None]:
    """Word -> the word that stands in for it; None for phrases that stay."""
    kept: dict[str, str | None] = dict.fromkeys(column("gendered_kept"))
    return PhraseMatcher(kept | dict(_pairs()) | _PRONOUNS | _TITLES)


def _pairs() -> Iterator[tuple[str, str]]:
    for man, woman in entries("gendered_words"):
        yield from ((man, woman), (woman, man))


def _is_name(match: Match[str | None], text: str, case: TextCase) -> bool:
    """Whether a noun is written as part of a name; in "Miss the bus" the title is a verb."""
    if match.phrase == "Miss" and (match.found.islower() or not precedes_capital(text, match.end)):
        return True
    if match.phrase in _PRONOUNS or match.phrase in _TITLES:
        return False
    return _is_last_name(text, match.start) or is_in_name(text, match.start, match.end, case)


def _is_last_name(text: str, start: int) -> bool:
    """Whether a title or a first name stands before: "Dr. King", in texts of any case."""
    before = abbreviation_before(text, start) or word_before(text, start)
    return before in words_of("title of a person") or before in clear_first_names()


def _swapped(match: Match[str | None], text: str) -> str | None:
    if match.phrase == "her":
        return _of_her(text, match)
    if match.phrase == "his":
        return "her" if _stands_before_owned(text, match) else "hers"
    return match.value


def _stands_before_owned(text: str, match: Match[str | None]) -> bool:
    """Whether "his" is followed by what is his; "a friend of his said" is told by its verb."""
    word = word_after(text, match.end)
    if begins_verb(text, match.end) and words_before(text, match.start, 3)[::2] in (["of", "a"], ["of", "an"]):
        return False
    if _OPENING.match(text, match.end) or _may_modify(word):
        return True
    return bool(word) and word not in words_of("function word")


def _may_modify(word: str) -> bool:
    """Whether ``word`` stands within a noun phrase as often as not: "her really good", "saw her rarely"."""
    return is_adverb(word) or word in words_of("modifier")


def _of_her(text: str, match: Match[str | None]) -> str | None:
    """What "her" becomes; None where the words around do not tell."""
    word, end = word_after(text, match.end).removesuffix("'s"), match.end
    if word in words_of("owned"):
        return "his"
    if _OPENING.match(text, end):
        return None
    if _may_modify(word):
        end = end_of_word_after(text, end)
    return _before_content(text, match, word) if begins_noun_phrase(text, end) else "him"


def _before_content(text: str, match: Match[str | None], word: str) -> str | None:
    """What "her" becomes before ``word``, which may be a noun, an adjective or a verb."""
    before = word_before(text, match.start)
    if before in words_of("takes a clause") and word in words_of("bare verb"):
        return "him"
    return None if before in words_of("takes a clause") | words_of("takes two objects") else "his"

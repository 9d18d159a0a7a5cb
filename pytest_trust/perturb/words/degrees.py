"""Adjectives stressed or lessened: "good" becomes "very good" or "somewhat good"."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, capitalised, text_case
from pytest_trust.perturb.language.neighbours import is_behind, is_compound, is_in_name, word_after, word_before
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher
from pytest_trust.perturb.lexicon import entries

Adverbs = tuple[str, ...]

_INTENSIFIERS = ("very", "really", "extremely", "incredibly")
_INTENSIFIERS_OF_EXTREMES = ("truly", "really", "absolutely")
_REDUCERS = ("somewhat", "fairly", "moderately")
# "good enough" has its degree, and in "annoying him" there is a verb.
_NEVER_BEFORE = frozenset({"enough", "him", "it", "me", "them", "us"})


def add_intensifiers(*, preserves_label: bool = True) -> Degree:
    """Puts an intensifier before adjectives: "very good", "really great" (in English). Idempotent.

    An adjective stays as it is behind a word of degree, comparison or negation ("so good", "as good", "not good"), in
    a compound, a fixed phrase ("good morning") or a name, and behind an adverb in -ly or another adjective.

    Args:
        preserves_label: False where a directional test is to show the effect.
    """
    return Degree("add_intensifiers", _intensified, preserves_label)


def add_reducers(*, preserves_label: bool = True) -> Degree:
    """Puts a reducer before adjectives: "somewhat good" (in English). Idempotent.

    Adjectives of an extreme ("great", "awful") have no lesser degree and stay, and so do those that
    :func:`add_intensifiers` leaves alone.

    Args:
        preserves_label: False where a directional test is to show the effect.
    """
    return Degree("add_reducers", _reduced, preserves_label)


@dataclass(frozen=True, slots=True, repr=False)
class Degree(Named):
    """What the functions of this module make; ``source`` reads the adjectives and their adverbs at first use."""

    name: str
    source: Callable[[], PhraseMatcher[Adverbs]]
    preserves_label: bool

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with an adverb before each adjective, drawn for each."""
        case = text_case(text)
        found = [match for match in self.source().find(text, _accepts(text, case)) if match.value]
        edits = [_insertion(text, match.start, match.end, rng.choice(match.value), case) for match in found]
        return edited(text, with_articles(text, edits))


def _accepts(text: str, case: TextCase) -> Callable[[Match[Adverbs]], bool]:
    def accept(match: Match[Adverbs]) -> bool:
        start, end = match.start, match.end
        return not match.value or not (
            is_behind(text, start, _degree_words())
            or _is_modified(text, start)
            or word_after(text, end) in _NEVER_BEFORE
            or is_compound(text, start, end)
            or is_in_name(text, start, end, case)
        )

    return accept


def _is_modified(text: str, start: int) -> bool:
    """Whether an adverb in -ly or another adjective stands before ``start``."""
    before = word_before(text, start)
    return before.endswith("ly") or before in _adjectives()


def _insertion(text: str, start: int, end: int, adverb: str, case: TextCase) -> Edit:
    """Puts ``adverb`` before the adjective at ``[start, end)``; a capital goes over to it."""
    found = text[start:end]
    if case is TextCase.UPPER or (len(found) > 1 and found.isupper()):
        return Edit(start, start, f"{adverb.upper()} ")
    if found[0].isupper():
        return Edit(start, start + 1, f"{capitalised(adverb)} {found[0].lower()}")
    return Edit(start, start, f"{adverb} ")


@cache
def _intensified() -> PhraseMatcher[Adverbs]:
    return _matcher(_INTENSIFIERS, _INTENSIFIERS_OF_EXTREMES)


@cache
def _reduced() -> PhraseMatcher[Adverbs]:
    return _matcher(_REDUCERS, ())


def _matcher(of_gradable: Adverbs, of_extreme: Adverbs) -> PhraseMatcher[Adverbs]:
    phrases: dict[str, Adverbs] = {phrase: () for (phrase,) in entries("adjective_phrases")}
    gradable = {word: of_gradable for (word,) in entries("gradable_adjectives")}
    return PhraseMatcher(phrases | gradable | {word: of_extreme for (word,) in entries("extreme_adjectives")})


@cache
def _adjectives() -> frozenset[str]:
    return frozenset(word for (word,) in (*entries("gradable_adjectives"), *entries("extreme_adjectives")))


@cache
def _degree_words() -> frozenset[str]:
    return frozenset(word for (word,) in entries("degree_words"))

"""Adjectives stressed or lessened: "good" becomes "very good" or "somewhat good"."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, capitalised, text_case
from pytest_trust.perturb.language.clauses import denied_words
from pytest_trust.perturb.language.neighbours import is_behind, is_compound, is_in_name, word_after, word_before
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher
from pytest_trust.perturb.lexicon import column, members
from pytest_trust.perturb.parameters import called

Adverbs = tuple[str, ...]

_INTENSIFIERS = ("very", "really", "extremely", "incredibly")
_INTENSIFIERS_OF_EXTREMES = ("truly", "really", "absolutely")
_REDUCERS = ("somewhat", "fairly", "moderately")
# "good enough" has its degree, and in "annoying him" there is a verb.
_NEVER_BEFORE = frozenset({"enough", "him", "it", "me", "them", "us"})


def add_intensifiers(*, preserves_label: bool = True) -> Rewriting:
    """Puts an intensifier before adjectives: "very good", "really great" (in English). Idempotent.

    An adjective stays as it is behind a word of degree, comparison or negation ("so good", "as good", "not good"), in
    a compound, a fixed phrase ("good morning") or a name, behind an adverb in -ly or another adjective, and anywhere
    behind a negation in its sentence ("It isn't a good film", "far from good") until "but".

    Args:
        preserves_label: False where a directional test is to show the effect.
    """
    return Rewriting(called(add_intensifiers, preserves_label), partial(_insertions, _intensified), preserves_label)


def add_reducers(*, preserves_label: bool = True) -> Rewriting:
    """Puts a reducer before adjectives: "somewhat good" (in English). Idempotent.

    Adjectives of an extreme ("great", "awful") have no lesser degree and stay, and so do those that
    :func:`add_intensifiers` leaves alone.

    Args:
        preserves_label: False where a directional test is to show the effect.
    """
    return Rewriting(called(add_reducers, preserves_label), partial(_insertions, _reduced), preserves_label)


def _insertions(source: Callable[[], PhraseMatcher[Adverbs]], text: str, rng: random.Random) -> list[Edit]:
    """An adverb before each adjective, drawn for each; ``source`` reads both at first use."""
    case = text_case(text)
    found = [match for match in source().find(text, _accepts(text, case)) if match.value]
    denied = denied_words(text) if found else frozenset()
    found = [match for match in found if match.start not in denied]
    edits = [_insertion(text, match.start, match.end, rng.choice(match.value), case) for match in found]
    return with_articles(text, edits)


def _accepts(text: str, case: TextCase) -> Callable[[Match[Adverbs]], bool]:
    def accept(match: Match[Adverbs]) -> bool:
        start, end = match.start, match.end
        return not match.value or not (
            is_behind(text, start, members("degree_words"))
            or _is_modified(text, start)
            or word_after(text, end) in _NEVER_BEFORE
            or is_compound(text, start, end)
            or is_in_name(text, start, end, case)
        )

    return accept


def _is_modified(text: str, start: int) -> bool:
    """Whether an adverb in -ly or another adjective stands before ``start``."""
    before = word_before(text, start)
    return before.endswith("ly") or before in members("gradable_adjectives") or before in members("extreme_adjectives")


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
    phrases: dict[str, Adverbs] = dict.fromkeys(column("adjective_phrases"), ())
    gradable = dict.fromkeys(column("gradable_adjectives"), of_gradable)
    return PhraseMatcher(phrases | gradable | dict.fromkeys(column("extreme_adjectives"), of_extreme))

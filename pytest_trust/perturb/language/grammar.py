"""What the words next to a place in a text tell of the grammar there."""

from __future__ import annotations

import re

from pytest_trust.perturb.language.neighbours import word_after, word_before, words_before
from pytest_trust.perturb.lexicon import words_of

_CAPITAL_AFTER = re.compile(r"\s+(\w)")


def begins_noun_phrase(text: str, end: int) -> bool:
    """Whether the word behind ``end`` is one of content and no adverb in -ly: the rest of a noun phrase, or a verb."""
    word = word_after(text, end).removesuffix("'s")
    return word.isalpha() and word not in words_of("function word") and not is_adverb(word)


def is_adverb(word: str) -> bool:
    """Whether ``word`` is, by its form, an adverb in -ly."""
    return word.endswith("ly") and word not in words_of("no adverb")


def begins_verb(text: str, end: int) -> bool:
    """Whether the word behind ``end`` is, by its form, a verb in the past."""
    word = word_after(text, end)
    return word in words_of("past form") or word.endswith("ed")


def has_determiner(text: str, start: int, within: int = 3) -> bool:
    """Whether one of the ``within`` words before ``start`` opens a noun phrase."""
    return not words_of("determiner").isdisjoint(words_before(text, start, within))


def is_predicate(text: str, start: int) -> bool:
    """Whether the word at ``start`` follows a form of "be" ("is German", "he's German")."""
    before = word_before(text, start)
    return before in words_of("form of be") or before.endswith(("'s", "'re", "'m"))


def precedes_capital(text: str, end: int) -> bool:
    """Whether a capitalised word follows ``end``, as in "Turkish Airlines"."""
    found = _CAPITAL_AFTER.match(text, end)
    return found is not None and found[1].isupper()

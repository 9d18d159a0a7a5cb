"""Words replaced by synonyms."""

from __future__ import annotations

import random
from functools import cache, partial

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, text_case
from pytest_trust.perturb.language.neighbours import is_compound, is_in_name
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, substitution
from pytest_trust.perturb.lexicon import column, entries
from pytest_trust.perturb.parameters import called, require_rate

Synonyms = tuple[str, ...]


def synonyms(rate: float = 1.0) -> Rewriting:
    """Replaces words by synonyms of WordNet, in the same form: "movies" becomes "films" (in English).

    Only words that nearly always have the sense in question have synonyms here. Every occurrence of a word in one text
    gets the same one, and "a" or "an" before it is mended. Left alone are parts of compounds ("car-sharing"), of fixed
    phrases ("car park") and of names ("Doctor Who"). Not idempotent: synonyms have synonyms.

    Args:
        rate: the chance of each word that has synonyms to be replaced, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    rate = require_rate(rate)
    return Rewriting(called(synonyms, rate), partial(_replaced, rate))


def _replaced(rate: float, text: str, rng: random.Random) -> list[Edit]:
    case = text_case(text)
    found = [match for match in _find(text, case) if match.value]
    options = {match.phrase: match.value for match in found}
    chosen = {phrase: rng.choice(value) for phrase, value in options.items() if rng.random() < rate}
    edits = [substitution(text, match, chosen[match.phrase], case) for match in found if match.phrase in chosen]
    return with_articles(text, edits)


def _find(text: str, case: TextCase) -> list[Match[Synonyms]]:
    def accept(match: Match[Synonyms]) -> bool:
        kept = is_compound(text, match.start, match.end) or is_in_name(text, match.start, match.end, case)
        return not match.value or not kept

    return _matcher().find(text, accept)


@cache
def _matcher() -> PhraseMatcher[Synonyms]:
    """Finds the words with their synonyms, and the phrases in which they stay, which have none."""
    phrases: dict[str, Synonyms] = dict.fromkeys(column("synonym_phrases"), ())
    return PhraseMatcher(phrases | {word: tuple(others) for word, *others in entries("synonyms")})

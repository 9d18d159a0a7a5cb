"""Words replaced by synonyms."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from pytest_trust.arguments import require_between
from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.language.articles import with_articles
from pytest_trust.perturb.language.casing import TextCase, text_case
from pytest_trust.perturb.language.neighbours import is_compound, is_in_name
from pytest_trust.perturb.language.phrases import Match, PhraseMatcher, substitution
from pytest_trust.perturb.lexicon import entries

Synonyms = tuple[str, ...]


def synonyms(share: float = 1.0) -> SynonymReplacement:
    """Replaces words by synonyms of WordNet, in the same form: "movies" becomes "films" (in English).

    Only words that nearly always have the sense in question have synonyms here. Every occurrence of a word in one text
    gets the same one, and "a" or "an" before it is mended. Left alone are parts of compounds ("car-sharing"), of fixed
    phrases ("car park") and of names ("Doctor Who"). Not idempotent: synonyms have synonyms.

    Args:
        share: the chance of each word that has synonyms to be replaced, in (0, 1].

    Raises:
        ConfigurationError: ``share`` is no number in (0, 1].
    """
    share = require_between("share", share, 0.0, 1.0, high_included=True)
    return SynonymReplacement(name="synonyms" if share == 1.0 else f"synonyms({share:g})", share=share)


@dataclass(frozen=True, slots=True, repr=False)
class SynonymReplacement(Named):
    """What :func:`synonyms` makes."""

    name: str
    share: float
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with a share of its words replaced."""
        case = text_case(text)
        found = [(match, match.value) for match in _find(text, case) if match.value]
        options = {match.phrase: value for match, value in found}
        chosen = {phrase: rng.choice(value) for phrase, value in options.items() if rng.random() < self.share}
        edits = [substitution(text, match, chosen[match.phrase], case) for match, _ in found if match.phrase in chosen]
        return edited(text, with_articles(text, edits))


def _find(text: str, case: TextCase) -> list[Match[Synonyms]]:
    def accept(match: Match[Synonyms]) -> bool:
        kept = is_compound(text, match.start, match.end) or is_in_name(text, match.start, match.end, case)
        return not match.value or not kept

    return _matcher().find(text, accept)


@cache
def _matcher() -> PhraseMatcher[Synonyms]:
    """Finds the words with their synonyms, and the phrases in which they stay, which have none."""
    phrases: dict[str, Synonyms] = {phrase: () for (phrase,) in entries("synonym_phrases")}
    return PhraseMatcher(phrases | {word: tuple(others) for word, *others in entries("synonyms")})

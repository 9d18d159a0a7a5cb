"""What an attack is made of, its settings, and what becomes of a text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_between, require_count
from pytest_trust.text import Span

# Shares such as 0.1 are not exact: 0.1 of 70 words is 7 words, not 8.
_ROUNDING = 1e-9


@runtime_checkable
class Substitution(Protocol):
    """Offers words that may take a word's place."""

    @property
    def name(self) -> str:
        """Short name, as an attack is called by it."""

    def candidates(self, word: str, label: int) -> Sequence[str]:
        """Lower-cased words that may take the place of ``word`` in a text of class ``label``, most promising first.

        ``word`` is looked up in lower case. The answer depends on nothing else.
        """


@runtime_checkable
class Described(Protocol):
    """A substitution that tells the settings by which it offers words."""

    def describe(self) -> Mapping[str, float | int | str | None]:
        """Plain values, for reports."""


@runtime_checkable
class Tagger(Protocol):
    """Tells the part of speech of words in their context."""

    @property
    def name(self) -> str:
        """Short name, for results."""

    def tags(self, words: Sequence[str]) -> list[str]:
        """A coarse class, such as NOUN or VERB, for each of ``words``, which follow each other in a text."""


@runtime_checkable
class SentenceEncoder(Protocol):
    """Texts to vectors, by which it is told how much of a meaning is left."""

    @property
    def name(self) -> str:
        """Short name, for results."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows, shape (n, d), float32; a text's vector is the same in any company."""


class NearbyTexts(Protocol):
    """Encodes texts that differ little from one that it knows, and follows a search from text to text."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """What the encoder's own ``encode`` does, to within 1e-6, and fastest for texts near the known one."""

    def move(self, text: str) -> None:
        """``text`` is the known one from now on; it is best one of the texts that were encoded last."""


@runtime_checkable
class NearbyEncoder(SentenceEncoder, Protocol):
    """A sentence encoder that is faster on texts that differ in a few words."""

    def nearby(self, text: str) -> NearbyTexts:
        """What encodes texts that differ little from ``text``."""


@dataclass(frozen=True, slots=True)
class AttackSettings:
    """What an attack may do to a text; the constraints are those of A2T (Yoo and Qi, Findings of EMNLP 2021).

    Args:
        max_share: the share of a text's words that may change, rounded up to whole words.
        least_words: so many words may change in a short text too.
        min_similarity: the least cosine of the changed text's vector to that of the original.
        max_candidates: the most replacements that are tried for a word, by measurement on training texts
            (``benchmarks/attack_settings.py``); A2T's substitution offers 20 at most.
        max_queries: the most texts that the model is asked about for each text; None for no bound. An attack of ours
            looks at four words for each of them at most. The default lets it go through texts of some 2,000 words.
        max_seconds: the longest search for each text, beside the last call; None for no bound. In a run of many texts
            a text's seconds are those of its own steps and its share of the model's calls. What such a search finds
            depends on the speed of the machine.

    Raises:
        ConfigurationError: a setting is out of its range.
    """

    max_share: float = 0.1
    least_words: int = 4
    min_similarity: float = 0.9
    max_candidates: int = 100
    max_queries: int | None = 10_000
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        self._within("max_share", 0.0)
        self._set("least_words", require_count("least_words", self.least_words, 0))
        self._within("min_similarity", -1.0)
        self._set("max_candidates", require_count("max_candidates", self.max_candidates))
        if self.max_queries is not None:
            self._set("max_queries", require_count("max_queries", self.max_queries))
        if self.max_seconds is not None:
            self._set("max_seconds", require_between("max_seconds", self.max_seconds, 0.0, math.inf))

    def _within(self, name: str, low: float) -> None:
        """Accepts a number from ``low`` to 1."""
        self._set(name, require_between(name, getattr(self, name), low, 1.0, low_included=True, high_included=True))

    def _set(self, name: str, value: float) -> None:
        object.__setattr__(self, name, value)

    def most_changes(self, n_words: int) -> int:
        """How many words of a text of ``n_words`` may change."""
        return max(math.ceil(self.max_share * n_words - _ROUNDING), self.least_words)


class AttackOutcome(StrEnum):
    """What became of the attack on a text."""

    SUCCESS = "success"
    """The model gives the changed text another class, asked once more about that text alone."""
    FAILURE = "failure"
    """All that was allowed was tried in vain, or the flip was not confirmed."""
    SKIPPED_WRONG = "skipped: wrong at the start"
    """The model gives the text itself another class than its label."""
    SKIPPED_SHORT = "skipped: too short"
    """The text has fewer than two words; the model was not asked."""
    SKIPPED_FIXED = "skipped: nothing to replace"
    """No word of the text has an admissible replacement."""
    SKIPPED_FAILED = "skipped: the attack failed"
    """The attack itself came to an error on this text, which the result's ``note`` tells."""
    BUDGET = "budget spent"
    """The budget ended the search before it found a flip."""

    @property
    def is_attacked(self) -> bool:
        """Whether the text counts in an attack success rate."""
        return self in (AttackOutcome.SUCCESS, AttackOutcome.FAILURE, AttackOutcome.BUDGET)


@dataclass(frozen=True, slots=True)
class WordChange:
    """A word that was replaced: ``before`` at ``original`` in the text, ``after`` at ``replacement`` in the new one."""

    original: Span
    replacement: Span
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The attack on one text.

    ``adversarial`` is the text as the search left it, by which the model is fooled in a success alone; ``similarity``
    its cosine to the original by the encoder, 1 where nothing was changed and None where there is no encoder.
    ``before`` and ``after`` are the model's probabilities of all classes for the two; empty where it was not asked.
    ``queries`` counts every text that it was asked about, and a pass back for gradients as one; ``seconds`` are as in
    :class:`AttackSettings`. ``note`` is the error of an attack that failed.
    """

    text: str
    label: int
    outcome: AttackOutcome
    adversarial: str
    changes: tuple[WordChange, ...]
    similarity: float | None
    before: tuple[float, ...]
    after: tuple[float, ...]
    queries: int
    seconds: float
    note: str = ""

    @property
    def new_label(self) -> int | None:
        """The class that the model gives ``adversarial``; None where it was not asked."""
        return self.after.index(max(self.after)) if self.after else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for reports."""
        return {
            "text": self.text,
            "label": self.label,
            "outcome": self.outcome.value,
            "adversarial": self.adversarial,
            "changes": [_plain(change) for change in self.changes],
            "similarity": self.similarity,
            "before": list(self.before),
            "after": list(self.after),
            "queries": self.queries,
            "seconds": self.seconds,
            "note": self.note,
        }


def _plain(change: WordChange) -> dict[str, Any]:
    original, replacement = change.original, change.replacement
    return {
        "original": [original.start, original.end],
        "replacement": [replacement.start, replacement.end],
        "before": change.before,
        "after": change.after,
    }

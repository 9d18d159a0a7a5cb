"""Parts of attacks whose every answer can be worked out by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from pytest_trust.attacks import Attack
from pytest_trust.models import as_classifier


@dataclass
class Offers:
    """A substitution that offers what a table says."""

    table: Mapping[str, Sequence[str]]
    name: str = "offers"
    asked: list[tuple[str, int]] = field(default_factory=list)

    def candidates(self, word: str, label: int) -> Sequence[str]:
        self.asked.append((word, label))
        return self.table.get(word, ())


@dataclass
class Suffixes:
    """A tagger: words in -ly are adverbs, in -ing verbs, all others nouns."""

    name: str = "suffixes"

    def tags(self, words: Sequence[str]) -> list[str]:
        classes = {"ly": "ADV", "ng": "VERB"}
        return [classes.get(word.lower()[-2:], "NOUN") for word in words]


@dataclass
class WordCounts:
    """A sentence encoder: counts of words hashed to 64 places, where some words may count for more."""

    weights: Mapping[str, float] = field(default_factory=dict)
    name: str = "counts"
    encoded: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.encoded.extend(texts)
        rows = np.zeros((len(texts), 64))
        for row, text in zip(rows, texts, strict=True):
            row[0] = 1e-6
            for word in text.lower().split():
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % 64] += self.weights.get(word, 1.0)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def make_attack(make_word_model) -> Callable[..., Attack]:
    """An attack on a model of word weights, ``attack.model.function``; its classes are bad and good."""

    def make(
        weights: Mapping[str, float], table: Mapping[str, Sequence[str]], encoder: WordCounts | None = None, **more
    ) -> Attack:
        model = as_classifier(make_word_model(weights))
        return Attack(model, Offers(table), Suffixes(), encoder or WordCounts(), **more)

    return make

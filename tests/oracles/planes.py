"""Explanations and vectors from which every figure can be worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_trust.embeddings.common import common_words
from pytest_trust.explain import Explanation, WordScore


def explanation(label: str, *words: tuple[str, float], column: int = 0, **more: Any) -> Explanation:
    scores = tuple(WordScore(word, score, ()) for word, score in words)
    given = {"probability": 0.9, "samples": 100, "calls": 100, "seed": 0} | more
    return Explanation("text", label, column, words=scores, method="lime", **given)


def at(cosine: float) -> tuple[float, float]:
    """A unit vector with this cosine to (1, 0)."""
    return cosine, (1 - cosine**2) ** 0.5


def contrasting(**contrasts: float) -> dict[str, tuple[float, float, float]]:
    """Unit vectors whose cosines to the first and to the second axis differ by so much."""
    return {word: (by, 0.0, (1 - by**2) ** 0.5) for word, by in contrasts.items()}


def common_table(deviation: float = 0.25, n: int = 100) -> dict[str, Sequence[float]]:
    """n common words, half of which contrast by ``deviation`` and half by its opposite: mean 0, this deviation."""
    words = common_words()[:n]
    return contrasting(**{word: deviation if place % 2 else -deviation for place, word in enumerate(words)})


def axes(first: Sequence[str], second: Sequence[str]) -> dict[str, Sequence[float]]:
    """Words on the first and on the second axis."""
    return dict.fromkeys(first, (1.0, 0.0, 0.0)) | dict.fromkeys(second, (0.0, 1.0, 0.0))


def two_topics(**contrasts: float) -> Mapping[str, Sequence[float]]:
    """Common words, the classes "good" and "bad", and words that contrast."""
    return common_table() | axes(["good"], ["bad"]) | contrasting(**contrasts)

"""The word pool of a class: words that explanations of correct predictions rest on (TOKI, Eq. 1)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_trust.explain.explanation import Explanation

# A word that moves a probability by less than this carries no prediction.
NO_CONTRIBUTION = 1e-6

# Marks of direction, joiners and the soft hyphen.
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff"


@dataclass(frozen=True, slots=True)
class PoolWord:
    """A word of the pool: its mean score over the ``count`` explanations that contain it."""

    word: str
    mean_score: float
    count: int


def supporting_words(explanation: Explanation) -> dict[str, float]:
    """Lower-cased words of ``explanation`` that speak for its class, with their scores.

    Forms that differ by case, by composition of accents or by invisible characters at their ends are merged by their
    mean; scores against the class are dropped.
    """
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for item in explanation.words:
        scores[word_form(item.word)].append(item.score)
    means = {word: sum(values) / len(values) for word, values in scores.items()}
    return {word: mean for word, mean in means.items() if mean > NO_CONTRIBUTION}


def word_form(word: str) -> str:
    """The form under which ``word`` stands in a pool."""
    return unicodedata.normalize("NFC", word.lower()).strip(_INVISIBLE)


def collect_pool(explanations: Iterable[Explanation]) -> tuple[PoolWord, ...]:
    """The pool of one class, by falling mean score, then by word (Eq. 1).

    Every explanation is to be of that class and of a correct prediction.
    """
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for explanation in explanations:
        for word, score in supporting_words(explanation).items():
            scores[word].append(score)
    pool = (PoolWord(word, sum(values) / len(values), len(values)) for word, values in scores.items())
    return tuple(sorted(pool, key=lambda item: (-item.mean_score, item.word)))


def collect_pools(explanations: Iterable[Explanation], n_classes: int) -> list[tuple[PoolWord, ...]]:
    """The pool of each class, from explanations of correct predictions of all of them."""
    by_class: list[list[Explanation]] = [[] for _ in range(n_classes)]
    for explanation in explanations:
        by_class[explanation.class_index].append(explanation)
    return [collect_pool(of_class) for of_class in by_class]

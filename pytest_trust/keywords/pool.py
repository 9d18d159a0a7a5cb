"""The word pool of a class: words that explanations of correct predictions rest on (TOKI, Eq. 1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_trust.explain.explanation import Explanation

# Rounding leaves scores of about 1e-17 on words that a model ignores; they are no contribution.
NO_CONTRIBUTION = 1e-9


@dataclass(frozen=True, slots=True)
class PoolWord:
    """A word of the pool: its mean score over the ``count`` explanations that contain it."""

    word: str
    mean_score: float
    count: int


def supporting_words(explanation: Explanation) -> dict[str, float]:
    """Lower-cased words of ``explanation`` that speak for its class, with their scores.

    Forms that differ by case alone are merged by their mean; scores against the class are dropped.
    """
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for item in explanation.words:
        scores[item.word.lower()].append(item.score)
    means = {word: sum(values) / len(values) for word, values in scores.items()}
    return {word: mean for word, mean in means.items() if mean > NO_CONTRIBUTION}


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

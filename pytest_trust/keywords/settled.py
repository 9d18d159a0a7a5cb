"""Are the word pools settled, so that more neighbours of each text would change little?"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_trust.keywords.pool import PoolWord

# The words of a class that are looked at, those with the highest mean scores.
_LEADING = 100
# How far their scores may have moved since the round before, which had half the neighbours, and how many may be new.
_MOVED = 0.05
_NEW = 0.05


def are_settled(before: Sequence[Sequence[PoolWord]], now: Sequence[Sequence[PoolWord]]) -> bool:
    """Whether the leading words of every class, and their mean scores, are nearly those of the round before.

    ``before`` and ``now`` hold the pool of each class, by falling mean score. A word's score weighs as much as the
    number of its explanations.
    """
    return all(_is_settled(old[:_LEADING], new[:_LEADING]) for old, new in zip(before, now, strict=True))


def _is_settled(before: Sequence[PoolWord], now: Sequence[PoolWord]) -> bool:
    scores = {item.word: item.mean_score for item in before}
    kept = [item for item in now if item.word in scores]
    moved = sum(abs(item.mean_score - scores[item.word]) * item.count for item in kept)
    total = sum(item.mean_score * item.count for item in kept)
    return len(now) - len(kept) <= _NEW * len(now) and moved <= _MOVED * total

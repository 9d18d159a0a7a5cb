"""When word pools count as settled."""

from __future__ import annotations

from pytest_trust.keywords.pool import PoolWord
from pytest_trust.keywords.settled import are_settled


def pool(scores: dict[str, float], count: int = 1) -> tuple[PoolWord, ...]:
    return tuple(PoolWord(word, score, count) for word, score in sorted(scores.items(), key=lambda item: -item[1]))


STEADY = pool({f"w{i}": 1 - i / 100 for i in range(40)})


def test_the_same_pools_are_settled():
    assert are_settled([STEADY, ()], [STEADY, ()])


def test_scores_that_moved_are_not():
    moved = pool({item.word: item.mean_score * 1.1 for item in STEADY})
    assert not are_settled([STEADY], [moved])
    assert are_settled([STEADY], [pool({item.word: item.mean_score * 1.04 for item in STEADY})])


def test_every_class_has_to_be_settled():
    assert not are_settled([STEADY, STEADY], [STEADY, pool({"new": 1.0})])


def test_frequent_words_weigh_more():
    before = (PoolWord("often", 1.0, 100), PoolWord("once", 1.0, 1))
    assert are_settled([before], [(PoolWord("often", 1.0, 100), PoolWord("once", 0.1, 1))])
    assert not are_settled([before], [(PoolWord("once", 1.0, 1), PoolWord("often", 0.1, 100))])


def test_new_words_among_many_known_are_no_change():
    assert are_settled([STEADY], [(*STEADY, PoolWord("new", 0.5, 1))])
    assert not are_settled([STEADY[:30]], [STEADY])


def test_what_lies_behind_the_leading_words_does_not_count():
    leading = pool({f"w{i}": 2 - i / 1000 for i in range(100)})
    assert are_settled([(*leading, PoolWord("x", 0.1, 9))], [(*leading, PoolWord("y", 0.1, 9), PoolWord("x", 0.01, 9))])

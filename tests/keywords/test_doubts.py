"""Warnings of names and keywords that make verdicts doubtful."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from pytest_trust.embeddings.common import common_words
from pytest_trust.embeddings.kept import IN_MEMORY
from pytest_trust.errors import TrustWarning
from pytest_trust.keywords import ClassKeywords, PoolWord
from pytest_trust.keywords.doubts import warn_of_doubts


def of_class(words: list[str], keywords: int) -> ClassKeywords:
    pool = tuple(PoolWord(word, 0.1, 1) for word in words)
    return ClassKeywords("toxic", ("toxic",), pool, frozenset(words[:keywords]))


@pytest.fixture
def member(make_embedding):
    """The first thirty common words lie near "toxic", the others do not."""
    draw = np.random.default_rng(0)
    table = {word: [*draw.normal(size=3), 9.0 if place < 30 else -9.0] for place, word in enumerate(common_words())}
    return make_embedding({**table, "toxic": [0.0, 0.0, 0.0, 1.0]})


def test_few_keywords_in_a_large_pool(member) -> None:
    words = [f"word{i}" for i in range(60)]
    with pytest.warns(TrustWarning, match="'toxic' has 4 keywords among its 60 pool words; are toxic good names"):
        warn_of_doubts([of_class(words, 4)], member, IN_MEMORY)
    with pytest.warns(TrustWarning, match="has 1 keyword among its 60"):
        warn_of_doubts([of_class(words, 1)], member, IN_MEMORY)


def test_no_keyword_at_all_in_a_small_pool(member) -> None:
    with pytest.warns(TrustWarning, match="has no keyword among its 2 pool words, so that no prediction of it can be"):
        warn_of_doubts([of_class(["one", "two"], 0)], member, IN_MEMORY)


def test_a_few_keywords_of_a_small_pool_are_no_reason(member) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_doubts([of_class(["one", "two"], 1)], member, IN_MEMORY)


@pytest.mark.parametrize("strange", [True, False])
def test_a_name_whose_neighbours_the_texts_do_not_hold(member, strange: bool) -> None:
    common = list(common_words())
    pool = common[30:1100] if strange else common[:1100]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_doubts([of_class(pool, 20)], member, IN_MEMORY)
    assert ["may mean something else here" in str(item.message) for item in caught] == [True] * strange


def test_small_pools_say_nothing_of_names(member) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_doubts([of_class(list(common_words()[30:900]), 20)], member, IN_MEMORY)


def test_a_name_that_is_not_known_is_no_strange_one(make_embedding) -> None:
    member = make_embedding({word: [1.0, i] for i, word in enumerate(common_words())})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_doubts([of_class(list(common_words()[:1100]), 20)], member, IN_MEMORY)

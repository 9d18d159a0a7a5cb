"""Near-copies: found where there are some, and never among texts that were written independently."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from pytest_trust.checks.sources import given_groups, near_copies, numbered, source_keys
from pytest_trust.data import TextDataset
from pytest_trust.errors import ConfigurationError


def sources(*texts: str) -> int:
    return len(set(near_copies(texts)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "Please CALL 08712402779 immediately as there is an urgent message waiting for you",
            "Please CALL 08712402902 immediately as there is an urgent message waiting for you.",
        ),
        (
            "Anna told the waiter that the soup was cold and the bread was old",
            "Dimitri told the waiter that the soup was cold and the bread was old",
        ),
        (
            "have a look at https://example.org/a1 and tell me what you think of it",
            "have a look at https://example.com/b22/c and tell me what you think of it",
        ),
        (
            "“don't” they say in Paris, we were waiting for more than an hour!",
            "don't they say in New York we were waiting for more than an hour",
        ),
    ],
)
def test_copies_but_for_names_numbers_and_addresses_are_one_source(first: str, second: str) -> None:
    assert sources(first, second) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("great film", "great film!"),
        ("5 of 5 stars", "1 of 5 stars"),
        ("What is the capital of Peru?", "What is the capital of Yugoslavia?"),
        ("I LOVED IT", "I HATED IT"),
        ("Anna is a good doctor", "Dimitri is a good doctor"),
        (
            "the plot was great and the cast was as good as ever",
            "the plot was awful and the cast was as good as ever",
        ),
        ("이 영화는 1 정말 좋았다", "이 영화는 2 정말 좋았다"),
        ("这部电影很好看，我给 9 分", "这部电影很好看，我给 2 分"),
        ("", "   "),
        # More names than other words: no template, but a list.
        (
            "Anna Bea Cleo Dora Ella Fay Gina Hope Ida and we all went to see it again",
            "Abe Ben Carl Dan Ed Fred Gus Hans Ivo Jim Ken Leo Max Ned Olaf and we all went to see it again",
        ),
    ],
)
def test_texts_that_differ_in_their_words_or_are_short_stay_apart(first: str, second: str) -> None:
    assert sources(first, second) == 2


def test_independent_texts_stay_apart() -> None:
    draw = random.Random(3)
    words = [a + b for a in ("ba", "ko", "ri", "su", "te") for b in ("na", "lo", "mi")]
    texts = {" ".join(draw.choices(words, k=draw.randint(1, 30))) for _ in range(5000)}
    assert sources(*texts) == len(texts)


def test_equal_keys_get_the_same_number() -> None:
    assert numbered(["x", 3, "x", ("y",)]).tolist() == [0, 1, 0, 2]
    assert numbered([]).tolist() == []
    assert numbered([]).dtype == np.intp


def test_ten_thousand_texts_take_less_than_two_seconds() -> None:
    texts = [
        f"review {i} : the plot was good and the cast of number {i} was as fine as ever" * 3 for i in range(10_000)
    ]
    start = time.perf_counter()
    near_copies(texts)
    assert time.perf_counter() - start < 2


def test_texts_without_a_group_are_sources_of_their_own_or_near_copies() -> None:
    advert = "call {} now to claim the prize that is waiting for you".format
    texts = ("a", "b", "c", "a", advert("Anna"), advert("Otto"))
    data = TextDataset(texts, (None,) * 6, (None,) * 6, "t", groups=("x", None, "x", None, None, None))
    assert numbered(source_keys(data)).tolist() == [0, 1, 0, 2, 3, 3]
    assert len(set(source_keys(TextDataset(("a", "b", "a"), (None,) * 3, (None,) * 3, "t")))) == 2


@pytest.mark.parametrize("groups", [{"a", "b"}, {"a": 1, "b": 2}, "ab", iter("ab"), 2])
def test_groups_without_an_order_are_refused(groups: object) -> None:
    with pytest.raises(ConfigurationError, match="expected a sequence"):
        given_groups(groups, 2)  # type: ignore[arg-type]

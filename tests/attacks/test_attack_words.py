"""The words of a text under attack."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.attacks import function_words
from pytest_trust.attacks.words import WordsOfText, cased_like, context_of, is_replacement, open_places
from pytest_trust.text import Span, word_spans, words

TEXTS = st.text(st.sampled_from("aB 'é.,@3\n-_’#/:中👍🏽́"), max_size=30)


@given(TEXTS)
def test_a_text_is_put_together_again(text: str) -> None:
    parts = WordsOfText.of(text)
    assert parts.text == text
    assert parts.words == tuple(words(text))
    assert parts.spans() == word_spans(text)


@given(TEXTS, st.data())
def test_a_word_is_replaced_in_its_place_alone(text: str, data: st.DataObject) -> None:
    parts = WordsOfText.of(text)
    if not parts.words:
        return
    place = data.draw(st.integers(0, len(parts.words) - 1))
    other = parts.replaced(place, "another")
    assert other.separators == parts.separators
    span = word_spans(text)[place]
    assert other.text == text[: span.start] + "another" + text[span.end :]
    (change,) = parts.changes(other)
    assert (change.original, change.before, change.after) == (span, text[span.start : span.end], "another")
    assert other.text[change.replacement.start : change.replacement.end] == "another"


def test_a_text_is_no_change_of_itself() -> None:
    parts = WordsOfText.of("a film, a film")
    assert parts.changes(parts) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a great film", ["great", "film"]),
        ("'CCC' >>>> fine <<<<", ["CCC", "fine"]),
        ("it DOESN'T work, it doesn’t", ["work"]),
        ("see https://example.com/good-film now", ["see", "now"]),
        ("see www.good.de/x, example.com and a@good.org now", ["see", "now"]),
        ("@good_film and # great", ["great"]),
        ("in 1999 4ever 10% good", ["good"]),
        ("snake_case word", ["word"]),
        ("naïve élan", ["naïve", "élan"]),
        ("👍 fine", ["fine"]),
        ("", []),
    ],
)
def test_words_that_may_change(text: str, expected: list[str]) -> None:
    spans = word_spans(text)
    places = open_places(text, None, function_words())
    assert [text[spans[place].start : spans[place].end] for place in places] == expected


def test_a_long_text_without_spaces_takes_no_long_time() -> None:
    text = "中" * 50_000 + "@"
    start = time.perf_counter()
    assert len(open_places(text, None, frozenset())) == 50_000
    assert time.perf_counter() - start < 5


def test_many_addresses_take_no_long_time() -> None:
    start = time.perf_counter()
    assert len(open_places("www.a.org good " * 10_000, None, frozenset())) == 10_000
    assert time.perf_counter() - start < 5


def test_words_that_are_not_read_stay() -> None:
    assert open_places("good film good", Span(0, 9), frozenset()) == [0, 1]
    assert open_places("good film good", Span(2, 14), frozenset()) == [1, 2]


def test_function_words_are_lower_cased_words() -> None:
    assert len(function_words()) > 300
    assert all(word == word.lower() for word in function_words())
    assert {"the", "not", "don't", "very", "i"} <= function_words()
    assert function_words().isdisjoint({"good", "bad", "film", "love"})


@pytest.mark.parametrize(
    ("word", "found", "expected"),
    [
        ("poor", "great", "poor"),
        ("poor", "Great", "Poor"),
        ("poor", "GREAT", "POOR"),
        ("poor", "A", "Poor"),
        ("poor", "iPhone", "poor"),
        ("élan", "Great", "Élan"),
    ],
)
def test_the_case_of_the_word_that_is_replaced(word: str, found: str, expected: str) -> None:
    assert cased_like(word, found) == expected


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("poor", True),
        ("naïve", True),
        ("o'clock", True),
        ("two words", False),
        ("so-called", False),
        ("new_york", False),
        ("b2b", False),
        ("Poor", False),
        ("'s", False),
        ("don'", False),
        ("...", False),
        ("", False),
    ],
)
def test_what_can_take_a_words_place(word: str, is_one: bool) -> None:
    assert is_replacement(word) is is_one


def test_the_words_around_a_place() -> None:
    assert context_of("abcdefgh", 4, 2) == (list("cdefg"), 2)
    assert context_of("abcdefgh", 0, 2) == (list("abc"), 0)
    assert context_of("abcdefgh", 7, 2) == (list("fgh"), 2)

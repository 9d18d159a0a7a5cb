"""Neighbouring words, and names drawn for others."""

from __future__ import annotations

import random

import pytest

from pytest_trust.perturb.language.names import others_for
from pytest_trust.perturb.language.neighbours import (
    PIECE,
    PLAIN_WORD,
    abbreviation_before,
    end_of_word_after,
    span_before,
    word_before,
    words_before,
)
from pytest_trust.text import Span

TEXT = "I don’t (really) ask Mr. Kim"


@pytest.mark.parametrize(
    ("form", "before", "found"), [(None, "(", "don’t"), (PLAIN_WORD, "(", "t"), (PIECE, "ask", "(really)")]
)
def test_the_span_of_the_word_before(form: str | None, before: str, found: str) -> None:
    start = TEXT.index(before)
    span = span_before(TEXT, start) if form is None else span_before(TEXT, start, form)
    assert span is not None
    assert TEXT[span.start : span.end] == found


def test_words_before_and_behind() -> None:
    assert span_before("Hello, you", 7) is None
    assert span_before("you", 0) is None
    assert span_before(f"{'x' * 100} you", 101) == Span(61, 100)
    assert (word_before(TEXT, 8), word_before(TEXT, 25)) == ("don't", "")
    assert abbreviation_before(TEXT, 25) == "mr"
    assert words_before("so I really do not", 15, 3) == ["do", "really", "i"]
    assert end_of_word_after("do not", 2) == 6
    assert end_of_word_after("do, not", 2) == 2


def test_others_are_all_different_and_none_of_the_text() -> None:
    own = {"first": "a", "second": "b"}
    for seed in range(20):
        new = others_for(own, "abcdef", random.Random(seed), taken="f")
        assert new.keys() == own.keys()
        assert len(set(new.values())) == 2
        assert set(new.values()) <= set("cde")


def test_where_too_few_are_left_each_gets_any_but_its_own() -> None:
    drawn = [others_for({1: "a", 2: "b"}, "abc", random.Random(seed)) for seed in range(40)]
    assert {new[1] for new in drawn} == {"b", "c"}
    assert {new[2] for new in drawn} == {"a", "c"}

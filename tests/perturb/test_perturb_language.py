"""Neighbouring words, and names drawn for others."""

from __future__ import annotations

import random
import time

import pytest

from pytest_trust.perturb.language.casing import starts_sentence
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
from pytest_trust.perturb.language.protect import protected_spans
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


@pytest.mark.parametrize("link", ["t.me/john", "bit.ly/2Good", "youtu.be/x-Y", "news.site.fm/A/b?c"])
def test_short_links_are_protected(link: str) -> None:
    text = f"See {link} and/or 3.5/10 end.So it/They"
    assert [text[span.start : span.end] for span in protected_spans(text)] == [link]


def test_the_full_stop_of_a_title_ends_no_sentence() -> None:
    assert not starts_sentence("Dr. King", 4)
    assert not starts_sentence("by Sen. King", 8)
    assert starts_sentence("It ended. King", 10)
    assert starts_sentence("A tyr. King", 7)


@pytest.mark.parametrize("piece", ["a.", "a.bc", "aa.bb/", "a-", "@a."])
def test_protected_spans_take_linear_time(piece: str) -> None:
    def seconds(count: int) -> float:
        text = piece * count
        begin = time.process_time()
        protected_spans(text)
        return time.process_time() - begin

    assert min(seconds(40_000) for _ in range(3)) < 0.5

"""Texts as bags of words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain.words import word_bag
from pytest_trust.text import Span, word_spans, words

# Latin with marks, Greek, Thai, Devanagari with vowel signs, Han, emoji with skin tone and joiner, separators.
PIECES = ["a", "b", "I'm", "e\u0301", "é", "σ", "ส", "วั", "हि", "न्दी", "中", "国", "👍🏽", "👩\u200d🚀", "7", "_"]
SEPARATORS = [" ", "  ", ", ", "\n", "!!!", "'", "-", "\u200b", "\x00", "。"]
TEXTS = st.lists(st.sampled_from(PIECES + SEPARATORS), max_size=12).map("".join)


def masks_of(data, n_words: int) -> np.ndarray:
    rows = data.draw(st.lists(st.lists(st.booleans(), min_size=n_words, max_size=n_words), min_size=1, max_size=5))
    return np.array(rows, dtype=bool).reshape(len(rows), n_words)


@given(TEXTS, st.booleans(), st.data())
def test_a_mask_removes_its_words_and_nothing_else(text, positions, data):
    bag = word_bag(text, word_spans, positions=positions)
    masks = masks_of(data, len(bag.words))
    for row, string in zip(masks, bag.strings(masks), strict=True):
        removed = sorted((s.start, s.end) for word, kept in enumerate(row) if not kept for s in bag.spans[word])
        left, end = "", 0
        for start, stop in removed:
            left, end = left + text[end:start], stop
        assert string == left + text[end:]


@given(TEXTS)
def test_words_in_order_with_all_their_places(text):
    bag = word_bag(text, word_spans)
    assert list(bag.words) == list(dict.fromkeys(words(text)))
    assert sorted((s.start, s.end) for spans in bag.spans for s in spans) == [
        (s.start, s.end) for s in word_spans(text)
    ]
    for word, spans in zip(bag.words, bag.spans, strict=True):
        assert {text[s.start : s.end] for s in spans} == {word}


@given(TEXTS, st.data())
def test_the_strings_are_those_of_the_lime_package(text, data):
    lime_text = pytest.importorskip("lime.lime_text", reason="the extra [lime] is not installed")
    bag = word_bag(text, word_spans)
    indexed = lime_text.IndexedString(text, split_expression=words)
    assert [str(word) for word in indexed.inverse_vocab] == list(bag.words)
    masks = masks_of(data, len(bag.words))
    for row, string in zip(masks, bag.strings(masks), strict=True):
        assert string == indexed.inverse_removing(np.flatnonzero(~row))


def test_many_rows_are_all_made():
    bag = word_bag("a b c", word_spans)
    masks = np.tile(np.array([[True, False, True], [False, True, True]]), (150, 1))
    assert bag.strings(masks) == ["a  c", " b c"] * 150


def test_case_is_told_apart():
    assert word_bag("Good good GOOD good", word_spans).words == ("Good", "good", "GOOD")


def test_positions_keep_every_occurrence():
    bag = word_bag("I'm positive the result was positive", word_spans, positions=True)
    assert bag.words == ("I'm", "positive", "the", "result", "was", "positive")
    assert bag.spans[1] == (Span(4, 12),)
    assert bag.spans[5] == (Span(28, 36),)


@pytest.mark.parametrize(
    "spans", [[Span(2, 4), Span(0, 1)], [Span(0, 3), Span(2, 4)], [Span(1, 1)], [Span(3, 9)], [Span(-1, 2)]]
)
def test_a_tokenizer_must_give_spans_in_order(spans):
    with pytest.raises(ConfigurationError, match=r"spans in order.*within the text of 6 characters; it returned \[\("):
        word_bag("abcdef", lambda text: spans)

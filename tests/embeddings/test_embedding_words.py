"""Word lists without Python objects, and the rules of look-up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.embeddings import words as words_module
from pytest_trust.embeddings.subwords import Subwords
from pytest_trust.embeddings.table import Table
from pytest_trust.embeddings.words import WordList, index_words

TEXTS = st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=30)


def word_list(words: list[str]) -> WordList:
    encoded = [word.encode(errors="surrogatepass") for word in words]
    offsets = np.cumsum([0, *map(len, encoded)])
    return index_words(np.frombuffer(b"".join(encoded), np.uint8), offsets)


def table(entries: dict[str, list[float]], **settings) -> Table:
    return Table(word_list(list(entries)), np.array(list(entries.values()), np.float32), **settings)


@given(words=TEXTS, others=TEXTS)
def test_finds_the_first_place_of_each_word_and_nothing_else(words, others):
    found = word_list(words)
    assert len(found) == len(words)
    assert [found.find(word) for word in words] == [words.index(word) for word in words]
    assert all(found.find(word) is None for word in others if word not in words)
    assert found.find("") is None


def test_words_of_one_hash_are_told_apart(monkeypatch):
    monkeypatch.setattr(words_module, "_hash", lambda word: np.uint64(0))
    monkeypatch.setattr(words_module, "_hashes", lambda text, offsets: np.zeros(len(offsets) - 1, np.uint64))
    found = word_list(["b", "a", "b", "c"])
    assert [found.find(word) for word in "abcd"] == [1, 0, 3, None]


def test_lists_are_indexed_in_parts(monkeypatch):
    words = [f"word{i}" for i in range(50)]
    whole = word_list(words)
    monkeypatch.setattr(words_module, "_AT_A_TIME", 7)
    parts = word_list(words)
    assert np.array_equal(whole.hashes, parts.hashes)
    assert np.array_equal(whole.order, parts.order)


def test_a_word_and_an_unknown_one():
    found = table({"good": [3, 4], "bad": [1, 0]})
    assert found.vector("good").tolist() == [3, 4]
    assert found.vector("zzqx") is None
    assert found.vector("") is None


def test_a_zero_vector_is_no_knowledge():
    assert table({"good": [3, 4], "empty": [0, 0]}).vector("empty") is None


@pytest.mark.parametrize(
    ("entries", "place"),
    [
        ({"NASA": [1, 0], "Nasa": [2, 0], "nasa": [3, 0]}, 3),
        ({"NASA": [1, 0], "Nasa": [2, 0]}, 2),
        ({"NASA": [1, 0], "NaSa": [2, 0]}, 1),
    ],
)
def test_a_cased_table_is_asked_for_the_plain_word_first(entries, place):
    assert table(entries, cased=True).vector("nasa").tolist() == [place, 0]


def test_an_uncased_table_is_asked_for_the_plain_word_alone():
    assert table({"NASA": [1, 0], "Nasa": [2, 0]}).vector("nasa") is None


@pytest.mark.parametrize("entry", ["new york", "new_york", "New_York", "NEW_YORK"])
def test_a_joined_entry_comes_before_the_words(entry):
    found = table({"new": [1, 0], "york": [1, 0], entry: [5, 7]}, cased=True)
    assert found.vector("new york").tolist() == [5, 7]


def test_a_phrase_is_the_mean_of_the_unit_vectors_of_its_known_words():
    found = table({"science": [2, 0], "technology": [0, 9], "And": [0, 0]}, cased=True)
    np.testing.assert_allclose(found.vector("science and technology"), [0.5, 0.5])
    np.testing.assert_allclose(found.vector("(science)"), [1, 0])


def test_words_that_cancel_each_other_out_are_unknown():
    assert table({"up": [1, 0], "down": [-1, 0]}).vector("up down") is None


class TestSubwords:
    def test_a_missing_word_is_the_mean_of_its_sub_words(self):
        rows = np.arange(14, dtype=np.float32).reshape(7, 2)
        found = table({"good": [1, 0]}, subwords=Subwords(rows, 3, 3)).vector("cat")
        expected = rows[[_fnv(piece) % 7 for piece in (b"<ca", b"cat", b"at>")]].mean(axis=0)
        np.testing.assert_allclose(found, expected / np.linalg.norm(expected), rtol=1e-6)

    def test_a_word_of_the_table_is_not_made_of_sub_words(self):
        found = table({"good": [1, 0]}, subwords=Subwords(np.ones((7, 2), np.float32), 3, 6))
        assert found.vector("good").tolist() == [1, 0]

    def test_a_word_too_short_for_any_is_unknown(self):
        assert table({"good": [1, 0]}, subwords=Subwords(np.ones((7, 2), np.float32), 5, 6)).vector("cat") is not None
        assert table({"good": [1, 0]}, subwords=Subwords(np.ones((7, 2), np.float32), 6, 6)).vector("cat") is None


def _fnv(piece: bytes) -> int:
    value = 2166136261
    for byte in piece:
        value = ((value ^ byte) * 16777619) % 2**32
    return value

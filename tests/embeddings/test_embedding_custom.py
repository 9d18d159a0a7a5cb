"""A user's own embedding: taken as it is meant, refused with the reason where it breaks the contract."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pytest_trust.embeddings import CustomEmbedding, Embedding, WordVectors
from pytest_trust.errors import EmbeddingError


class LetterCounts:
    """Counts of the letters a to z; knows words that have any."""

    name = "letters"
    threshold: Any = 0.6
    fingerprint = "letters-1"

    def vectors(self, words):
        matrix = np.array([[word.lower().count(chr(97 + i)) for i in range(26)] for word in words], dtype=np.float64)
        return matrix.reshape(len(words), 26), matrix.reshape(len(words), 26).any(axis=1)


def answering(make) -> LetterCounts:
    """An embedding whose ``vectors`` returns ``make(words)``."""
    made = LetterCounts()
    made.vectors = make
    return made


def test_rows_are_brought_to_length_one():
    member = CustomEmbedding(LetterCounts(), "mine:letters")
    found = member.vectors(["aab", "123", "z"])
    np.testing.assert_allclose(found.matrix[0, :2], np.array([2.0, 1.0]) / np.sqrt(5.0), atol=1e-7)
    assert found.known.tolist() == [True, False, True]
    assert not found.matrix[1].any()
    assert found.matrix.dtype == np.float32
    assert (member.name, member.threshold, member.fingerprint) == ("letters", 0.6, "letters-1")
    assert isinstance(member, Embedding)


def test_word_vectors_and_what_stands_in_unknown_rows_are_taken():
    def make(words):
        return WordVectors(np.full((len(words), 2), np.nan, dtype=np.float32), np.zeros(len(words), dtype=bool))

    assert not CustomEmbedding(answering(make), "mine:nothing").vectors(["good"]).matrix.any()


def test_no_words():
    assert CustomEmbedding(LetterCounts(), "mine:letters").vectors([]).matrix.shape == (0, 26)


@pytest.mark.parametrize("ability", ["name", "threshold", "fingerprint", "vectors"])
def test_a_missing_ability_is_named(ability):
    abilities = {key: getattr(LetterCounts, key) for key in ("name", "threshold", "fingerprint", "vectors")}
    del abilities[ability]
    with pytest.raises(EmbeddingError, match=f"mine:part: Part has no {ability}"):
        CustomEmbedding(type("Part", (), abilities)(), "mine:part")


@pytest.mark.parametrize("threshold", [-1.0, 1.001, float("nan"), float("inf"), "0.5", None, True])
def test_a_threshold_that_is_no_cosine_is_refused(threshold):
    inner = LetterCounts()
    inner.threshold = threshold
    with pytest.raises(EmbeddingError, match=r"mine:letters: threshold is .*, expected a cosine in \(-1, 1\]"):
        CustomEmbedding(inner, "mine:letters")


@pytest.mark.parametrize("threshold", [-0.999, 0, 1, 1.0, np.float32(0.25)])
def test_a_threshold_that_is_a_cosine_is_taken(threshold):
    inner = LetterCounts()
    inner.threshold = threshold
    taken = CustomEmbedding(inner, "mine:letters").threshold
    assert type(taken) is float
    assert taken == threshold


@pytest.mark.parametrize("ability", ["name", "fingerprint"])
@pytest.mark.parametrize("value", ["", None, 3])
def test_name_and_fingerprint_are_strings(ability, value):
    inner = LetterCounts()
    setattr(inner, ability, value)
    with pytest.raises(EmbeddingError, match=f"mine:letters: {ability} is {value!r}, expected a string"):
        CustomEmbedding(inner, "mine:letters")


def ones(n: int, d: int = 3) -> np.ndarray:
    return np.ones((n, d))


BAD_ANSWERS = {
    "no pair": (lambda words: ones(len(words)), "found ndarray, expected WordVectors or a pair"),
    "three": (lambda words: (ones(len(words)), np.ones(len(words), bool), 1), "found tuple, expected WordVectors"),
    "flat": (
        lambda words: (np.ones(len(words)), np.ones(len(words), bool)),
        r"shape \(2,\) for 2 words, expected \(2, d\)",
    ),
    "short": (lambda words: (ones(1), np.ones(len(words), bool)), r"shape \(1, 3\) for 2 words"),
    "no columns": (lambda words: (ones(len(words), 0), np.ones(len(words), bool)), r"shape \(2, 0\) for 2 words"),
    "integers": (lambda words: (ones(len(words)).astype(int), np.ones(len(words), bool)), "a matrix of int64"),
    "number mask": (
        lambda words: (ones(len(words)), np.ones(len(words))),
        r"known mask float64\[2\], expected bool\[2\]",
    ),
    "short mask": (lambda words: (ones(len(words)), np.ones(1, bool)), r"known mask bool\[1\], expected bool\[2\]"),
    "nan": (
        lambda words: (ones(len(words)) * np.nan, np.ones(len(words), bool)),
        "row 0 is called known but is zero, NaN",
    ),
    "infinite": (lambda words: (ones(len(words)) * np.inf, np.ones(len(words), bool)), "row 0 is called known"),
    "zero": (lambda words: (ones(len(words)) * [[1], [0]], np.ones(len(words), bool)), "row 1 is called known"),
}


@pytest.mark.parametrize("kind", BAD_ANSWERS)
def test_a_bad_answer_is_refused_at_once(kind):
    make, message = BAD_ANSWERS[kind]
    with pytest.raises(EmbeddingError, match=rf"mine:bad: vectors\(words\) of the embedding 'letters': .*{message}"):
        CustomEmbedding(answering(make), "mine:bad")


def test_the_dimension_may_not_change():
    def make(words):
        return ones(len(words), 3 if len(words) == 2 else 4), np.ones(len(words), bool)

    member = CustomEmbedding(answering(make), "mine:moving")
    with pytest.raises(EmbeddingError, match=r"shape \(1, 4\) for 1 words, expected \(1, 3\)"):
        member.vectors(["good"])

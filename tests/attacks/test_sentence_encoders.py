"""Encoders of whole sentences: the same vector in any company, and nearly the same from what is known nearby."""

from __future__ import annotations

import random
from importlib import metadata

import numpy as np
import pytest

from pytest_trust.attacks import NearbyEncoder, SentenceEncoder, make_encoder
from pytest_trust.attacks.use_nearby import token_ids
from pytest_trust.embeddings import MiniLM, UniversalSentenceEncoder
from pytest_trust.embeddings.use import load_encoder
from pytest_trust.errors import ConfigurationError

MEMBERS = {"use": UniversalSentenceEncoder, "minilm": MiniLM}
WORDS = """
The film isn't good , unbelievably boring ; naïve 中文字 👍🏽 a-b http://x.org/y ANTIDISESTABLISHMENT 42 .
"""
VOCABULARY = WORDS.split()


def require(name: str) -> None:
    for file in MEMBERS[name].files:
        try:
            metadata.distribution(file.package.distribution)
        except metadata.PackageNotFoundError:
            pytest.skip(f"needs the extra [embeddings]: {file.package.distribution} is not installed")


@pytest.fixture(params=MEMBERS)
def encoder(request: pytest.FixtureRequest) -> SentenceEncoder:
    require(request.param)
    return make_encoder(request.param)


@pytest.fixture
def use() -> NearbyEncoder:
    require("use")
    return make_encoder("use")


def sentence(seed: int, n: int) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=n)


def test_unit_rows_whatever_the_company(encoder) -> None:
    texts = [" ".join(sentence(n, n)) for n in (1, 5, 5, 12)]
    together = encoder.encode(texts)
    assert together.shape == (4, MEMBERS[encoder.name].dimension)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    for text, row in zip(texts, together, strict=True):
        assert np.array_equal(encoder.encode([text])[0], row)


def test_no_texts(encoder) -> None:
    assert encoder.encode([]).shape == (0, MEMBERS[encoder.name].dimension)


def test_a_synonym_stays_nearer_than_another_topic(encoder) -> None:
    film, movie, other = encoder.encode(["the film was great", "the movie was great", "the goalkeeper was injured"])
    assert film @ movie > 0.8 > film @ other


@pytest.mark.parametrize("n_words", [1, 2, 7, 30, 120])
def test_nearby_gives_what_encode_gives(use, n_words: int) -> None:
    words = sentence(n_words, n_words)
    changed = [
        " ".join([*words[:place], word, *words[place + 1 :]])
        for place in sorted({0, n_words // 2, n_words - 1})
        for word in ("good", "unbelievable 👍🏽", "")
    ]
    text = " ".join(words)
    texts = [text, *changed, "something else", "", text + " more"]
    assert use.nearby(text)(texts) == pytest.approx(use.encode(texts), abs=1e-6)


def test_nearby_an_empty_text(use) -> None:
    texts = ["", " \u200b ", "good film"]
    assert use.nearby("")(texts) == pytest.approx(use.encode(texts), abs=1e-6)


def test_pieces_by_words_are_those_of_the_whole_text(use) -> None:
    for seed in range(50):
        text = " ".join(sentence(seed, 20))
        assert token_ids(text).tolist() == load_encoder().sp.encode(text, out_type=int)


def test_groups_do_not_change_vectors(use, monkeypatch) -> None:
    texts = [f"the film was {word} and long" for word in ("good", "bad", "dull", "fine", "unbelievable")]
    whole = use.nearby("the film was nice and long")(texts)
    monkeypatch.setattr("pytest_trust.attacks.use_nearby._TOKENS", 1)
    assert use.nearby("the film was nice and long")(texts) == pytest.approx(whole, abs=1e-6)


def test_unknown_encoders_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="encoder='bert': expected 'use' or 'minilm'"):
        make_encoder("bert")

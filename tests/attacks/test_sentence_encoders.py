"""Encoders of whole sentences: the same vector in any company, and nearly the same from what is known nearby."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import metadata

import numpy as np
import pytest

from pytest_trust.attacks import NearbyEncoder, SentenceEncoder, make_encoder
from pytest_trust.attacks.use.layers import standardised
from pytest_trust.attacks.use.nearby import token_ids
from pytest_trust.attacks.use.tokens import Tokens
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
    assert use.nearby(text).encode(texts) == pytest.approx(use.encode(texts), abs=1e-6)


def test_nearby_an_empty_text(use) -> None:
    texts = ["", " \u200b ", "good film"]
    assert use.nearby("").encode(texts) == pytest.approx(use.encode(texts), abs=1e-6)


def changed(words: list[str], place: int) -> list[str]:
    """Texts with other words in a place, of one piece, of several and of none."""
    offered = ("good", "unbelievable 👍🏽", "", "ANTIDISESTABLISHMENT", "bad")
    return [" ".join([*words[:place], word, *words[place + 1 :]]) for word in offered]


def follow(use: NearbyEncoder, words: list[str], places: Sequence[int]) -> None:
    """Changes places one after the other as a search does, and holds each text against the encoder itself."""
    nearby = use.nearby(" ".join(words))
    for step, place in enumerate(places):
        texts = changed(words, place)
        assert nearby.encode(texts) == pytest.approx(use.encode(texts), abs=1e-6)
        chosen = texts[step % len(texts)]
        nearby.move(chosen)
        assert nearby.encode([chosen]) == pytest.approx(use.encode([chosen]), abs=1e-6)
        words = chosen.split(" ")


@pytest.mark.parametrize(
    "places",
    [(0, 0, 0, 0), (15, 14, 16, 13, 17, 18), (29, 28, 27, 29), (0, 29, 1, 28), (5, 25, 15), (10, 18, 14)],
    ids=["start", "neighbours", "end", "both ends", "apart", "overlapping"],
)
def test_nearby_follows_a_search(use, places: tuple[int, ...]) -> None:
    follow(use, sentence(3, 30), places)


def test_nearby_follows_a_search_in_short_and_long_texts(use) -> None:
    for n_words in (1, 2, 5, 150):
        places = random.Random(n_words).choices(range(n_words), k=6)
        follow(use, sentence(n_words, n_words), places)


def test_long_texts_keep_less(use, monkeypatch) -> None:
    monkeypatch.setattr("pytest_trust.attacks.use.windows._KEPT_TOKENS", 50)
    for n_words in (25, 60):  # crosses the bound, and lies above it
        follow(use, sentence(n_words, n_words), (3, 20, 10, 11, 0))


def test_nearby_moves_to_a_text_that_it_has_not_seen(use) -> None:
    nearby = use.nearby("the film was good")
    nearby.move("something else altogether")
    texts = ["something else altogether", "something new altogether", "the film was good"]
    assert nearby.encode(texts) == pytest.approx(use.encode(texts), abs=1e-6)


def test_nearby_moves_to_the_same_tokens_in_another_text(use) -> None:
    nearby = use.nearby("the film was good")
    texts = ["the  film was good", "the  film was bad"]
    assert nearby.encode(texts[:1]) == pytest.approx(use.encode(texts[:1]), abs=1e-6)
    nearby.move(texts[0])
    assert nearby.encode(texts) == pytest.approx(use.encode(texts), abs=1e-6)


def test_the_encoder_goes_once_through_a_whole_text(use, monkeypatch) -> None:
    computed: list[int] = []
    monkeypatch.setattr(
        "pytest_trust.attacks.use.nearby.standardised", lambda rows: computed.append(len(rows)) or standardised(rows)
    )
    words = ["film"] * 100
    nearby = use.nearby(" ".join(words))
    assert computed == [len(token_ids(" ".join(words)))]
    for place in (20, 60):
        texts = [" ".join([*words[:place], word, *words[place + 1 :]]) for word in ("good", "bad")]
        nearby.encode(texts)
        nearby.move(texts[0])
        words = texts[0].split()
    assert computed[1:] == [2 * 9, 2 * 9]


def test_nearby_no_texts(use) -> None:
    assert use.nearby("the film").encode([]).shape == (0, 512)


def test_searches_at_once_share_no_text(use) -> None:
    words = [sentence(seed, 12) for seed in (1, 2)]
    searches = [use.nearby(" ".join(each)) for each in words]
    for search, each in zip(searches, words, strict=True):
        search.encode(changed(each, 4))
    for search, each in zip(searches, words, strict=True):
        search.move(changed(each, 4)[1])
    for search, each in zip(searches, words, strict=True):
        texts = changed(changed(each, 4)[1].split(), 5)
        assert search.encode(texts) == pytest.approx(use.encode(texts), abs=1e-6)


def test_tokens_are_forgotten_when_there_are_too_many(use, monkeypatch) -> None:
    tokens = Tokens()
    monkeypatch.setattr(Tokens, "most", 12)
    monkeypatch.setattr("pytest_trust.attacks.use.nearby._tokens", lambda: tokens)
    for seed in range(4):
        follow(use, sentence(seed, 10), (3, 7))
    assert tokens.slots([1, 2]).keys() >= {1, 2}
    assert len(tokens.slots([1, 2])) < 40


def test_vectors_do_not_depend_on_what_was_met_before(use, monkeypatch) -> None:
    words = sentence(5, 20)
    found = []
    for earlier in ([], sentence(6, 3), sentence(7, 40)):
        tokens = Tokens()
        monkeypatch.setattr("pytest_trust.attacks.use.nearby._tokens", lambda tokens=tokens: tokens)
        use.nearby(" ".join(earlier))
        found.append(use.nearby(" ".join(words)).encode(changed(words, 9)))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_pieces_by_words_are_those_of_the_whole_text(use) -> None:
    for seed in range(50):
        text = " ".join(sentence(seed, 20))
        assert token_ids(text) == load_encoder().sp.encode(text, out_type=int)


def test_unknown_encoders_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="encoder='bert': expected 'use' or 'minilm'"):
        make_encoder("bert")

"""Relatedness of many words at once: in blocks, whatever words share them."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from pytest_trust.embeddings.base import WordVectors
from pytest_trust.keywords import (
    ClassKeywords,
    ClassRelatedness,
    IndexOrigin,
    IndexSettings,
    KeywordIndex,
    MemberSettings,
    PoolWord,
)
from pytest_trust.keywords.relatedness import nearest_words

POOL = tuple(PoolWord(f"pool{i}", 1.0 / (i + 1), 1) for i in range(40))
WORDS = [f"word{i}" for i in range(500)]


@pytest.fixture
def relatedness(make_embedding):
    rng = np.random.default_rng(0)
    words = [item.word for item in POOL] + WORDS
    member = make_embedding(dict(zip(words, rng.normal(size=(len(words), 6)), strict=True)))
    return _relatedness(member, keywords=frozenset(item.word for item in POOL[::2]))


def _relatedness(member, keywords: frozenset[str]) -> ClassRelatedness:
    of_class = ClassKeywords("good", ("good",), POOL, keywords)
    settings = IndexSettings({}, 0, (MemberSettings(member.name, member.fingerprint, member.threshold),), (("good",),))
    vocabulary = sorted(item.word for item in POOL)
    index = KeywordIndex(
        IndexOrigin("m", "d", settings, "model", "data"), (of_class,), {member.name: member.vectors(vocabulary)}, 1
    )
    return ClassRelatedness(index, of_class, [member])


def test_related_says_what_relate_says(relatedness) -> None:
    related = relatedness.related(WORDS)
    assert related.dtype == np.bool_
    assert related.tolist() == [relation.related for relation in relatedness.relate(WORDS)]
    assert 0 < related.sum() < len(WORDS)


def test_no_words(relatedness) -> None:
    assert relatedness.related([]).shape == (0,)


@pytest.mark.parametrize("cells", [1, 100, 1000])
def test_blocks_do_not_change_relations(relatedness, monkeypatch, cells: int) -> None:
    whole = relatedness.relate(WORDS)
    monkeypatch.setattr("pytest_trust.keywords.relatedness._CELLS", cells)
    relatedness._known.clear()
    assert relatedness.relate(WORDS) == whole


def test_of_equally_near_pool_words_a_keyword_then_the_first_is_named(make_embedding) -> None:
    table = {item.word: (1.0, 0.0) for item in POOL} | {"word": (0.6, 0.8)}
    relation = _relatedness(make_embedding(table), frozenset({"pool7", "pool3"})).relate(["word"])[0]
    assert (relation.related, relation.nearest, relation.keyword) == (True, "pool3", "pool3")


@pytest.mark.parametrize(("keywords", "related"), [(frozenset(), False), (frozenset(i.word for i in POOL), True)])
def test_a_pool_of_one_kind(make_embedding, keywords: frozenset[str], related: bool) -> None:
    table = {item.word: (1.0, i / 100) for i, item in enumerate(POOL)} | {"word": (0.0, 1.0)}
    relation = _relatedness(make_embedding(table), keywords).relate(["word"])[0]
    assert (relation.related, relation.nearest) == (related, "pool39")
    assert relation.keyword == ("pool39" if related else None)


def test_a_pool_that_the_member_does_not_know(make_embedding) -> None:
    relation = _relatedness(make_embedding({"word": (1.0, 0.0)}), frozenset({"pool0"})).relate(["word"])[0]
    assert (relation.related, relation.nearest, relation.keyword) == (False, None, None)


def test_memory_is_that_of_a_block() -> None:
    rng = np.random.default_rng(0)
    words, pool = (rng.normal(size=(n, 8)).astype(np.float32) for n in (8000, 2000))
    tracemalloc.start()
    try:
        nearest_words(words, WordVectors(pool, np.ones(2000, dtype=np.bool_)), np.arange(2000))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The whole product would take 128 MB.
    assert peak < 64e6

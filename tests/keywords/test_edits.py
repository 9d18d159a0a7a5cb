"""A user's allow and deny lists, laid over an index."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pytest_trust.explain import Explanation, WordScore
from pytest_trust.keywords import (
    ClassKeywords,
    ClassRelatedness,
    IndexOrigin,
    IndexSettings,
    KeywordIndex,
    MemberSettings,
    PoolWord,
)
from pytest_trust.keywords.descriptions import ClassDescription
from pytest_trust.keywords.edits import with_edits
from pytest_trust.keywords.file import dump_index
from pytest_trust.oracles import TokiOracle

NOTHING = ClassDescription()


@pytest.fixture
def members(make_embedding):
    # Angles in a plane; the second member knows neither "crisp" nor "host".
    def plane(**degrees: float) -> dict[str, tuple[float, float]]:
        return {word: (float(np.cos(np.radians(a))), float(np.sin(np.radians(a)))) for word, a in degrees.items()}

    first = make_embedding(plane(fine=0, lake=20, host=90, crisp=60, crunchy=65, awful=180, pond=22), name="first")
    second = make_embedding(plane(fine=0, lake=20, awful=180, crunchy=10), name="second")
    return [first, second]


@pytest.fixture
def index(members) -> KeywordIndex:
    classes = (
        ClassKeywords("bad", ("bad",), (PoolWord("awful", 0.5, 3),), frozenset({"awful"})),
        ClassKeywords(
            "good",
            ("good",),
            (PoolWord("fine", 0.5, 3), PoolWord("lake", 0.4, 2), PoolWord("host", 0.1, 1)),
            frozenset({"fine", "lake"}),
        ),
    )
    settings = IndexSettings(
        {}, 0, tuple(MemberSettings(m.name, m.fingerprint, m.threshold) for m in members), (("bad",), ("good",))
    )
    origin = IndexOrigin("m", "d", settings, "model", "data")
    index = KeywordIndex(origin, classes, {}, explained=6)
    return replace(index, vectors={m.name: m.vectors(index.vocabulary) for m in members})


def related(index: KeywordIndex, members, *words: str) -> list[tuple[bool, str | None]]:
    found = ClassRelatedness(index, index.classes[1], members).relate(words)
    return [(relation.related, relation.nearest) for relation in found]


def test_without_lists_the_index_is_as_it_was(index, members) -> None:
    assert with_edits(index, [NOTHING, ClassDescription(("words", "alone"))], members) is index


def test_denied_words_are_keywords_no_more(index, members) -> None:
    edited = with_edits(index, [NOTHING, ClassDescription(deny=("lake",))], members)
    assert edited.classes[1].keywords == {"fine"}
    assert edited.classes[0] == index.classes[0]
    assert related(index, members, "pond", "fine") == [(True, "lake"), (True, "fine")]
    assert related(edited, members, "pond", "fine") == [(False, "lake"), (True, "fine")]


def test_allowed_words_are_keywords_whatever_was_elected(index, members) -> None:
    edited = with_edits(index, [NOTHING, ClassDescription(allow=("host",))], members)
    assert edited.classes[1].keywords == {"fine", "lake", "host"}
    assert edited.classes[1].pool == index.classes[1].pool
    assert related(edited, members, "host") == [(True, "host")]


def test_words_that_the_pool_lacks_join_it(index, members) -> None:
    edited = with_edits(index, [NOTHING, ClassDescription(allow=("crisp",), deny=("crunchy", "xyzzy"))], members)
    assert edited.classes[1].pool[3:] == (
        PoolWord("crisp", 0.0, 0),
        PoolWord("crunchy", 0.0, 0),
        PoolWord("xyzzy", 0.0, 0),
    )
    assert edited.classes[1].keywords == {"fine", "lake", "crisp"}
    assert related(edited, members, "crisp", "crunchy") == [(True, "crisp"), (False, "crunchy")]


def test_vectors_are_those_that_the_members_give(index, members) -> None:
    for item in members:
        item.asked.clear()
    lists = ClassDescription(allow=("crisp", "zebra"), deny=("aaa", "lake"))
    edited = with_edits(index, [lists, NOTHING], members)
    assert edited.vocabulary == ("aaa", "awful", "crisp", "fine", "host", "lake", "zebra")
    assert members[0].asked == ["aaa", "crisp", "zebra"]
    for item in members:
        direct = item.vectors(edited.vocabulary)
        assert np.array_equal(edited.vectors[item.name].matrix, direct.matrix)
        assert edited.vectors[item.name].known.tolist() == direct.known.tolist()


def test_the_index_itself_stays(index, members) -> None:
    before = dump_index(index)
    edited = with_edits(index, [ClassDescription(deny=("awful",)), ClassDescription(allow=("crisp",))], members)
    assert dump_index(index) == before
    assert edited.origin == index.origin
    assert edited.explained == index.explained


def test_verdicts_follow(index, members) -> None:
    scores = (WordScore("pond", 0.5, ()), WordScore("fine", 0.3, ()))
    explanation = Explanation("text", "good", 1, 0.9, scores, "lime", 100, 100, 0)
    edited = with_edits(index, [NOTHING, ClassDescription(deny=("lake",))], members)
    assert TokiOracle(index, members).judge(explanation).trustworthy is True
    assert TokiOracle(edited, members).judge(explanation).trustworthy is False


def test_a_class_without_a_pool_may_get_one(index, members) -> None:
    bare = replace(index, classes=(replace(index.classes[0], pool=(), keywords=frozenset()), index.classes[1]))
    bare = replace(bare, vectors={m.name: m.vectors(bare.vocabulary) for m in members})
    edited = with_edits(bare, [ClassDescription(allow=("awful",)), NOTHING], members)
    assert ClassRelatedness(edited, edited.classes[0], members).relate(["awful"])[0].related


def test_an_allowed_phrase_is_one_keyword(index, make_embedding, members) -> None:
    members[0].table["well done"] = (0.0, -1.0)
    edited = with_edits(index, [NOTHING, ClassDescription(allow=("well done",))], members)
    assert "well done" in edited.classes[1].keywords
    assert "well done" in edited.classes[1].lists()[0]

"""TOKI on pools small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explanation
from pytest_trust.explain.explanation import WordScore
from pytest_trust.keywords import (
    ClassKeywords,
    ClassRelatedness,
    IndexOrigin,
    IndexSettings,
    KeywordIndex,
    MemberSettings,
    PoolWord,
)
from pytest_trust.keywords.pool import collect_pool, supporting_words
from pytest_trust.oracles import TokiOracle


def explanation(label: str, *words: tuple[str, float], note: str = "") -> Explanation:
    scores = tuple(WordScore(word, score, ()) for word, score in words)
    return Explanation("text", label, 0, 0.9, scores, "lime", 100, 100, 0, note)


def test_scores_against_the_class_are_dropped_and_cases_merged() -> None:
    found = supporting_words(explanation("good", ("Fine", 0.4), ("fine", 0.2), ("awful", -0.5), ("the", 0.0)))
    assert found == pytest.approx({"fine": 0.3})


def test_rounding_noise_is_no_contribution() -> None:
    assert supporting_words(explanation("good", ("word", 3e-17))) == {}


def test_pool_means_are_over_the_explanations_with_the_word() -> None:
    pool = collect_pool(
        [
            explanation("good", ("fine", 0.4), ("nice", 0.1)),
            explanation("good", ("fine", 0.2)),
            explanation("good", ("fine", -0.3), ("nice", 0.3)),
        ]
    )
    assert [(item.word, item.count) for item in pool] == [("fine", 2), ("nice", 2)]
    assert [item.mean_score for item in pool] == pytest.approx([0.3, 0.2])


@pytest.fixture
def members(make_embedding):
    # Angles in a plane; the second member does not know "odd" and sees "host" beside the keywords.
    def plane(**degrees: float) -> dict[str, tuple[float, float]]:
        return {word: (float(np.cos(np.radians(a))), float(np.sin(np.radians(a)))) for word, a in degrees.items()}

    first = make_embedding(plane(fine=0, host=90, great=20, server=80, odd=85, middle=45), name="first")
    second = make_embedding(plane(fine=0, host=90, great=10, server=70, middle=45), name="second")
    return [first, second]


@pytest.fixture
def index(members) -> KeywordIndex:
    pool = (PoolWord("fine", 0.5, 3), PoolWord("host", 0.4, 2))
    settings = IndexSettings(
        {"explainer": "lime"},
        0,
        tuple(MemberSettings(m.name, m.fingerprint, m.threshold) for m in members),
        (("good",),),
    )
    return KeywordIndex(
        IndexOrigin("m", "d", settings, "model", "data"),
        (ClassKeywords("good", ("good",), pool, frozenset({"fine"})),),
        {m.name: m.vectors(("fine", "host")) for m in members},
        explained=3,
    )


def test_relatedness_is_that_of_the_nearest_pool_word(index, members) -> None:
    relatedness = ClassRelatedness(index, index.classes[0], members)
    relations = relatedness.relate(["great", "server", "fine", "host"])
    assert [(r.related, r.nearest) for r in relations] == [
        (True, "fine"),
        (False, "host"),
        (True, "fine"),
        (False, "host"),
    ]


def test_the_nearest_keyword_is_told_beside_the_nearest_word(index, members) -> None:
    relation = ClassRelatedness(index, index.classes[0], members).relate(["server"])[0]
    assert (relation.nearest, relation.keyword) == ("host", "fine")


def test_a_tie_between_keyword_and_other_counts_as_related(index, members) -> None:
    relation = ClassRelatedness(index, index.classes[0], members).relate(["middle"])[0]
    assert relation.related


def test_a_member_that_does_not_know_a_word_abstains(index, members) -> None:
    relation = ClassRelatedness(index, index.classes[0], members).relate(["odd"])[0]
    assert (relation.related, relation.nearest) == (False, "host")


def test_a_word_that_nobody_knows_is_unrelated(index, members) -> None:
    relation = ClassRelatedness(index, index.classes[0], members).relate(["xyzzy"])[0]
    assert (relation.related, relation.nearest) == (False, None)


def test_words_are_asked_for_once(index, members) -> None:
    relatedness = ClassRelatedness(index, index.classes[0], members)
    members[0].asked.clear()
    relatedness.relate(["great", "great", "server"])
    relatedness.relate(["server", "great"])
    assert members[0].asked == ["great", "server"]


@pytest.mark.parametrize(
    ("words", "trustworthy"),
    [
        ([("great", 0.5), ("server", 0.4)], True),
        ([("great", 0.4), ("server", 0.5)], False),
        ([("great", 0.1 + 0.2), ("server", 0.3)], True),  # equal but for rounding: IS_rel >= IS_unr holds
        ([("great", 0.3), ("server", 0.1 + 0.2)], True),
        ([("great", 0.2), ("fine", 0.2), ("server", 0.3)], True),
        ([("great", 0.4), ("server", 0.5), ("host", -0.9)], False),  # what speaks against the class counts nowhere
        ([("server", 1e-3)], False),
    ],
)
def test_verdict(index, members, words, trustworthy: bool) -> None:
    assert TokiOracle(index, members).judge(explanation("good", *words)).trustworthy is trustworthy


def test_sums_and_words_of_a_verdict(index, members) -> None:
    verdict = TokiOracle(index, members).judge(explanation("good", ("great", 0.5), ("server", 0.2), ("xyzzy", 0.1)))
    assert (verdict.related, verdict.unrelated) == pytest.approx((0.5, 0.3))
    assert [(w.word, w.related, w.nearest) for w in verdict.words] == [
        ("great", True, "fine"),
        ("server", False, "host"),
        ("xyzzy", False, None),
    ]


def test_nothing_to_judge_is_no_verdict(index, members) -> None:
    oracle = TokiOracle(index, members)
    silent = oracle.judge(explanation("good", note="no words to explain"))
    assert (silent.trustworthy, silent.note) == (None, "no words to explain")
    assert oracle.judge(explanation("good", ("awful", -0.2))).trustworthy is None


def test_many_verdicts_equal_single_ones(index, members) -> None:
    many = [explanation("good", ("great", 0.5), ("server", 0.6)), explanation("good", ("middle", 0.1))]
    assert TokiOracle(index, members).judge_many(many) == [TokiOracle(index, members).judge(e) for e in many]


def test_a_class_without_keywords_trusts_nothing(index, members) -> None:
    bare = KeywordIndex(
        index.origin,
        (ClassKeywords("good", ("good",), index.classes[0].pool, frozenset()),),
        index.vectors,
        3,
    )
    assert TokiOracle(bare, members).judge(explanation("good", ("fine", 0.5))).trustworthy is False


def test_other_embeddings_than_those_of_the_index_are_refused(index, members) -> None:
    with pytest.raises(ConfigurationError, match="built with the embeddings first, second, but first"):
        TokiOracle(index, members[:1])


def test_an_unknown_class_is_refused(index, members) -> None:
    with pytest.raises(ConfigurationError, match="no class 'odd'"):
        TokiOracle(index, members).judge(explanation("odd", ("fine", 0.5)))

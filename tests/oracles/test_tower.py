"""TOWER with all its settings, on planes of vectors."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.oracles import TowerOracle, TowerSettings
from tests.oracles.planes import at, explanation

# How far each word lies above the threshold 0.5 of a member: +0.4, +0.06, -0.05, -0.3, -0.4.
COSINES = {"fine": 0.9, "nice": 0.56, "meh": 0.45, "host": 0.2, "server": 0.1}


@pytest.fixture
def alone(make_embedding):
    return make_embedding({"good": at(1)} | {word: at(cosine) for word, cosine in COSINES.items()})


@pytest.fixture
def pair(make_embedding):
    # "split" lies at +0.4 and -0.1, "lean" at +0.05 and -0.1, "both" at +0.2 and +0.3.
    first = {"good": at(1), "split": at(0.9), "lean": at(0.55), "both": at(0.7), "one": at(0.9)}
    second = {"good": at(1), "split": at(0.1), "lean": at(0.1), "both": at(0.5)}
    return [make_embedding(first, name="first"), make_embedding(second, name="second", threshold=0.2)]


def judged(members, *words: str | tuple[str, float], aucs=None, **settings: Any):
    oracle = TowerOracle(("good",), (("good",),), members, aucs, TowerSettings(**settings))
    pairs = [(word, 0.5 - place / 100) if isinstance(word, str) else word for place, word in enumerate(words)]
    return oracle.judge(explanation("good", *pairs))


AVERAGE, PLURALITY, SUFFICIENCY = ({"decision": name} for name in ("average", "plurality", "sufficiency"))


@pytest.mark.parametrize(
    ("words", "settings", "trustworthy", "score"),
    [
        # (0.4 + 0.06 - 0.3) / 3, and without the word in the exclusion range.
        (("fine", "nice", "host"), AVERAGE | {"exclusion": 0}, True, 0.16 / 3),
        (("fine", "nice", "host"), AVERAGE | {"exclusion": 0.07}, True, 0.05),
        (("fine", "nice", "host"), AVERAGE | {"exclusion": 0.35}, True, 0.4),
        (("fine", "host", "server"), AVERAGE, False, -0.1),
        (("fine", "host", "server"), PLURALITY, False, -1 / 3),
        (("fine", "host", "server"), SUFFICIENCY, True, 1.0),
        (("host", "server"), SUFFICIENCY, False, -1.0),
        (("fine", "nice", "meh"), PLURALITY | {"exclusion": 0}, True, 1 / 3),
        (("nice", "meh", "host"), PLURALITY | {"exclusion": 0}, False, -1 / 3),
        (("fine", "nice", "meh"), PLURALITY, True, 1.0),
        (("fine", "host"), PLURALITY, None, None),
        (("nice", "meh"), AVERAGE, None, None),
        (("nice", "meh"), PLURALITY, None, None),
        (("nice", "meh"), SUFFICIENCY, None, None),
        (("xyzzy",), AVERAGE | {"exclusion": 0}, None, None),
        (("fine", "xyzzy"), AVERAGE, True, 0.4),
        (("fine",), AVERAGE, True, 0.4),
    ],
)  # fmt: skip
def test_decisions_of_one_member(alone, words, settings, trustworthy: bool | None, score: float | None) -> None:
    found = judged([alone], *words, **settings)
    assert found.trustworthy is trustworthy
    assert found.score == (None if score is None else pytest.approx(score))
    assert found.note.startswith("undefined") is (trustworthy is None)


@pytest.mark.parametrize(
    ("word", "settings", "score"),
    [
        ("split", {}, 0.15),
        ("split", {"aucs": (0.6, 0.9), "auc_weighting": True}, 0.1),  # (0.6 * 0.4 - 0.9 * 0.1) / 1.5
        ("split", {"aucs": (0.6, 0.9)}, 0.15),
        ("lean", {}, None),  # (0.05 - 0.1) / 2 lies in the exclusion range
        ("lean", {"exclusion": 0}, -0.025),
        ("one", {}, 0.4),
        ("one", {"aucs": (0.6, 0.9), "auc_weighting": True}, 0.4),
        ("both", {}, 0.25),
    ],
)
def test_aggregation_averages_distances_from_the_thresholds(pair, word: str, settings, score: float | None) -> None:
    assert judged(pair, word, **settings).score == (None if score is None else pytest.approx(score))


@pytest.mark.parametrize(
    ("word", "settings", "score"),
    [
        ("split", {}, None),
        ("split", {"aucs": (0.6, 0.9), "auc_weighting": True}, -0.2),  # (0.6 - 0.9) / 1.5
        ("lean", {}, -1.0),  # the first lies in the exclusion range and has no vote
        ("lean", {"exclusion": 0}, None),
        ("one", {}, 1.0),
        ("both", {}, 1.0),
    ],
)
def test_voting_counts_the_members(pair, word: str, settings, score: float | None) -> None:
    found = judged(pair, word, combination="voting", **settings)
    assert found.score == (None if score is None else pytest.approx(score))


def test_words_of_low_scores_are_left_out(alone) -> None:
    words = (("host", 0.3), ("fine", 0.05), ("server", 0.04))
    assert judged([alone], *words, min_score=0.05).score == pytest.approx(0.05)
    assert judged([alone], *words).score == pytest.approx(-0.1)
    assert judged([alone], *words, min_score=0.5).note == "no word speaks for the class"


def test_only_the_leading_words_count(alone) -> None:
    words = (("fine", 0.5), ("host", 0.3), ("server", 0.2))
    assert [judged([alone], *words, top=top).score for top in (1, 2, 3)] == pytest.approx([0.4, 0.05, -0.1])


def test_leading_is_said_of_merged_spellings(alone) -> None:
    # The mean of the two spellings is 0.3.
    found = judged([alone], ("Fine", 0.5), ("host", 0.4), ("fine", 0.1), top=1)
    assert [word.word for word in found.words] == ["host"]


def test_the_nearest_name_counts(make_embedding) -> None:
    member = make_embedding({"bad": at(1), "good": at(0), "fine": at(0.8)})
    oracle = TowerOracle(("x",), (("good", "bad", "unknown"),), [member])
    assert oracle.judge(explanation("x", ("fine", 0.5))).score == pytest.approx(0.3)


def test_words_tell_their_kind(alone) -> None:
    found = judged([alone], "fine", "nice", "host", "xyzzy")
    assert [word.related for word in found.words] == [True, None, False, None]
    assert [word.nearest for word in found.words] == ["good", "good", "good", None]
    assert (found.related, found.unrelated) == (1, 1)


def test_nothing_to_judge_is_no_verdict(alone) -> None:
    oracle = TowerOracle(("good",), (("good",),), [alone])
    assert oracle.judge(explanation("good", note="no words to explain")).note == "no words to explain"
    assert oracle.judge(explanation("good", ("fine", 0.5), undecided=True)).trustworthy is None
    assert oracle.judge_many([]) == []


def test_an_unknown_class_is_refused(alone) -> None:
    with pytest.raises(ConfigurationError, match=r"no class 'odd'; it was made for \['good'\]"):
        TowerOracle(("good",), (("good",),), [alone]).judge(explanation("odd", ("fine", 0.5)))


@pytest.mark.parametrize("aucs", [None, (0.9,)])
def test_weights_need_the_auc_of_each_member(pair, aucs) -> None:
    with pytest.raises(ConfigurationError, match="auc_weighting needs the AUC of each embedding"):
        judged(pair, "split", aucs=aucs, auc_weighting=True)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("exclusion", 1),
        ("exclusion", -0.1),
        ("combination", "sum"),
        ("min_score", float("nan")),
        ("top", 0),
        ("top", 2.5),
        ("decision", "majority"),
    ],
)
def test_a_wrong_setting_is_named(setting: str, value: object) -> None:
    with pytest.raises(ConfigurationError, match=f"{setting}=.*expected"):
        TowerSettings(**{setting: value})

"""TOKI without keyword identification, on planes of vectors."""

from __future__ import annotations

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.oracles import DirectOracle
from tests.oracles.planes import at, explanation

NAMES = (("bad",), ("good", "pleasant"))


@pytest.fixture
def members(make_embedding):
    # "pleasant" lies opposite to nearly all: it is nearest to "sunny" alone.
    first = {
        "good": at(1),
        "pleasant": (-0.6, -0.8),
        "bad": (0, -1),
        "fine": at(0.9),
        "great": at(0.7),
        "split": at(0.7),
        "odd": at(0.3),
        "host": at(0.1),
        "sunny": (-0.8, -0.6),
    }
    second = {"good": at(1), "fine": at(0.6), "great": at(0.7), "split": at(0.3), "host": at(0.0), "new": at(0.9)}
    return [make_embedding(first, name="first"), make_embedding(second, name="second", threshold=0.4)]


@pytest.fixture
def oracle(members) -> DirectOracle:
    return DirectOracle(("neg", "pos"), NAMES, members)


@pytest.mark.parametrize(
    ("word", "related", "nearest"),
    [
        ("fine", True, "good"),  # 0.9 and 0.6, at or above 0.5 and 0.4
        ("host", False, "good"),
        ("split", False, "good"),  # one vote each elects nothing
        ("odd", False, "good"),  # the second abstains
        ("new", True, "good"),  # the first abstains
        ("sunny", True, "pleasant"),  # 0.96 to the other name; the second knows neither
        ("xyzzy", False, None),
    ],
)
def test_a_word_is_related_where_most_members_say_so(oracle, word: str, related: bool, nearest: str | None) -> None:
    (evidence,) = oracle.judge(explanation("pos", (word, 0.5))).words
    assert (evidence.word, evidence.related, evidence.nearest) == (word, related, nearest)


def test_a_member_that_knows_no_name_of_the_class_abstains(oracle) -> None:
    # Only the first knows "bad", at right angles to "good": (0, -1) and (-0.8, -0.6) have the cosine 0.6.
    found = oracle.judge(explanation("neg", ("sunny", 0.5), ("fine", 0.2)))
    assert [(word.word, word.related) for word in found.words] == [("sunny", True), ("fine", False)]


@pytest.mark.parametrize(
    ("words", "trustworthy", "score"),
    [
        ([("fine", 0.5), ("host", 0.3)], True, 0.625),
        ([("fine", 0.3), ("host", 0.5)], False, 0.375),
        ([("fine", 0.3), ("host", 0.1 + 0.2)], True, 0.5),
        ([("fine", 0.2), ("great", 0.2), ("host", 0.3)], True, 4 / 7),
        ([("fine", 0.1), ("host", -0.9)], True, 1.0),
        ([("host", 0.1)], False, 0.0),
        ([("FINE", 0.1), ("fine", 0.3), ("Host", 0.15)], True, 4 / 7),
    ],
)
def test_verdict(oracle, words, trustworthy: bool, score: float) -> None:
    found = oracle.judge(explanation("pos", *words))
    assert found.trustworthy is trustworthy
    assert found.score == pytest.approx(score)
    assert found.related / (found.related + found.unrelated) == pytest.approx(score)


def test_nothing_to_judge_is_no_verdict(oracle) -> None:
    silent = oracle.judge(explanation("pos", note="no words to explain"))
    assert (silent.trustworthy, silent.note, silent.score) == (None, "no words to explain", None)
    assert oracle.judge(explanation("pos", ("fine", -0.2))).note == "no word speaks for the class"


def test_what_a_cap_left_open_is_no_verdict(oracle) -> None:
    found = oracle.judge(explanation("pos", ("fine", 0.2), undecided=True, calls=300))
    assert (found.trustworthy, found.score, found.note) == (None, None, "undecided after 300 model calls")


def test_many_verdicts_equal_single_ones(oracle, members) -> None:
    many = [explanation("pos", ("fine", 0.5), ("host", 0.6)), explanation("neg", ("sunny", 0.1)), explanation("pos")]
    assert DirectOracle(("neg", "pos"), NAMES, members).judge_many(many) == [oracle.judge(item) for item in many]
    assert oracle.judge_many([]) == []


def test_words_are_asked_for_once(oracle, members) -> None:
    oracle.judge(explanation("pos", ("fine", 0.5), ("host", 0.6)))
    members[0].asked.clear()
    oracle.judge_many([explanation("pos", ("fine", 0.1)), explanation("pos", ("Host", 0.1))])
    assert members[0].asked == []


def test_the_leaning_is_that_of_the_words_and_the_column(oracle) -> None:
    assert oracle.leaning(1, ["Fine", "host", "xyzzy"]).tolist() == [1.0, -1.0, -1.0]
    assert oracle.leaning(0, ["fine", "sunny"]).tolist() == [-1.0, 1.0]


def test_an_unknown_class_is_refused(oracle) -> None:
    with pytest.raises(ConfigurationError, match=r"no class 'odd'; it was made for \['neg', 'pos'\]"):
        oracle.judge(explanation("odd", ("fine", 0.5)))

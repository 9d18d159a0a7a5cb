"""The naive oracle."""

from __future__ import annotations

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.oracles import ConfidenceOracle, LeaningOracle, ThresholdOracle
from tests.oracles.planes import explanation


@pytest.mark.parametrize(("probability", "trustworthy"), [(0.95, True), (0.9, True), (0.899, False)])
def test_a_probability_of_theta_conf_is_enough(probability: float, trustworthy: bool) -> None:
    found = ConfidenceOracle().judge(explanation("good", ("fine", 0.5), probability=probability))
    assert found.trustworthy is trustworthy
    assert (found.score, found.related, found.unrelated) == pytest.approx((probability, probability, 1 - probability))
    assert found.note == f"probability {probability:.3f}"


def test_words_are_evidence_of_no_relatedness() -> None:
    found = ConfidenceOracle().judge(explanation("good", ("Fine", 0.5), ("bad", -0.1)))
    assert [(word.word, word.score, word.related) for word in found.words] == [("fine", 0.5, None)]


def test_a_threshold_of_the_user_counts_as_calibrated() -> None:
    plain, given = ConfidenceOracle(), ConfidenceOracle(0.7)
    assert (plain.threshold, plain.calibrated) == (0.9, False)
    assert (given.threshold, given.calibrated) == (0.7, True)
    moved = plain.with_threshold(0.5)
    assert (moved.threshold, moved.calibrated, plain.threshold) == (0.5, True, 0.9)
    assert ConfidenceOracle(0.9).calibrated
    assert ConfidenceOracle(1).threshold == 1.0


@pytest.mark.parametrize("threshold", [0, 1.1, -0.5, float("nan"), True, "0.9"])
def test_a_threshold_that_is_no_probability_is_refused(threshold) -> None:
    with pytest.raises(ConfigurationError, match=r"threshold=.*above 0 and at most 1"):
        ConfidenceOracle(threshold)


def test_its_abilities() -> None:
    oracle = ConfidenceOracle()
    assert isinstance(oracle, ThresholdOracle)
    assert isinstance(oracle, LeaningOracle)
    assert oracle.leaning(0, ["a", "b"]).tolist() == [1.0, 1.0]
    many = [explanation("good", ("fine", 0.5), probability=p) for p in (0.4, 0.99)]
    assert oracle.judge_many(many) == [oracle.judge(item) for item in many]


def test_it_decides_where_a_cap_left_words_open() -> None:
    assert ConfidenceOracle().judge(explanation("good", ("fine", 0.5), probability=0.95, undecided=True)).trustworthy

"""Which predictions are correct."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_trust.errors import DataError
from pytest_trust.models import as_classifier
from pytest_trust.models.correct import CorrectPrediction, correct_predictions

ANSWERS = {"a": (0.7, 0.3), "b": (0.2, 0.8), "c": (0.5, 0.5), "d": (0.9, 0.1)}
MODEL = as_classifier(lambda texts: np.array([ANSWERS[text] for text in texts]), classes="no,yes")


def test_places_columns_and_probabilities_of_those_that_are_right() -> None:
    found = correct_predictions(MODEL, ["a", "b", "c", "d"], ["no", "yes", "yes", "yes"])
    assert found == [CorrectPrediction(0, 0, 0.7), CorrectPrediction(1, 1, 0.8)]


def test_of_equal_probabilities_the_first_is_predicted() -> None:
    assert correct_predictions(MODEL, ["c"], ["no"]) == [CorrectPrediction(0, 0, 0.5)]


def test_a_missing_label_is_an_error() -> None:
    with pytest.raises(DataError):
        correct_predictions(MODEL, ["a", "b"], ["no", None])

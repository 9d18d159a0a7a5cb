"""Which predictions of a model are correct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_trust.models.base import TextClassifier
from pytest_trust.models.classes import label_indices
from pytest_trust.models.kept import kept_answers


@dataclass(frozen=True, slots=True)
class CorrectPrediction:
    """The model gives the label of the text at ``place``, its class ``class_index``, the largest ``probability``."""

    place: int
    class_index: int
    probability: float


def correct_predictions(
    model: TextClassifier, texts: Sequence[str], labels: Sequence[str | None]
) -> list[CorrectPrediction]:
    """The correct predictions on ``texts``, in order.

    Raises:
        DataError: a label is missing or no class of the model.
        ModelError: the model's answer is malformed.
    """
    wanted = label_indices(labels, model)
    return [
        CorrectPrediction(place, column, float(row[column]))
        for place, (column, row) in enumerate(zip(wanted, kept_answers(model, texts), strict=True))
        if row.argmax() == column
    ]

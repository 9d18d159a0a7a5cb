"""Which predictions people are asked about."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_trust.checks.common import take_subject
from pytest_trust.data import TextDataset
from pytest_trust.errors import DataError
from pytest_trust.models import TextClassifier
from pytest_trust.models.correct import correct_predictions


@dataclass(frozen=True, slots=True)
class Prediction:
    """A correct prediction: class ``label`` (column ``class_index``) for ``text``."""

    text: str
    label: str
    class_index: int
    probability: float


def predictions_to_judge(model: TextClassifier, data: TextDataset, *, seed: int) -> list[Prediction]:
    """The correct predictions of ``model`` on the distinct texts of ``data``, in their order.

    Raises:
        DataError: there is none.
        ModelError: the model's answer is malformed, or labels are not its classes.
    """
    subject = take_subject(model, data, target=None, n=None, seed=seed, need_labels=True)
    texts, classes = subject.data.texts, subject.model.classes
    correct = correct_predictions(subject.model, texts, subject.data.labels)
    if not correct:
        raise DataError(f"{data.name}: none of the {len(texts)} predictions is correct; expected some to judge")
    return [
        Prediction(texts[item.place], classes[item.class_index], item.class_index, item.probability) for item in correct
    ]


def pick_spread(scores: Sequence[float], n: int, seed: int) -> list[int]:
    """``n`` places spread over ``scores`` (all where there are no more), in an order that tells nothing of the score.

    The scores in rising order are cut into n parts of as equal a size as can be, and one place is drawn from each: so
    low and high ones are both seen, and each as often as it occurs. The same scores, n and seed give the same places.
    """
    ranked = sorted(range(len(scores)), key=scores.__getitem__)
    n = min(n, len(ranked))
    # Of the standard library's generator, random() alone is promised never to change.
    draw = random.Random(seed).random
    picked = []
    for part in range(n):
        low, high = part * len(ranked) // n, (part + 1) * len(ranked) // n
        picked.append(ranked[low + int(draw() * (high - low))])
    keys = {place: draw() for place in picked}
    return sorted(picked, key=keys.__getitem__)

"""Predictions, explained and judged one by one, and the record that is written of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_trust.checks.judging import leaning_of
from pytest_trust.errors import DataError
from pytest_trust.explain import Explainer, Explanation
from pytest_trust.explain.base import explain_for_verdicts
from pytest_trust.keywords.pool import word_form
from pytest_trust.messages import listed
from pytest_trust.models import TextClassifier
from pytest_trust.models.classes import label_indices
from pytest_trust.oracles import Oracle, Verdict
from pytest_trust.results import WordEvidence

WRONG = "the prediction is wrong; an oracle judges correct ones"


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a model says of ``text``: the class of ``column``; ``correct`` is None where no label is known."""

    text: str
    label: str
    column: int
    probability: float
    correct: bool | None


@dataclass(frozen=True, slots=True)
class Explained:
    """A prediction with its explanation, None where it was not explained, and the verdict, None where there is none."""

    prediction: Prediction
    explanation: Explanation | None
    verdict: Verdict | None

    def words(self) -> list[WordEvidence]:
        """The words by falling absolute score, with what the verdict says of those that speak for the class."""
        if self.explanation is None:
            return []
        known = {word.word: word for word in self.verdict.words} if self.verdict else {}
        return [_evidence(word.word, word.score, known) for word in self.explanation.words]

    def to_dict(self) -> dict[str, Any]:
        """Plain values only."""
        verdict, prediction = self.verdict, self.prediction
        return {
            "predicted": prediction.label,
            "probability": prediction.probability,
            "correct": prediction.correct,
            "trustworthy": verdict.trustworthy if verdict else None,
            "score": verdict.score if verdict else None,
            "words": [_word(word) for word in self.words()],
            "unread": self.explanation.unread if self.explanation else 0,
            "note": self.note(),
        }

    def note(self) -> str:
        """Why there is no verdict, or what the oracle says beside it."""
        if self.verdict is not None:
            return self.verdict.note
        if self.prediction.correct is False:
            return WRONG
        return self.explanation.note if self.explanation else ""


def column_of(label: str | None, model: TextClassifier) -> int | None:
    """The column of the class ``label``; None where that is.

    Raises:
        DataError: the model has no such class.
    """
    try:
        return None if label is None else label_indices([label], model)[0]
    except DataError:
        raise DataError(
            f"the label {label!r} is no class of the model; its classes are {listed(model.classes)}"
        ) from None


def predict(model: TextClassifier, texts: Sequence[str], columns: Sequence[int | None]) -> list[Prediction]:
    """The predictions on ``texts``, whose true classes are ``columns`` (None: not known), in order.

    Raises:
        ModelError: the model cannot answer.
    """
    if not texts:
        return []
    return [
        _prediction(model, text, row, true)
        for text, row, true in zip(texts, model.predict_proba(texts), columns, strict=True)
    ]


def explain(
    model: TextClassifier, explainer: Explainer, oracle: Oracle | None, predictions: Sequence[Prediction], seed: int
) -> Iterator[Explained]:
    """Each of ``predictions`` explained and, where it is not known to be wrong, judged; each as soon as it is.

    Raises:
        ModelError: the model cannot answer.
    """
    explanations = explain_for_verdicts(
        explainer,
        model,
        [prediction.text for prediction in predictions],
        [prediction.column for prediction in predictions],
        seed=seed,
        leaning=None if oracle is None else leaning_of(oracle),
    )
    for prediction, explanation in zip(predictions, explanations, strict=True):
        judged = oracle is not None and prediction.correct is not False
        yield Explained(prediction, explanation, oracle.judge(explanation) if oracle and judged else None)


def _prediction(model: TextClassifier, text: str, row: Any, true: int | None) -> Prediction:
    column = int(row.argmax())
    return Prediction(text, model.classes[column], column, float(row[column]), None if true is None else true == column)


def _evidence(word: str, score: float, known: dict[str, WordEvidence]) -> WordEvidence:
    found = known.get(word_form(word))
    if found is None or score <= 0:
        return WordEvidence(word, score)
    return WordEvidence(word, score, found.related, found.nearest, found.keyword)


def _word(word: WordEvidence) -> dict[str, Any]:
    return {
        "word": word.word,
        "score": word.score,
        "related": word.related,
        "nearest": word.nearest,
        "keyword": word.keyword,
    }

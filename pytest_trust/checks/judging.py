"""Correct predictions of a model, explained and judged by an oracle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_trust.checks.budget import Deadline, Finished, slices
from pytest_trust.checks.common import Subject
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explainer, Explanation, LimeExplainer
from pytest_trust.explain.base import explain_for_verdicts
from pytest_trust.explain.settling import Leaning
from pytest_trust.messages import shown
from pytest_trust.models.correct import CorrectPrediction, correct_predictions
from pytest_trust.oracles import LeaningOracle, Oracle, Verdict


@dataclass(frozen=True)
class Judged:
    """A correct prediction on the text at ``place``, the oracle's verdict on it, and a human's where there is one."""

    explanation: Explanation
    verdict: Verdict
    human: bool | None
    place: int


def checked_parts(oracle: Oracle, explainer: Explainer | None) -> Explainer:
    """The explainer, LIME with sequential sampling where it is None.

    Raises:
        ConfigurationError: ``oracle`` is no oracle, or ``explainer`` no explainer.
    """
    if isinstance(oracle, type) or not isinstance(oracle, Oracle):
        raise ConfigurationError(f"oracle={shown(oracle)}: expected an object with name, judge and judge_many")
    if explainer is None:
        return LimeExplainer(sampling="sequential")
    if not isinstance(explainer, Explainer):
        raise ConfigurationError(f"explainer={shown(explainer)}: expected an explainer, such as LimeExplainer()")
    return explainer


@dataclass(frozen=True)
class Judging:
    """The verdicts, and how much of the data they are on."""

    items: list[Judged]
    finished: Finished


def judge_correct(subject: Subject, explainer: Explainer, oracle: Oracle, deadline: Deadline | None = None) -> Judging:
    """The verdicts on all correct predictions, of the target class alone where there is one, until ``deadline``.

    Raises:
        ConfigurationError: the explainer gives too few explanations, or a score that is no number.
        DataError: labels are missing or not classes of the model.
        ModelError: the model's answer is malformed.
    """
    correct, looked_at = _correct(subject, deadline)
    if looked_at < len(subject.data):
        return Judging([], Finished(deadline, 0, len(subject.data), "texts judged"))
    explanations = [
        explanation
        for some in slices(deadline, len(correct))
        for explanation in _explained(subject, explainer, oracle, correct[some], deadline)
    ]
    asked = correct[: len(explanations)]
    humans = [subject.data.trustworthy[item.place] for item in asked]
    verdicts = oracle.judge_many(explanations)
    judged = [
        Judged(explanation, verdict, human, item.place)
        for explanation, verdict, human, item in zip(explanations, verdicts, humans, asked, strict=True)
    ]
    return Judging(judged, Finished(deadline, len(judged), len(correct), "predictions judged"))


def _correct(subject: Subject, deadline: Deadline | None) -> tuple[list[CorrectPrediction], int]:
    """The correct predictions, of the target alone where there is one, and how many texts the model was asked about."""
    found, looked_at = list[CorrectPrediction](), 0
    for some in slices(deadline, len(subject.data)):
        texts, labels = subject.data.texts[some], subject.data.labels[some]
        correct = (
            replace(item, place=item.place + some.start) for item in correct_predictions(subject.model, texts, labels)
        )
        found += [item for item in correct if subject.target in (None, item.class_index)]
        looked_at = some.stop
    return found, looked_at


def _explained(
    subject: Subject,
    explainer: Explainer,
    oracle: Oracle,
    asked: Sequence[CorrectPrediction],
    deadline: Deadline | None,
) -> list[Explanation]:
    """The explanations of correct predictions, in order; the first of them where ``deadline`` passes."""
    found = explain_for_verdicts(
        explainer,
        subject.model,
        [subject.data.texts[item.place] for item in asked],
        [item.class_index for item in asked],
        seed=subject.seed,
        leaning=leaning_of(oracle),
    )
    explanations = []
    for explanation in found:
        explanations.append(explanation)
        if deadline is not None and deadline.is_spent:
            return _checked_explanations(explanations, len(explanations), explainer)
    return _checked_explanations(explanations, len(asked), explainer)


def _checked_explanations(found: list[Explanation], expected: int, explainer: Explainer) -> list[Explanation]:
    """Explainers may be a user's own: one explanation a text, and numbers in it."""
    if len(found) != expected:
        raise ConfigurationError(f"explainer {explainer.name!r} gave {len(found)} explanations of {expected} texts")
    for explanation in found:
        for word in explanation.words:
            if not math.isfinite(word.score):
                raise ConfigurationError(
                    f"explainer {explainer.name!r} gave {word.word!r} the score {word.score} in "
                    f"{explanation.text[:80]!r}; expected a finite number"
                )
    return found


def leaning_of(oracle: Oracle) -> Leaning | None:
    """How the words enter the verdict of ``oracle``, where it tells."""
    return oracle.leaning if isinstance(oracle, LeaningOracle) else None

"""Correct predictions of a model, explained and judged by an oracle."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pytest_trust.checks.common import Subject
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explainer, Explanation, LimeExplainer
from pytest_trust.explain.base import explain_for_verdicts
from pytest_trust.explain.settling import Leaning
from pytest_trust.messages import shown
from pytest_trust.models.correct import correct_predictions
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


def judge_correct(subject: Subject, explainer: Explainer, oracle: Oracle) -> list[Judged]:
    """The verdicts on all correct predictions, of the target class alone where there is one.

    Raises:
        ConfigurationError: the explainer gives too few explanations, or a score that is no number.
        DataError: labels are missing or not classes of the model.
        ModelError: the model's answer is malformed.
    """
    correct = correct_predictions(subject.model, subject.data.texts, subject.data.labels)
    asked = [item for item in correct if subject.target in (None, item.class_index)]
    texts = [subject.data.texts[item.place] for item in asked]
    columns = [item.class_index for item in asked]
    explained = explain_for_verdicts(
        explainer, subject.model, texts, columns, seed=subject.seed, leaning=leaning_of(oracle)
    )
    explanations = _checked_explanations(list(explained), len(texts), explainer)
    humans = [subject.data.trustworthy[item.place] for item in asked]
    places = [item.place for item in asked]
    return [Judged(*item) for item in zip(explanations, oracle.judge_many(explanations), humans, places, strict=True)]


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

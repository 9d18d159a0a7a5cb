"""What all checks share: taking the user's model and data, and what a gate decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pytest_trust.arguments import require_count
from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.errors import ConfigurationError, ModelError
from pytest_trust.models import TextClassifier, as_classifier
from pytest_trust.models.kept import kept_number
from pytest_trust.results import CheckResult, EvidenceRow, Outcome, TextResult
from pytest_trust.stats import Rate, sample_indices

Compare = Literal["bound", "estimate"]
"""What of a rate is compared with its bound: its own lower confidence bound, or the rate itself."""

# Rows of evidence that a result carries: enough to see a pattern, few enough to read.
MAX_EVIDENCE = 5
MAX_SEED = 2**32 - 1

# Texts that a model is asked about twice, and how far apart its answers may lie.
_ASKED_TWICE = 16
_SAME_ANSWER = 1e-3

EACH_CLASS = "each class"
"""The target of a paired check that looks at every class; a class of this very name wins over it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a gate decided: the outcome, why, and what would help."""

    outcome: Outcome
    reason: str
    advice: str = ""


@dataclass(frozen=True)
class Subject:
    """A model, the sampled data that a check looks at, and the column of its target (None for none).

    The data hold every text once: copies of a text are no further evidence. ``seed`` is a plain integer.
    """

    model: TextClassifier
    data: TextDataset
    target: int | None
    seed: int


def take_subject(
    model: object,
    data: object,
    *,
    target: str | None,
    n: int | None,
    seed: int,
    need_labels: bool,
    each_class: bool = False,
) -> Subject:
    """The user's model and data as a classifier and a seeded sample of ``n`` distinct texts (all where n is None).

    With ``each_class`` the target may be "each class", which has no column of its own.

    Raises:
        ConfigurationError: the model has no class ``target``, or ``n`` or ``seed`` is no whole number in its range.
        DataError: the data cannot be read.
        ModelError: ``model`` is none, or answers the same texts differently.
    """
    seed = require_count("seed", seed, least=0, most=MAX_SEED)
    classifier = as_classifier(model)
    column = None if each_class and is_each_class(classifier, target) else _target_column(classifier, target)
    dataset = load_dataset(data, require_labels=need_labels)
    distinct = dataset.take(_first_places(dataset))
    sample = distinct.take(sample_indices(len(distinct), n, seed))
    _check_repeatable(classifier, sample.texts[:_ASKED_TWICE])
    return Subject(classifier, sample, column, seed)


def _first_places(dataset: TextDataset) -> list[int]:
    """Where each text (with its label) stands first."""
    first: dict[tuple[str, str | None], int] = {}
    for i, row in enumerate(zip(dataset.texts, dataset.labels, strict=True)):
        first.setdefault(row, i)
    return list(first.values())


def _check_repeatable(model: TextClassifier, texts: Sequence[str]) -> None:
    """Raises ModelError where two calls on the same texts differ: no test of such a model means anything."""

    def asked_twice() -> float:
        return float(np.abs(model.predict_proba(texts) - model.predict_proba(texts)).max(initial=0.0))

    difference = kept_number(model, ["asked twice", *texts], asked_twice, most=_SAME_ANSWER)
    if difference > _SAME_ANSWER:
        raise ModelError(
            f"{model.source} answers the same texts differently in two calls (by up to {difference:.3g}); expected a "
            "model that answers alike: put it into evaluation mode, or fix its seed in each call"
        )


def is_each_class(model: TextClassifier, target: str | None) -> bool:
    """Whether ``target`` asks for every class of ``model``."""
    return target == EACH_CLASS and EACH_CLASS not in model.classes


def _target_column(model: TextClassifier, target: str | None) -> int | None:
    if target is None:
        return None
    if target not in model.classes:
        raise ConfigurationError(
            f"target={target!r} is not a class of {model.source}; its classes: {list(model.classes)}"
        )
    return model.classes.index(target)


def rate_result(
    rate: Rate,
    decision: Decision,
    *,
    kind: str,
    name: str,
    n_total: int,
    bound: float,
    alpha: float,
    seed: int,
    capability: str | None,
    details: Mapping[str, float | int | str | bool | None],
    evidence: tuple[EvidenceRow, ...] = (),
    texts: tuple[TextResult, ...] = (),
    cases: tuple[tuple[str, str], ...] = (),
) -> CheckResult:
    """The result of a check that held ``rate`` against ``bound``."""
    return CheckResult(
        kind=kind,
        name=name,
        outcome=decision.outcome,
        n=rate.n,
        n_total=n_total,
        estimate=rate.estimate,
        low=rate.low if rate.n else None,
        high=rate.high if rate.n else None,
        bound=bound,
        p_value=None,
        alpha=alpha,
        seed=seed,
        reason=decision.reason,
        advice=decision.advice,
        capability=capability,
        evidence=evidence,
        texts=texts,
        cases=cases,
        details=details,
    )

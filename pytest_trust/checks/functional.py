"""Minimum functionality: labelled cases that a model has to get right (CheckList, section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.checks.budget import Deadline, Finished, as_deadline, unfinished_result
from pytest_trust.checks.cases import Answers, answer, label_preserving
from pytest_trust.checks.common import MAX_EVIDENCE, Compare, Decision, Subject, rate_result, take_subject
from pytest_trust.checks.metrics import METRICS, Requirement, absolute, classes_of, measure, relative
from pytest_trust.checks.obstacles import decide_by
from pytest_trust.errors import BudgetSpentError, ConfigurationError
from pytest_trust.results import CheckResult, EvidenceRow, Outcome, TextResult


def check_functional(
    model: object,
    cases: object,
    *,
    accuracy: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    within: float | None = None,
    data: object = None,
    augment: object = (),
    compare: Compare = "bound",
    target: str | None = None,
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    budget: float | Deadline | None = None,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Does the model get these cases right?

    A metric with a number of its own has to reach it; ``within`` asks that the others lie no further than that below
    the same metrics on ``data``. PASS where every metric asked for is shown to reach its bound, FAIL where one lies
    below, INCONCLUSIVE between the two and where an augmentation changed none of the cases. The figures of the result
    are those of the metric that comes off worst.

    Args:
        model: a classifier, an estimator, or a callable that takes texts.
        cases: labelled texts, or a file with them.
        accuracy: smallest share of the cases that are classified correctly, above 0 and at most 1.
        precision: smallest share of the predictions of ``target``, or of each class with cases, that are correct;
            inconclusive where all cases are of that class.
        recall: smallest share of the cases of ``target``, or of each class with cases, that are found.
        within: how far metrics without a number may lie below those on ``data``, from 0 to below 1.
        data: labelled texts that ``within`` compares with.
        augment: a perturbation that preserves the label, or several: each makes a copy of every case that it changes.
            Copies of a case count together as that one case, and so do cases of one group, where the data name some.
        compare: "bound" compares the lower confidence bound, "estimate" the metric itself.
        target: the class whose precision and recall are meant.
        n: size of a seeded sample of the cases; all by default.
        alpha: one minus the confidence of the lower bound.
        seed: of the sample and of the perturbations.
        budget: most seconds, or a deadline that checks share; where it ends the check, that is INCONCLUSIVE.
        name: shown in reports.
        capability: shown in reports.

    Raises:
        ConfigurationError: an argument has a value that cannot be used, or no metric is asked for.
        DataError: cases or data cannot be read or have no labels, or a metric to compare is undefined on ``data``.
        ModelError: the model's answer is malformed, or labels are not its classes.
    """
    deadline = as_deadline(budget)
    asked = _checked({"accuracy": accuracy, "precision": precision, "recall": recall}, within, data)
    require_choice("compare", compare, get_args(Compare))
    alpha = require_alpha(alpha)
    augmentations = label_preserving(augment)
    subject = take_subject(model, cases, target=target, n=n, seed=seed, need_labels=True)
    try:
        answers = answer(subject.model, subject.data, augmentations, subject.seed, deadline)
        relative_to_data = [*_relative(asked, answers, subject, data, alpha, deadline)]
    except BudgetSpentError as error:
        return unfinished_result(
            "functional",
            str(error),
            n_total=len(subject.data),
            bound=min(asked.bounds.values(), default=0.0),
            alpha=alpha,
            seed=subject.seed,
            name=name or ", ".join([*asked.bounds, *asked.compared]),
            capability=capability,
            details={"compare": compare, "target": target, "within": within},
        )
    requirements = [*_absolute(asked, answers, subject, alpha), *relative_to_data]
    decision = _decide(requirements, answers, compare, alpha)
    worst = _worst(requirements, compare, alpha)
    return rate_result(
        worst.metric.rate,
        decision,
        kind="functional",
        name=name or _named(requirements),
        n_total=len(subject.data),
        bound=worst.bound,
        alpha=alpha,
        seed=subject.seed,
        capability=capability,
        evidence=_evidence(answers),
        texts=tuple(_text_result(answers, i) for i in range(len(answers.cases))),
        details={
            "metric": worst.metric.name,
            "compare": compare,
            "target": target,
            "within": within,
            "copies": len(answers.cases) - len(subject.data),
            "wrong": int((~answers.right).sum()),
            **{item.metric.name: item.metric.rate.estimate for item in requirements},
            **Finished(deadline, len(answers.cases), len(answers.cases), "cases answered").details(),
        },
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Metrics with a bound of their own, and those that are compared with the data."""

    bounds: Mapping[str, float]
    compared: tuple[str, ...]
    within: float


def _checked(given: Mapping[str, float | None], within: float | None, data: object) -> _Asked:
    bounds = {
        name: require_between(name, bound, 0, 1, high_included=True)
        for name, bound in given.items()
        if bound is not None
    }
    if within is None:
        if not bounds:
            raise ConfigurationError("a functional check needs accuracy=, precision=, recall= or within=, found none")
        return _Asked(bounds, (), 0.0)
    within = require_between("within", within, 0, 1, low_included=True)
    if data is None:
        raise ConfigurationError(f"within={within:g}: there are no data to compare with; give data=")
    return _Asked(bounds, tuple(name for name in METRICS if name not in bounds), within)


def _absolute(asked: _Asked, answers: Answers, subject: Subject, alpha: float) -> Iterator[Requirement]:
    for kind, bound in asked.bounds.items():
        yield from absolute(measure(answers, kind, subject.target, alpha), bound, alpha)


def _relative(
    asked: _Asked, answers: Answers, subject: Subject, data: object, alpha: float, deadline: Deadline | None
) -> Iterator[Requirement]:
    # No prediction can be wrong where all cases are of one class: of precision there is nothing to compare.
    compared = [kind for kind in asked.compared if kind != "precision" or len(classes_of(answers)) > 1]
    if not compared:
        return
    known = take_subject(subject.model, data, target=None, n=None, seed=subject.seed, need_labels=True)
    on_data = answer(subject.model, known.data, deadline=deadline)
    for kind in compared:
        found, expected = (measure(given, kind, subject.target, alpha) for given in (answers, on_data))
        yield from relative(found, expected, asked.within, alpha)


def _decide(requirements: Sequence[Requirement], answers: Answers, compare: Compare, alpha: float) -> Decision:
    if answers.idle:
        return Decision(
            Outcome.INCONCLUSIVE,
            f"nothing changed: {', '.join(answers.idle)} left all cases as they are",
            "give cases in which the perturbation has something to change, or another perturbation",
        )
    first = _worst(requirements, compare, alpha)
    others = (item for item in requirements if item is not first)
    obstacles = [found for item in (first, *others) if (found := item.obstacle(compare, alpha)) is not None]
    reached = ", ".join(f"{item.metric.name} {item.metric.rate.estimate or 0:.1%}" for item in requirements)
    return decide_by(obstacles, f"{reached}: as asked for", "cases")


def _worst(requirements: Sequence[Requirement], compare: Compare, alpha: float) -> Requirement:
    """What the result tells of: a requirement that failed, else one that is not shown, and of those the lowest."""

    def rank(item: Requirement) -> tuple[int, float]:
        obstacle = item.obstacle(compare, alpha)
        return (2 if obstacle is None else int(obstacle.outcome is not Outcome.FAIL), item.lead)

    return min(requirements, key=rank)


def _named(requirements: Sequence[Requirement]) -> str:
    return ", ".join(dict.fromkeys(item.metric.kind for item in requirements))


def _evidence(answers: Answers) -> tuple[EvidenceRow, ...]:
    """The cases that the model gets most wrong first; ties by order."""
    of_label = answers.probabilities[np.arange(len(answers.wanted)), answers.wanted]
    order = np.argsort(of_label, kind="stable")
    return tuple(_row(answers, int(i)) for i in order if not answers.right[i])[:MAX_EVIDENCE]


def _text_result(answers: Answers, i: int) -> TextResult:
    row = _row(answers, i)
    return TextResult(row, bool(answers.right[i]), row.probability, int(answers.groups[i]))


def _row(answers: Answers, i: int) -> EvidenceRow:
    case, wanted, predicted = answers.cases[i], int(answers.wanted[i]), int(answers.predicted[i])
    is_copy = case.text != case.original
    probability = float(answers.probabilities[i, wanted])
    return EvidenceRow(
        text=case.original,
        label=answers.classes[wanted],
        probability=probability,
        changed_text=case.text if is_copy else None,
        changed_label=answers.classes[predicted] if is_copy else None,
        changed_probability=probability if is_copy else None,
        note=f"predicted: {answers.classes[predicted]}",
    )

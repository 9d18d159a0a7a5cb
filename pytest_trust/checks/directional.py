"""Directional expectation: a one-sided paired test on the texts that a perturbation changed."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from pytest_trust.checks.common import (
    Data,
    Decision,
    Model,
    make_pairs,
    pair_evidence,
    take_subject,
    target_column,
    unchanged_decision,
)
from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import as_perturbation
from pytest_trust.results import CheckResult, Outcome
from pytest_trust.stats import PairedTest, directional, n_for_directional

Direction = Literal["increase", "decrease"]
Method = Literal["auto", "t", "wilcoxon"]


def check_directional(
    model: Model,
    data: Data,
    perturb: object,
    *,
    target: str | None = None,
    expect: Direction,
    method: Method = "auto",
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Does a change move the probability of a class the way it should?

    One-sided paired t-test for more than 30 changed texts, Wilcoxon signed-rank below (``method="auto"``). PASS where
    the expected direction is significant, FAIL where the mean does not point there, INCONCLUSIVE where it does and
    too little was seen.

    Args:
        model: a classifier, an estimator, or a callable that takes texts.
        data: texts or a data set; labels are not needed.
        perturb: a perturbation, or a function from text to text.
        target: the class whose probability is compared; the one predicted for the original text by default.
        expect: "increase" or "decrease".
        method: "auto", "t" or "wilcoxon".
        n: size of a seeded sample of the data; all by default.
        alpha: significance level.
        seed: of the sample and of the perturbation.
        name: shown in reports.
        capability: shown in reports.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
        DataError: the data cannot be read.
        ModelError: the model's answer is malformed.
    """
    if expect not in get_args(Direction):
        raise ConfigurationError(f"expect={expect!r}: expected 'increase' or 'decrease'")
    perturbation = as_perturbation(perturb)
    subject = take_subject(model, data, n=n, seed=seed, need_labels=False)
    pairs = make_pairs(subject, perturbation, seed)
    columns = pairs.columns(target_column(subject.model, target))
    differences = pairs.differences(columns)
    test = directional(differences, expect, alpha, method)
    decision = unchanged_decision(pairs, perturbation) or _decide(test, expect, alpha)
    against = differences if expect == "decrease" else -differences
    return CheckResult(
        kind="directional",
        name=name or f"{perturbation.name}, {expect} {target or 'of the predicted class'}",
        outcome=decision.outcome,
        n=len(pairs),
        n_total=pairs.n_total,
        estimate=test.mean,
        low=test.low,
        high=test.high,
        bound=0.0,
        p_value=test.p_value,
        alpha=alpha,
        seed=seed,
        reason=decision.reason,
        advice=decision.advice,
        capability=capability,
        evidence=pair_evidence(pairs, columns, np.asarray(against), subject.model.classes),
        details={
            "perturbation": perturbation.name,
            "expect": expect,
            "target": target,
            "method": test.method,
            "unchanged": pairs.n_total - len(pairs),
            "sd": test.sd,
        },
    )


def _decide(test: PairedTest, expect: Direction, alpha: float) -> Decision:
    sign = 1.0 if expect == "increase" else -1.0
    mean = test.mean or 0.0
    if sign * mean <= 0.0:
        return Decision(Outcome.FAIL, f"the mean shift {mean:+.3f} is no {expect}")
    if test.p_value is not None and test.p_value < alpha:
        return Decision(Outcome.PASS, f"the mean shift {mean:+.3f} is a significant {expect}")
    needed = n_for_directional(test.sd, mean, alpha) if test.sd is not None else None
    hint = f"about {needed} are needed" if needed and needed > test.n else "more texts are needed"
    return Decision(
        Outcome.INCONCLUSIVE,
        f"the mean shift {mean:+.3f} is not significantly a {expect}",
        f"n = {test.n} cannot show a shift of this size; {hint}",
    )

"""Directional expectation: a one-sided paired test on the texts that a perturbation changed."""

from __future__ import annotations

import math
from typing import Literal, get_args

from pytest_trust.arguments import require_alpha, require_choice
from pytest_trust.checks.common import Decision
from pytest_trust.checks.pairs import make_pairs, nothing_changed, paired_result
from pytest_trust.perturb import as_perturbation
from pytest_trust.results import CheckResult, Outcome
from pytest_trust.stats import PairedTest, directional, n_for_directional

Direction = Literal["increase", "decrease"]
Method = Literal["auto", "t", "wilcoxon"]


def check_directional(
    model: object,
    data: object,
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

    One-sided paired t-test for more than 30 changed texts, Wilcoxon signed-rank for others (``method="auto"``).
    PASS where the expected direction is significant, FAIL where the mean does not point there, INCONCLUSIVE where it
    does and too little was seen.

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
    require_choice("expect", expect, get_args(Direction))
    require_choice("method", method, get_args(Method))
    alpha = require_alpha(alpha)
    pairs = make_pairs(model, data, as_perturbation(perturb), target=target, n=n, seed=seed)
    test = directional(pairs.differences, expect, alpha, method)
    return paired_result(
        pairs,
        test,
        nothing_changed(pairs) or _decide(test, expect, alpha),
        pairs.differences if expect == "decrease" else -pairs.differences,
        kind="directional",
        name=name or f"{pairs.perturbation.name}, {expect} {target or 'of the predicted class'}",
        bound=0.0,
        p_value=test.p_value,
        alpha=alpha,
        capability=capability,
        details={"expect": expect, "target": target, "method": test.method},
    )


# A mean shift below it is what rounding makes, not what a perturbation does.
_NO_SHIFT = 1e-6


def _decide(test: PairedTest, expect: Direction, alpha: float) -> Decision:
    mean = test.mean or 0.0
    if (mean if expect == "increase" else -mean) < _NO_SHIFT:
        return Decision(Outcome.FAIL, f"the mean shift {mean:+.3f} is no {expect}")
    if test.n >= fewest(alpha) and test.p_value is not None and test.p_value < alpha:
        return Decision(Outcome.PASS, f"the mean shift {mean:+.3f} is a significant {expect}")
    needed = n_for_directional(test.sd, mean, alpha) if test.sd is not None else None
    return Decision(
        Outcome.INCONCLUSIVE,
        f"the mean shift {mean:+.3f} is no significant {expect}",
        f"n = {test.n} cannot show a shift of this size; about {max(fewest(alpha), needed or 0)} are needed",
    )


def fewest(alpha: float) -> int:
    """Changed texts below which even unanimous ones show no direction: n of them agree by chance in 2^-n of cases."""
    return math.ceil(-math.log2(alpha))

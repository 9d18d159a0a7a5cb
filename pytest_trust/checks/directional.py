"""Directional expectation: a one-sided paired test on the texts that a perturbation changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.arguments import require_alpha, require_choice
from pytest_trust.checks.budget import Deadline, as_deadline
from pytest_trust.checks.common import Decision
from pytest_trust.checks.obstacles import Obstacle, decide_by, failed, interval_text, too_few
from pytest_trust.checks.paired import Judged, judged_by, paired_result, worst_of
from pytest_trust.checks.pairs import Pairs, make_pairs
from pytest_trust.perturb import as_perturbation
from pytest_trust.results import CheckResult
from pytest_trust.stats import (
    Method,
    PairedTest,
    Rate,
    cluster_means,
    directional,
    guarded_direction_p,
    guarded_interval,
    n_for_directional,
    n_for_sign,
    safe_interval,
    wilson,
)

Direction = Literal["increase", "decrease"]

_Shift = TypeVar("_Shift", float, NDArray[np.float64])

# A shift below it is what rounding makes, not what a perturbation does.
_NO_SHIFT = 1e-6


def check_directional(
    model: object,
    data: object,
    perturb: object,
    *,
    target: str | None = None,
    groups: Sequence[str | int] | None = None,
    expect: Direction,
    method: Method = "auto",
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    budget: float | Deadline | None = None,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Does a change move the probability of a class the way it should?

    PASS where the expected direction is significant, FAIL where what was seen does not point there, INCONCLUSIVE where
    it does and too little was seen. Each method has a claim of its own, and rejects what is against it:

    - "t": the mean shift points the expected way. A one-sided paired t-test, guarded against rare large shifts
      (:mod:`pytest_trust.stats.guard`);
    - "wilcoxon": shifts lie about a value on the expected side, symmetrically. The signed-rank test; a few large
      opposite shifts may outweigh many small expected ones;
    - "sign": more than half of the texts move the expected way. An exact binomial test, for which texts that do not
      move count against;
    - "auto": as "t", and for up to 30 texts "wilcoxon" has to reject as well.

    Args:
        model: a classifier, an estimator, or a callable that takes texts.
        data: texts or a data set; labels are not needed.
        perturb: a perturbation, or a function from text to text.
        target: the class whose probability is compared; the one predicted for the original text by default. "each
            class" compares that too, for each predicted class by itself; all have to pass, and the result shows the
            worst.
        groups: which texts are of one source, one name or number for each text; a source counts once. By default what
            the data say, or else near-copies are of one source (docs/explanation/what-a-pass-means.md).
        expect: "increase" or "decrease".
        method: "auto", "t", "wilcoxon" or "sign".
        n: size of a seeded sample of the data; all by default.
        alpha: significance level.
        seed: of the sample and of the perturbation.
        budget: most seconds, or a deadline that checks share; where it ends the check, that is INCONCLUSIVE.
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
    perturbation, deadline = as_perturbation(perturb), as_deadline(budget)
    pairs = make_pairs(model, data, perturbation, target=target, n=n, seed=seed, groups=groups, deadline=deadline)
    question = Question(expect, method, alpha, _reach(pairs, expect, target))
    worst = worst_of(_judge(view, question) for view in pairs.views(Pairs.predicted_as))
    return _result(worst, question, pairs, name=name, capability=capability, target=target)


@dataclass(frozen=True, slots=True)
class Question:
    """What is tested, and how: ``reach`` is how far any text can shift against the expectation."""

    expect: Direction
    method: Method
    alpha: float
    reach: float

    def towards(self, shifts: _Shift) -> _Shift:
        """A shift, or many, with a positive sign where it points the expected way."""
        return shifts if self.expect == "increase" else -shifts


@dataclass(frozen=True, slots=True)
class Seen:
    """What the pairs show: the plain test, the guarded p of the mean, the gate's p, and the share that moves so."""

    test: PairedTest
    guarded_p: float | None
    p_value: float | None
    moved: Rate


def look(differences: NDArray[np.float64], question: Question, groups: ArrayLike | None) -> Seen:
    """The statistics of m differences of probabilities, of shape (m,)."""
    means = cluster_means(differences, groups)
    shifts = np.where(np.abs(means) < _NO_SHIFT, 0.0, means)
    test = directional(shifts, question.expect, question.alpha, question.method)
    guarded = guarded_direction_p(test, question.expect, question.alpha, question.reach)
    moved = int((question.towards(shifts) > 0).sum())
    return Seen(test, guarded, _p_value(test, guarded, question.method), wilson(moved, shifts.size, question.alpha))


def decide(seen: Seen, question: Question, what: str = "texts") -> Decision:
    """The decision on what was seen of one pair or more; ``what`` is counted: texts, or sources of texts."""
    obstacle = _of_share(seen, question) if question.method == "sign" else _of_mean(seen, question)
    passed = f"the mean shift {seen.test.mean:+.3f} is a significant {question.expect}"
    if question.method == "sign":
        passed = f"{seen.moved.estimate:.1%} of the texts move the expected way, significantly more than half"
    return decide_by([obstacle] if obstacle else [], passed, what)


def _p_value(test: PairedTest, guarded: float | None, method: Method) -> float | None:
    """The gate's p: of the test itself, or guarded, or the larger of both where both have to reject."""
    if method in ("wilcoxon", "sign"):
        return test.p_value
    if test.method == "t" or guarded is None or test.p_value is None:
        return guarded
    return max(guarded, test.p_value)


def _reach(pairs: Pairs, expect: Direction, target: str | None) -> float:
    """How far a text can shift against the expectation: a predicted class has its share of one at least."""
    if expect == "decrease" and (target is None or pairs.each_class):
        return 1.0 - 1.0 / max(2, len(pairs.classes))
    return 1.0


def _judge(pairs: Pairs, question: Question) -> Judged[Seen]:
    seen = look(pairs.differences, question, pairs.groups)
    return judged_by(pairs, seen, lambda: decide(seen, question, pairs.counted))


def _result(
    judged: Judged[Seen], question: Question, whole: Pairs, *, name: str, capability: str | None, target: str | None
) -> CheckResult:
    pairs, seen = judged.pairs, judged.seen
    towards = question.towards(whole.differences)
    return paired_result(
        judged,
        -question.towards(pairs.differences),
        whole=whole,
        holds=towards >= _NO_SHIFT,
        values=towards,
        kind="directional",
        name=name or f"{pairs.perturbation.name}, {question.expect} {target or 'of the predicted class'}",
        bound=0.0,
        alpha=question.alpha,
        capability=capability,
        target=target,
        details={
            "expect": question.expect,
            "method": seen.test.method,
            "plain_p_value": seen.test.p_value,
            "guarded_p_value": seen.guarded_p,
            "moved": seen.moved.estimate,
            "moved_low": seen.moved.low,
            "moved_high": seen.moved.high,
        },
    )


def _of_mean(seen: Seen, question: Question) -> Obstacle | None:
    test = seen.test
    assert test.mean is not None, "decided over at least one pair"
    towards = question.towards(test.mean)
    if towards >= _NO_SHIFT and seen.p_value is not None and seen.p_value < question.alpha:
        return None
    largest = max(guarded_interval(test, question.alpha), key=question.towards)
    at_best = _needed(seen, question, question.towards(largest))
    if towards < _NO_SHIFT:
        return failed(
            f"the mean shift {test.mean:+.3f} is no {question.expect}",
            at_best,
            hope=f"the shift may be as large as {largest:+.3f}",
            beyond=f"{interval_text(test)} lies beyond zero",
        )
    return too_few(
        test.n,
        f"the mean shift {test.mean:+.3f} is no significant {question.expect}",
        f"n = {test.n} cannot show a shift of this size",
        _needed(seen, question, towards) or at_best,
    )


def _of_share(seen: Seen, question: Question) -> Obstacle | None:
    moved, alpha = seen.moved, question.alpha
    assert moved.estimate is not None, "decided over at least one pair"
    if seen.p_value is not None and seen.p_value < alpha:
        return None
    found = f"{moved.estimate:.1%} of the texts move the expected way"
    low, high = safe_interval(moved, alpha)
    at_best = n_for_sign(high, alpha)
    if moved.estimate <= 0.5:
        beyond = f"the interval [{low:.1%}, {high:.1%}] lies beyond 50%"
        hope = f"the share may be as high as {high:.1%}"
        return failed(f"{found}, no more than half", at_best, hope=hope, beyond=beyond)
    return too_few(
        moved.n,
        f"{found}: not shown to be more than half",
        f"n = {moved.n} cannot show such a share",
        n_for_sign(moved.estimate, alpha) or at_best,
    )


def _needed(seen: Seen, question: Question, towards: float) -> int | None:
    """How many texts show a mean shift of this size."""
    assert question.method != "sign", "which is decided by its share"
    if towards < _NO_SHIFT:
        return None
    sd = seen.test.sd or 0.0
    return n_for_directional(sd, towards, question.alpha, method=question.method, reach=question.reach)

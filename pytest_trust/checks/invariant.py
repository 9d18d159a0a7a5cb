"""Invariance: a paired equivalence test on the texts that a perturbation changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytest_trust.arguments import require_alpha, require_between
from pytest_trust.checks.common import Decision, about
from pytest_trust.checks.pairs import Pairs, make_pairs, nothing_changed, paired_result
from pytest_trust.perturb import as_perturbation
from pytest_trust.results import CheckResult, Outcome
from pytest_trust.stats import PairedTest, Rate, equivalence, guarded_p, n_for_guarded, n_for_rate, wilson


def check_invariant(
    model: object,
    data: object,
    perturb: object,
    *,
    margin: float = 0.1,
    max_flip_rate: float = 0.1,
    target: str | None = None,
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Does a change that should not matter leave the model's probabilities where they were?

    Two one-sided paired t-tests (TOST; Lakens et al., 2018) on the probability of the class that the model predicted
    for the original text, or of ``target``, guarded against rare large shifts (:mod:`pytest_trust.stats.guard`).
    PASS where the mean shift is shown to lie within ``margin`` and the share of flipped labels to lie below
    ``max_flip_rate``; FAIL where the observed mean or share lies beyond, or most texts shift by more than the margin,
    whichever way; INCONCLUSIVE where too little was seen to tell.

    Args:
        model: a classifier, an estimator, or a callable that takes texts.
        data: texts or a data set; labels are not needed.
        perturb: a perturbation, or a function from text to text.
        margin: equivalence margin for the mean shift of the probability, above 0 and at most 1.
        max_flip_rate: bound of the share of flipped labels; its upper confidence bound is compared. A mean near zero
            can hide opposite shifts.
        target: the class whose probability is compared; the one predicted for the original text by default.
        n: size of a seeded sample of the data; all by default.
        alpha: significance level of each one-sided test.
        seed: of the sample and of the perturbation.
        name: shown in reports.
        capability: shown in reports.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
        DataError: the data cannot be read.
        ModelError: the model's answer is malformed.
    """
    margin = require_between("margin", margin, 0, 1, high_included=True)
    max_flip_rate = require_between("max_flip_rate", max_flip_rate, 0, 1, high_included=True)
    alpha = require_alpha(alpha)
    pairs = make_pairs(model, data, as_perturbation(perturb), target=target, n=n, seed=seed)
    seen = _look(pairs, margin, alpha)
    return paired_result(
        pairs,
        seen.test,
        nothing_changed(pairs) or _decide(seen, margin, max_flip_rate, alpha),
        np.abs(pairs.differences) + pairs.flips,
        kind="invariant",
        name=name or pairs.perturbation.name,
        bound=margin,
        p_value=seen.p_value,
        alpha=alpha,
        capability=capability,
        details={
            "tost_p_value": seen.test.p_value,
            "moved": seen.moved,
            "flips": int(pairs.flips.sum()),
            "flip_rate": seen.flips.estimate,
            "flip_low": seen.flips.low,
            "flip_high": seen.flips.high,
            "max_flip_rate": max_flip_rate,
        },
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the pairs show: the plain test, the guarded p, the flip rate, and the share that moved beyond the margin."""

    test: PairedTest
    p_value: float | None
    flips: Rate
    moved: float


def _look(pairs: Pairs, margin: float, alpha: float) -> _Seen:
    differences = pairs.differences
    test = equivalence(differences, margin, alpha)
    moved = float((np.abs(differences) > margin).mean()) if len(pairs) else 0.0
    return _Seen(test, guarded_p(test, margin, alpha), wilson(int(pairs.flips.sum()), len(pairs), alpha), moved)


def _decide(seen: _Seen, margin: float, max_flip_rate: float, alpha: float) -> Decision:
    return (
        _fails(seen, margin, max_flip_rate)
        or _mean_not_shown(seen, margin, alpha)
        or _flips_not_shown(seen.flips, max_flip_rate, alpha)
        or Decision(Outcome.PASS, f"the mean shift {seen.test.mean:+.3f} lies within ±{margin:g}")
    )


def _fails(seen: _Seen, margin: float, max_flip_rate: float) -> Decision | None:
    assert seen.test.mean is not None, "decided over at least one pair"
    assert seen.flips.estimate is not None, "decided over at least one pair"
    if seen.flips.estimate > max_flip_rate:
        return Decision(
            Outcome.FAIL, f"{seen.flips.estimate:.1%} of the labels flipped, at most {max_flip_rate:.1%} may"
        )
    if abs(seen.test.mean) >= margin:
        return Decision(Outcome.FAIL, f"the mean shift {seen.test.mean:+.3f} lies beyond ±{margin:g}")
    if seen.moved > 0.5:
        return Decision(
            Outcome.FAIL, f"{seen.moved:.1%} of the texts shift by more than {margin:g}, one way or the other"
        )
    return None


def _mean_not_shown(seen: _Seen, margin: float, alpha: float) -> Decision | None:
    if seen.p_value is not None and seen.p_value < alpha:
        return None
    needed = n_for_guarded(seen.test.sd or 0.0, seen.test.mean or 0.0, margin, alpha)
    return Decision(
        Outcome.INCONCLUSIVE,
        f"the mean shift {seen.test.mean:+.3f} is not shown to lie within ±{margin:g}",
        f"n = {seen.test.n} cannot certify a margin of {margin:g}; {about(needed)}",
    )


def _flips_not_shown(flips: Rate, max_flip_rate: float, alpha: float) -> Decision | None:
    if flips.high <= max_flip_rate:
        return None
    needed = n_for_rate(flips.estimate or 0.0, max_flip_rate, "upper", alpha)
    return Decision(
        Outcome.INCONCLUSIVE,
        f"{flips.estimate:.1%} of the labels flipped, but up to {flips.high:.1%} cannot be ruled out",
        f"n = {flips.n} cannot certify a flip rate below {max_flip_rate:.1%}; {about(needed)}",
    )

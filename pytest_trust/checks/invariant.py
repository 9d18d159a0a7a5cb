"""Invariance: a paired equivalence test on the texts that a perturbation changed."""

from __future__ import annotations

import math

import numpy as np

from pytest_trust.arguments import require_alpha, require_between
from pytest_trust.checks.common import Decision, about
from pytest_trust.checks.pairs import Pairs, make_pairs, nothing_changed, paired_result
from pytest_trust.perturb import as_perturbation
from pytest_trust.results import CheckResult, Outcome
from pytest_trust.stats import PairedTest, Rate, equivalence, n_for_equivalence, n_for_rate, wilson


def check_invariant(
    model: object,
    data: object,
    perturb: object,
    *,
    margin: float = 0.1,
    max_flip_rate: float = 0.5,
    target: str | None = None,
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Does a change that should not matter leave the model's probabilities where they were?

    Two one-sided paired t-tests (TOST; Lakens et al., 2018) on the probability of the class that the model predicted
    for the original text, or of ``target``. PASS where the mean shift is shown to lie within ``margin`` and the share
    of flipped labels to lie below ``max_flip_rate``; FAIL where the observed mean or share lies beyond; INCONCLUSIVE
    where too little was seen to tell.

    Args:
        model: a classifier, an estimator, or a callable that takes texts.
        data: texts or a data set; labels are not needed.
        perturb: a perturbation, or a function from text to text.
        margin: equivalence margin for the mean shift of the probability, above 0 and at most 1.
        max_flip_rate: bound of the share of flipped labels; its upper confidence bound is compared. The default asks
            for a majority of labels to stay, since a mean near zero can hide opposite shifts.
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
    require_between("margin", margin, 0, 1, high_included=True)
    require_between("max_flip_rate", max_flip_rate, 0, 1, high_included=True)
    require_alpha(alpha)
    pairs = make_pairs(model, data, as_perturbation(perturb), target=target, n=n, seed=seed)
    test = equivalence(pairs.differences, margin, alpha)
    flips = wilson(int(pairs.flips.sum()), len(pairs), alpha)
    return paired_result(
        pairs,
        test,
        nothing_changed(pairs) or _decide(test, flips, margin, max_flip_rate, alpha),
        np.abs(pairs.differences) + pairs.flips,
        kind="invariant",
        name=name or pairs.perturbation.name,
        bound=margin,
        # Few equal differences give p = 0, which would read as certainty.
        p_value=test.p_value if len(pairs) >= smallest_sample(margin, alpha) else None,
        alpha=alpha,
        seed=seed,
        capability=capability,
        details=_flip_figures(pairs, flips, max_flip_rate),
    )


def _flip_figures(pairs: Pairs, flips: Rate, max_flip_rate: float) -> dict[str, float | int | str | None]:
    return {
        "flips": int(pairs.flips.sum()),
        "flip_rate": flips.estimate,
        "flip_low": flips.low,
        "flip_high": flips.high,
        "max_flip_rate": max_flip_rate,
    }


def _decide(test: PairedTest, flips: Rate, margin: float, max_flip_rate: float, alpha: float) -> Decision:
    return (
        _fails_by_flips(flips, max_flip_rate)
        or _fails_by_mean(test, margin)
        or _too_few(test, margin, alpha)
        or _not_shown(test, flips, margin, max_flip_rate, alpha)
        or Decision(Outcome.PASS, f"the mean shift {test.mean:+.3f} lies within ±{margin:g}")
    )


def _fails_by_flips(flips: Rate, max_flip_rate: float) -> Decision | None:
    if flips.estimate is None or flips.estimate <= max_flip_rate:
        return None
    return Decision(Outcome.FAIL, f"{flips.estimate:.1%} of the labels flipped, at most {max_flip_rate:.1%} may")


def _fails_by_mean(test: PairedTest, margin: float) -> Decision | None:
    if test.mean is None or abs(test.mean) < margin:
        return None
    return Decision(Outcome.FAIL, f"the mean shift {test.mean:+.3f} lies beyond ±{margin:g}")


def smallest_sample(margin: float, alpha: float) -> int:
    """Changed texts below which even unanimous ones show nothing.

    A model that shifts by 1.0 on a share ``margin`` of texts has a mean shift of ``margin``; n texts all miss that
    share with probability (1 - margin)^n, which has to be at most ``alpha``.
    """
    return math.ceil(math.log(alpha) / math.log1p(-margin)) if margin < 1 else 2


def _too_few(test: PairedTest, margin: float, alpha: float) -> Decision | None:
    needed = smallest_sample(margin, alpha)
    if test.n >= needed:
        return None
    wanted = _needed_for_mean(test, margin, alpha)
    return Decision(
        Outcome.INCONCLUSIVE,
        f"only {test.n} texts changed",
        f"n = {test.n} cannot certify a margin of {margin:g}; about {max(needed, wanted or 0)} are needed",
    )


def _not_shown(test: PairedTest, flips: Rate, margin: float, max_flip_rate: float, alpha: float) -> Decision | None:
    if test.p_value is None or test.p_value >= alpha:
        needed = _needed_for_mean(test, margin, alpha)
        return Decision(
            Outcome.INCONCLUSIVE,
            f"the mean shift {test.mean:+.3f} is not shown to lie within ±{margin:g}",
            f"n = {test.n} cannot certify a margin of {margin:g} at this spread; {about(needed)}",
        )
    if flips.high > max_flip_rate:
        assert flips.estimate is not None, "flips were counted over at least one pair"
        needed = n_for_rate(flips.estimate, max_flip_rate, "upper", alpha)
        return Decision(
            Outcome.INCONCLUSIVE,
            f"{flips.estimate:.1%} of the labels flipped, but up to {flips.high:.1%} cannot be ruled out",
            f"n = {flips.n} cannot certify a flip rate below {max_flip_rate:.1%}; {about(needed)}",
        )
    return None


def _needed_for_mean(test: PairedTest, margin: float, alpha: float) -> int | None:
    if test.sd is None or test.mean is None:
        return None
    return n_for_equivalence(test.sd, test.mean, margin, alpha)

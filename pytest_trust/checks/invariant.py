"""Invariance: a paired equivalence test on the texts that a perturbation changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.arguments import require_alpha, require_between, require_count
from pytest_trust.checks.budget import Deadline, as_deadline
from pytest_trust.checks.common import Decision
from pytest_trust.checks.obstacles import Obstacle, decide_by, failed, interval_text, rate_above, too_few
from pytest_trust.checks.paired import Judged, judged_by, paired_result, worst_of
from pytest_trust.checks.pairs import Pairs, make_pairs
from pytest_trust.checks.search import with_smallest_flip
from pytest_trust.perturb import as_perturbation
from pytest_trust.results import CheckResult
from pytest_trust.stats import (
    PairedTest,
    Rate,
    clustered_rate,
    equivalence,
    guarded_interval,
    guarded_p,
    n_for_equivalence,
)

# The largest share of texts that may shift by more than the margin, whichever way.
MAX_MOVED = 0.5


def check_invariant(
    model: object,
    data: object,
    perturb: object,
    *,
    margin: float = 0.1,
    max_flip_rate: float = 0.1,
    target: str | None = None,
    groups: Sequence[str | int] | None = None,
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    search: int = 0,
    budget: float | Deadline | None = None,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Does a change that should not matter leave the model's probabilities where they were?

    Two one-sided paired t-tests (TOST; Lakens et al., 2018) on the probability of the class that the model predicted
    for the original text, or of ``target``, guarded against rare large shifts (:mod:`pytest_trust.stats.guard`).
    PASS where it is shown that the mean shift lies within ``margin``, that the share of flipped labels is at most
    ``max_flip_rate``, and that at most half of the texts shift by more than the margin, whichever way; FAIL where the
    observed mean or share lies beyond; INCONCLUSIVE where too little was seen to tell.

    Args:
        model: a classifier, an estimator, or a callable that takes texts.
        data: texts or a data set; labels are not needed.
        perturb: a perturbation, or a function from text to text.
        margin: equivalence margin for the mean shift of the probability, above 0 and at most 1.
        max_flip_rate: bound of the share of flipped labels; its upper confidence bounds (Wilson's and the exact one)
            are compared. A mean near zero can hide opposite shifts.
        target: the class whose probability is compared; the one predicted for the original text by default. "each
            class" compares that of every class, on all texts; all have to pass, and the result shows the worst.
        groups: which texts are of one source, one name or number for each text; a source counts once. By default what
            the data say, or else near-copies are of one source (docs/explanation/what-a-pass-means.md).
        n: size of a seeded sample of the data; all by default.
        alpha: significance level of each one-sided test.
        seed: of the sample and of the perturbation.
        search: where the check does not pass, look for the smallest edit that flips a label, asking the model about at
            most so many texts; it stands first in the evidence. 0 for no search. Needs the package hypothesis.
        budget: most seconds, or a deadline that checks share; where it ends the check, that is INCONCLUSIVE.
        name: shown in reports.
        capability: shown in reports.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
        DataError: the data cannot be read.
        ModelError: the model's answer is malformed.
    """
    deadline = as_deadline(budget)
    margin = require_between("margin", margin, 0, 1, high_included=True)
    max_flip_rate = require_between("max_flip_rate", max_flip_rate, 0, 1, high_included=True)
    alpha = require_alpha(alpha)
    search = require_count("search", search, least=0)
    perturbation = as_perturbation(perturb)
    pairs = make_pairs(model, data, perturbation, target=target, n=n, seed=seed, groups=groups, deadline=deadline)
    worst = worst_of(_judge(view, margin, max_flip_rate, alpha) for view in pairs.views(Pairs.compared_on))
    result = _result(worst, pairs, margin, max_flip_rate, alpha, name=name, capability=capability, target=target)
    return (
        result
        if result.passed or not search or pairs.finished.is_cut
        else with_smallest_flip(result, worst.pairs, search)
    )


@dataclass(frozen=True, slots=True)
class Seen:
    """What the pairs show: the plain test, the guarded p, and the rates of flips and of shifts beyond the margin."""

    test: PairedTest
    p_value: float | None
    flips: Rate
    moved: Rate


def look(
    differences: NDArray[np.float64], flips: NDArray[np.bool_], margin: float, alpha: float, groups: ArrayLike | None
) -> Seen:
    """The statistics of m differences of probabilities, with the flips of labels among them, all of shape (m,)."""
    test = equivalence(differences, margin, alpha, groups)
    moved = clustered_rate(np.abs(differences) > margin, groups, alpha)
    return Seen(test, guarded_p(test, margin, alpha), clustered_rate(flips, groups, alpha), moved)


def decide(seen: Seen, margin: float, max_flip_rate: float, alpha: float, what: str = "texts") -> Decision:
    """The decision on what was seen of one pair or more; ``what`` is counted: texts, or sources of texts."""
    obstacles = (
        _of_mean(seen, margin, alpha),
        _of_flips(seen.flips, max_flip_rate, alpha),
        _of_moved(seen.moved, margin, alpha),
    )
    passed = f"the mean shift {seen.test.mean:+.3f} lies within ±{margin:g}"
    return decide_by([item for item in obstacles if item], passed, what)


def _judge(pairs: Pairs, margin: float, max_flip_rate: float, alpha: float) -> Judged[Seen]:
    seen = look(pairs.differences, pairs.flips, margin, alpha, pairs.groups)
    return judged_by(pairs, seen, lambda: decide(seen, margin, max_flip_rate, alpha, pairs.counted))


def _result(
    judged: Judged[Seen],
    whole: Pairs,
    margin: float,
    max_flip_rate: float,
    alpha: float,
    *,
    name: str,
    capability: str | None,
    target: str | None,
) -> CheckResult:
    pairs, seen = judged.pairs, judged.seen
    return paired_result(
        judged,
        np.abs(pairs.differences) + pairs.flips,
        whole=whole,
        holds=~whole.flips,
        values=-_shifts(whole),
        kind="invariant",
        name=name or pairs.perturbation.name,
        bound=margin,
        alpha=alpha,
        capability=capability,
        target=target,
        details={
            "tost_p_value": seen.test.p_value,
            "moved": seen.moved.estimate,
            "moved_high": seen.moved.high,
            "flips": int(pairs.flips.sum()),
            "flip_rate": seen.flips.estimate,
            "flip_low": seen.flips.low,
            "flip_high": seen.flips.high,
            "max_flip_rate": max_flip_rate,
        },
    )


def _shifts(pairs: Pairs) -> NDArray[np.float64]:
    """The size of each pair's shift, shape (m,): of the class compared, or of that which shifts most."""
    if not pairs.each_class:
        return np.abs(pairs.differences)
    largest: NDArray[np.float64] = np.abs(pairs.after - pairs.before).max(axis=1, initial=0.0)
    return largest


def _of_mean(seen: Seen, margin: float, alpha: float) -> Obstacle | None:
    test, mean = seen.test, seen.test.mean
    assert mean is not None, "decided over at least one pair"
    if abs(mean) < margin and seen.p_value is not None and seen.p_value < alpha:
        return None
    low, high = guarded_interval(test, alpha)
    nearest = max(low, 0.0) if mean > 0 else min(high, 0.0)
    at_best = n_for_equivalence(test.sd or 0.0, nearest, margin, alpha)
    if abs(mean) >= margin:
        return failed(
            f"the mean shift {mean:+.3f} lies beyond ±{margin:g}",
            at_best,
            hope=f"the shift may be as small as {nearest:+.3f}",
            beyond=f"{interval_text(test)} lies beyond ±{margin:g}",
        )
    return too_few(
        test.n,
        f"the mean shift {mean:+.3f} is not shown to lie within ±{margin:g}",
        f"n = {test.n} cannot certify a margin of {margin:g}",
        n_for_equivalence(test.sd or 0.0, mean, margin, alpha) or at_best,
    )


def _of_flips(flips: Rate, most: float, alpha: float) -> Obstacle | None:
    found = f"{flips.estimate:.1%} of the labels flipped"
    return rate_above(
        flips,
        most,
        alpha,
        found=found,
        too_large=f"{found}, at most {most:.1%} may",
        claim=f"a flip rate below {most:.1%}",
    )


def _of_moved(moved: Rate, margin: float, alpha: float) -> Obstacle | None:
    found = f"{moved.estimate:.1%} of the texts shift by more than {margin:g}, one way or the other"
    return rate_above(
        moved, MAX_MOVED, alpha, found=found, too_large=found, claim=f"that at most {MAX_MOVED:.0%} of the texts do so"
    )

"""The threshold of an oracle's score that agrees best with people, and verdicts by it that are judged fairly."""

from __future__ import annotations

import random
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.arguments import require_count
from pytest_trust.errors import DataError
from pytest_trust.stats.agreement import checked_verdicts

_Scores = NDArray[np.float64]
_Bools = NDArray[np.bool_]


# A threshold that is known beforehand counts as much as so many verdicts of people.
_PRIOR_VERDICTS = 40


def fitted_threshold(scores: ArrayLike, humans: Iterable[bool], prior: float) -> float:
    """The t for which "score >= t means trustworthy" is to agree best with people, whatever the share of either kind.

    The middle between the mean score of what people call trustworthy and that of the rest: where both kinds scatter
    alike it has the largest G-mean (linear discriminant analysis with equal priors; Fisher, 1936). It is drawn to
    ``prior``, the threshold without people's verdicts, which counts as much as 40 of them: few verdicts alone are worse
    than a good default (docs/explanation/oracles.md).

    Args:
        scores: of an oracle, shape (n,).
        humans: True where a person called the prediction trustworthy, n of them.
        prior: the threshold without them.

    Raises:
        DataError: a score is no finite number, lengths differ, or people called none, or all, trustworthy.
    """
    return _fit(*_checked(scores, humans, 1), prior)


def cross_fitted(scores: ArrayLike, humans: Iterable[bool], prior: float, folds: int = 5, seed: int = 0) -> _Bools:
    """A verdict on each of n items, shape (n,), by the threshold fitted on the items in the other folds.

    No item has a say in the threshold that judges it, so that figures of these verdicts are honest. Folds hold both
    kinds in equal shares, drawn by ``seed`` among the items of a kind in the order of their scores: the order of the
    items does not matter. Where a kind has fewer than ``folds`` items there are as many folds as it has.

    Raises:
        ConfigurationError: fewer than two folds.
        DataError: as from :func:`fitted_threshold`; or fewer than two of a kind.
    """
    folds = require_count("folds", folds, 2)
    values, trusted = _checked(scores, humans, 2)
    assigned = _folds(values, trusted, folds, seed)
    verdicts = np.zeros(len(values), dtype=np.bool_)
    for fold in range(assigned.max() + 1):
        held = assigned == fold
        verdicts[held] = values[held] >= _fit(values[~held], trusted[~held], prior)
    return verdicts


def _fit(scores: _Scores, trusted: _Bools, prior: float) -> float:
    # Sorted, so that the last digit does not depend on the order of the items.
    means = [np.sort(scores[trusted == kind]).mean() for kind in (True, False)]
    middle = float(means[0] / 2 + means[1] / 2)
    share = len(scores) / (len(scores) + _PRIOR_VERDICTS)
    return share * middle + (1 - share) * prior


def _checked(scores: ArrayLike, humans: Iterable[bool], least: int) -> tuple[_Scores, _Bools]:
    """Scores and verdicts as arrays, with at least so many of each kind."""
    values, trusted = _finite(scores), np.array(checked_verdicts("humans", humans), dtype=np.bool_)
    if len(values) != len(trusted):
        raise DataError(f"{len(values)} scores, {len(trusted)} human verdicts; expected equally many")
    counts = int(trusted.sum()), int((~trusted).sum())
    if min(counts) < least:
        raise DataError(
            f"people called {counts[0]} predictions trustworthy and {counts[1]} untrustworthy; "
            f"a threshold needs at least {least} of each"
        )
    return values, trusted


def _finite(scores: ArrayLike) -> _Scores:
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"scores cannot be read as an array of numbers: {error}") from error
    if values.ndim != 1:
        raise DataError(f"scores have the shape {values.shape}; expected one dimension, (n,)")
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise DataError(f"scores[{bad[0]}] is {values[bad[0]]}; expected a finite number")
    return values


def _folds(scores: _Scores, trusted: _Bools, folds: int, seed: int) -> NDArray[np.intp]:
    """The fold of each item, shape (n,)."""
    folds = min(folds, int(trusted.sum()), int((~trusted).sum()))
    assigned = np.empty(len(scores), dtype=np.intp)
    # Of the standard library's generator, random() alone is promised never to change.
    draw = random.Random(seed).random
    for kind in (True, False):
        members = np.flatnonzero(trusted == kind)
        in_order = members[np.argsort(scores[members], kind="stable")]
        shuffled = in_order[np.argsort([draw() for _ in in_order])]
        assigned[shuffled] = np.arange(len(shuffled)) % folds
    return assigned

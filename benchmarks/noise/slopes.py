"""How the trust score moves with the level of noise.

A slope is that of the line of least squares through the trust scores of one fold at all levels, from 0 to 1. Folds are
what repeats: a mean over models or sets is taken within each fold, and its standard error is that of the mean over the
folds. Their training texts overlap, so that it is somewhat too small.

The adjusted slope is the slope divided by the trust score at level 0, as we read TOWER's section IV-B: an oracle that
trusts little to begin with has little to lose.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.noise.experiment import Score


@dataclass(frozen=True, slots=True)
class Slope:
    """The slopes of one set, kind of noise, model and oracle by fold, and the trust score by level over all folds.

    A fold has no slope where its predictions could be judged at one level alone.
    """

    corpus: str
    noise: str
    model: str
    oracle: str
    by_fold: dict[int, float]
    by_level: dict[float, float | None]

    @property
    def adjusted(self) -> float | None:
        """The mean slope as a share of the trust score at level 0; None where that is 0 or unknown."""
        initial = self.by_level[0.0]
        return statistics.mean(self.by_fold.values()) / initial if initial and self.by_fold else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        found = estimate([self])
        return {
            "set": self.corpus,
            "noise": self.noise,
            "model": self.model,
            "oracle": self.oracle,
            "slope": found and found.mean,
            "standard_error": found and found.error,
            "adjusted_slope": self.adjusted,
            "trust_score_by_level": {f"{level:g}": share for level, share in self.by_level.items()},
        }


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over ``folds`` folds with its standard error; the latter is None for one fold."""

    mean: float
    error: float | None
    folds: int

    @property
    def upper(self) -> float | None:
        """The upper bound of one-sided confidence 95 %, by Student's t."""
        from scipy.special import stdtrit

        return None if self.error is None else self.mean + float(stdtrit(self.folds - 1, 0.95)) * self.error


def slopes(scores: Iterable[Score]) -> list[Slope]:
    """The slopes of all sets, kinds of noise, models and oracles."""
    clean: defaultdict[tuple[str, str, str], list[Score]] = defaultdict(list)
    noisy: defaultdict[tuple[str, str, str, str], list[Score]] = defaultdict(list)
    for score in scores:
        if score.noise:
            noisy[score.corpus, score.noise, score.model, score.oracle].append(score)
        else:
            clean[score.corpus, score.model, score.oracle].append(score)
    return [
        _slope(corpus, noise, model, oracle, clean[corpus, model, oracle] + found)
        for (corpus, noise, model, oracle), found in noisy.items()
    ]


def _slope(corpus: str, noise: str, model: str, oracle: str, scores: Sequence[Score]) -> Slope:
    folds = sorted({score.fold for score in scores})
    fitted = {fold: _line([score for score in scores if score.fold == fold]) for fold in folds}
    by_fold = {fold: slope for fold, slope in fitted.items() if slope is not None}
    levels = sorted({score.level for score in scores})
    by_level = {level: _share([score for score in scores if score.level == level]) for level in levels}
    return Slope(corpus, noise, model, oracle, by_fold, by_level)


def _line(scores: Sequence[Score]) -> float | None:
    """The slope of the line of least squares; None for one level."""
    points = [(score.level, score.share) for score in scores if score.share is not None]
    levels, shares = np.array(points, dtype=np.float64).reshape(-1, 2).T
    from_mean = levels - levels.mean() if len(levels) else levels
    spread = float(from_mean @ from_mean)
    return float(from_mean @ shares) / spread if spread else None


def _share(scores: Sequence[Score]) -> float | None:
    judged = sum(score.judged for score in scores)
    return sum(score.trustworthy for score in scores) / judged if judged else None


def estimate(chosen: Sequence[Slope]) -> Estimate | None:
    """The mean of slopes, taken within each fold first; None where there is no slope."""
    folds = sorted({fold for slope in chosen for fold in slope.by_fold})
    if not folds:
        return None
    means = [statistics.mean(s.by_fold[fold] for s in chosen if fold in s.by_fold) for fold in folds]
    error = statistics.stdev(means) / math.sqrt(len(means)) if len(means) > 1 else None
    return Estimate(statistics.mean(means), error, len(means))


def mean_adjusted(chosen: Sequence[Slope]) -> float | None:
    """The mean of the adjusted slopes that there are."""
    known = [slope.adjusted for slope in chosen if slope.adjusted is not None]
    return statistics.mean(known) if known else None


def accuracies(scores: Iterable[Score]) -> list[dict[str, Any]]:
    """The models' accuracy on test texts, the mean over folds, by set, kind of noise, level and model."""
    groups: defaultdict[tuple[str, str, float, str], dict[int, float]] = defaultdict(dict)
    for score in scores:
        groups[score.corpus, score.noise, score.level, score.model][score.fold] = score.accuracy
    return [
        {"set": corpus, "noise": noise, "level": level, "model": model, "accuracy": statistics.mean(by_fold.values())}
        for (corpus, noise, level, model), by_fold in groups.items()
    ]


def grouped(found: Sequence[Slope], *names: str) -> Iterator[tuple[tuple[str, ...], list[Slope]]]:
    """The slopes by the values of some of their fields, in the order in which these come up."""
    groups: defaultdict[tuple[str, ...], list[Slope]] = defaultdict(list)
    for slope in found:
        groups[tuple(getattr(slope, name) for name in names)].append(slope)
    yield from groups.items()

"""Agreement of verdicts with people, with intervals over texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.sets import JudgedSet
from pytest_trust.oracles import Oracle, ThresholdOracle, Verdict
from pytest_trust.stats import Confusion, fitted_threshold

FIGURES = ("accuracy", "precision", "sensitivity", "f1", "specificity", "g_mean")
_RESAMPLES = 1000
_DRAWS = 50

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Measured:
    """One oracle on one set; ``undefined`` verdicts are counted as untrustworthy, as a gate does."""

    set: str
    oracle: str
    n: int
    undefined: int
    figures: dict[str, float | None]
    intervals: dict[str, tuple[float, float] | None]

    def to_dict(self) -> dict[str, object]:
        """Plain values."""
        return asdict(self)


def measure(judged: JudgedSet, name: str, verdicts: Sequence[Verdict]) -> Measured:
    """The figures of ``verdicts`` on the cases of ``judged``, with 95 % bootstrap intervals clustered by text."""
    trusted = np.array([bool(verdict.trustworthy) for verdict in verdicts])
    human = np.array([case.human for case in judged.cases])
    undefined = sum(verdict.trustworthy is None for verdict in verdicts)
    groups = np.unique([case.group for case in judged.cases], return_inverse=True)[1]
    draws = _resampled(_cells(trusted, human, groups), seed=0)
    intervals = {figure: _interval([getattr(draw, figure) for draw in draws]) for figure in FIGURES}
    whole = Confusion.from_pairs(trusted, human)
    return Measured(
        judged.name, name, len(human), undefined, {figure: getattr(whole, figure) for figure in FIGURES}, intervals
    )


def _cells(trusted: Flags, human: Flags, groups: NDArray[np.intp]) -> NDArray[np.int64]:
    """Counts of tp, fp, tn and fn of each text, shape (texts, 4)."""
    counts = np.zeros((int(groups.max()) + 1, 4), dtype=np.int64)
    np.add.at(counts, (groups, np.where(trusted, np.where(human, 0, 1), np.where(human, 3, 2))), 1)
    return counts


def _resampled(counts: NDArray[np.int64], seed: int) -> list[Confusion]:
    draw = np.random.default_rng(seed)
    sums = [counts[draw.integers(0, len(counts), len(counts))].sum(axis=0) for _ in range(_RESAMPLES)]
    return [Confusion(*map(int, row)) for row in sums]


def _interval(values: Sequence[float | None]) -> tuple[float, float] | None:
    known = [value for value in values if value is not None]
    return tuple(np.quantile(known, (0.025, 0.975)).round(4).tolist()) if known else None


def calibrated(oracle: Oracle, judged: JudgedSet, labels: int = 40) -> float:
    """Mean G-mean on the cases that are left when ``labels`` of others have set the oracle's threshold, over 50 draws.

    Cases of the texts of these are left out.
    """
    assert isinstance(oracle, ThresholdOracle)
    verdicts = oracle.judge_many([case.explanation for case in judged.cases])
    scores = np.array([-1.0 if verdict.score is None else verdict.score for verdict in verdicts])
    human = np.array([case.human for case in judged.cases])
    groups = np.array([case.group for case in judged.cases])
    found = [_one_draw(scores, human, groups, oracle.threshold, labels, seed) for seed in range(_DRAWS)]
    return float(np.mean(found))


def _one_draw(
    scores: NDArray[np.float64], human: Flags, groups: NDArray[np.str_], prior: float, labels: int, seed: int
) -> float:
    draw = np.random.default_rng(seed)
    chosen = draw.permutation(len(scores))[:labels]
    rest = ~np.isin(groups, groups[chosen])
    threshold = fitted_threshold(scores[chosen], human[chosen], prior)
    return Confusion.from_pairs(scores[rest] >= threshold, human[rest]).g_mean or 0.0

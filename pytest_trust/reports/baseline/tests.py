"""The tests of one check against an earlier run, before they are adjusted for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.reports.baseline.outcomes import TextOutcome
from pytest_trust.stats import cluster_means, directional, guarded_direction_p, mcnemar_exact, turned

Pair = tuple[TextOutcome, TextOutcome]
"""What was found on a text before, and now."""

# How far apart two values can lie: of the guard, which takes one as the reach of a change.
_SPAN = {"directional": 2.0}


@dataclass(frozen=True, slots=True)
class Change:
    """How a figure changed over the ``n`` sources of texts that have it in both runs.

    ``figure`` is "holds" or "value"; ``before`` and ``after`` are its means over sources. ``worse`` and ``better``
    count the texts that turned, None for a value. ``p_worse`` and ``p_better`` are one-sided; the adjusted ones are
    those of Holm over the session. All are None where there is nothing to test.
    """

    figure: str
    n: int
    before: float
    after: float
    worse: int | None = None
    better: int | None = None
    p_worse: float | None = None
    p_better: float | None = None
    adjusted_worse: float | None = None
    adjusted_better: float | None = None


def pair_up(before: Mapping[str, TextOutcome], now: Mapping[str, TextOutcome]) -> list[Pair]:
    """The texts of both runs, in the order of the one that is judged now."""
    return [(before[key], outcome) for key, outcome in now.items() if key in before]


def n_hypotheses(pairs: Sequence[Pair]) -> int:
    """How many hypotheses a check raises: on its verdicts, where any turned, and on its values, where there are two.

    McNemar's test is one given the number of verdicts that turned: where none did it cannot reject.
    """
    held, valued = _held(pairs), _valued(pairs)
    return int(any(old.holds != new.holds for old, new in held)) + int(len(np.unique(_sources(valued))) > 1)


def changes(kind: str, pairs: Sequence[Pair], level: float) -> list[Change]:
    """What changed in a check of this ``kind``, with p-values that hold at ``level`` and above.

    Sources count once, as everywhere. Verdicts are held to McNemar's exact test, of sources in which more texts turned
    one way than the other; means of values to the t-test guarded against rare large changes
    (:mod:`pytest_trust.stats.guard`).
    """
    held, valued = _held(pairs), _valued(pairs)
    found = [_of_holds(held)] if held else []
    return found + ([_of_values(valued, _SPAN.get(kind, 1.0), level)] if valued else [])


def _of_holds(pairs: Sequence[Pair]) -> Change:
    before, after = (np.array([pair[side].holds for pair in pairs], dtype=np.bool_) for side in (0, 1))
    sources = _sources(pairs)
    worse, better = turned(before, after, sources)
    plain = turned(before, after)
    is_tested = any(plain)
    return Change(
        "holds",
        *_means(before.astype(np.float64), after.astype(np.float64), sources),
        *plain,
        p_worse=mcnemar_exact(worse, better) if is_tested else None,
        p_better=mcnemar_exact(better, worse) if is_tested else None,
    )


def _of_values(pairs: Sequence[Pair], span: float, level: float) -> Change:
    before, after = (np.array([pair[side].value for pair in pairs], dtype=np.float64) for side in (0, 1))
    sources = _sources(pairs)
    test = directional((after - before) / span, "decrease", level, "t", sources)
    return Change(
        "value",
        *_means(before, after, sources),
        p_worse=guarded_direction_p(test, "decrease", level),
        p_better=guarded_direction_p(test, "increase", level),
    )


def _means(
    before: NDArray[np.float64], after: NDArray[np.float64], sources: NDArray[np.intp]
) -> tuple[int, float, float]:
    """The number of sources, and the means over them."""
    old, new = cluster_means(before, sources), cluster_means(after, sources)
    return len(new), float(old.mean()), float(new.mean())


def _held(pairs: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in pairs if pair[0].holds is not None and pair[1].holds is not None]


def _valued(pairs: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in pairs if pair[0].value is not None and pair[1].value is not None]


def _sources(pairs: Sequence[Pair]) -> NDArray[np.intp]:
    """Those of the run that is judged: with equal data those of the other are the same, under other numbers."""
    return np.array([new.source for _, new in pairs], dtype=np.intp)

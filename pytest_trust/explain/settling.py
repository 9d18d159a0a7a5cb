"""Stops scoring neighbours once the verdict on a prediction is settled (sequential sampling)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain.emulator import Emulated, emulate
from pytest_trust.explain.masks import Neighbourhood
from pytest_trust.explain.scoring import Job
from pytest_trust.messages import shown

Vector = NDArray[np.float64]

Leaning = Callable[[int, Sequence[str]], NDArray[np.float64]]
"""What an oracle holds of n words, for the class of a column: 1 for related, -1 for unrelated, shape (n,)."""


@runtime_checkable
class WeighingLeaning(Protocol):
    """A leaning of an oracle for which words do not weigh by their scores."""

    def __call__(self, class_index: int, words: Sequence[str], /) -> NDArray[np.float64]:
        """As of any leaning."""

    def weights(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """How words weigh by their ``scores``, both of shape (r, k); a score of 0 does not."""


# Scored neighbours at which the verdict is looked at. After the last, all are scored.
LOOKS = (48, 64, 80, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024, 1536)
# Beyond this a Gram matrix costs more than it saves.
_MAX_WORDS = 1000
# Standard errors that the verdict's statistic has to be away from zero, more of them while they rest on few answers:
# chosen for agreement with all draws, see docs/results/explain-sampling.json.
_CONFIDENT = 2.2
_FEW = 40
_REPLICATES = 200
# What moves a probability by less carries no prediction, and lies near what emulating leaves.
_NO_CONTRIBUTION = 1e-6


@dataclass(frozen=True, slots=True)
class Settling:
    """Scores growing prefixes of the draws until the sign of the verdict's statistic is known.

    The statistic is that of the oracle on the explanation by all draws: the summed scores of the explanation's words
    that speak for the class, those of unrelated words taken negative. Spellings of a word that an oracle merges ("The",
    "the") count one by one here, which moves the statistic little. Answers to draws not scored yet are emulated
    (:mod:`~pytest_trust.explain.emulator`). The standard error comes from a multiplier bootstrap over the residuals,
    which chooses the words of the explanation anew each time, with the correction for a finite population (the draws
    are finite, so that all of them leave no error; Saerndal, Swensson and Wretman 1992, Sec. 6).

    ``features`` is the most words of an explanation, ``cap`` the most neighbours that are scored (None: all).
    """

    leaning: Leaning
    features: int
    cap: int | None = None

    def rows_wanted(self, job: Job, class_index: int, column: Vector) -> int:
        """See :class:`~pytest_trust.explain.scoring.StoppingRule`."""
        n, size = len(column), len(job.neighbours.masks)
        limit = size if self.cap is None else min(size, self.cap)
        if n >= LOOKS[0] and (n >= limit or self.is_settled(job, class_index, column)):
            return n
        if not can_be_completed(job):
            return size
        if n > LOOKS[0] and _is_constant(column):
            return limit
        return min(limit, next((look for look in LOOKS if look > n), size))

    def is_settled(self, job: Job, class_index: int, column: Vector) -> bool:
        """Whether the sign of the verdict's statistic is known from ``column``, the answers to the first n rows."""
        if len(column) == len(job.neighbours.masks):
            return True
        if _is_constant(column):
            return False  # nothing tells words apart yet
        values = self._statistic(job, class_index, _replicates(job, column))
        spread = np.sqrt(np.mean((values[1:] - values[0]) ** 2))
        confident = _CONFIDENT * np.sqrt(1.0 + _FEW / len(column))
        return bool(np.abs(values[0]) > confident * spread + _NO_CONTRIBUTION)

    def _statistic(self, job: Job, class_index: int, moments: NDArray[np.float64]) -> Vector:
        """The verdict's statistic for each row of ``moments``, shape (r, d)."""
        chosen, weights = job.neighbours.fit.explained_by(moments, self.features)
        words, places = np.unique(chosen, return_inverse=True)
        signs = _checked(self.leaning(class_index, [job.bag.words[word] for word in words]), len(words))
        speaking = np.where(weights > _NO_CONTRIBUTION, weights, 0.0)
        if isinstance(self.leaning, WeighingLeaning):
            speaking = self.leaning.weights(speaking)
        statistic: Vector = np.sum(speaking * signs[places].reshape(chosen.shape), axis=1)
        return statistic


@dataclass(frozen=True, slots=True)
class FirstRows:
    """Scores the first ``count`` neighbours of a text."""

    count: int

    def rows_wanted(self, job: Job, class_index: int, column: Vector) -> int:
        """See :class:`~pytest_trust.explain.scoring.StoppingRule`."""
        return self.count if can_be_completed(job) else len(job.neighbours.masks)


def can_be_completed(job: Job) -> bool:
    """Whether the answers to a job's first neighbours tell those to the others at less cost than the model."""
    return job.neighbours.fit.is_tall and len(job.bag.words) <= _MAX_WORDS


def completed(job: Job, column: Vector) -> Vector:
    """The answers to all neighbours, shape (m,), of which ``column``, shape (n,), holds the first."""
    near = job.neighbours
    return column if len(column) == len(near.masks) else emulate(near.masks, near.kernel, column).column


def _is_constant(column: Vector) -> bool:
    return bool(np.ptp(column) <= _NO_CONTRIBUTION)


def _checked(signs: NDArray[np.float64], n_words: int) -> Vector:
    """What an oracle holds of words, as it is to be.

    Raises:
        ConfigurationError: it is not one finite number for each word.
    """
    given: Vector = np.asarray(signs, dtype=np.float64)
    if given.shape != (n_words,) or not np.isfinite(given).all():
        raise ConfigurationError(
            f"the oracle's leaning returned {shown(signs)}; expected {n_words} finite numbers, one for each word"
        )
    return given


def _replicates(job: Job, column: Vector) -> NDArray[np.float64]:
    """The moments of the completed answers, and below them those with random errors, shape (1 + r, d)."""
    near = job.neighbours
    emulated = emulate(near.masks, near.kernel, column)
    moments = near.fit.moments(emulated.column)
    return np.vstack([moments, moments + _errors(near, emulated, job.seed)])


def _errors(near: Neighbourhood, emulated: Emulated, seed: int) -> NDArray[np.float64]:
    """Random errors of the moments, shape (r, d), as the draws not scored yet may cause them."""
    n = len(emulated.residuals)
    drawn = near.firsts[n] / near.samples
    seen = 1.0 - (1.0 - drawn) ** near.counts[:n]  # the chance of each of these masks to be among the first
    seen[0] = 1.0  # the text itself is no draw
    scale = emulated.residuals * np.sqrt(near.weights[:n] * (1.0 - seen)) / seen
    multipliers = np.random.default_rng([seed, n]).standard_normal((_REPLICATES, n))
    errors: NDArray[np.float64] = (multipliers * scale) @ near.fit.features(slice(n))
    return errors

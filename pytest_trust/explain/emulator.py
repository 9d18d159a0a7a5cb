"""Predicts what a model answers to neighbours that it was not asked about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain.words import Masks

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

# Probabilities nearer to 0 or 1 than this have no finite place on the scale of logits.
_EDGE = 1e-9
# The noise that is tried, in units of the kernel; near neighbours are to be met best.
_NOISES = (1e-3, 1e-2, 1e-1, 1.0)
_LEAST_WEIGHT = 0.02
# Neighbours on which the noise is chosen: enough to tell, few enough to cost nothing.
_CHOSEN_ON = 256


@dataclass(frozen=True, slots=True, eq=False)
class Emulated:
    """Probabilities of all m neighbours, shape (m,), of which the first n are the model's own.

    ``residuals``, shape (n,), are the model's answers less what the emulator says of each when it has not seen it.
    """

    column: Vector
    residuals: Vector


def emulate(masks: Masks, kernel: Vector, column: Vector) -> Emulated:
    """Complete ``column``, the answers to the first n of ``masks``, shape (m, d), by kriging on the scale of logits.

    The prior has four parts: effects of single words, the same shared among the words that are left (as in a text
    scaled to unit length), pairs of words so shared, and a smooth rest that falls with the share of words on which two
    neighbours differ. Their sizes were chosen on a transformer and a TF-IDF pipeline of film reviews. ``kernel``, shape
    (m,), says how near each neighbour is to the text. Residuals are the leave-one-out ones of kernel ridge regression
    (Rasmussen and Williams 2006, Sec. 5.4.2).
    """
    n = len(column)
    features = masks.astype(np.float64)
    weights = kernel[:n] + _LEAST_WEIGHT
    between = _similarity(features[:n], features[:n])
    fitted = _fit(between, weights, _logit(column), _noise(between, weights, column))
    rest = _similarity(features[n:], features[:n])
    answers = np.concatenate([column, _sigmoid(rest @ fitted.dual + fitted.intercept)])
    return Emulated(answers, column - _sigmoid(_logit(column) - fitted.misses))


def _similarity(first: Matrix, second: Matrix) -> Matrix:
    """The prior covariance of the logits of masks, shape (a, d) and (b, d), as shape (a, b)."""
    d = first.shape[1]
    kept, others = first.sum(axis=1), second.sum(axis=1)
    shared = first @ second.T
    cosine = shared / np.sqrt(np.outer(np.maximum(kept, 1.0), np.maximum(others, 1.0)))
    apart = (kept[:, None] + others - 2.0 * shared) / d
    similarity: Matrix = 2.0 * shared / d + cosine * (2.0 + cosine) + 4.0 * np.exp(-1.5 * apart)
    return similarity


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    dual: Vector
    intercept: float
    misses: Vector


def _fit(similarity: Matrix, weights: Vector, target: Vector, noise: float) -> _Fitted:
    """Weighted kernel ridge with an unpenalised intercept; ``misses`` are leave-one-out."""
    inverse = np.linalg.inv(similarity + np.diag(noise / weights))
    sums = inverse.sum(axis=1)
    intercept = float(sums @ target / sums.sum())
    dual = inverse @ target - sums * intercept
    return _Fitted(dual, intercept, dual / (np.diag(inverse) - sums**2 / sums.sum()))


def _noise(similarity: Matrix, weights: Vector, column: Vector) -> float:
    """The noise under which the first neighbours predict each other best."""
    few = slice(min(len(column), _CHOSEN_ON))
    target = _logit(column[few])

    def error(noise: float) -> float:
        misses = _fit(similarity[few, few], weights[few], target, noise).misses
        return float(np.sum((weights[few] * (column[few] - _sigmoid(target - misses))) ** 2))

    return min(_NOISES, key=error)


def _logit(probabilities: Vector) -> Vector:
    inner = np.clip(probabilities, _EDGE, 1.0 - _EDGE)
    logit: Vector = np.log(inner / (1.0 - inner))
    return logit


def _sigmoid(logits: Vector) -> Vector:
    probabilities: Vector = 1.0 / (1.0 + np.exp(-logits))
    return probabilities

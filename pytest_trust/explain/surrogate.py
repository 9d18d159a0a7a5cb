"""The local linear model of LIME: weighted ridge regression and the choice of its features.

Both fits and every step of the selection come from cross-products of the same centred features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from pytest_trust.explain.words import Masks

Vector = NDArray[np.float64]

# Probabilities carry rounding errors near 1e-16; what lies below this is no finding, and its order is chance.
_NOISE = 1e-12
_DECIMALS = 12
# LIME's own settings: forward selection up to six features, the penalties of selection and fit.
_FORWARD_UP_TO = 6
_SELECTION_PENALTY = 0.01
_FIT_PENALTY = 1.0


@dataclass(frozen=True, slots=True)
class LeastSquares:
    """Weighted least squares with intercept, in centred form.

    ``features`` has shape (m, d), ``target`` shape (m,): each about its weighted mean, times the root of the weight.
    """

    features: NDArray[np.float64]
    target: Vector


def least_squares(masks: Masks, weights: Vector, target: Vector) -> LeastSquares:
    """The problem for ``target``, shape (m,), over the binary features ``masks``, shape (m, d)."""
    shares, roots = weights / weights.sum(), np.sqrt(weights)
    features = masks.astype(np.float64)
    features -= shares @ features
    features *= roots[:, None]
    return LeastSquares(features, roots * (target - shares @ target))


def ridge(problem: LeastSquares, penalty: float, chosen: Sequence[int] | None = None) -> Vector:
    """Coefficients of ridge regression with an unpenalised intercept, over the ``chosen`` features (default: all).

    Equal to scikit-learn's ``Ridge(alpha=penalty).fit(masks, target, sample_weight=weights).coef_`` to rounding;
    coefficients within rounding of zero are zero. ``penalty`` is positive, so the system is never singular. Where there
    are more features than neighbours the dual system is solved, so that memory stays that of ``features``.
    """
    features = problem.features if chosen is None else problem.features[:, chosen]
    if features.shape[1] <= len(features):
        coefficients = _solved(features.T @ features, penalty, features.T @ problem.target)
    else:
        coefficients = features.T @ _solved(features @ features.T, penalty, problem.target)
    return np.where(np.abs(coefficients) < _NOISE, 0.0, coefficients)


def _solved(system: NDArray[np.float64], penalty: float, right: Vector) -> Vector:
    system[np.diag_indices_from(system)] += penalty
    solution: Vector = cho_solve(cho_factor(system, overwrite_a=True), right)
    return solution


def by_size(values: Vector) -> list[int]:
    """Positions of ``values`` by falling absolute value; those equal to twelve decimals stay in order."""
    return [int(i) for i in np.argsort(-np.abs(values).round(_DECIMALS), kind="stable")]


def highest_weights(problem: LeastSquares, count: int) -> list[int]:
    """The ``count`` features with the largest absolute weights in a fit over all of them."""
    return by_size(ridge(problem, _SELECTION_PENALTY))[:count]


def forward_selection(problem: LeastSquares, count: int) -> list[int]:
    """``count`` features, each the one that raises the weighted R^2 of least squares most, beside those before it.

    A feature that is a linear combination of the chosen ones raises it by nothing. Gains that differ by rounding
    alone are ties, and the first word wins (the lime package lets rounding decide).
    """
    gram, moment = problem.features.T @ problem.features, problem.features.T @ problem.target
    floor = _NOISE * np.diag(gram).copy()
    chosen: list[int] = []
    for _ in range(min(count, len(moment))):
        spread = np.diag(gram)
        gains = np.divide(moment**2, spread, out=np.zeros_like(moment), where=spread > floor)
        gains[chosen] = -np.inf
        best = int(np.argmax(gains >= gains.max() - _NOISE * float(problem.target @ problem.target)))
        chosen.append(best)
        if spread[best] > floor[best]:
            column = gram[:, best] / gram[best, best]
            moment = moment - column * moment[best]
            gram = gram - np.outer(column, gram[best])
    return chosen


def local_weights(masks: Masks, weights: Vector, target: Vector, count: int) -> list[tuple[int, float]]:
    """LIME's explanation: at most ``count`` (feature, weight) pairs by falling absolute weight.

    Feature selection is the lime package's "auto": forward selection up to six features, else the highest
    weights (Ribeiro et al. 2016, Sec. 3.4, with ridge in place of the lasso path).
    """
    problem = least_squares(masks, weights, target)
    select = forward_selection if count <= _FORWARD_UP_TO else highest_weights
    chosen = select(problem, count)
    fitted = ridge(problem, _FIT_PENALTY, chosen)
    return [(chosen[i], float(fitted[i])) for i in by_size(fitted)]

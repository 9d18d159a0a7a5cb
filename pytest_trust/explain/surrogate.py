"""The local linear model of LIME: weighted ridge regression and the choice of its features.

Both fits, every step of the selection, and all texts over one neighbourhood share one Gram matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from pytest_trust.explain.words import Masks

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

# Probabilities carry rounding errors near 1e-16; what lies below this is no finding, and its order is chance.
_NOISE = 1e-12
_DECIMALS = 12
_NO_GAIN = 1e-20
# LIME's own settings: forward selection up to six features, the penalties of selection and fit.
_FORWARD_UP_TO = 6
_SELECTION_PENALTY = 0.01
_FIT_PENALTY = 1.0

# Cells of masks made into numbers at once, few enough for the cache.
_CELLS_AT_ONCE = 2**16


class LocalFit:
    """LIME's regressions over the m neighbours of a text of d words: what depends on the masks alone is made once.

    ``masks`` has shape (m, d), ``weights`` shape (m,). Coefficients equal those of scikit-learn's ``Ridge`` with
    ``sample_weight`` and an unpenalised intercept, to rounding.
    """

    def __init__(self, masks: Masks, weights: Vector) -> None:
        self._masks = masks
        self._weights = weights
        self._shares = weights / weights.sum()
        self._mean = _summed(self._shares, masks)

    @property
    def is_tall(self) -> bool:
        """Whether there are at least as many neighbours as words."""
        return len(self._masks) >= len(self._mean)

    @property
    def nbytes(self) -> int:
        """Bytes that the Gram matrix and its factor take, once they are made."""
        return 16 * self._masks.shape[1] ** 2 if self.is_tall else 0

    def explained(self, target: Vector, count: int) -> list[tuple[int, float]]:
        """LIME's explanation of ``target``, shape (m,): at most ``count`` (feature, weight) by falling absolute weight.

        Feature selection is the lime package's "auto": forward selection up to six features, else the highest
        weights (Ribeiro et al. 2016, Sec. 3.4, with ridge in place of the lasso path).
        """
        moments = self.moments(target)
        chosen = self._selected(target, moments, count)
        weights = self.fitted(chosen, moments)
        return [(chosen[i], float(weights[i])) for i in by_size(weights)]

    def explained_by(self, moments: Matrix, count: int) -> tuple[NDArray[np.intp], Matrix]:
        """The features and weights of the explanations that each row of ``moments``, shape (r, d), leads to.

        Both have shape (r, k), in no order. Features are those of the highest weights, however few.
        """
        coefficients, k = self.solve(moments.T).T, min(count, moments.shape[1])
        chosen = np.argpartition(-np.abs(coefficients), k - 1, axis=1)[:, :k]
        systems = self.gram[chosen[:, :, None], chosen[:, None, :]] + _FIT_PENALTY * np.eye(k)
        right = np.take_along_axis(moments, chosen, axis=1)
        weights = np.linalg.solve(systems, right[:, :, None])[:, :, 0].astype(np.float64)
        return chosen, weights

    def selected(self, target: Vector, count: int) -> list[int]:
        """The features that an explanation of ``target`` has, in the order of their choice."""
        return self._selected(target, self.moments(target), count)

    def _selected(self, target: Vector, moments: Vector, count: int) -> list[int]:
        if count > _FORWARD_UP_TO:
            return by_size(self._coefficients(target, moments))[:count]
        spread = float(self._weights @ (target - self._shares @ target) ** 2)
        # Features that vary by rounding alone are constant.
        floor = _NOISE * np.maximum(np.diag(self.gram), self._weights.sum())
        return forward_selection(self.gram, moments, spread, floor, count)

    def fitted(self, chosen: Sequence[int], moments: Vector) -> Vector:
        """Coefficients of the final fit over the ``chosen`` features."""
        return _cleaned(cho_solve(_factor(self._gram_of(chosen), _FIT_PENALTY), moments[list(chosen)]))

    def coefficients(self, target: Vector) -> Vector:
        """Coefficients of the fit over all features, shape (d,), from which the highest weights are chosen.

        With more features than neighbours the dual system is solved, so that memory stays that of the features.
        """
        return self._coefficients(target, self.moments(target))

    def _coefficients(self, target: Vector, moments: Vector) -> Vector:
        return _cleaned(self.solve(moments) if self.is_tall else self._dual(target))

    def solve(self, moments: Vector) -> Vector:
        """The same from moments, shape (d,) or (d, n), not cleaned of rounding; for tall neighbourhoods."""
        solution: Vector = cho_solve(self._factor, moments)
        return solution

    def moments(self, target: Vector) -> Vector:
        """Weighted cross-products of the centred features with ``target``, shape (d,)."""
        weighted = self._weights * (target - self._shares @ target)
        return _summed(weighted, self._masks)

    def features(self, rows: slice) -> Matrix:
        """Rows of the masks about their weighted mean, times the root of their weight."""
        features = self._masks[rows].astype(np.float64)
        features -= self._mean
        features *= np.sqrt(self._weights[rows])[:, None]
        return features

    @cached_property
    def gram(self) -> Matrix:
        """Weighted cross-products of the centred features, shape (d, d)."""
        gram = np.zeros((len(self._mean), len(self._mean)))
        for rows in _blocks(self._masks):
            features = self.features(rows)
            gram += features.T @ features
        return gram

    @cached_property
    def _factor(self) -> tuple[Any, bool]:
        return _factor(self.gram, _SELECTION_PENALTY)

    def _dual(self, target: Vector) -> Vector:
        features = self.features(slice(None))
        centred = np.sqrt(self._weights) * (target - self._shares @ target)
        solution: Vector = features.T @ cho_solve(_factor(features @ features.T, _SELECTION_PENALTY), centred)
        return solution

    def _gram_of(self, chosen: Sequence[int]) -> Matrix:
        if self.is_tall:
            return self.gram[np.ix_(chosen, chosen)]
        return LocalFit(self._masks[:, list(chosen)], self._weights).gram


def _summed(values: Vector, masks: Masks) -> Vector:
    """The sum of ``values``, shape (m,), over the neighbours that keep each word, shape (d,)."""
    return sum((values[rows] @ masks[rows] for rows in _blocks(masks)), np.zeros(masks.shape[1]))


def _blocks(masks: Masks) -> list[slice]:
    step = max(64, _CELLS_AT_ONCE // max(1, masks.shape[1]))
    return [slice(start, start + step) for start in range(0, len(masks), step)]


def _factor(system: Matrix, penalty: float) -> tuple[Any, bool]:
    raised = system.copy()
    raised[np.diag_indices_from(raised)] += penalty
    factor: tuple[Any, bool] = cho_factor(raised, overwrite_a=True)
    return factor


def _cleaned(coefficients: Vector) -> Vector:
    return np.where(np.abs(coefficients) < _NOISE, 0.0, coefficients)


def by_size(values: Vector) -> list[int]:
    """Positions of ``values`` by falling absolute value; those equal to twelve decimals stay in order."""
    return [int(i) for i in np.argsort(-np.abs(values).round(_DECIMALS), kind="stable")]


def forward_selection(gram: Matrix, moments: Vector, spread: float, floor: Vector, count: int) -> list[int]:
    """``count`` features, each the one that raises the weighted R^2 of least squares most, beside those before it.

    A feature that is a linear combination of the chosen ones raises it by nothing. Gains that differ by rounding
    alone are ties, and the first word wins (the lime package lets rounding decide). ``spread`` is the target's
    weighted sum of squares about its mean, ``floor``, shape (d,), what a feature's own must exceed to count.
    """
    chosen: list[int] = []
    for _ in range(min(count, len(moments))):
        remaining = np.diag(gram)
        gains = np.divide(moments**2, remaining, out=np.zeros_like(moments), where=remaining > floor)
        gains[chosen] = -np.inf
        best = int(np.argmax(gains >= gains.max() - _NOISE * spread - _NO_GAIN))
        chosen.append(best)
        if remaining[best] > floor[best]:
            column = gram[:, best] / gram[best, best]
            moments = moments - column * moments[best]
            gram = gram - np.outer(column, gram[best])
    return chosen

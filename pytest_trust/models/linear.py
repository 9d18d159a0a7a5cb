"""Linear models of n-gram counts, scored under masks without the matrix of counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pytest_trust.models.counts import Bag, MaskedCounts
from pytest_trust.models.counts_grams import Counts
from pytest_trust.models.linear_heads import Vector

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Coefficients = Callable[[Ints], Vector]
"""From w columns to their coefficients in r scores, shape (w, r)."""


@dataclass(frozen=True, slots=True, eq=False)
class Weighting:
    """What becomes of a count c: f(c) times the column's ``scale``, over the row's norm.

    f(c) is c, 1 (``binary``) or 1 + ln c (``sublinear``). The norm, "l1" or "l2", is that of f(c) times
    ``norm_scale``. A scale of None is one everywhere.
    """

    binary: bool = False
    sublinear: bool = False
    scale: Vector | None = None
    norm: str | None = None
    norm_scale: Vector | None = None

    @property
    def is_plain(self) -> bool:
        """Whether f(c) is c."""
        return not self.binary and not self.sublinear

    def normed(self, norm: str | None) -> Weighting:
        """This, and then the row divided by its norm; an earlier norm drops out."""
        return self if norm is None else replace(self, norm=norm, norm_scale=self.scale)

    def then(self, transformer: Any) -> Weighting | None:
        """This, and then a fitted TfidfTransformer; None where it takes the logarithm of something else than counts."""
        is_count = not self.sublinear and self.scale is None and self.norm is None
        if transformer.sublinear_tf and not is_count:
            return None
        changed = replace(self, sublinear=self.sublinear or (transformer.sublinear_tf and not self.binary))
        if transformer.use_idf:
            idf = np.asarray(transformer.idf_, dtype=np.float64)
            changed = replace(changed, scale=idf if self.scale is None else self.scale * idf)
        return changed.normed(transformer.norm)

    def values(self, counts: NDArray[Any]) -> NDArray[Any]:
        """f of counts, and 0 of 0."""
        if self.is_plain:
            return counts
        if self.binary:
            return (counts > 0).astype(np.float64)
        logarithms: NDArray[Any] = np.log(counts, out=np.full(counts.shape, -1.0), where=counts > 0)
        return logarithms + 1.0

    def parts_of_norm(self, values: NDArray[Any]) -> NDArray[Any]:
        """What each f(c) adds to the power of the norm, but for its column's scale."""
        parts: NDArray[Any] = np.abs(values) if self.norm == "l1" else values * values
        return parts

    def scaled(self, columns: Ints, coefficients: Vector) -> Vector:
        """The coefficients of f(c), shape (w, r), for those of the weighted features."""
        return coefficients if self.scale is None else coefficients * self.scale[columns, None]

    def norm_weights(self, columns: Ints) -> Vector:
        """What a part of the norm counts in each of w columns, shape (w,); zero without a norm."""
        if self.norm is None:
            return np.zeros(len(columns))
        return np.ones(len(columns)) if self.norm_scale is None else self.parts_of_norm(self.norm_scale[columns])

    def divided(self, sums: Vector) -> Vector:
        """Scores, shape (m, r), from ``sums`` of shape (m, r + 1), whose last column is the power of the norm."""
        if self.norm is None:
            return sums[:, :-1]
        norms = np.sqrt(sums[:, -1:]) if self.norm == "l2" else sums[:, -1:]
        return sums[:, :-1] / np.where(norms > 0.0, norms, 1.0)


class LinearScores:
    """Scores a text under masks: its weighted counts times the ``coefficients``."""

    def __init__(self, counts: MaskedCounts, weighting: Weighting, coefficients: Coefficients) -> None:
        self._counts, self._weighting, self._coefficients = counts, weighting, coefficients
        lengths = counts.counter.lengths
        self._has_longer = lengths.stop > 2
        is_bag = lengths.start == 1 and not counts.counter.squeeze
        self._single = _BagSums(counts, weighting, coefficients) if is_bag else None
        # So many columns of longer grams are known to be none of single tokens; those that were met stay.
        self._apart = 0

    def __call__(self, masks: Bools) -> Vector:
        """The scores without intercepts, shape (m, r)."""
        step = self._counts.rows_at_once
        sums = [self._sums(masks[start : start + step]) for start in range(0, len(masks), step)]
        return self._weighting.divided(np.concatenate(sums))

    def _sums(self, masks: Bools) -> Vector:
        if self._single is None:
            return self._of_matrix(self._counts.matrix(masks))
        held = self._counts.slots.held(masks)
        if not self._has_longer:
            return self._single(held)
        longer = self._counts.grams(held, 2)
        if self._are_counted_together(longer.columns):
            self._single = None
            return self._sums(masks)
        return self._single(held) + self._of_matrix(longer)

    def _are_counted_together(self, longer: Ints) -> bool:
        """Whether longer grams have columns of single tokens, by their hash, or by tokens with spaces in them."""
        if len(longer) > self._apart:
            if np.isin(longer, self._counts.bag.columns).any():
                return True
            self._apart = len(longer)
        return False

    def _of_matrix(self, counts: Counts) -> Vector:
        columns, weighting = counts.columns, self._weighting
        scores = weighting.scaled(columns, self._coefficients(columns))
        norms = weighting.norm_weights(columns)
        matrix = (
            counts.matrix if weighting.is_plain else _with_data(counts.matrix, weighting.values(counts.matrix.data))
        )
        parts = weighting.parts_of_norm(matrix.data)
        if weighting.norm is None or np.array_equal(parts, matrix.data):
            sums: Vector = matrix @ np.column_stack([scores, norms])
            return sums
        return np.column_stack([matrix @ scores, _with_data(matrix, parts) @ norms])


class _BagSums:
    """Sums over single tokens: of the r scores, and of the power of the norm.

    A column that one state of the slots fills alone is linear in the states; a column that several states share is
    counted, as far as more is asked of its counts than their sum.
    """

    def __init__(self, counts: MaskedCounts, weighting: Weighting, coefficients: Coefficients) -> None:
        bag, n_states = counts.bag, counts.slots.n_states
        scores = weighting.scaled(bag.columns, coefficients(bag.columns))
        norms = weighting.norm_weights(bag.columns)
        is_shared = (np.bincount(bag.places, minlength=len(bag.columns)) > 1)[bag.places]
        alone = np.where(is_shared, 0.0, weighting.values(bag.counts))
        summed = bag.counts if weighting.is_plain else alone
        self._linear = np.zeros((n_states, scores.shape[1] + 1))
        np.add.at(self._linear[:, :-1], bag.states, summed[:, None] * scores[bag.places])
        np.add.at(self._linear[:, -1], bag.states, weighting.parts_of_norm(alone) * norms[bag.places])
        is_linear = weighting.is_plain and weighting.norm is None
        self._shared = None if is_linear or not is_shared.any() else _Shared(bag, is_shared, weighting, scores, norms)
        self._form = None if self._shared is None or counts.counter.signed else self._shared.quadratic_form()

    def __call__(self, held: Bools) -> Vector:
        """The sums, shape (m, r + 1), for the states that are ``held``, shape (m, s)."""
        states = held.astype(np.float64)
        sums: Vector = states @ self._linear
        if self._shared is not None and self._form is not None:
            some = states[:, self._shared.states]
            sums[:, -1] += np.einsum("ij,ij->i", some @ self._form, some)
        elif self._shared is not None:
            self._shared.add_to(sums, states)
        return sums


class _Shared:
    """The columns that several states fill: ``counts`` has shape (columns, len(``states``))."""

    def __init__(self, bag: Bag, is_shared: Bools, weighting: Weighting, scores: Vector, norms: Vector) -> None:
        self.states, states = np.unique(bag.states[is_shared], return_inverse=True)
        columns, places = np.unique(bag.places[is_shared], return_inverse=True)
        shape = (len(columns), len(self.states))
        self._counts = csr_matrix((bag.counts[is_shared].astype(np.float64), (places, states)), shape=shape)
        self._weighting, self._scores, self._norms = weighting, scores[columns], norms[columns]

    def quadratic_form(self) -> Vector | None:
        """The squared norm as a form of the states, where it is one of few states; it takes unsigned counts."""
        n_columns, n_states = self._counts.shape
        if not self._weighting.is_plain or self._weighting.norm != "l2" or n_columns <= n_states:
            return None
        form: Vector = (self._counts.T.multiply(self._norms) @ self._counts).toarray()
        return form

    def add_to(self, sums: Vector, states: Vector) -> None:
        """Count, and add to ``sums``, shape (m, r + 1), what is not linear in the ``states``, shape (m, s)."""
        values = self._weighting.values(self._counts @ np.ascontiguousarray(states[:, self.states].T))
        sums[:, -1] += self._norms @ self._weighting.parts_of_norm(values)
        if not self._weighting.is_plain:
            sums[:, :-1] += values.T @ self._scores


def _with_data(matrix: csr_matrix, data: NDArray[Any]) -> csr_matrix:
    return csr_matrix((data, matrix.indices, matrix.indptr), shape=matrix.shape)

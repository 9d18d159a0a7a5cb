"""Nearest neighbours of many vectors at once, in memory linear in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]

# Distances closer than this count as equal: the rounding of products in float64 stays below it.
EQUAL = 1e-12

# Pairs whose vectors are gathered at once, few enough to stay in the processor's cache.
_GATHERED = 1024
_OFFERED = 1 << 17
# Rows of the first product; every next one has twice as many, as the lists soon say what is worth a look.
_FIRST_ROWS = 16
# What the distance of one gathered pair costs, in entries of a full product.
_PAIR_COST = 64
# Directions of the vectors are found from so many of them.
_SAMPLED = 4096


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest vectors of m queries, nearest first, and the distance below which nobody else lies, shape (m,).

    ``ids`` and ``distance`` have shape (m, count). Where fewer are within reach, ``ids`` holds the number of all
    vectors, which stands for nobody, ``distance`` is infinite and ``radius`` the largest distance asked for.
    """

    ids: Ints
    distance: Floats
    radius: Floats


def nearest(vectors: Floats, queries: Ints, others: Ints, *, count: int, max_distance: float, cells: int) -> Neighbours:
    """The ``count`` nearest to each of ``queries`` among these and ``others``, at most at ``max_distance``.

    ``vectors`` (n, d) are no longer than one and their distance is 1 - product; queries and others are distinct rows.
    What is nearest is decided in float64. A product has at most ``cells`` entries, or one row.
    """
    search = _Search(vectors, queries, others, count, max_distance)
    for start, stop in _strips(len(queries), len(queries) + len(others), cells):
        search.look(start, stop)
    return search.found()


def pair_distances(vectors: Floats, first: Ints, second: Ints) -> Floats:
    """1 - product of the rows of each pair, not below 0; bit for bit the same whichever of the two comes first."""
    products = np.empty(len(first))
    for start in range(0, len(first), _GATHERED):
        pairs = slice(start, start + _GATHERED)
        np.einsum("ij,ij->i", vectors[first[pairs]], vectors[second[pairs]], out=products[pairs])
    # Rounding makes distances of equal vectors slightly negative.
    return np.maximum(1.0 - products, 0.0)


def tie_order(asking: Ints, ids: Ints, n: int) -> Ints:
    """Orders equals by number, counted from that of who asks: with the lowest, a cloud of equals has one favourite."""
    order: Ints = (ids - asking) % n
    return order


def _strips(stop: int, width: int, cells: int) -> Iterator[tuple[int, int]]:
    start, height = 0, _FIRST_ROWS
    while start < stop:
        height = min(height, max(1, cells // width), stop - start)
        yield start, start + height
        start, height = start + height, 2 * height


class _Search:
    """Queries come first in one order of all; a pair is looked at once, in the row of the earlier, for both of them.

    By rotated vectors x = (lead, rest), x . y <= lead . lead + |rest| |rest| (Cauchy-Schwarz): short products in
    float32 leave out most pairs. The leads grow when they leave too many.
    """

    def __init__(self, vectors: Floats, queries: Ints, others: Ints, count: int, max_distance: float) -> None:
        self._vectors, self._max_distance = vectors, max_distance
        # Words come by frequency or by alphabet, but the first rows should stand for all.
        self._shuffled = np.random.default_rng(0).permutation(len(queries))
        self._order = np.concatenate([queries[self._shuffled], others])
        self._ids = np.full((len(queries), count), len(vectors), dtype=np.intp)
        self._distance = np.full((len(queries), count), np.inf)
        # How near another must be to be listed; nobody is listed by those who do not ask.
        self._reach = np.full(len(self._order), -np.inf)
        self._reach[: len(queries)] = max_distance
        dimension = vectors.shape[1]
        rotation_pays = len(queries) > 2 * dimension
        self._rotated = self._in_order(self._directions() if rotation_pays else None)
        self._set_lead(max(1, dimension // 3) if rotation_pays else dimension)

    def found(self) -> Neighbours:
        back = np.argsort(self._shuffled)
        ids, distance = self._ids[back], self._distance[back]
        return Neighbours(ids, distance, np.minimum(distance[:, -1], self._max_distance))

    def look(self, start: int, stop: int) -> None:
        """Compares the places ``start`` to ``stop`` with each other and with all behind them."""
        near = self._sifted(start, stop)
        height, width = near.shape
        near[:, :height] = np.triu(near[:, :height], 1)
        places = np.flatnonzero(near)
        for i in range(0, len(places), _OFFERED):
            first, second = np.divmod(places[i : i + _OFFERED], width)
            self._offer(first + start, second + start)

    def _in_order(self, rotation: Floats | None) -> NDArray[np.float32]:
        rows = np.empty((len(self._order), self._vectors.shape[1]), dtype=np.float32)
        for i in range(0, len(rows), _GATHERED):
            wide = self._vectors[self._order[i : i + _GATHERED]]
            rows[i : i + _GATHERED] = wide if rotation is None else wide @ rotation
        return rows

    def _directions(self) -> Floats:
        """Orthogonal directions (d, d) by falling share of the vectors' squared length."""
        sample = self._vectors[self._order[:_SAMPLED]]
        directions: Floats = np.linalg.eigh(sample.T @ sample).eigenvectors[:, ::-1]
        return directions

    def _set_lead(self, length: int) -> None:
        self._length = min(length, self._rotated.shape[1])
        rest = self._rotated[:, self._length :]
        self._lead = np.column_stack([self._rotated[:, : self._length], np.sqrt(np.einsum("ij,ij->i", rest, rest))])

    def _sifted(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Candidates: whatever belongs on a list, and little else."""
        dimension = self._rotated.shape[1]
        while True:
            near = self._near(self._lead[start:stop] @ self._lead[start:].T, start)
            if np.count_nonzero(near) * _PAIR_COST * dimension <= near.size * self._length:
                return near
            if self._length == dimension:
                return self._sifted_exactly(start, stop)
            self._set_lead(2 * self._length)

    def _sifted_exactly(self, start: int, stop: int) -> NDArray[np.bool_]:
        """The same in float64, and of each row no more than the best that its list can hold."""
        rows = self._vectors[self._order[start:stop]]
        products = np.empty((len(rows), len(self._order) - start))
        for i in range(0, products.shape[1], _GATHERED):
            columns = self._order[start + i : start + i + _GATHERED]
            products[:, i : i + _GATHERED] = rows @ self._vectors[columns].T
        # One more, as each row is among the columns.
        best = min(self._ids.shape[1] + 1, products.shape[1])
        return self._near(products, start, np.partition(products, -best, axis=1)[:, -best])

    def _near(self, products: NDArray[np.floating], start: int, floor: float | Floats = -np.inf) -> NDArray[np.bool_]:
        """Which products of places from ``start`` on may belong on a list of either side, of rows above ``floor``."""
        # Twice the bound for the rounding of a product of vectors no longer than one, and of its factors.
        margin = (self._rotated.shape[1] + 5) * float(np.finfo(products.dtype).eps)
        least = 1.0 - margin - self._reach[start:]
        of_rows = np.maximum(least[: len(products)], floor - margin).astype(products.dtype)
        near: NDArray[np.bool_] = products >= of_rows[:, None]
        near |= products >= least.astype(products.dtype)
        return near

    def _offer(self, first: Ints, second: Ints) -> None:
        """Puts both sides of pairs of places on each other's lists, where they belong there."""
        distance = np.tile(pair_distances(self._vectors, self._order[first], self._order[second]), 2)
        asking, answer = np.concatenate([first, second]), self._order[np.concatenate([second, first])]
        welcome = distance <= self._reach[asking]
        self._insert(asking[welcome], answer[welcome], distance[welcome])

    def _insert(self, asking: Ints, answer: Ints, distance: Floats) -> None:
        count, listing = self._ids.shape[1], np.unique(asking)
        asking = np.concatenate([asking, np.repeat(listing, count)])
        answer = np.concatenate([answer, self._ids[listing].ravel()])
        distance = np.concatenate([distance, self._distance[listing].ravel()])
        order = np.lexsort((tie_order(self._order[asking], answer, len(self._vectors)), distance, asking))
        asking, answer, distance = asking[order], answer[order], distance[order]
        rank = np.arange(len(asking)) - np.searchsorted(asking, asking)
        kept = rank < count
        place = asking[kept], rank[kept]
        self._ids[place], self._distance[place] = answer[kept], distance[kept]
        self._reach[listing] = np.minimum(self._distance[listing, -1] - EQUAL, self._max_distance)

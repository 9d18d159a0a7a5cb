"""Average linkage on cosine distance, cut at a distance, in memory linear in the vectors.

The average distance of two clusters of unit vectors is 1 - product of their means, as means stand, not normalised.
Average linkage is reducible, d(A u B, C) >= min(d(A, C), d(B, C)): a merge brings nobody nearer to anybody. So all
pairs of each other's nearest may merge in one round, and the clusters are those of merging the nearest pair of all,
one at a time (Bruynooghe, 1977). A short list of the nearest of each cluster spares most searches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pytest_trust.keywords.nearest import EQUAL, Floats, Ints, nearest, pair_distances, tie_order

# Long enough that few clusters use up their list before they merge, short enough to keep lists cheap.
_LISTED = 8
# Entries of the largest matrix product: 16 MB in float32.
_CELLS = 1 << 22
# Knuth's multiplicative hash: 2^32 over the golden ratio.
_HASH = 2654435761


def average_linkage(vectors: Floats, max_distance: float, *, listed: int = _LISTED, cells: int = _CELLS) -> Ints:
    """The first member of the cluster of each vector, shape (n,), merging up to a distance of ``max_distance``.

    ``vectors`` (n, d) have length one or zero; they serve as workspace and are overwritten. Which of several equal
    distances (within 1e-12) comes first is decided by the numbers of the vectors alone. ``listed`` neighbours are kept
    of each cluster; no matrix product has more than ``cells`` entries, or one row.
    """
    clusters = _Clusters(vectors, max_distance, listed, cells)
    clusters.merge_all()
    return clusters.first_members()


class _Clusters:
    """Clusters by the number of their first member; n, one past the vectors, stands for nobody.

    ``_ids`` and ``_distance`` (n, listed) hold the nearest of each cluster, nearest first; nobody else is nearer than
    ``_radius``. ``_working`` are the clusters that may still merge.
    """

    def __init__(self, vectors: Floats, max_distance: float, listed: int, cells: int) -> None:
        n = len(vectors)
        self._means, self._sizes = vectors, np.ones(n)
        self._max_distance, self._cells = max_distance, cells
        self._merged_into = np.arange(n + 1)
        self._ids = np.full((n, listed), n, dtype=np.intp)
        self._distance = np.full((n, listed), np.inf)
        self._radius = np.full(n, -np.inf)
        self._working = np.arange(n)

    def merge_all(self) -> None:
        self._search()
        while (self._distance[self._working, -1] <= EQUAL).any():
            self._merge_crowds()
            self._search()
        while len(self._working):
            first, second = self._mutual()
            if len(first):
                self._merge(first, second)
            else:
                # Only when lists give no more merges, so that searches are few and large.
                self._search()

    def first_members(self) -> Ints:
        members = self._merged_into
        while not np.array_equal(members, members[members]):
            members = members[members]
        return members[:-1]

    def _settled(self, clusters: Ints) -> NDArray[np.bool_]:
        """Whether the first on the list is the nearest of all, or nobody is within reach."""
        nearest_listed = np.minimum(self._distance[clusters, 0], self._max_distance)
        settled: NDArray[np.bool_] = nearest_listed <= self._radius[clusters]
        return settled

    def _search(self) -> None:
        """New lists for clusters whose list no longer tells the nearest."""
        settled = self._settled(self._working)
        asking, others = self._working[~settled], self._working[settled]
        count = self._ids.shape[1]
        found = nearest(self._means, asking, others, count=count, max_distance=self._max_distance, cells=self._cells)
        self._ids[asking], self._distance[asking], self._radius[asking] = found.ids, found.distance, found.radius
        self._drop_lonely()

    def _drop_lonely(self) -> None:
        # By reducibility nobody new comes within reach of a cluster whose nearest lies beyond max_distance.
        lonely = np.isinf(self._distance[self._working, 0]) & self._settled(self._working)
        self._working = self._working[~lonely]

    def _merge_crowds(self) -> None:
        """Merges equals at once: of more than a list holds, each round of pairs would merge but a few."""
        n, listed = self._ids.shape
        equal = np.flatnonzero(self._distance.ravel() <= EQUAL)
        edges = coo_array((np.ones(len(equal)), (equal // listed, self._ids.ravel()[equal])), shape=(n, n))
        crowds = connected_components(edges, directed=False)[1]
        first = np.unique(crowds, return_index=True)[1][crowds]
        more = np.flatnonzero(first != np.arange(n))
        self._means *= self._sizes[:, None]
        np.add.at(self._means, first[more], self._means[more])
        np.add.at(self._sizes, first[more], self._sizes[more])
        self._means /= self._sizes[:, None]
        self._retire(more, first[more])
        self._distance[:], self._radius[self._working] = np.inf, -np.inf

    def _mutual(self) -> tuple[Ints, Ints]:
        """Pairs of each other's nearest, the lower number first, no cluster in two pairs."""
        asking = self._working[self._settled(self._working)]
        answer, distance = self._ids[asking, 0], self._distance[asking, 0]
        # The nearest pair of all passes, so that every round without unsettled clusters merges something.
        mutual = self._settled(answer) & (distance <= self._distance[answer, 0])
        asking, answer = asking[mutual], answer[mutual]
        return _disjoint(np.minimum(asking, answer), np.maximum(asking, answer), distance[mutual], len(self._sizes))

    def _merge(self, first: Ints, second: Ints) -> None:
        share = self._sizes[second] / (self._sizes[first] + self._sizes[second])
        self._means[first] += (self._means[second] - self._means[first]) * share[:, None]
        self._sizes[first] += self._sizes[second]
        # Who is on neither list lies at least at the average of both radii.
        self._radius[first] += (self._radius[second] - self._radius[first]) * share
        self._retire(second, first)
        self._update_lists(first, second)
        self._drop_lonely()

    def _retire(self, clusters: Ints, into: Ints) -> None:
        self._merged_into[clusters] = into
        self._working = self._working[self._merged_into[self._working] == self._working]

    def _update_lists(self, first: Ints, second: Ints) -> None:
        """A merged cluster takes the lists of both its parts; on other lists it takes the place of its parts."""
        merged = np.zeros(len(self._merged_into), dtype=np.bool_)
        merged[first] = merged[second] = True
        united = np.hstack([self._ids[first], self._ids[second]])
        rest = self._working[~merged[self._working]]
        rest = rest[merged[self._ids[rest]].any(axis=1)]
        self._write_lists(first, united, np.full(united.shape, np.inf), np.ones_like(merged))
        self._write_lists(rest, self._ids[rest], self._distance[rest], merged)

    def _write_lists(self, rows: Ints, ids: Ints, distance: Floats, moved: NDArray[np.bool_]) -> None:
        """Lists of ``rows`` from ``ids`` (m, l) before the merge, with the distances of those who ``moved`` anew."""
        n, listed = self._ids.shape
        ids, distance = _without_repeats(self._merged_into[ids], distance, rows, nobody=n)
        row, place = np.nonzero(moved[ids] & (ids < n))
        distance[row, place] = pair_distances(self._means, rows[row], ids[row, place])
        distance[(ids == n) | (distance > self._max_distance)] = np.inf
        ids[np.isinf(distance)] = n
        order = np.lexsort((tie_order(rows[:, None], ids, n), distance), axis=-1)
        ids, distance = np.take_along_axis(ids, order, axis=1), np.take_along_axis(distance, order, axis=1)
        self._radius[rows] = np.minimum(self._radius[rows], distance[:, listed:].min(axis=1, initial=np.inf))
        self._ids[rows], self._distance[rows] = ids[:, :listed], distance[:, :listed]


def _without_repeats(ids: Ints, distance: Floats, rows: Ints, nobody: int) -> tuple[Ints, Floats]:
    """Lists (m, l) in which nobody takes the place of a row itself and of whoever was named before."""
    ids = np.where(ids == rows[:, None], nobody, ids)
    order = ids.argsort(axis=1)
    ids, distance = np.take_along_axis(ids, order, axis=1), np.take_along_axis(distance, order, axis=1)
    ids[:, 1:][ids[:, 1:] == ids[:, :-1]] = nobody
    return ids, distance


def _disjoint(first: Ints, second: Ints, distance: Floats, n: int) -> tuple[Ints, Ints]:
    """Those pairs that come before all others of their two clusters: by distance, equals by a hash of their numbers."""
    # By number itself, of a chain of equals one pair would come before the others.
    hashed = first * _HASH % (1 << 32)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.lexsort((second, first, hashed, distance))] = np.arange(len(first))
    foremost = np.full(n, len(first))
    for side in (first, second):
        np.minimum.at(foremost, side, rank)
    won = (foremost[first] == rank) & (foremost[second] == rank)
    return first[won], second[won]

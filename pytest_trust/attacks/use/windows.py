"""A branch of the Universal Sentence Encoder over texts that differ in one gap: only what sees the gap is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

import numpy as np

from pytest_trust.attacks.use.layers import BRANCH_WIDTH, Branch, Floats, Ints
from pytest_trust.attacks.use.tokens import NOTHING, Tokens

# How far both layers see together.
REACH = 4
# Longer texts have their terms computed anew where these are asked for: they take ten kilobytes a token.
_KEPT_TOKENS = 400
_ZEROS = np.zeros((5, BRANCH_WIDTH), np.float32)


@dataclass(frozen=True, slots=True)
class Gap:
    """Where texts differ from a known one: behind its first ``start`` tokens and before its token ``stop``.

    ``tail`` tokens follow.
    """

    start: int
    stop: int
    tail: int

    @classmethod
    def of(cls, known: list[int], texts: Sequence[list[int]]) -> Gap:
        """What all of ``texts`` share with ``known`` lies outside."""
        lists = [known, *texts]
        start = _shared(lists)
        tail = min(_shared([ids[::-1] for ids in lists]), min(map(len, lists)) - start)
        return cls(start, len(known) - tail, tail)

    def around(self, left: int, right: int) -> slice:
        """The gap in the known text with its neighbours, as far as there are any."""
        return slice(self.start - min(left, self.start), self.stop + min(right, self.tail))

    def sizes(self, lengths: Sequence[int], left: int, right: int) -> list[int]:
        """How many tokens lie there in texts that have ``lengths`` tokens in the gap."""
        extra = min(left, self.start) + min(right, self.tail)
        return [length + extra for length in lengths]

    def middle(self, ids: list[int]) -> list[int]:
        """What another text has there."""
        return ids[self.start : len(ids) - self.tail]


def _shared(lists: Sequence[list[int]]) -> int:
    """How many tokens all begin with."""
    # What the first and the last in order share, all share.
    low, high = min(lists), max(lists)
    return next((place for place, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """The first layer of a branch over n tokens: ``rows`` (n, 256), and their ``terms`` unless there are too many."""

    branch: Branch
    rows: Floats
    terms: Floats | None

    @classmethod
    def empty(cls, branch: Branch) -> Layer:
        """That of no tokens."""
        nothing = np.empty((0, BRANCH_WIDTH), np.float32)
        return cls(branch, nothing, nothing)

    def around(self, gap: Gap) -> slice:
        """The rows that change with the gap."""
        return gap.around(self.branch.right, self.branch.left)

    def spliced(self, gap: Gap, new: Layer) -> Layer:
        """The same with the rows around the gap replaced; its own may be overwritten."""
        place, seen = self.around(gap), self.branch.seen
        rows = spliced(self.rows, place, new.rows)
        if self.terms is None or new.terms is None or len(rows) > _KEPT_TOKENS:
            return Layer(self.branch, rows, None)
        return Layer(self.branch, rows, spliced(self.terms, slice(place.start * seen, place.stop * seen), new.terms))

    def _terms(self, place: slice) -> Floats:
        if self.terms is None:
            return self.branch.terms(self.rows[place])
        start, stop, _ = place.indices(len(self.rows))
        return self.terms[start * self.branch.seen : stop * self.branch.seen]

    def windows(self, gap: Gap, lanes: Sequence[list[int]], tokens: Tokens) -> tuple[list[Layer], Floats]:
        """For texts with ``lanes`` of token slots from ``REACH`` before the gap to as far behind it.

        Gives the rows around the gap of each, and the second layer over the lanes without what is beyond a text, shape
        (tokens, 256).
        """
        branch = self.branch
        cut = REACH - min(branch.right, gap.start) - branch.left, REACH - min(branch.left, gap.tail) - branch.right
        seen = _seen([lane[cut[0] : len(lane) - cut[1]] for lane in lanes], branch.seen)
        rows = branch.layer_one(seen, tokens.projected[branch.number], tokens.terms, tokens.places)
        terms = branch.terms(rows)
        sizes = gap.sizes([len(lane) - 2 * REACH for lane in lanes], branch.right, branch.left)
        parts = [
            Layer(branch, rows[a:b], terms[a * branch.seen : b * branch.seen])
            for a, b in pairwise(accumulate(sizes, initial=0))
        ]
        return parts, self._second(gap, sizes, rows, terms)

    def _second(self, gap: Gap, sizes: Sequence[int], rows: Floats, terms: Floats) -> Floats:
        """The second layer from new ``rows``, ``sizes`` of each text, and the known ones on both sides of them."""
        branch, inner, seen = self.branch, self.around(gap), gap.around(REACH, REACH)
        first, last = seen.start - branch.left, seen.stop + branch.right
        before, after = slice(max(0, first), inner.start), slice(inner.stop, min(last, len(self.rows)))
        n_before, n_after = before.stop - before.start, after.stop - after.start
        left = [0] * (before.start - first) + list(range(1, 1 + n_before))
        right = [*range(1 + n_before, 1 + n_before + n_after), *[0] * (last - after.stop)]
        edges = accumulate(sizes, initial=1 + n_before + n_after)
        lanes = [[*left, *range(a, b), *right] for a, b in pairwise(edges)]
        return branch.layer_two(
            _seen(lanes, branch.seen),
            np.concatenate([_ZEROS[:1], self.rows[before], self.rows[after], rows]),
            np.concatenate([_ZEROS[: branch.seen], self._terms(before), self._terms(after), terms]),
        )


def spliced(rows: Floats, place: slice, new: Floats) -> Floats:
    """``rows`` with ``new`` ones in a place; they are overwritten where these are as many."""
    if not len(rows):
        return new
    if len(new) != place.stop - place.start:
        return np.concatenate([rows[: place.start], new, rows[place.stop :]])
    rows[place] = new
    return rows


def _seen(lanes: Sequence[list[int]], count: int) -> Ints:
    """Each ``count`` neighbours in each of ``lanes``: the first ones, the second ones, and so on, shape (count, n)."""
    edges = pairwise(accumulate(map(len, lanes), initial=0))
    first = chain.from_iterable(range(start, stop - count + 1) for start, stop in edges)
    flat, places = np.array(list(chain.from_iterable(lanes)), np.intp), np.array(list(first), np.intp)
    seen: Ints = flat[places + np.arange(count)[:, None]]
    return seen


def lanes_of(gap: Gap, known: list[int], middles: Sequence[list[int]], slots: Mapping[int, int]) -> list[list[int]]:
    """The slots of each of ``middles`` in place of the gap in ``known``, from ``REACH`` before it to as far behind.

    Beyond the ends of a text there is ``NOTHING``.
    """
    near = gap.around(REACH, REACH)
    before, after = known[near.start : gap.start], known[gap.stop : near.stop]
    left = [NOTHING] * (REACH - len(before)) + [slots[token] for token in before]
    right = [slots[token] for token in after] + [NOTHING] * (REACH - len(after))
    return [[*left, *(slots[token] for token in middle), *right] for middle in middles]

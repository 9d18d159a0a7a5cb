"""n-grams of the tokens that stand under masks, found for many masks at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pytest_trust.models.counts_columns import Columns, Signs

Ints = NDArray[Any]
"""Integers of any size: the smaller, the faster."""
Bools = NDArray[np.bool_]

# A table of all pairs of a shorter gram and a token is faster than sorting those that occur; this is the largest.
_MAX_TABLE = 2**22
_USELESS, _UNKNOWN, _MARKED = -1, -2, -3
# Counting in cells is faster than sorting, where there are few for each gram.
_CELLS_PER_GRAM = 4
_BLANK = " "


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts under m masks: ``matrix`` has shape (m, w), for the w columns ``columns`` of a vectorizer, rising."""

    matrix: csr_matrix
    columns: Ints

    def widened(self, width: int) -> csr_matrix:
        """The same among all ``width`` columns."""
        # Of the types that scikit-learn's own vectorizers give: trees refuse wider indices.
        indices = self.columns.astype(np.int32)[self.matrix.indices]
        return csr_matrix((self.matrix.data, indices, self.matrix.indptr), shape=(self.matrix.shape[0], width))


@dataclass(frozen=True, slots=True)
class Standing:
    """The tokens that stand under m masks, row after row, each row closed by an end mark.

    ``cells`` are row times (n + 1) plus slot, ``tokens`` the number of each token; the end mark has the last one.
    """

    cells: Ints
    tokens: Ints


class Level:
    """The grams of ``length`` tokens that were met so far and are counted, or may begin one that is.

    A gram's number is its place in ``names``, ``columns`` (-1 for none) and ``signs``.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.names: list[str] = []
        self.columns: Ints = np.empty(0, dtype=np.intp)
        self.signs: Signs = np.empty(0, dtype=np.int8)
        self._table = np.empty(0, dtype=np.int32)
        self._numbers: dict[int, int] = {}

    def add(self, names: Sequence[str], columns: Ints, signs: Signs) -> None:
        """Take up grams with the next numbers."""
        self.names += names
        self.columns = np.concatenate([self.columns, columns])
        self.signs = np.concatenate([self.signs, signs])

    def numbers(self, codes: Ints, size: int, look_up: Callable[[Ints], Ints]) -> Ints:
        """The number of each gram by its code, which is below ``size``, -1 for those of no use.

        ``look_up`` gives the numbers of distinct codes that were not met before.
        """
        return (self._in_table if size <= _MAX_TABLE else self._in_dict)(codes, size, look_up)

    def _in_table(self, codes: Ints, size: int, look_up: Callable[[Ints], Ints]) -> Ints:
        if size > len(self._table):
            more = np.full(max(size, 2 * len(self._table)) - len(self._table), _UNKNOWN, dtype=np.int32)
            self._table = np.concatenate([self._table, more])
        numbers: Ints = self._table[codes]
        unknown = codes[numbers == _UNKNOWN]
        if len(unknown) == 0:
            return numbers
        self._table[unknown] = _MARKED
        new = np.flatnonzero(self._table == _MARKED)
        self._table[new] = look_up(new)
        return self._table[codes]

    def _in_dict(self, codes: Ints, size: int, look_up: Callable[[Ints], Ints]) -> Ints:
        distinct, places = np.unique(codes, return_inverse=True)
        new = [code for code in distinct.tolist() if code not in self._numbers]
        self._numbers.update(zip(new, look_up(np.array(new, dtype=np.int64)).tolist(), strict=True))
        numbers = map(self._numbers.__getitem__, distinct.tolist())
        return np.fromiter(numbers, dtype=np.int32, count=len(distinct))[places]


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """Grams of one level among :class:`Standing` tokens: where each ends (``at``), and its number."""

    level: Level
    at: Ints
    numbers: Ints

    def counted(self) -> Grams:
        """Those that have a column."""
        if self.level.columns.min(initial=0) >= 0:
            return self
        some = np.flatnonzero(self.level.columns[self.numbers] >= 0)
        return Grams(self.level, self.at[some], self.numbers[some])


class GramFinder:
    """Finds the counted grams of at most ``longest`` tokens in a text of n ``tokens``, any of which may be missing.

    A gram is its tokens joined by ``joiner``. With ``squeeze`` tokens are characters, and white space of several
    characters is one blank. A gram that was met once is not looked up again.
    """

    def __init__(
        self, tokens: Sequence[str], columns: Columns, longest: int, *, joiner: str = " ", squeeze: bool = False
    ) -> None:
        names = sorted({*tokens, _BLANK} if squeeze else set(tokens))
        number = {name: i for i, name in enumerate(names)}
        # The end mark has a number among tokens, but no name.
        self._end = len(number)
        self._tokens = np.array([*(number[token] for token in tokens), self._end], dtype=np.int32)
        self._columns, self._joiner = columns, joiner
        self._blank = number[_BLANK] if squeeze else -1
        self._is_space = np.array([*map(str.isspace, names), False])
        self._levels = [Level(length) for length in range(1, longest + 1)]
        self._levels[0].add(names, *columns.find(names))

    def counts(self, present: Bools, shortest: int, *, binary: bool) -> Counts:
        """Counts of the grams of at least ``shortest`` tokens, where ``present``, shape (m, n), says which stand."""
        standing = self.standing(present)
        found = [grams.counted() for grams in self.grams(standing, shortest)]
        columns = np.unique(np.concatenate([grams.level.columns for grams in found]))
        columns = columns[columns >= 0]
        shape, signed = (len(present), len(columns)), self._columns.signed and not binary
        cells = np.concatenate([self._cells(standing, grams, columns, shape, signed) for grams in found])
        return Counts(_tallied(cells, shape, signed, binary), columns)

    def _cells(self, standing: Standing, grams: Grams, columns: Ints, shape: tuple[int, int], signed: bool) -> Ints:
        """The cell of each gram in a matrix of ``shape``, or in one twice as wide where some count downwards."""
        rows = standing.cells[grams.at] // len(self._tokens)
        places, width = np.searchsorted(columns, grams.level.columns), shape[1]
        if signed:
            places, width = 2 * places + (grams.level.signs < 0), 2 * width
        kind = _integer(shape[0] * width)
        cells: Ints = rows.astype(kind, copy=False) * width + places.astype(kind)[grams.numbers]
        return cells

    def standing(self, present: Bools) -> Standing:
        """The tokens that stand where ``present``, shape (m, n), is true."""
        closed = np.ones((len(present), len(self._tokens)), dtype=np.bool_)
        closed[:, :-1] = present
        cells = np.flatnonzero(closed).astype(_integer(closed.size))
        tokens = self._tokens[cells % len(self._tokens)]
        return Standing(cells, tokens) if self._blank < 0 else self._squeezed(cells, tokens)

    def _squeezed(self, cells: Ints, tokens: Ints) -> Standing:
        spaces = self._is_space[tokens]
        follows = spaces[1:] & spaces[:-1]
        tokens[1:][follows] = self._blank
        last = np.append(~follows, np.ones(min(1, len(tokens)), dtype=np.bool_))
        return Standing(cells[last], tokens[last])

    def grams(self, standing: Standing, shortest: int) -> Iterator[Grams]:
        """The grams of at least ``shortest`` tokens, by length; among them may be some without a column."""
        tokens = standing.tokens
        if shortest == 1:
            at = np.flatnonzero(tokens < self._end)
            yield Grams(self._levels[0], at, tokens[at])
        grams = None
        for level in self._levels[1:]:
            grams = self._pairs(level, tokens) if grams is None else self._longer(level, grams, tokens)
            if level.length >= shortest:
                yield grams

    def _pairs(self, level: Level, tokens: Ints) -> Grams:
        """The grams of two tokens; pairs with an end mark are none."""
        size = (self._end + 1) ** 2
        codes = tokens[:-1].astype(_integer(size), copy=False) * (self._end + 1) + tokens[1:]
        numbers = level.numbers(codes, size, partial(self._looked_up, level, self._levels[0]))
        kept = np.flatnonzero(numbers >= 0)
        return Grams(level, kept + 1, numbers[kept])

    def _longer(self, level: Level, grams: Grams, tokens: Ints) -> Grams:
        """The grams of ``level`` that begin with ``grams`` of one token less; behind each is a token or an end mark."""
        size = len(grams.level.names) * (self._end + 1)
        codes = grams.numbers.astype(_integer(size), copy=False) * (self._end + 1) + tokens[grams.at + 1]
        numbers = level.numbers(codes, size, partial(self._looked_up, level, grams.level))
        kept = np.flatnonzero(numbers >= 0)
        return Grams(level, grams.at[kept] + 1, numbers[kept])

    def _looked_up(self, level: Level, shorter: Level, codes: Ints) -> Ints:
        """The numbers of new grams by their ``codes``: the shorter gram times the number of tokens, plus the token."""
        firsts, lasts = np.divmod(codes, self._end + 1)
        whole = np.flatnonzero((firsts < len(shorter.names)) & (lasts < self._end))
        parts = (
            map(shorter.names.__getitem__, firsts[whole].tolist()),
            map(self._levels[0].names.__getitem__, lasts[whole].tolist()),
        )
        names = list(map(self._joiner.join, zip(*parts, strict=True)))
        columns, signs = self._columns.find(names)
        is_useful = columns >= 0
        if level is not self._levels[-1]:
            is_useful |= self._columns.may_begin(names, self._joiner)
        useful = np.flatnonzero(is_useful)
        numbers = np.full(len(codes), _USELESS, dtype=np.int32)
        numbers[whole[useful]] = np.arange(len(level.names), len(level.names) + len(useful))
        level.add([names[i] for i in useful.tolist()], columns[useful], signs[useful])
        return numbers


def _integer(size: int) -> np.dtype[Any]:
    """The type of numbers below ``size``."""
    return np.dtype(np.int32 if size < 2**31 else np.int64)


def _tallied(cells: Ints, shape: tuple[int, int], signed: bool, binary: bool) -> csr_matrix:
    """How often each cell of a matrix of ``shape`` occurs; the cells are sorted in place."""
    filled, counts = _occurrences(cells, shape[0] * shape[1] * (2 if signed else 1))
    if signed:
        counts, filled = counts * (1 - 2 * (filled & 1)), filled >> 1
        firsts = _firsts(filled)
        filled, counts = filled[firsts], np.add.reduceat(counts, firsts) if len(firsts) else counts
    if binary:
        counts = np.ones(len(filled), dtype=np.int64)
    rows = filled // max(1, shape[1])
    ends = np.zeros(shape[0] + 1, dtype=np.int32)
    np.cumsum(np.bincount(rows, minlength=shape[0]), out=ends[1:])
    return csr_matrix((counts, filled - rows * shape[1], ends), shape=shape)


def _occurrences(cells: Ints, size: int) -> tuple[Ints, Ints]:
    """The distinct ``cells`` (below ``size``) in rising order, and how often each occurs."""
    if size <= _CELLS_PER_GRAM * len(cells):
        counts = np.bincount(cells, minlength=size)
        filled = np.flatnonzero(counts)
        return filled, counts[filled]
    cells.sort()
    firsts = _firsts(cells)
    return cells[firsts], np.diff(firsts, append=len(cells))


def _firsts(values: Ints) -> Ints:
    """Where a new value begins among sorted ``values``."""
    changes = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changes[1:])
    return np.flatnonzero(changes)

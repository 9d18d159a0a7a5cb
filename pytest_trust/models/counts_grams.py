"""n-grams of the tokens that stand under masks, found for many masks at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress, count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pytest_trust.models.counts_columns import Columns, Signs

Ints = NDArray[Any]
"""Integers of any size: the smaller, the faster."""
Bools = NDArray[np.bool_]

# A table of all codes is faster than sorting those that occur, as long as it has few cells for each.
_TABLE_AT_LEAST = 2**16
_TABLE_PER_CODE = 16
# The same for counting in cells.
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


@dataclass(slots=True, eq=False)
class Level:
    """The grams of ``length`` tokens that were met so far and are counted, or may begin one that is.

    A gram's number is its place in ``names``, ``columns`` (-1 for none) and ``signs``; ``numbers`` gives it (-1 for
    none) by the number of the gram without its last token, times the number of tokens, plus that of the last.
    """

    length: int
    names: list[str] = field(default_factory=list)
    columns: Ints = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    signs: Signs = field(default_factory=lambda: np.empty(0, dtype=np.int8))
    numbers: dict[int, int] = field(default_factory=dict)

    def add(self, codes: Ints, names: Sequence[str], columns: Ints, signs: Signs) -> None:
        """Take up further grams."""
        self.numbers.update(zip(codes.tolist(), count(len(self.names)), strict=False))
        self.names += names
        self.columns = np.concatenate([self.columns, columns])
        self.signs = np.concatenate([self.signs, signs])


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """Grams of one level among :class:`Standing` tokens: where each ends (``at``), and its number."""

    level: Level
    at: Ints | slice
    numbers: Ints

    def counted(self) -> Grams:
        """Those that have a column."""
        if self.level.columns.min(initial=0) >= 0:
            return self
        some = np.flatnonzero(self.level.columns[self.numbers] >= 0)
        return Grams(self.level, some if isinstance(self.at, slice) else self.at[some], self.numbers[some])


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
        self._end = len(number)
        self._tokens = np.array([*(number[token] for token in tokens), self._end], dtype=np.int32)
        self._columns, self._joiner = columns, joiner
        self._blank = number[_BLANK] if squeeze else -1
        self._is_space = np.array([*map(str.isspace, names), False])
        self._levels = [Level(length) for length in range(1, longest + 1)]
        # The end mark has a number here too, but no name.
        self._levels[0].add(np.arange(self._end), names, *(np.append(a, -1) for a in columns.find(names)))

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
        grams = Grams(self._levels[0], slice(None), standing.tokens)
        if shortest == 1:
            yield grams
        # Behind the last end mark, where nothing reads on, stands the first token.
        following = np.roll(standing.tokens, -1)
        for level in self._levels[1:]:
            grams = self._longer(level, grams, following)
            if level.length >= shortest:
                yield grams

    def _longer(self, level: Level, grams: Grams, following: Ints) -> Grams:
        """The grams of ``level`` that begin with ``grams`` of one token less."""
        size = len(grams.level.columns) * (self._end + 1)
        codes = grams.numbers.astype(_integer(size), copy=False) * (self._end + 1) + following[grams.at]
        distinct, spread = _distinct(codes, size)
        new = [code for code in distinct.tolist() if code not in level.numbers]
        if new:
            self._look_up(level, grams.level, np.array(new))
        numbers = spread(np.fromiter(map(level.numbers.__getitem__, distinct.tolist()), np.int32, len(distinct)))
        kept = np.flatnonzero(numbers >= 0)
        return Grams(level, (kept if isinstance(grams.at, slice) else grams.at[kept]) + 1, numbers[kept])

    def _look_up(self, level: Level, shorter: Level, codes: Ints) -> None:
        firsts, lasts = np.divmod(codes, self._end + 1)
        level.numbers.update(dict.fromkeys(codes.tolist(), -1))
        whole = (firsts < len(shorter.names)) & (lasts < self._end)
        pairs = zip(firsts[whole].tolist(), lasts[whole].tolist(), strict=True)
        tokens = self._levels[0].names
        names = [f"{shorter.names[first]}{self._joiner}{tokens[last]}" for first, last in pairs]
        columns, signs = self._columns.find(names)
        useful = columns >= 0
        if level is not self._levels[-1]:
            useful |= self._columns.may_begin(names, self._joiner)
        level.add(codes[whole][useful], list(compress(names, useful)), columns[useful], signs[useful])


def _integer(size: int) -> np.dtype[Any]:
    """The type of numbers below ``size``."""
    return np.dtype(np.int32 if size < 2**31 else np.int64)


def _distinct(codes: Ints, size: int) -> tuple[Ints, Callable[[Ints], Ints]]:
    """The distinct ``codes`` (below ``size``) in rising order, and what gives each code its value among theirs."""
    if size > max(_TABLE_AT_LEAST, _TABLE_PER_CODE * len(codes)):
        distinct, places = np.unique(codes, return_inverse=True)
        return distinct, lambda values: values[places]
    occurs = np.zeros(size, dtype=np.bool_)
    occurs[codes] = True
    distinct = np.flatnonzero(occurs)
    table = np.empty(size, dtype=np.int32)

    def spread(values: Ints) -> Ints:
        table[distinct] = values
        return table[codes]

    return distinct, spread


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

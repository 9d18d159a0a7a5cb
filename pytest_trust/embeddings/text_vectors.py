"""Vectors in text files: a word and its numbers a line, as GloVe, word2vec and fastText write them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.blocks import BLOCK, Block, Header, opened, parse_header
from pytest_trust.errors import EmbeddingError
from pytest_trust.messages import shown

# Bytes; vectors of twenty thousand numbers fit.
_LONGEST_LINE = 1 << 19


def read_text_vectors(path: Path) -> Iterator[Block]:
    """The vectors in a text file, with or without a first line ``count dimension``, packed or not.

    Raises:
        EmbeddingError: a line is not a word and d numbers, or there are more or fewer lines than the first one says.
    """
    with opened(path) as stream:
        lines = _lines(path, stream)
        first = next(lines, b"")
        header = parse_header(first)
        if header is None:
            yield from _Lines(path, _fields_of(first) - 1).blocks(chain([first] if first else [], lines), at=1)
        else:
            yield from _counted(path, header, lines)


def _lines(path: Path, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines, none of which may fill the memory."""
    for number in count(1):
        line = stream.readline(_LONGEST_LINE)
        if not line:
            return
        if len(line) == _LONGEST_LINE:
            raise EmbeddingError(
                f"{path}, line {number}: found no end in {_LONGEST_LINE} bytes; expected a word and numbers"
            )
        yield line


def _counted(path: Path, header: Header, lines: Iterator[bytes]) -> Iterator[Block]:
    found = 0
    for block in _Lines(path, header.dimension).blocks(lines, at=2):
        found += len(block.words)
        yield block
    if found != header.count:
        raise EmbeddingError(f"{path}: found {found} vectors, expected {header.count} as line 1 says")


def _fields_of(line: bytes) -> int:
    return len(line.split())


@dataclass(frozen=True, slots=True)
class _Lines:
    path: Path
    dimension: int

    def blocks(self, lines: Iterator[bytes], at: int) -> Iterator[Block]:
        while batch := list(islice(lines, BLOCK)):
            yield self._block(batch, at)
            at += len(batch)

    def _block(self, lines: list[bytes], at: int) -> Block:
        parts = [line.strip(b"\r\n").partition(b" ") for line in lines]
        matrix = _parsed([rest for _, _, rest in parts])
        words = [word for word, _, _ in parts]
        if matrix is None or matrix.shape != (len(lines), self.dimension) or not all(words):
            return self._with_care(lines, at)
        return Block(words, matrix, at, "line")

    def _with_care(self, lines: list[bytes], at: int) -> Block:
        """Line by line: finds the bad one, and takes words that hold spaces, as GloVe of 840 billion tokens does."""
        pairs = [self._line(line, number) for number, line in enumerate(lines, at)]
        with np.errstate(over="ignore"):  # whoever takes the block looks for infinite numbers
            matrix = np.array([numbers for _, numbers in pairs], dtype=np.float32)
        return Block([word for word, _ in pairs], matrix, at, "line")

    def _line(self, line: bytes, number: int) -> tuple[bytes, list[float]]:
        fields = line.split()
        word, numbers = fields[: -self.dimension], fields[max(0, len(fields) - self.dimension) :]
        if self.dimension < 1 or len(fields) <= self.dimension or (len(word) > 1 and _is_number(word[-1])):
            raise self._error(number, f"found {len(fields)} fields: {shown(line[:60])}")
        bad = [field for field in numbers if not _is_number(field)]
        if bad:
            raise self._error(number, f"found {shown(bad[0])} among the numbers")
        return b" ".join(word), [float(field) for field in numbers]

    def _error(self, number: int, finding: str) -> EmbeddingError:
        wanted = str(self.dimension) if self.dimension > 0 else "its"
        return EmbeddingError(f"{self.path}, line {number}: {finding}; expected a word and {wanted} numbers")


def _parsed(rows: list[bytes]) -> NDArray[np.float32] | None:
    """The numbers of all rows, or None where some of them are none or the rows differ in length."""
    if not all(map(bytes.strip, rows)):
        return None
    try:
        with np.errstate(over="ignore"):
            return np.loadtxt(rows, dtype=np.float32, comments=None, ndmin=2)
    except ValueError:
        return None


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True

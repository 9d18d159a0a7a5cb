"""Vectors in word2vec's binary format: a line ``count dimension``, then of each word its bytes, a space and floats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np

from pytest_trust.embeddings.blocks import BLOCK, Block, Header, opened, parse_header
from pytest_trust.errors import EmbeddingError
from pytest_trust.messages import shown

_FLOAT = np.dtype("<f4")
_CHUNK = 1 << 22
_LONGEST_LINE = 100
_LARGEST_DIMENSION = 1 << 17
_LONGEST_WORD = 10_000


def read_binary_vectors(path: Path) -> Iterator[Block]:
    """The vectors in a binary file of word2vec, packed or not.

    Raises:
        EmbeddingError: the file has no such first line, ends early, goes on past its end, or has an overlong word.
    """
    with opened(path) as stream:
        first = stream.readline(_LONGEST_LINE)
        header = parse_header(first)
        if header is None or not 0 < header.dimension <= _LARGEST_DIMENSION:
            raise EmbeddingError(f"{path}: found {shown(first[:40])} in line 1, expected the count and the dimension")
        yield from _Reader(path, stream, header).blocks()


class _Reader:
    def __init__(self, path: Path, stream: IO[bytes], header: Header) -> None:
        self._path, self._stream, self._header = path, stream, header
        self._data, self._at = b"", 0

    def blocks(self) -> Iterator[Block]:
        count = self._header.count
        for first in range(1, count + 1, BLOCK):
            places = range(first, min(first + BLOCK, count + 1))
            pairs = [(self._word(place), self._row(place)) for place in places]
            matrix = np.frombuffer(b"".join(row for _, row in pairs), _FLOAT).reshape(len(pairs), -1)
            yield Block([word for word, _ in pairs], matrix, first)
        if self._data[self._at :].strip() or self._stream.read(_CHUNK).strip():
            raise EmbeddingError(f"{self._path}: found more than the {count} vectors that line 1 speaks of")

    def _word(self, place: int) -> bytes:
        end = self._data.find(b" ", self._at)
        while end < 0:
            if len(self._data) - self._at > _LONGEST_WORD:
                raise self._error(place, f"found no end of its word in {_LONGEST_WORD} bytes")
            self._more(place)
            end = self._data.find(b" ", self._at)
        # The original tool ends each vector with a line break.
        word = self._data[self._at : end].lstrip(b"\n")
        self._at = end + 1
        return word

    def _row(self, place: int) -> bytes:
        size = self._header.dimension * _FLOAT.itemsize
        while len(self._data) - self._at < size:
            self._more(place)
        self._at += size
        return self._data[self._at - size : self._at]

    def _more(self, place: int) -> None:
        chunk = self._stream.read(_CHUNK)
        if not chunk:
            raise self._error(place, "the file ends here")
        self._data, self._at = self._data[self._at :] + chunk, 0

    def _error(self, place: int, finding: str) -> EmbeddingError:
        count, dimension = self._header.count, self._header.dimension
        return EmbeddingError(
            f"{self._path}, vector {place}: {finding}; expected {count} vectors of dimension {dimension} as in line 1"
        )

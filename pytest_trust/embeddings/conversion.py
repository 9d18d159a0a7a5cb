"""From blocks of vectors to a table of unit rows, in memory or in files that are mapped afterwards."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np

from pytest_trust.embeddings.blocks import Block
from pytest_trust.embeddings.reading import Reading
from pytest_trust.embeddings.table import Table
from pytest_trust.embeddings.words import WordList, index_words
from pytest_trust.embeddings.wordwise import unit_rows
from pytest_trust.errors import EmbeddingError

# Tables of lower-cased words may hold a few marks such as <UNK>.
_CASED_SHARE = 0.01


@dataclass(slots=True)
class Conversion:
    """Takes the vectors of ``path`` a block at a time and writes their unit rows to ``rows``, float32."""

    path: Path
    rows: IO[bytes]
    dimension: int | None = None
    text: bytearray = field(default_factory=bytearray)
    lengths: list[int] = field(default_factory=list)
    cased_words: int = 0
    usable: int = 0

    def take(self, blocks: Iterable[Block]) -> None:
        """Every block in turn.

        Raises:
            EmbeddingError: a word is empty, a number is not finite, or there is no vector but of zeros.
        """
        for block in blocks:
            self._check(block)
            unit = unit_rows(block.matrix)
            self.rows.write(np.ascontiguousarray(unit).data)
            self.dimension = unit.shape[1]
            self.usable += int(np.count_nonzero(unit.any(axis=1)))
            self._note(block.words)
        if not self.usable:
            found = f"{len(self.lengths)} vectors, all of them zero" if self.lengths else "no vectors"
            raise EmbeddingError(f"{self.path}: found {found}, expected words with their vectors")

    @property
    def cased(self) -> bool:
        """Whether the words are more than lower-cased ones."""
        return self.cased_words >= _CASED_SHARE * len(self.lengths)

    def words(self) -> WordList:
        """All words taken so far."""
        offsets = np.concatenate([[0], np.cumsum(self.lengths, dtype=np.int64)])
        return index_words(np.frombuffer(self.text, np.uint8), offsets)

    def _check(self, block: Block) -> None:
        good = np.isfinite(block.matrix).all(axis=1) & np.array([len(word) > 0 for word in block.words])
        bad = np.flatnonzero(~good)
        if len(bad):
            word = block.words[bad[0]].decode(errors="replace")
            raise EmbeddingError(
                f"{self.path}, {block.unit} {block.place + bad[0]}: found the word {word!r} with "
                f"{block.matrix[bad[0]][:5]} ..., expected a word that is not empty and finite numbers"
            )

    def _note(self, words: list[bytes]) -> None:
        decoded = [word.decode(errors="replace") for word in words]
        self.cased_words += sum(word != word.lower() for word in decoded)
        self.text += b"".join(words)
        self.lengths += map(len, words)


def table_in_memory(path: Path, reading: Reading) -> Table:
    """The table of the vectors in ``path``.

    Raises:
        EmbeddingError: as :meth:`Conversion.take`.
    """
    rows = io.BytesIO()
    conversion = Conversion(path, rows)
    conversion.take(reading.blocks)
    matrix = np.frombuffer(rows.getbuffer(), np.float32).reshape(len(conversion.lengths), -1)
    return Table(conversion.words(), matrix, conversion.cased, reading.subwords)

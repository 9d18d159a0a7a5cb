"""What the readers of vector files give: some words at a time, with their vectors."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import EmbeddingError

# Words in a block.
BLOCK = 1000
_MOST_DIGITS = 15
GZIP = ".gz"


@dataclass(frozen=True, slots=True)
class Block:
    """Some ``words`` in UTF-8 and their vectors as the file has them, shape (n, d); they begin at ``place``."""

    words: list[bytes]
    matrix: NDArray[np.float32]
    place: int
    # What is counted in ``place``: "line" or "vector".
    unit: str = "vector"


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a word2vec file: how many vectors follow, and their dimension."""

    count: int
    dimension: int


def parse_header(line: bytes) -> Header | None:
    """The header in ``line``, two whole numbers; None where it is something else."""
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) <= _MOST_DIGITS for field in fields):
        return None
    return Header(int(fields[0]), int(fields[1]))


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of the file, unpacked where its name ends in .gz.

    Raises:
        EmbeddingError: it cannot be read, in whoever's hands it is.
    """
    try:
        with path.open("rb") as packed:
            yield cast(IO[bytes], gzip.GzipFile(fileobj=packed)) if path.suffix.lower() == GZIP else packed
    except (OSError, EOFError, zlib.error) as error:
        raise EmbeddingError(f"{path}: cannot be read ({type(error).__name__}: {error})") from error

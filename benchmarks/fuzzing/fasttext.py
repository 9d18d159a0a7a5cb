"""The reader of fastText's own binary format, behind which stands gensim."""

from __future__ import annotations

import importlib
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.fuzzing.target import Target, writer
from benchmarks.fuzzing.vectors import ENTRIES, read_table
from pytest_trust.errors import EmbeddingError

_MAGIC, _VERSION = 793712314, 12
_BUCKETS, _DIMENSION = 6, 3
_WORDS = (struct.pack("<i", 2**31 - 1), struct.pack("<q", -1), struct.pack("<f", np.nan), struct.pack("<f", np.inf))


def targets(folder: Path) -> Iterator[Target]:
    """One reader; gensim is imported here, so that no input is charged with it."""
    importlib.import_module("gensim.models.fasttext")
    path = folder / "fasttext.bin"
    yield Target(
        "fasttext.bin", (fasttext_vectors(),), writer(path, read_table), (EmbeddingError,), path.name, _WORDS, share=0.3
    )


def fasttext_vectors() -> bytes:
    """A model as fastText writes it, of the words of ``ENTRIES`` and six sub-words."""
    settings = struct.pack("<12id", _DIMENSION, 5, 5, 1, 5, 1, 2, 2, _BUCKETS, 2, 3, 100, 1e-4)
    counts = struct.pack("<3i2q", len(ENTRIES), len(ENTRIES), 0, 50, -1)
    words = b"".join(word.encode() + b"\0" + struct.pack("<qb", 3, 0) for word in ENTRIES)
    numbers = [*ENTRIES.values(), *((0.5, float(place), 1.0) for place in range(_BUCKETS))]
    matrix = struct.pack("<?2q", False, len(numbers), _DIMENSION) + np.array(numbers, "<f4").tobytes()
    return struct.pack("<2i", _MAGIC, _VERSION) + settings + counts + words + matrix

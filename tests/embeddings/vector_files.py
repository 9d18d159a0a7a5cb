"""Small files of vectors, and pairs of words to calibrate by, for the tests of embeddings."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pytest_trust.embeddings.pairs import Pairs

ENTRIES = {"good": (3.0, 4.0, 0.0), "great": (2.0, 3.0, 0.25), "table": (0.0, 0.5, -2.0), "chair": (0.125, 0.25, -1.0)}
PAIRS = Pairs((("good", "great"), ("table", "chair"), ("good", "zzqx")), (("good", "chair"), ("table", "great")))


def text(entries: Mapping[str, Sequence[float]] = ENTRIES, header: bool = False, end: str = "\n") -> bytes:
    """As GloVe writes it, or word2vec with a header."""
    lines = [f"{word} {' '.join(map(str, numbers))}" for word, numbers in entries.items()]
    first = [f"{len(entries)} {len(next(iter(entries.values())))}"] if header else []
    return "".join(line + end for line in first + lines).encode()


def binary(entries: Mapping[str, Sequence[float]] = ENTRIES, end: bytes = b"\n") -> bytes:
    """As word2vec writes it; gensim leaves out the line breaks."""
    rows = [word.encode() + b" " + np.array(row, "<f4").tobytes() + end for word, row in entries.items()]
    return f"{len(entries)} {len(next(iter(entries.values())))}\n".encode() + b"".join(rows)


def written(folder: Path, name: str, content: bytes) -> Path:
    """The file ``name`` in ``folder``, packed where its name says so."""
    path = folder / name
    path.write_bytes(gzip.compress(content) if name.lower().endswith(".gz") else content)
    return path


def unit(word: str) -> np.ndarray:
    """The unit vector of a word of ENTRIES."""
    row = np.array(ENTRIES[word])
    return row / np.linalg.norm(row)

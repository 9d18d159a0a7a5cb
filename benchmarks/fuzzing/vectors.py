"""Readers of vector files."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.fuzzing.mutations import mutated_bytes
from benchmarks.fuzzing.tables import bomb
from benchmarks.fuzzing.target import Target, writer
from pytest_trust.embeddings.conversion import table_in_memory
from pytest_trust.embeddings.reading import read_vectors
from pytest_trust.errors import EmbeddingError

ENTRIES: Mapping[str, Sequence[float]] = {
    "good": (3.0, 4.0, 0.0), "new_york": (2.0, 3.0, 0.25), "été": (0.0, 0.5, -2.0), "a": (0.125, 1e-9, -1.0),
}  # fmt: skip
_WORDS = (b" ", b"  ", b"4 3\n", b"1 1\n", b"99999999999 3\n", b"4 99999999\n", b"1e300", b"-1e-300", b"1_0", b"0x1p3")
_NUMBERS = ("4", "0", "1", "-1", "999999999999", "9" * 30, "9" * 5_000)


def targets(folder: Path) -> Iterator[Target]:
    """One a format."""
    text, headed, binary = text_vectors(), text_vectors(header=True), binary_vectors()
    packed = tuple(gzip.compress(content, mtime=0) for content in (text, headed, binary))
    for name, seeds, changes, share in (
        ("vectors.txt", (text, headed), (_header, _number), 1.0),
        ("vectors.bin", (binary,), (_header,), 1.0),
        ("packed.txt.gz", packed[:2], (_repacked, bomb), 0.3),
        ("packed.bin.gz", packed[2:], (_repacked, bomb), 0.2),
    ):
        path = folder / name
        yield Target(name, seeds, writer(path, read_table), (EmbeddingError,), path.name, _WORDS, changes, share)


def text_vectors(header: bool = False) -> bytes:
    """As GloVe writes them, or word2vec with a header."""
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in ENTRIES.items()]
    return "".join(f"{line}\n" for line in ([f"{len(ENTRIES)} 3"] if header else []) + lines).encode()


def binary_vectors() -> bytes:
    """As word2vec writes them."""
    rows = (word.encode() + b" " + np.array(row, "<f4").tobytes() + b"\n" for word, row in ENTRIES.items())
    return f"{len(ENTRIES)} 3\n".encode() + b"".join(rows)


def read_table(path: Path) -> None:
    """All vectors of a file, and what has to hold of them."""
    table = table_in_memory(path, read_vectors(path))
    assert np.isfinite(table.rows).all()
    lengths = np.linalg.norm(table.rows, axis=1)
    assert (np.isclose(lengths, 1, atol=1e-3) | (lengths == 0)).all()
    assert len(table.words) == len(table.rows)
    for place in range(min(5, len(table.words))):
        word = table.words[place]
        vector = table.vector(word)
        assert vector is None or np.isfinite(vector).all()


def _header(rng: Random, content: bytes) -> bytes:
    """Another first line of two numbers."""
    rest = content.partition(b"\n")[2] if content[:1].isdigit() else content
    return f"{rng.choice(_NUMBERS)} {rng.choice(_NUMBERS)}\n".encode() + rest


def _number(rng: Random, content: bytes) -> bytes:
    """Another number somewhere, in any spelling."""
    fields = content.split(b" ")
    spelled = (
        b"nan",
        b"-inf",
        b"1e39",
        b"1e309",
        b"1e-50",
        b"1_0",
        b"\xd9\xa1",
        b"0x10",
        b"1,5",
        b"+.5",
        b"1" * 99,
        b"",
    )
    fields[rng.randrange(len(fields))] = rng.choice(spelled)
    return b" ".join(fields)


def _repacked(rng: Random, content: bytes) -> bytes:
    try:
        plain = gzip.decompress(content)
    except Exception:
        return mutated_bytes(rng, content)
    return gzip.compress(mutated_bytes(rng, plain[: 2**16], _WORDS), 1, mtime=0)

"""The reader that fits a file of vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_trust.embeddings.binary_vectors import read_binary_vectors
from pytest_trust.embeddings.blocks import GZIP, Block, opened, parse_header
from pytest_trust.embeddings.gensim_vectors import read_fasttext_vectors, read_keyed_vectors
from pytest_trust.embeddings.specs import BINARY, KEYED_VECTORS, TEXT, suffix_of
from pytest_trust.embeddings.subwords import Subwords
from pytest_trust.embeddings.text_vectors import read_text_vectors
from pytest_trust.errors import EmbeddingError

# The first bytes of fastText's own format.
_FASTTEXT = (793712314).to_bytes(4, "little")
_SAMPLE = 4096


@dataclass(frozen=True, slots=True)
class Reading:
    """The vectors of a file, still to be read, and its sub-words if it has any."""

    blocks: Iterator[Block]
    subwords: Subwords | None = None


def read_vectors(path: Path) -> Reading:
    """Vectors of a file, by its suffix and its first bytes.

    Raises:
        EmbeddingError: it cannot be read; what is wrong further on is raised by ``blocks``.
        MissingExtraError: it is for gensim to read, which is not installed.
    """
    suffix = suffix_of(path)
    if suffix == KEYED_VECTORS:
        vectors = read_keyed_vectors(path)
        return Reading(vectors.blocks(), vectors.subwords())
    with opened(path) as stream:
        start = stream.read(_SAMPLE)
    if start.startswith(_FASTTEXT):
        vectors = read_fasttext_vectors(path)
        return Reading(vectors.blocks(), vectors.subwords())
    if suffix.removesuffix(GZIP) in TEXT:
        return Reading(read_text_vectors(path))
    if suffix.removesuffix(GZIP) == BINARY or _is_binary(start):
        return Reading(read_binary_vectors(path))
    return Reading(read_text_vectors(path))


def vector_files(path: Path) -> list[Path]:
    """The file at ``path`` and those that gensim keeps large arrays in, beside it.

    Raises:
        EmbeddingError: the folder cannot be read.
    """
    try:
        beside = [other for other in path.parent.iterdir() if other.name.startswith(f"{path.name}.")]
    except OSError as error:
        raise EmbeddingError(f"{path}: cannot be read ({error})") from error
    return [path, *sorted(other for other in beside if other.suffix == ".npy")]


def _is_binary(start: bytes) -> bool:
    """Whether what follows the first line, two numbers, is not text: vectors without a zero byte are most unlikely."""
    first, _, rest = start.partition(b"\n")
    return parse_header(first) is not None and any(byte < 9 for byte in rest)

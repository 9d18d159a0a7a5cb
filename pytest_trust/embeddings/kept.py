"""What is kept of embeddings below the project's cache folder: tables, digests of files, and thresholds."""

from __future__ import annotations

import hashlib
import io
import json
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from pytest_trust.embeddings.base import WordVectors
from pytest_trust.embeddings.conversion import table_in_memory
from pytest_trust.embeddings.reading import Reading
from pytest_trust.embeddings.table import Table
from pytest_trust.embeddings.table_files import DESCRIPTION, describe, open_table, write_table
from pytest_trust.errors import EmbeddingError, TrustWarning
from pytest_trust.store import build_once, cache_folder

T = TypeVar("T")

_LENGTH = 32


@dataclass(frozen=True, slots=True)
class Keep:
    """The ``folder`` where things are kept, or None to keep them in memory."""

    folder: Path | None

    def digest(self, paths: Sequence[Path]) -> str:
        """SHA-256 over the bytes of files; from the second time on it is trusted as long as size and time stay.

        Raises:
            EmbeddingError: a file cannot be read.
        """
        key = _key(json.dumps([str(path) for path in paths]))
        return str(self._value("sources", key, [_stamp(path) for path in paths], lambda: _digest(paths)))

    def threshold(self, fingerprint: str, pairs: str, compute: Callable[[], float]) -> float:
        """The threshold of the embedding with ``fingerprint`` over the pairs with the digest ``pairs``."""
        return float(self._value("thresholds", _key(f"{fingerprint} {pairs}"), [fingerprint, pairs], compute))

    def vectors(self, fingerprint: str, words: str, compute: Callable[[], WordVectors]) -> WordVectors:
        """The vectors of the words with the digest ``words`` by the embedding with ``fingerprint``."""
        return self._built(f"vectors/{_key(f'{fingerprint} {words}')}.npz", _read_vectors, compute, _vector_bytes)

    def table(self, path: Path, digest: str, read: Callable[[], Reading]) -> Table:
        """The table of the vectors in ``path``, whose ``digest`` is given: mapped from what is kept, else converted.

        Raises:
            EmbeddingError: a vector is malformed.

        Warns:
            TrustWarning: the folder cannot be used; the table is then in memory.
        """
        if self.folder is None:
            return table_in_memory(path, read())
        folder = self.folder / "tables" / digest[:_LENGTH]

        def build() -> Table:
            return write_table(folder, path, read())

        try:
            return build_once(folder / DESCRIPTION, open_table, build, describe)
        except OSError as error:
            warnings.warn(f"{path} is kept in memory: {folder} cannot be used ({error})", TrustWarning, stacklevel=2)
            return table_in_memory(path, read())

    def _value(self, room: str, key: str, stamp: list[Any], compute: Callable[[], Any]) -> Any:
        def write(value: Any) -> bytes:
            return json.dumps({"of": stamp, "value": value, "check": _check(stamp, value)}).encode()

        return self._built(f"{room}/{key}.json", lambda path: _read(path, stamp), compute, write)

    def _built(
        self, name: str, read: Callable[[Path], T | None], compute: Callable[[], T], write: Callable[[T], bytes]
    ) -> T:
        if self.folder is None:
            return compute()
        path = self.folder / name
        try:
            return build_once(path, read, compute, write)
        except OSError as error:
            warnings.warn(f"{path} cannot be used: {error}", TrustWarning, stacklevel=4)
            return compute()


IN_MEMORY = Keep(None)
"""Keeps nothing on disk."""


def keep_below(root: Path) -> Keep:
    """What is kept in the cache folder of the project at ``root``; in memory, with a warning, where there is none."""
    folder = cache_folder(root)
    return Keep(None if folder is None else folder / "embeddings")


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


def _read(path: Path, stamp: list[Any]) -> Any:
    try:
        kept = json.loads(path.read_bytes())
        is_whole = kept["of"] == stamp and kept["check"] == _check(stamp, kept["value"])
        return kept["value"] if is_whole else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _check(stamp: list[Any], value: Any) -> str:
    """A digest, by which damage is noticed."""
    return _key(json.dumps([stamp, value]))


def _read_vectors(path: Path) -> WordVectors | None:
    """None where the file is missing, foreign or cut off."""
    try:
        # Opened here, since numpy leaves a file open that is no whole archive.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as kept:
            matrix, known = kept["matrix"], kept["known"]
    except Exception:  # whatever a damaged archive makes zipfile and numpy raise
        return None
    whole = matrix.dtype == np.float32 and known.dtype == np.bool_ and matrix.ndim == 2 and len(matrix) == len(known)
    return WordVectors(matrix, known) if whole else None


def _vector_bytes(vectors: WordVectors) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, matrix=vectors.matrix, known=vectors.known)
    return buffer.getvalue()


def _stamp(path: Path) -> list[Any]:
    try:
        found = path.stat()
    except OSError as error:
        raise EmbeddingError(f"{path}: cannot be read ({error})") from error
    return [str(path), found.st_size, found.st_mtime_ns]


def _digest(paths: Sequence[Path]) -> str:
    return hashlib.sha256("\n".join(map(_file_digest, paths)).encode()).hexdigest()


def _file_digest(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise EmbeddingError(f"{path}: cannot be read ({error})") from error

"""A table as files of plain arrays, which are mapped and so shared between processes."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.conversion import Conversion
from pytest_trust.embeddings.reading import Reading
from pytest_trust.embeddings.subwords import Subwords
from pytest_trust.embeddings.table import Table
from pytest_trust.embeddings.words import WordList

# Written last: a folder without it holds a conversion that was interrupted.
DESCRIPTION = "table.json"
# To be raised whenever the files or what they mean change.
_VERSION = 2
_WORDS = {"text": "<u1", "offsets": "<i8", "hashes": "<u8", "order": "<i8"}
_ROWS, _SUBWORDS = "rows", "subwords"
_FLOAT = "<f4"


def write_table(folder: Path, path: Path, reading: Reading) -> Table:
    """Convert the vectors of ``path`` into files in ``folder``, all but the description, and map them.

    Raises:
        EmbeddingError: a vector is malformed.
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _clear(folder)
    try:
        return _write(folder, path, reading)
    except BaseException:
        with contextlib.suppress(OSError):
            _clear(folder)
        raise


def _clear(folder: Path) -> None:
    """A file that another process has mapped is unlinked, never cut: that process would be killed."""
    for name in (DESCRIPTION, *_WORDS, _ROWS, _SUBWORDS):
        (folder / name).unlink(missing_ok=True)


def _write(folder: Path, path: Path, reading: Reading) -> Table:
    with (folder / _ROWS).open("wb") as rows:
        conversion = Conversion(path, rows)
        conversion.take(reading.blocks)
    words = conversion.words()
    for name, kind in _WORDS.items():
        getattr(words, name).astype(kind, copy=False).tofile(folder / name)
    if reading.subwords is not None:
        reading.subwords.rows.astype(_FLOAT, copy=False).tofile(folder / _SUBWORDS)
    return _mapped(folder, _description(words, conversion.cased, conversion.dimension, reading.subwords))


def describe(table: Table) -> bytes:
    """The content of the description of a table in files."""
    return json.dumps(_description(table.words, table.cased, table.rows.shape[1], table.subwords)).encode()


def open_table(path: Path) -> Table | None:
    """The table described at ``path``, or None where its files are missing, cut short or of another version."""
    try:
        description = json.loads(path.read_bytes())
        if (
            not isinstance(description, dict)
            or description != _checked(description)
            or description["version"] != _VERSION
            or not _is_whole(path.parent, description)
        ):
            return None
        return _mapped(path.parent, description)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _description(words: WordList, cased: bool, dimension: int | None, subwords: Subwords | None) -> dict[str, Any]:
    counts = [len(words), len(words.text), dimension]
    sub = None if subwords is None else [len(subwords.rows), subwords.shortest, subwords.longest]
    content = {"version": _VERSION, "words, bytes, dimension": counts, "cased": cased, "buckets, from, to": sub}
    return _checked(content)


def _checked(description: dict[str, Any]) -> dict[str, Any]:
    """The description with the digest of the rest of it, by which damage is noticed."""
    content = {name: value for name, value in description.items() if name != "check"}
    return content | {"check": hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()}


def _sizes(description: dict[str, Any]) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The kind and shape of each file's array."""
    n, letters, d = description["words, bytes, dimension"]
    shapes = {"text": (letters,), "offsets": (n + 1,), "hashes": (n,), "order": (n,)}
    found: dict[str, tuple[str, tuple[int, ...]]] = {name: (_WORDS[name], shapes[name]) for name in _WORDS}
    found[_ROWS] = (_FLOAT, (n, d))
    if description["buckets, from, to"]:
        found[_SUBWORDS] = (_FLOAT, (description["buckets, from, to"][0], d))
    return found


def _is_whole(folder: Path, description: dict[str, Any]) -> bool:
    return all(
        (folder / name).stat().st_size == np.dtype(kind).itemsize * int(np.prod(shape))
        for name, (kind, shape) in _sizes(description).items()
    )


def _mapped(folder: Path, description: dict[str, Any]) -> Table:
    arrays: dict[str, NDArray[Any]] = {
        name: np.asarray(np.memmap(folder / name, dtype=kind, mode="r", shape=shape))
        for name, (kind, shape) in _sizes(description).items()
    }
    words = WordList(**{name: arrays[name] for name in _WORDS})
    sub = description["buckets, from, to"]
    subwords = Subwords(arrays[_SUBWORDS], sub[1], sub[2]) if sub else None
    return Table(words, arrays[_ROWS], description["cased"], subwords)

"""What can be read of a damaged store."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from pytest_trust.store.database import APPLICATION, FILE_ERRORS, Database, ForeignFileError, LaterVersionError

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
# A damaged header may tell any length.
_LONGEST = 2**40
_AT_ONCE = 1000


def rescue(damaged: Path, database: Database) -> None:
    """Take over the records that can be read of a ``damaged`` file."""
    try:
        _lengthen(damaged)
        with contextlib.closing(Database(damaged, patience=0.0, writable=False)) as old:
            some: dict[bytes, bytes] = {}
            for key, value in old.records():
                some[key] = value
                if len(some) == _AT_ONCE:
                    database.put(some)
                    some = {}
            database.put(some)
    except (OSError, *FILE_ERRORS, ForeignFileError, LaterVersionError):
        return  # nothing in it can be told
    finally:
        _tidy(damaged)


def _lengthen(path: Path) -> None:
    """Give a store that was cut short the length that its header tells: SQLite reads none that is shorter.

    Raises:
        OSError: the file cannot be read or written.
    """
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if len(header) < _HEADER or not header.startswith(_MAGIC) or _at(header, 68, 4) != APPLICATION:
        return
    size = _at(header, 28, 4) * _at(header, 16, 2)  # pages and bytes of a page (SQLite, Database File Format, 1.3)
    if path.stat().st_size < size <= _LONGEST:
        os.truncate(path, size)


def _at(header: bytes, start: int, length: int) -> int:
    return int.from_bytes(header[start : start + length], "big")


def _tidy(refused: Path) -> None:
    """Remove what SQLite has put beside a file while it was read."""
    for ending in ("-wal", "-shm"):
        beside = refused.with_name(refused.name + ending)
        if beside.exists() and (ending == "-shm" or not beside.stat().st_size):
            beside.unlink()

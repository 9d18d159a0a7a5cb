"""One SQLite file of records by their keys. What is wrong with a file is an error here; the store decides on it."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

Record = tuple[bytes, bytes]

# Written into the header of the file: "pTru".
APPLICATION = 0x70547275
VERSION = 1

# Keys of one statement; SQLite takes 999 parameters at least.
_AT_ONCE = 500
_DIGEST_BYTES = 8
_DAY = 86_400
_CREATE = (
    "CREATE TABLE results "
    "(key BLOB PRIMARY KEY, value BLOB NOT NULL, digest BLOB NOT NULL, used INTEGER NOT NULL)"
)  # fmt: skip
# Errors of the circumstances. Our statements are in order, so that any other one is of the file.
_CIRCUMSTANCES = (
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_AUTH,
)  # fmt: skip
# Rows out of their order: where there are more, damage has made a circle of the tree.
_MOST_STRANGE = 10_000

# What a file that is no whole database leads to: SQLite quotes what it has found, which need not be a text.
FILE_ERRORS = (sqlite3.Error, UnicodeDecodeError)


class ForeignFileError(Exception):
    """The file is a database of something else."""


class LaterVersionError(Exception):
    """The file was written by a later version."""


def is_damage(error: Exception) -> bool:
    """Whether ``error`` says that the file is no whole database, rather than that it cannot be used now."""
    if isinstance(error, UnicodeDecodeError):
        return True
    # Extended codes hold the plain one in their lowest byte; an error of the module itself has none.
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF not in _CIRCUMSTANCES


class Database:
    """A connection to the file at ``path``, which is made where it is missing; one process's own.

    A record comes back whole or not at all: each carries a digest of its key and value. ``patience`` is how many
    seconds a write waits for another process.

    Raises:
        sqlite3.Error: the file cannot be opened, or is no database; a UnicodeDecodeError says the same.
        ForeignFileError: it is a database of something else.
        LaterVersionError: it was written by a later version.
    """

    def __init__(self, path: Path, *, patience: float, writable: bool = True) -> None:
        self.writable = writable
        self._connection = _connected(path, patience, writable)
        self._connection.text_factory = bytes  # damage may make a text of a value, and not even one
        try:
            self.inode = path.stat().st_ino
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        if self._number("application_id") == 0 and not self._number("schema_version") and self.writable:
            self._initialise()
        if self._number("application_id") != APPLICATION:
            raise ForeignFileError("it is a database of another program")
        if self._number("user_version") > VERSION:
            raise LaterVersionError(f"its format has version {self._number('user_version')}; expected {VERSION}")
        if self.writable:
            self._connection.execute("PRAGMA synchronous = NORMAL")  # with a log, a crash costs the last writes at most

    def _initialise(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self._transaction():
            if self._number("application_id") == APPLICATION:
                return  # another process was faster
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
            self._connection.execute(_CREATE)

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values of those of ``keys`` that there are; the records are noted as used today."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._connection.execute(
                f"SELECT key, value, digest, used FROM results WHERE key IN ({marks})", some
            ).fetchall()
            found |= {key: value for key, value, digest, _ in rows if _is_whole(key, value, digest)}
            if self.writable and any(used != _today() for *_, used in rows):
                self._touch(some, marks)
        return found

    def put(self, records: Mapping[bytes, bytes]) -> int:
        """Keep ``records``, all or none of them, in place of others with their keys; how many there are."""
        rows = [(key, value, _digest(key, value), _today()) for key, value in records.items()]
        with self._transaction():
            self._connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)", rows)
        return len(rows)

    def prune(self, limit: int) -> None:
        """Drop the records that were not used for longest, where they take more than ``limit`` bytes, to three quarters
        of it; their room in the file is used again."""
        if self._size() <= limit:
            return
        while self._size() > limit * 3 // 4:
            with self._transaction():
                oldest = "SELECT rowid FROM results ORDER BY used, rowid LIMIT 1 + (SELECT count(*) FROM results) / 8"
                dropped = self._connection.execute(f"DELETE FROM results WHERE rowid IN ({oldest})").rowcount
            if not dropped:
                return

    def records(self) -> Iterator[Record]:
        """All records that can be read, in the order in which they were written; damaged parts are passed over."""
        last, skip, strange = 0, 1, 0
        most = self._number("page_count") * self._number("page_size")
        while skip < most:
            rows = "SELECT rowid, key, value, digest FROM results WHERE rowid > ? ORDER BY rowid"
            try:
                for rowid, key, value, digest in self._connection.execute(rows, (last,)):
                    if _is_whole(key, value, digest):
                        yield key, value
                    if last < rowid < most:
                        last, skip = rowid, 1
                        continue
                    strange += 1
                    if strange > _MOST_STRANGE:
                        return
                return
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                last, skip = last + skip, skip * 2

    def close(self) -> None:
        """Close the connection; the last one of all moves the log into the file."""
        self._connection.close()

    def _touch(self, keys: Sequence[bytes], marks: str) -> None:
        with contextlib.suppress(sqlite3.OperationalError), self._transaction():
            today = _today()
            self._connection.execute(
                f"UPDATE results SET used = ? WHERE used <> ? AND key IN ({marks})", (today, today, *keys)
            )

    def _size(self) -> int:
        """Bytes that are in use."""
        return (self._number("page_count") - self._number("freelist_count")) * self._number("page_size")

    def _number(self, pragma: str) -> int:
        return int(self._connection.execute(f"PRAGMA {pragma}").fetchone()[0])

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # some errors have rolled it back already
                self._connection.execute("ROLLBACK")
            raise


def _connected(path: Path, patience: float, writable: bool) -> sqlite3.Connection:
    def connect(query: str) -> sqlite3.Connection:
        # Calls come one at a time, under the lock of the store.
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?{query}",
            uri=True,
            timeout=patience,
            isolation_level=None,
            check_same_thread=False,
        )

    if writable:
        return connect("mode=rwc")
    connection = connect("mode=ro")
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError:
        # A log cannot be kept where nothing can be written; nobody else can write there either.
        connection.close()
        return connect("mode=ro&immutable=1")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_whole(key: object, value: object, digest: object) -> bool:
    """Whether a record is as it was written; a damaged one may even hold numbers."""
    return isinstance(key, bytes) and isinstance(value, bytes) and digest == _digest(key, value)


def _digest(key: bytes, value: bytes) -> bytes:
    return hashlib.blake2b(key + value, digest_size=_DIGEST_BYTES).digest()


def _today() -> int:
    """The day, in days since 1970."""
    return int(time.time() // _DAY)

"""The store of results: explanations, answers and other costly things, kept by content between sessions."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pytest_trust.errors import TrustWarning
from pytest_trust.store.database import FILE_ERRORS, Database, ForeignFileError, LaterVersionError, is_damage
from pytest_trust.store.files import lock_beside, set_aside
from pytest_trust.store.rescue import rescue

T = TypeVar("T")

LIMIT = 2**30
"""Bytes of records from which on the file is pruned when it is opened."""

_PATIENCE = 10.0
_MOST_IN_MEMORY = 64 * 2**20


class ResultStore:
    """Values by their keys, both bytes, in one SQLite file at ``path`` (None: in memory alone).

    A key is a digest of all that shapes the value, so that a record never goes stale. The store never fails and never
    gives a wrong value: where the file cannot be used it warns once, and keeps what comes in memory for as long as it
    lives. A file that is no store, or is damaged, is moved aside; what can be read of it goes into a new one.

    Several processes may use one file. Each opens it for itself when it first asks, also after a fork; a store that is
    sent to another process by pickle takes its path along, not what it holds.

    Args:
        path: the file; its folder is made where it is missing.
        limit: bytes of records above which those not used for longest are dropped when the file is opened.
        patience: seconds that a write waits for another process.
    """

    def __init__(self, path: Path | None, *, limit: int = LIMIT, patience: float = _PATIENCE) -> None:
        self.path = path
        self._limit = limit
        self._patience = patience
        self._memory: dict[bytes, bytes] = {}
        self._in_memory = 0
        self._warned = False
        self._start()

    def _start(self) -> None:
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._database: Database | None = None
        self._usable = self.path is not None

    def __reduce__(self) -> tuple[Callable[..., ResultStore], tuple[Path | None, int, float]]:
        return _store, (self.path, self._limit, self._patience)

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values of those of ``keys`` that are kept."""
        with self._own_lock():
            found = {key: self._memory[key] for key in keys if key in self._memory} if self._memory else {}
            wanted = [key for key in keys if key not in found] if found else keys
            kept = self._tried(lambda database: database.get(wanted))
            return found | kept if kept else found

    def put_many(self, records: Mapping[bytes, bytes]) -> None:
        """Keep ``records``, in one transaction."""
        if not records:
            return
        with self._own_lock():
            if not self._tried(lambda database: database.put(records), write=True):
                self._remember(records)

    def close(self) -> None:
        """Close the file; it is opened again where more is asked for."""
        with self._own_lock():
            self._close()

    def _own_lock(self) -> threading.RLock:
        if self._process != os.getpid():
            self._inherited = self._database  # neither used nor closed here: it is the parent's
            self._start()
        return self._lock

    def _tried(self, do: Callable[[Database], T], *, write: bool = False) -> T | None:
        """What ``do`` gives; None where the file cannot be used (for it). Damage is repaired once."""
        for _ in range(2):
            try:
                database = self._opened()
                if database is None or (write and not database.writable):
                    return None
                return do(database)
            except FILE_ERRORS as error:
                if is_damage(error) and self._repaired(error):
                    continue
                self._give_up(error)
                return None
            except (OSError, ForeignFileError, LaterVersionError) as error:
                self._give_up(error)
                return None
        return None

    def _opened(self) -> Database | None:
        if self._database is not None and self._database.writable and self._is_moved(self._database):
            self._close()  # by another process, which found damage, or by the user
        if self._database is None and self._usable and self.path is not None:
            self._database = self._open(self.path)
        return self._database

    def _is_moved(self, database: Database) -> bool:
        assert self.path is not None, "only a file is moved"
        try:
            return self.path.stat().st_ino != database.inode
        except FileNotFoundError:
            return True

    def _open(self, path: Path) -> Database:
        if not _can_write(path):
            database = Database(path, patience=self._patience, writable=False)
            self._warn(f"{path} can be read alone; new results are kept in memory")
            return database
        if path.is_file() and path.stat().st_size:
            with contextlib.suppress(ForeignFileError):
                return self._pruned(Database(path, patience=self._patience))
        path.parent.mkdir(parents=True, exist_ok=True)
        with lock_beside(path):
            return self._made(path)

    def _made(self, path: Path) -> Database:
        """The database at ``path`` under its lock, new where there is none or something else."""
        try:
            return Database(path, patience=self._patience)
        except ForeignFileError as error:
            self._move(path, error)
            return Database(path, patience=self._patience)

    def _pruned(self, database: Database) -> Database:
        try:
            database.prune(self._limit)
        except sqlite3.OperationalError:
            pass  # the next session may have more luck
        except BaseException:
            database.close()
            raise
        return database

    def _repaired(self, error: Exception) -> bool:
        """Moves a damaged file aside and takes over what can be read of it; False where that is impossible."""
        assert self.path is not None, "only a file is damaged"
        inode = None if self._database is None else self._database.inode
        self._close()
        try:
            with lock_beside(self.path):
                if self._is_repaired(self.path, inode):
                    return True
                refused = self._move(self.path, error)
                self._database = Database(self.path, patience=self._patience)
                rescue(refused, self._database)
        except (OSError, *FILE_ERRORS, ForeignFileError, LaterVersionError):
            return False
        return True

    def _is_repaired(self, path: Path, inode: int | None) -> bool:
        """Whether another process has put a new file in the place of that with ``inode`` (None: it was never open)."""
        if inode is not None:
            return path.stat().st_ino != inode
        try:
            self._database = Database(path, patience=self._patience)
        except FILE_ERRORS as error:
            if not is_damage(error):
                raise
            return False
        return True

    def _move(self, path: Path, error: Exception) -> Path:
        refused = set_aside(path)
        for ending in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + ending).replace(refused.with_name(refused.name + ending))
        self._warn(f"{path} is no whole store of results, kept as {refused.name}, made anew: {error}")
        return refused

    def _give_up(self, error: Exception) -> None:
        """From now on in memory. What is kept can be read on, where the trouble is with writing alone."""
        self._warn(f"{self.path} cannot be used, new results are kept in memory: {error}")
        if self._database is not None and self._database.writable and isinstance(error, sqlite3.OperationalError):
            self._database.writable = False
        else:
            self._close()
            self._usable = False

    def _warn(self, message: str) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(message, TrustWarning, stacklevel=2)

    def _close(self) -> None:
        if self._database is not None:
            database, self._database = self._database, None
            with contextlib.suppress(sqlite3.Error):
                database.close()

    def _remember(self, records: Mapping[bytes, bytes]) -> None:
        size = sum(len(key) + len(value) for key, value in records.items())
        if self._in_memory + size <= _MOST_IN_MEMORY:
            self._memory |= records
            self._in_memory += size


def _store(path: Path | None, limit: int, patience: float) -> ResultStore:
    return ResultStore(path, limit=limit, patience=patience)


def _can_write(path: Path) -> bool:
    """Whether the file and its folder can be written, or made."""
    if not path.exists():
        return True
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)

"""Rounds of sessions over one store, and what has to hold after each."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.soak.damage import damage
from benchmarks.soak.session import Parts, digest, fork, run, store_path
from pytest_trust.errors import TrustWarning
from pytest_trust.store import ResultStore

_AT_ONCE = (2, 3)
# Of rounds, or of sessions in one.
_DAMAGED, _ANEW, _KILLED, _INDEX_REMOVED = 0.4, 0.35, 0.7, 0.3


@dataclass(slots=True)
class Tally:
    """What was seen. The first three are failures; the rest says how much was tried."""

    wrong_verdicts: list[str] = field(default_factory=list)
    lost_records: int = 0
    wrong_records: int = 0
    failed_sessions: list[str] = field(default_factory=list)
    rounds: int = 0
    sessions: int = 0
    finished: int = 0
    killed: int = 0
    records_checked: int = 0
    records_gone_with_a_damaged_file: int = 0
    damages: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Soak:
    """Sessions below ``folder``, all after ``rng``; ``expected`` are the verdicts of undisturbed runs by seed."""

    parts: Parts
    folder: Path
    rng: Random
    expected: dict[int, Any] = field(default_factory=dict)
    longest: float = 1.0
    tally: Tally = field(default_factory=Tally)
    # Digests by key of the records that the present store has committed.
    _committed: dict[bytes, str] = field(default_factory=dict)
    # Whether the present store may hold damage that nobody has come upon yet.
    _suspect: bool = False
    # Digests of all records ever: values follow from keys, so that none may differ.
    _values: dict[bytes, str] = field(default_factory=dict)

    def undisturbed(self, seeds: Sequence[int]) -> None:
        """Runs a session alone for each seed, in a folder of its own."""
        for seed in seeds:
            folder = self._new(f"undisturbed-{seed}")
            start = time.monotonic()
            code = _wait(fork(partial(run, self.parts, folder, seed, "out.json")))
            assert code == 0, "an undisturbed session fails"
            self.longest = max(time.monotonic() - start, 0.2)
            self.expected[seed] = json.loads((folder / "out.json").read_bytes())["verdicts"]

    def round(self) -> None:
        """Sessions at once, some of them killed, in some rounds with damaged files; then everything is checked."""
        folder = self.folder / "project"
        if not folder.exists() or self.rng.random() < _ANEW:
            self._committed.clear()
            self._suspect = False
            folder = self._new("project")
        damaged = self._prepare(folder)
        count = self.rng.choice(_AT_ONCE)
        sessions = dict(self._start(folder, f"session-{self.tally.rounds}-{i}.json") for i in range(count))
        damaged |= self._disturb(folder, list(sessions))
        for child, (name, seed) in sessions.items():
            self._judge(folder, name, seed, _wait(child))
        self._suspect |= damaged
        self._check_records(folder)
        self.tally.rounds += 1

    def _new(self, name: str) -> Path:
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def _prepare(self, folder: Path) -> bool:
        """Removes or damages files before the sessions; whether the store was damaged."""
        if self.rng.random() < _INDEX_REMOVED:
            for path in _indices(folder):
                path.unlink()
        return self.rng.random() < _DAMAGED / 2 and self._damage(folder)

    def _damage(self, folder: Path) -> bool:
        """Damages an index or the store; whether it was the store."""
        store, indices = store_path(folder), _indices(folder)
        path = self.rng.choice([store, store, store.with_name(store.name + "-wal"), *indices])
        how = damage(self.rng, path)
        is_index = path in indices
        if how:
            self.tally.damages[f"{'index' if is_index else 'store'}: {how}"] += 1
        return bool(how) and not is_index

    def _start(self, folder: Path, name: str) -> tuple[int, tuple[str, int]]:
        seed = self.rng.choice(list(self.expected))
        self.tally.sessions += 1
        return fork(partial(run, self.parts, folder, seed, name)), (name, seed)

    def _disturb(self, folder: Path, children: Sequence[int]) -> bool:
        """Kills some of the sessions and damages files while they run; whether the store was damaged."""
        deeds = [(self._moment(), child) for child in children if self.rng.random() < _KILLED]
        if self.rng.random() < _DAMAGED / 2:
            deeds.append((self._moment(), 0))
        start, damaged = time.monotonic(), False
        for moment, child in sorted(deeds):
            time.sleep(max(0.0, start + moment - time.monotonic()))
            if child:
                os.kill(child, signal.SIGKILL)  # nobody has waited for it, so that its number is its own
            else:
                damaged |= self._damage(folder)
        return damaged

    def _moment(self) -> float:
        # Sessions that find most in the store are much the shorter.
        return self.rng.uniform(0.0, self.rng.choice((0.3, 1.2)) * self.longest)

    def _judge(self, folder: Path, name: str, seed: int, code: int) -> None:
        if code == -signal.SIGKILL:
            self.tally.killed += 1
            return
        if code:
            self.tally.failed_sessions.append(f"{name}: ended with {code}")
            return
        self.tally.finished += 1
        found = json.loads((folder / name).read_bytes())
        if found["verdicts"] != self.expected[seed]:
            self.tally.wrong_verdicts.append(name)
        for message in found["warnings"]:
            self.tally.warnings[_kind(message)] += 1

    def _check_records(self, folder: Path) -> None:
        """Holds the store against what was committed; what a damaged file has lost is no longer expected."""
        for path in sorted(folder.glob("*.log")):
            self._take(path)
            path.unlink()
        found = self._read(folder)
        self.tally.records_checked += len(self._committed)
        self.tally.wrong_records += sum(digest(value) != self._values[key] for key, value in found.items())
        lost = self._committed.keys() - found.keys()
        if self._suspect:
            self.tally.records_gone_with_a_damaged_file += len(lost)
        else:
            self.tally.lost_records += len(lost)
        self._committed = {key: self._committed[key] for key in found}
        self._suspect = self._suspect and not _is_sound(store_path(folder))

    def _take(self, log: Path) -> None:
        for line in log.read_text().splitlines():
            key, _, value = line.partition(" ")
            if len(value) < len(digest(b"")):
                continue  # killed while it wrote this down
            self._committed[bytes.fromhex(key)] = value
            known = self._values.setdefault(bytes.fromhex(key), value)
            self.tally.wrong_records += known != value

    def _read(self, folder: Path) -> dict[bytes, bytes]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", TrustWarning)
            store = ResultStore(store_path(folder))
            found = store.get_many([*self._committed])
            store.close()
        for item in caught:
            self.tally.warnings[_kind(str(item.message))] += 1
        return found


def _is_sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong in the whole file."""
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def _indices(folder: Path) -> list[Path]:
    return sorted((folder / ".trust").glob("index-*.zip"))


def _kind(message: str) -> str:
    """Which of the warnings it is."""
    kinds = ("is no whole store", "refused as a keyword index", "results are kept in memory", "could not be written")
    return next((kind for kind in kinds if kind in message), message)


def _wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

"""What is kept between sessions: damage there is a miss, never an error and never a wrong value."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.fuzzing.mutations import mutated_bytes, mutated_json
from benchmarks.fuzzing.target import Target, writer
from benchmarks.fuzzing.vectors import ENTRIES, text_vectors
from pytest_trust.embeddings.base import WordVectors
from pytest_trust.embeddings.kept import Keep
from pytest_trust.embeddings.reading import read_vectors
from pytest_trust.store import ResultStore

_RECORDS = {f"key {i}".encode().ljust(32, b"."): f"value {i} ".encode() * (1 + i % 40) for i in range(120)}
_NEW = {b"new".ljust(32, b"."): b"new value"}
_THRESHOLD = 0.4375
_VECTORS = WordVectors(np.eye(4, 3, dtype=np.float32), np.array([True, True, True, False]))
_STATEMENTS = (
    "DROP TABLE results", "ALTER TABLE results RENAME TO other", "ALTER TABLE results ADD COLUMN more",
    "ALTER TABLE results DROP COLUMN used", "PRAGMA user_version = 2", "PRAGMA user_version = -1",
    "PRAGMA application_id = 7", "UPDATE results SET value = x'00' WHERE rowid % 3 = 0",
    "UPDATE results SET value = 'a text' WHERE rowid % 4 = 0", "UPDATE results SET value = 7, digest = 8",
    "UPDATE results SET digest = x'' WHERE rowid % 2", "UPDATE results SET used = 'never'",
    "UPDATE results SET used = 9223372036854775807", "UPDATE results SET key = CAST(key AS TEXT) WHERE rowid < 40",
    "DELETE FROM results WHERE rowid % 2", "CREATE TABLE more (a)", "CREATE INDEX by_use ON results (used)",
    "CREATE TRIGGER t AFTER UPDATE ON results BEGIN SELECT RAISE(ABORT, 'no'); END",
    "UPDATE results SET value = zeroblob(100000) WHERE rowid = 3", "PRAGMA encoding = 'UTF-16'",
    "UPDATE results SET value = (SELECT value FROM results WHERE rowid = 9)", "PRAGMA auto_vacuum = 1; VACUUM",
)  # fmt: skip


def targets(folder: Path) -> Iterator[Target]:
    """The store of results, and what is kept of embeddings."""
    path = folder / "store" / "results.sqlite"
    path.parent.mkdir()
    words = (b"SQLite format 3\x00", b"results", b"pTru", b"CREATE TABLE", b"BLOB")
    yield Target(
        "store of results",
        (_store(path),),
        writer(path, _read_store),
        (),
        words=words,
        changes=(_statement,),
        share=0.4,
    )
    yield _threshold(folder)
    yield _kept_vectors(folder)
    yield _table(folder)


def _store(path: Path) -> bytes:
    store = ResultStore(path)
    store.put_many(_RECORDS)
    store.close()
    content = path.read_bytes()
    path.unlink()
    return content


def _read_store(path: Path) -> None:
    store = ResultStore(path)
    try:
        found = store.get_many([*_RECORDS])
        assert all(value == _RECORDS[key] for key, value in found.items()), "a wrong value"
        store.put_many(_NEW)
        assert store.get_many([*_NEW]) == _NEW
        # What was there is still there, but for a damaged file that was made anew from what can be read of it.
        again = store.get_many([*found])
        assert again.items() <= found.items()
        assert again == found or list(path.parent.glob("*.refused"))
    finally:
        store.close()
        for left in path.parent.iterdir():
            left.unlink()


def _statement(rng: Random, content: bytes) -> bytes:
    """What another program may do to the file; sometimes with damaged bytes besides."""
    if not content.startswith(b"SQLite format 3\x00"):
        return mutated_bytes(rng, content)
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(_without_log(content))
        for statement in rng.sample(_STATEMENTS, rng.choice((1, 1, 2))):
            connection.executescript(statement)
        content = connection.serialize()
    except (sqlite3.Error, UnicodeDecodeError):
        return mutated_bytes(rng, content)
    finally:
        connection.close()
    return mutated_bytes(rng, content) if rng.random() < 0.2 else content


def _without_log(content: bytes) -> bytes:
    """With the two bytes that ask for a log, which a database in memory has none of, as for a plain file."""
    return content[:18] + b"\x01\x01" + content[20:]


def _only(folder: Path, pattern: str) -> Path:
    """The one file there is below ``folder``, aside from locks."""
    (found,) = [path for path in folder.rglob(pattern) if path.suffix != ".lock"]
    return found


def _threshold(folder: Path) -> Target:
    keep = Keep(folder / "thresholds")

    def read(_: Path) -> None:
        assert keep.threshold("f" * 64, "p" * 64, lambda: _THRESHOLD) == _THRESHOLD

    read(folder)
    path = _only(folder / "thresholds", "*.json")
    return Target("kept threshold", (path.read_bytes(),), writer(path, read), (), changes=(mutated_json,), share=0.5)


def _kept_vectors(folder: Path) -> Target:
    keep = Keep(folder / "vectors")

    def read(_: Path) -> None:
        found = keep.vectors("f" * 64, "w" * 64, lambda: _VECTORS)
        assert np.array_equal(found.matrix, _VECTORS.matrix)
        assert np.array_equal(found.known, _VECTORS.known)

    read(folder)
    path = _only(folder / "vectors", "*.npz")
    return Target("kept vectors", (path.read_bytes(),), writer(path, read), (), changes=(_arrays,), share=0.5)


def _arrays(rng: Random, content: bytes) -> bytes:
    """Damage within the archive's arrays, whose checksums are right again."""
    buffer = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", rng.choice((0, 8))) as new:
            for name in old.namelist():
                part = old.read(name)
                new.writestr(name, part[: rng.choice((10, 60, 100, len(part)))])
    except Exception:
        return mutated_bytes(rng, content)
    return mutated_bytes(rng, buffer.getvalue())


def _table(folder: Path) -> Target:
    source = folder / "vectors.txt"
    source.write_bytes(text_vectors())
    keep = Keep(folder / "tables")

    def read(_: Path) -> None:
        table = keep.table(source, "d" * 64, lambda: read_vectors(source))
        for word, row in ENTRIES.items():
            vector = table.vector(word)
            assert vector is not None
            assert np.allclose(vector, np.array(row) / np.linalg.norm(row))

    read(folder)
    path = _only(folder / "tables", "table.json")
    return Target("kept table", (path.read_bytes(),), writer(path, read), (), changes=(mutated_json,), share=0.5)

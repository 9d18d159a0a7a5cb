from __future__ import annotations

import contextlib
import os
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_trust.errors import TrustWarning
from pytest_trust.store import ResultStore, database

RECORDS = {f"key {i}".encode().ljust(32, b"."): f"value {i} ".encode() * 20 for i in range(2000)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "results.sqlite"


@pytest.fixture
def filled(path: Path) -> Path:
    store = ResultStore(path)
    store.put_many(RECORDS)
    store.close()
    return path


def read(path: Path) -> dict[bytes, bytes]:
    store = ResultStore(path)
    try:
        return store.get_many([*RECORDS])
    finally:
        store.close()


@contextlib.contextmanager
def warned_once(match: str) -> Iterator[None]:
    with pytest.warns(TrustWarning, match=match) as caught:
        yield
    assert len(caught) == 1


def run(program: str, *arguments: object, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload, no-any-return]


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def test_values_come_back_in_a_later_session(filled: Path) -> None:
    assert read(filled) == RECORDS


def test_unknown_keys_are_not_in_the_answer(path: Path) -> None:
    store = ResultStore(path)
    store.put_many({b"a": b"1"})
    assert store.get_many([b"a", b"b"]) == {b"a": b"1"}
    assert store.get_many([]) == {}
    store.close()


def test_a_later_value_takes_the_place_of_the_first(path: Path) -> None:
    store = ResultStore(path)
    store.put_many({b"a": b"1"})
    store.put_many({b"a": b"2"})
    store.close()
    assert store.get_many([b"a"]) == {b"a": b"2"}  # opened again
    store.close()


def test_without_a_file_results_live_as_long_as_the_store() -> None:
    store = ResultStore(None)
    store.put_many({b"a": b"1"})
    store.close()
    assert store.get_many([b"a"]) == {b"a": b"1"}


def test_the_file_is_one_after_closing(filled: Path) -> None:
    assert [item.name for item in filled.parent.iterdir() if not item.name.endswith(".lock")] == [filled.name]


def test_a_store_crosses_to_another_process_by_its_path(filled: Path) -> None:
    store = pickle.loads(pickle.dumps(ResultStore(filled)))
    assert store.get_many([*RECORDS]) == RECORDS
    store.close()


def test_many_processes_write_at_once(path: Path) -> None:
    program = """
        import sys
        from pathlib import Path
        from pytest_trust.store import ResultStore
        store = ResultStore(Path(sys.argv[1]))
        for i in range(100):
            store.put_many({f"{sys.argv[2]} {i} {j}".encode(): b"x" * 100 for j in range(5)})
        store.close()
    """
    running = [run(program, path, number) for number in range(4)]
    assert [finish(process) for process in running] == [""] * 4
    keys = [f"{n} {i} {j}".encode() for n in range(4) for i in range(100) for j in range(5)]
    store = ResultStore(path)
    assert len(store.get_many(keys)) == len(keys)
    store.close()


def test_a_killed_writer_loses_the_chunk_in_flight_alone(path: Path) -> None:
    program = """
        import sys
        from pathlib import Path
        from pytest_trust.store import ResultStore
        store = ResultStore(Path(sys.argv[1]))
        for i in range(10**6):
            store.put_many({f"{i} {j}".encode(): b"x" * 500 for j in range(8)})
            print(i, flush=True)
    """
    writer = run(program, path)
    assert writer.stdout is not None
    told = [int(writer.stdout.readline()) for _ in range(50)]
    writer.send_signal(signal.SIGKILL)
    told += [int(line) for line in writer.stdout.read().split()]
    writer.communicate()
    store = ResultStore(path)
    found = store.get_many([f"{i} {j}".encode() for i in range(told[-1] + 3) for j in range(8)])
    store.close()
    chunks = {int(key.split()[0]) for key in found}
    assert len(found) == 8 * len(chunks), "half a chunk"
    assert chunks >= set(told)


def test_a_full_disk_costs_one_warning(filled: Path) -> None:
    program = """
        import resource, sys, warnings
        from pathlib import Path
        from pytest_trust.store import ResultStore
        store = ResultStore(Path(sys.argv[1]))
        store.put_many({b"before": b"1"})
        size = Path(sys.argv[1]).stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for i in range(30):
                store.put_many({f"big {i} {j}".encode(): bytes(5000) for j in range(20)})
        kept = store.get_many([b"before", b"big 29 19", *(f"key {i}".encode().ljust(32, b".") for i in range(2000))])
        print(len(caught), len(kept), caught[0].message)
        store.close()
    """
    out = finish(run(program, filled))
    assert out.startswith("1 2002 "), out
    assert f"{filled} cannot be used, new results are kept in memory" in out
    assert read(filled) == RECORDS


def test_a_file_that_can_only_be_read_is_read(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = filled.read_bytes()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    store = ResultStore(filled)
    with warned_once(r"can be read alone; new results are kept in memory"):
        assert store.get_many([*RECORDS]) == RECORDS
        store.put_many({b"new": b"1"})
        assert store.get_many([b"new"]) == {b"new": b"1"}
    store.close()
    assert filled.read_bytes() == before


def test_a_folder_that_can_only_be_read(filled: Path) -> None:
    filled.chmod(0o444)
    filled.parent.chmod(0o555)
    program = """
        import os, sys, warnings
        from pathlib import Path
        import filelock
        from pytest_trust.store import ResultStore
        if os.geteuid() == 0:
            os.setresuid(65534, 65534, 65534)  # root may write anywhere
        keys = [f"key {i}".encode().ljust(32, b".") for i in range(2000)]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            store = ResultStore(Path(sys.argv[1]))
            store.put_many({b"new": b"1"})
            print(len(store.get_many([*keys, b"new"])), len(caught), caught[0].message)
            missing = ResultStore(Path(sys.argv[1]).with_name("other.sqlite"))
            missing.put_many({b"new": b"1"})
            print(missing.get_many([b"new"]), len(caught), caught[1].message)
        store.close()
    """
    for folder in filled.parents[1:-2]:
        folder.chmod(folder.stat().st_mode | 0o055)  # pytest's folders are closed to others
    try:
        first, second = finish(run(program, filled)).splitlines()
    finally:
        filled.parent.chmod(0o755)
    assert first.startswith("2001 1 ")
    assert "can be read alone" in first
    assert second.startswith("{b'new': b'1'} 2 ")
    assert "cannot be used" in second
    assert [item.name for item in filled.parent.iterdir() if not item.name.endswith(".lock")] == [filled.name]


def test_a_file_of_a_later_version_is_not_touched(filled: Path) -> None:
    change(filled, f"PRAGMA user_version = {database.VERSION + 1}")
    before = filled.read_bytes()
    store = ResultStore(filled)
    with warned_once(r"its format has version 2; expected 1"):
        assert store.get_many([*RECORDS]) == {}
        store.put_many({b"new": b"1"})
        assert store.get_many([b"new"]) == {b"new": b"1"}
    store.close()
    assert filled.read_bytes() == before
    assert [item.name for item in filled.parent.iterdir() if not item.name.endswith(".lock")] == [filled.name]


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("content", [b"not a database at all", b"\x00" * 5000, b"SQLite format 3\x00"])
def test_a_foreign_file_is_moved_aside(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    store = ResultStore(path)
    with pytest.warns(TrustWarning, match=r"is no whole store of results, kept as results\.sqlite\.refused, made anew"):
        store.put_many({b"a": b"1"})
    store.close()
    assert path.with_name("results.sqlite.refused").read_bytes() == content
    assert store.get_many([b"a"]) == {b"a": b"1"}
    store.close()


def test_a_database_of_another_program_is_moved_aside(path: Path) -> None:
    path.parent.mkdir()
    change(path, "CREATE TABLE results (key, value)")
    with pytest.warns(TrustWarning, match=r"it is a database of another program"):
        assert read(path) == {}
    connection = sqlite3.connect(path.with_name("results.sqlite.refused"))
    assert connection.execute("SELECT count(*) FROM results").fetchone() == (0,)
    connection.close()


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    store = ResultStore(path)
    store.put_many({b"a": b"1"})
    store.close()
    assert store.get_many([b"a"]) == {b"a": b"1"}
    store.close()


def test_a_file_that_is_taken_away_is_made_anew(filled: Path) -> None:
    store = ResultStore(filled)
    assert len(store.get_many([*RECORDS])) == len(RECORDS)
    for item in filled.parent.glob("results.sqlite*"):
        item.unlink()
    assert store.get_many([*RECORDS]) == {}
    store.put_many({b"new": b"1"})
    store.close()
    assert store.get_many([b"new"]) == {b"new": b"1"}
    store.close()


def test_one_of_many_processes_moves_a_foreign_file_aside(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"something else")
    program = """
        import sys, time, warnings
        from pathlib import Path
        from pytest_trust.store import ResultStore
        warnings.simplefilter("ignore")
        store = ResultStore(Path(sys.argv[1]))
        print("ready", flush=True)
        sys.stdin.readline()
        store.put_many({sys.argv[2].encode(): b"1"})
        store.close()
    """
    running = [run(program, path, number, stdin=subprocess.PIPE) for number in range(4)]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [finish(process) for process in running] == [""] * 4
    store = ResultStore(path)
    assert len(store.get_many([b"0", b"1", b"2", b"3"])) == 4
    store.close()
    assert [item.read_bytes() for item in path.parent.glob("*.refused*")] == [b"something else"]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_gives_what_is_left_of_it(filled: Path, share: float) -> None:
    with filled.open("r+b") as file:
        file.truncate(int(filled.stat().st_size * share))
    with warned_once("made anew"):
        found = read(filled)
    assert found.items() <= RECORDS.items()
    assert len(found) > 0.7 * share * len(RECORDS)
    assert read(filled) == found  # the new file is whole


def test_a_damaged_page_costs_its_records_alone(filled: Path) -> None:
    store = ResultStore(filled)
    some = [*RECORDS][:10]
    assert len(store.get_many(some)) == 10  # open before it is damaged
    damage(filled, page=sum(divmod(filled.stat().st_size // 4096, 2)))
    with warned_once("made anew"):
        found = store.get_many([*RECORDS])
        store.put_many({b"new": b"1"})
    store.close()
    assert found.items() <= RECORDS.items()
    assert len(found) > 0.9 * len(RECORDS)
    assert {item.name for item in filled.parent.iterdir()} == {
        "results.sqlite", "results.sqlite.lock", "results.sqlite.refused"
    }  # fmt: skip
    assert read(filled) == found
    assert store.get_many([b"new"]) == {b"new": b"1"}
    store.close()


def damage(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * 4096)
        file.write(b"\xff" * 4096)


def test_a_changed_byte_of_a_value_is_a_miss(filled: Path) -> None:
    content = filled.read_bytes()
    assert content.count(b"value 77 ") >= 20
    filled.write_bytes(content.replace(b"value 77 ", b"value 78 ", 1))
    found = read(filled)
    key = b"key 77".ljust(32, b".")
    assert found == {other: value for other, value in RECORDS.items() if other != key}


def test_no_damage_gives_a_wrong_value_or_an_error(filled: Path) -> None:
    content = filled.read_bytes()
    chance = random.Random(0)
    for _ in range(60):
        damaged = bytearray(content)
        for _ in range(chance.choice([1, 10, 1000])):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        for item in filled.parent.iterdir():
            item.unlink()
        filled.write_bytes(damaged)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = read(filled)
            store = ResultStore(filled)
            store.put_many({b"new": b"1"})
            assert store.get_many([b"new"]) == {b"new": b"1"}
            store.close()
        assert found.items() <= RECORDS.items()
        assert all(issubclass(item.category, TrustWarning) for item in caught)


def test_a_lock_of_another_process_costs_one_warning(filled: Path) -> None:
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = ResultStore(filled, patience=0.05)
    with warned_once("database is locked"):
        for i in range(5):
            store.put_many({b"new %d" % i: b"1"})
        assert store.get_many([b"new 4"]) == {b"new 4": b"1"}
        assert store.get_many([*RECORDS]) == RECORDS
    store.close()
    other.close()


def test_a_folder_in_the_way_costs_one_warning(path: Path) -> None:
    path.mkdir(parents=True)
    store = ResultStore(path)
    with pytest.warns(TrustWarning, match="cannot be used"):
        store.put_many({b"a": b"1"})
    assert store.get_many([b"a"]) == {b"a": b"1"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_opens_the_file_for_itself(filled: Path) -> None:
    store = ResultStore(filled)
    store.get_many([b"a"])
    child = os.fork()
    if child == 0:
        store.put_many({b"child": b"1"})
        store.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    store.put_many({b"parent": b"1"})
    assert store.get_many([b"child", b"parent"]) == {b"child": b"1", b"parent": b"1"}
    store.close()


def test_what_was_not_used_for_longest_goes_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = [*RECORDS]
    for today, some in enumerate([keys[:500], keys[500:1000], keys[1000:1500]]):
        monkeypatch.setattr(database, "_today", lambda today=today: today)
        store = ResultStore(path)
        store.put_many({key: RECORDS[key] for key in some})
        store.close()
    monkeypatch.setattr(database, "_today", lambda: 3)
    store = ResultStore(path)
    store.get_many(keys[:100])  # used again
    store.close()
    limit = path.stat().st_size // 2
    store = ResultStore(path, limit=limit)
    kept = store.get_many(keys)
    store.close()
    assert set(keys[:100]) <= kept.keys()
    assert not set(keys[100:500]) & kept.keys()
    assert 0.35 * limit < sum(len(key) + len(value) for key, value in kept.items()) < limit
    store.put_many({key: RECORDS[key] for key in keys[1500:]})
    store.close()
    assert path.stat().st_size < 2.2 * limit  # room is used again

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pytest_trust.errors import TrustWarning
from pytest_trust.store import build_once, cache_folder, publish


def read_text(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def test_publish_replaces_the_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "folder" / "file"
    publish(target, b"first")
    publish(target, b"second")
    assert target.read_bytes() == b"second"
    assert [path.name for path in target.parent.iterdir()] == ["file"]


def test_a_failed_write_leaves_the_old_file_and_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "file"
    publish(target, b"old")

    def full_disk(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        publish(target, b"new")
    assert target.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_link_is_kept(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    publish(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_device_is_written_to_not_replaced() -> None:
    publish(Path("/dev/null"), b"new")
    assert Path("/dev/null").is_char_device()


def test_published_files_follow_the_umask(tmp_path: Path) -> None:
    target = tmp_path / "file"
    publish(target, b"x")
    plain = tmp_path / "plain"
    plain.write_bytes(b"x")
    assert target.stat().st_mode == plain.stat().st_mode


def test_cache_folder_is_ignored_by_git(tmp_path: Path) -> None:
    folder = cache_folder(tmp_path)
    assert folder == tmp_path / ".trust"
    assert "*" in (folder / ".gitignore").read_text().splitlines()
    assert cache_folder(tmp_path) == folder


def test_a_folder_that_cannot_be_made_costs_one_warning(tmp_path: Path) -> None:
    (tmp_path / ".trust").write_text("a file is in the way")
    with pytest.warns(TrustWarning, match="no cache folder"):
        assert cache_folder(tmp_path) is None


def test_build_once_reads_what_is_there(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("there")
    assert build_once(target, read_text, lambda: pytest.fail("built"), str.encode) == "there"


def test_build_once_builds_and_publishes(tmp_path: Path) -> None:
    target = tmp_path / "file"
    assert build_once(target, read_text, lambda: "made", str.encode) == "made"
    assert target.read_text() == "made"


def test_an_unwritable_result_is_returned_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.warns(TrustWarning, match="will be rebuilt next time"):
        assert build_once(tmp_path / "file", read_text, lambda: "made", str.encode) == "made"


def test_processes_that_ask_at_once_build_once(tmp_path: Path) -> None:
    program = textwrap.dedent(
        """
        import sys, time, pathlib
        from pytest_trust.store import build_once
        folder = pathlib.Path(sys.argv[1])
        def build():
            with (folder / "builds").open("a") as log:
                log.write("built\\n")
            time.sleep(0.5)
            return "made"
        read = lambda path: path.read_text() if path.exists() else None
        assert build_once(folder / "file", read, build, str.encode) == "made"
        """
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path)]) for _ in range(4)]
    assert [process.wait(timeout=300) for process in running] == [0, 0, 0, 0]
    assert (tmp_path / "builds").read_text() == "built\n"


def test_an_interrupted_build_leaves_nothing(tmp_path: Path) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    target = tmp_path / "file"
    with pytest.raises(KeyboardInterrupt):
        build_once(target, read_text, interrupted, str.encode)
    assert not target.exists()
    assert build_once(target, read_text, lambda: "made", str.encode) == "made"

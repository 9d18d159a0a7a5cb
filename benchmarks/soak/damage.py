"""What goes wrong with files: bytes that change, ends that are missing, files that are gone or something else."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from random import Random


def damage(rng: Random, path: Path) -> str:
    """Damages the file at ``path`` in place, where there is one; what was done, "" where nothing was."""
    if not path.is_file() or not path.stat().st_size:
        return ""
    how = rng.choice(tuple(_WAYS))
    with contextlib.suppress(FileNotFoundError):  # a session may have moved it aside just now
        _WAYS[how](rng, path)
    return how


def _flip(rng: Random, path: Path) -> None:
    _write(rng, path, lambda old: bytes(byte ^ (1 << rng.randrange(8)) for byte in old), 1, rng.choice((1, 4, 32)))


def _noise(rng: Random, path: Path) -> None:
    _write(rng, path, lambda old: rng.randbytes(len(old)), rng.choice((64, 4096)), rng.choice((1, 3)))


def _zeros(rng: Random, path: Path) -> None:
    _write(rng, path, lambda old: bytes(len(old)), rng.choice((512, 4096)), 1)


def _write(rng: Random, path: Path, change: Callable[[bytes], bytes], length: int, times: int) -> None:
    with path.open("r+b") as file:
        for _ in range(times):
            at = rng.randrange(max(1, path.stat().st_size))
            file.seek(at)
            old = file.read(length)
            file.seek(at)
            file.write(change(old))


def _cut(rng: Random, path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(rng.randrange(path.stat().st_size))


def _foreign(rng: Random, path: Path) -> None:
    path.write_bytes(rng.choice((b"something else\n" * 300, b"PK\x03\x04", b"SQLite format 3\x00" + bytes(500))))


def _gone(rng: Random, path: Path) -> None:
    path.unlink()


_WAYS: dict[str, Callable[[Random, Path], None]] = {
    "bits flipped": _flip,
    "noise written": _noise,
    "zeros written": _zeros,
    "cut short": _cut,
    "replaced by something else": _foreign,
    "removed": _gone,
}

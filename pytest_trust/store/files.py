"""Publishing files whole, and building one file once among many processes."""

from __future__ import annotations

import contextlib
import itertools
import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pytest_trust.errors import TrustWarning

T = TypeVar("T")

RESULTS = "results.sqlite"
"""The name of the store of results in a cache folder."""

_IGNORE = "# Made by pytest-trust: caches, safe to delete.\n*\n"


def publish(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` such that a reader sees the old file or the whole new one, never a part.

    Raises:
        OSError: the folder cannot be written; nothing is left behind.
    """
    path = path.resolve()  # a link is kept, what it leads to is replaced
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a device or a pipe has no old content to protect
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    part_path = Path(name)
    try:
        with os.fdopen(handle, "wb") as part:
            part.write(content)
            part.flush()
            os.fsync(part.fileno())
        part_path.chmod(0o666 & ~_umask())
        part_path.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part_path.unlink()
        raise


def _umask() -> int:
    """The process's umask, which mkstemp's private mode would otherwise override for teams that share a cache."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def cache_folder(root: Path) -> Path | None:
    """The project's cache folder ``.trust`` below ``root``, or None with one warning where it cannot be written."""
    folder = root / ".trust"
    try:
        folder.mkdir(exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            publish(ignore, _IGNORE.encode())
        if not os.access(folder, os.W_OK):
            raise PermissionError(f"no permission to write to {folder}")
    except OSError as error:
        warnings.warn(f"no cache folder, results are kept in memory alone: {error}", TrustWarning, stacklevel=2)
        return None
    return folder


def set_aside(path: Path) -> Path:
    """Move a file that is not what it should be out of the way, beside itself; its new path, which no file had.

    Raises:
        OSError: it cannot be moved.
    """
    names = (path.with_name(f"{path.name}.refused{number or ''}") for number in itertools.count())
    refused = next(name for name in names if not name.exists())
    path.replace(refused)
    return refused


def results_file(root: Path) -> Path | None:
    """Where the results of the project at ``root`` are kept; None, with a warning, where there is no folder for it."""
    kept = root / ".trust" / RESULTS
    if kept.exists():
        return kept  # to be read, even where nothing can be written
    folder = cache_folder(root)
    return None if folder is None else folder / RESULTS


def build_once(path: Path, read: Callable[[Path], T | None], build: Callable[[], T], write: Callable[[T], bytes]) -> T:
    """What ``read`` finds at ``path``; where it finds nothing usable, what one process builds while others wait.

    ``read`` returns None for a missing, foreign or stale file. A file that cannot be written costs a warning,
    never the result.
    """
    found = read(path)
    if found is not None:
        return found
    with lock_beside(path):
        found = read(path)
        if found is not None:
            return found
        built = build()
        _try_publish(path, write(built))
    return built


def _try_publish(path: Path, content: bytes) -> None:
    try:
        publish(path, content)
    except OSError as error:
        warnings.warn(f"{path} could not be written and will be rebuilt next time: {error}", TrustWarning, stacklevel=4)


def lock_beside(path: Path) -> contextlib.AbstractContextManager[object]:
    """A lock beside ``path``; none where the folder is read-only, since then nobody can publish there either."""
    from filelock import FileLock

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return contextlib.nullcontext()
    if not os.access(path.parent, os.W_OK):
        return contextlib.nullcontext()
    return FileLock(path.with_name(path.name + ".lock"))

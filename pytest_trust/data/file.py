"""Which reader a file gets."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pytest_trust.data.delimited import read_delimited
from pytest_trust.data.jsonl import read_jsonl
from pytest_trust.data.parquet import read_parquet
from pytest_trust.data.table import Table
from pytest_trust.errors import DataError
from pytest_trust.packed import unpacked

_TEXT_READERS: dict[str, Callable[[bytes, str], Table]] = {
    ".csv": partial(read_delimited, delimiter=","),
    ".tsv": partial(read_delimited, delimiter="\t"),
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
}
ACCEPTED = f"{', '.join(_TEXT_READERS)} (each also with .gz) or .parquet"


def read_file(path: Path, source: str) -> Table:
    """The table in the file at ``path``, by its extension; ``source`` is what errors call it.

    Raises:
        DataError: no such file, a folder, an unknown extension, or content that does not fit it.
    """
    _refuse_folder(path)
    kind, zipped = _kind(path)
    if kind == ".parquet" and not zipped:
        return read_parquet(path, source)
    if kind not in _TEXT_READERS:
        raise DataError(f"{source}: unknown data format {path.suffix!r}; accepted: {ACCEPTED}")
    return _TEXT_READERS[kind](_read_bytes(path, source, zipped), source)


def _refuse_folder(path: Path) -> None:
    try:
        path.stat()
    except FileNotFoundError:
        raise DataError(
            f"no data file at {path.absolute()}; expected {ACCEPTED}, or an import path package.module:attribute"
        ) from None
    except (OSError, ValueError) as error:
        raise DataError(f"no data file can be read at {path.absolute()}: {error}") from error
    if path.is_dir():
        raise DataError(f"{path.absolute()} is a folder; expected a file: {ACCEPTED}")


def _kind(path: Path) -> tuple[str, bool]:
    """The extension that names the format, and whether the file is compressed."""
    zipped = path.suffix.lower() == ".gz"
    return Path(path.stem if zipped else path.name).suffix.lower(), zipped


def _read_bytes(path: Path, source: str, zipped: bool) -> bytes:
    try:
        raw = path.read_bytes()
        return unpacked(raw) if zipped else raw
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{source}: cannot be read{' as gzip' if zipped else ''}: {error}") from error

"""Parquet, through pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytest_trust.data.table import Table
from pytest_trust.errors import DataError, missing_extra


def read_parquet(path: Path, source: str) -> Table:
    """The table in the Parquet file at ``path``; a column is read when it is asked for.

    Raises:
        DataError: not a Parquet file, or a damaged one.
        MissingExtraError: pyarrow is not installed.
    """
    with _opened(path, source) as file:
        names, n_rows = tuple(file.schema_arrow.names), int(file.metadata.num_rows)

    def column(position: int) -> list[object]:
        name = names[position]
        with _opened(path, source) as file:
            values: list[object] = file.read(columns=[name]).column(name).to_pylist()
        return values

    return Table(source, names, n_rows, column)


@contextmanager
def _opened(path: Path, source: str) -> Iterator[Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise missing_extra("pyarrow", "data", "reading Parquet files") from error
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            yield file
    except (pyarrow.ArrowException, OSError, ValueError, ArithmeticError) as error:
        raise DataError(f"{source}: not a Parquet file that can be read: {error}") from error

"""CSV and TSV."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_trust.data.encoding import decode
from pytest_trust.data.table import Table, row_and_line
from pytest_trust.errors import DataError

_C_LONG_MAX = 2**31 - 1  # the size limit of a field is a C long, which has 32 bits on Windows
_field_limit_lock = threading.Lock()

_Row = tuple[int, list[str]]


def read_delimited(raw: bytes, source: str, delimiter: str) -> Table:
    """The table in ``raw``: UTF-8, a header, cells quoted as spreadsheets do (RFC 4180), any line ends.

    Blank lines are skipped. Quoted cells keep line ends, NUL and all else as it stands.

    Raises:
        DataError: not UTF-8, wrong quotes, or a row with more or fewer cells than the header.
    """
    text = decode(raw, source)
    with _unlimited_fields(len(text)):
        rows = list(_rows(text, source, delimiter))
    if not rows:
        raise DataError(f"{source}: no rows; the file is empty, expected a header and at least one row")
    (_, header), *body = rows
    _refuse_ragged(source, header, body)
    return Table(
        source,
        names=tuple(header),
        n_rows=len(body),
        column=lambda i: [cells[i] for _, cells in body],
        place=lambda row: row_and_line(row, body[row][0]),
    )


def _rows(text: str, source: str, delimiter: str) -> Iterator[_Row]:
    """Each row that is not blank, with the line it begins on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = found = 0
    try:
        for cells in reader:
            if cells:
                found += 1
                yield line + 1, cells
            line = reader.line_num
    except csv.Error as error:
        where = row_and_line(found - 1, line + 1) if found else f"header (line {line + 1})"
        raise DataError(
            f"{source}: {where}: {error}; a cell that begins with a quote must end with one and double those inside"
        ) from None


def _refuse_ragged(source: str, header: list[str], body: list[_Row]) -> None:
    for row, (line, cells) in enumerate(body):
        if len(cells) != len(header):
            raise DataError(
                f"{source}: {row_and_line(row, line)} has {len(cells)} cells; expected {len(header)} as in the header"
            )


@contextmanager
def _unlimited_fields(longest: int) -> Iterator[None]:
    """Let the csv module, whose limit holds for the whole process, read fields of ``longest`` characters."""
    with _field_limit_lock:
        before = csv.field_size_limit()
        csv.field_size_limit(max(before, min(longest, _C_LONG_MAX)))
        try:
            yield
        finally:
            csv.field_size_limit(before)

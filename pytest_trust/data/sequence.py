"""Lists of texts, of tuples and of dicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_trust.data.columns import NAMED_ALIKE
from pytest_trust.data.dataset import TextDataset
from pytest_trust.data.table import Reading, Table, records_table, row_number, to_dataset
from pytest_trust.errors import DataError

_WIDTHS = {"texts": 1, "(text, label) pairs": 2, "(text, label, trustworthy) triples": 3}


def sequence_dataset(items: Sequence[Any], source: str, reading: Reading) -> TextDataset:
    """The data set in a list of texts, of (text, label) or (text, label, trustworthy) tuples, or of dicts.

    The columns of ``reading`` are the keys of the dicts; the other items have none.

    Raises:
        DataError: items of different or unknown shape, or a malformed value.
    """
    if not items:
        raise DataError(f"{source}: no rows; expected at least one text")
    shape = _common_shape(items, source)
    if shape == "dicts":
        return to_dataset(records_table(source, items), reading)
    if shape == "texts" and reading.require_labels:
        raise DataError(f"{source}: texts without labels; expected (text, label) pairs")
    return to_dataset(_positional_table(items, source, _WIDTHS[shape]), replace(reading, columns={}))


def _common_shape(items: Sequence[object], source: str) -> str:
    shapes = [_shape(item, source, row) for row, item in enumerate(items)]
    for row, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise DataError(f"{source}: {row_number(row)} is one of {shape}; expected {shapes[0]} as in row 1")
    return shapes[0]


def _shape(item: object, source: str, row: int) -> str:
    if isinstance(item, Mapping):
        return "dicts"
    if not isinstance(item, tuple | list):
        return "texts"  # what is no text is refused, with its place, when the cell is read
    for shape, width in _WIDTHS.items():
        if width == len(item) > 1:
            return shape
    raise DataError(
        f"{source}: {row_number(row)} has {len(item)} values; expected (text, label) or (text, label, trustworthy)"
    )


def _positional_table(items: Sequence[Any], source: str, width: int) -> Table:
    rows = items if width > 1 else [(item,) for item in items]
    return Table(source, NAMED_ALIKE[:width], len(rows), lambda i: [row[i] for row in rows])

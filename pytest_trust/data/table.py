"""What every reader makes of its source, and the way from there to a data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from reprlib import Repr
from typing import TypeVar

from pytest_trust.data.cells import as_group, as_known_label, as_label, as_text, as_verdict
from pytest_trust.data.columns import NAMED_ALIKE, complete_columns
from pytest_trust.data.dataset import TextDataset
from pytest_trust.errors import DataError

Cell = TypeVar("Cell")


def row_number(row: int) -> str:
    """The place of the row at position ``row``, counted from 1 for people."""
    return f"row {row + 1}"


def row_and_line(row: int, line: int) -> str:
    """The place of a row that begins on ``line`` of a text file; lines count from 1, the header too."""
    return f"{row_number(row)} (line {line})"


@dataclass(frozen=True, slots=True)
class Table:
    """Columns called ``names``, each of ``n_rows`` values.

    ``column(i)`` gives the values of the i-th column, ``place(row)`` says where the row at that position stands.
    """

    source: str
    names: tuple[str, ...]
    n_rows: int
    column: Callable[[int], Sequence[object]]
    place: Callable[[int], str] = row_number


def records_table(
    source: str, records: Sequence[Mapping[str, object]], place: Callable[[int], str] = row_number
) -> Table:
    """A table of objects, whose columns are all their keys; a key that one of them lacks is null there."""
    names = tuple(dict.fromkeys(name for record in records for name in record))
    return Table(source, names, len(records), lambda i: [record.get(names[i]) for record in records], place)


@dataclass(frozen=True, slots=True)
class Reading:
    """How tables are read: the names of their ``columns`` by role, and which of them have to be there.

    A table may lack the column named for a role in ``may_lack``: it is looked for by the name of the role then.
    """

    columns: Mapping[str, str]
    require_labels: bool
    may_lack: Collection[str] = ()

    def needs(self, role: str) -> bool:
        """Whether a table without the column of ``role`` is refused."""
        named = role in self.columns and role not in self.may_lack
        return role == "text" or named or (role == "label" and self.require_labels)

    def name(self, role: str, name: str, table: Table) -> str:
        """The column of ``role`` in ``table``, called ``name`` unless it may lack that."""
        is_lacking = role in self.may_lack and name not in table.names
        return role if is_lacking and role in NAMED_ALIKE else name


def to_dataset(table: Table, reading: Reading) -> TextDataset:
    """The data set in ``table``.

    Raises:
        DataError: no rows, a column that is missing or there twice, or a malformed cell, with its place.
    """
    _check_shape(table)
    names = complete_columns(reading.columns)
    positions = {
        role: _find(table, role, reading.name(role, name, table), reading.needs(role)) for role, name in names.items()
    }
    return TextDataset(
        texts=_read(table, positions["text"], as_text),
        labels=_read_optional(table, positions["label"], as_known_label if reading.require_labels else as_label),
        trustworthy=_read_optional(table, positions["trustworthy"], as_verdict),
        groups=_read_optional(table, positions.get("group", -1), as_group),
        name=table.source,
    )


def _check_shape(table: Table) -> None:
    if not table.n_rows:
        raise DataError(f"{table.source}: no rows; expected at least one text")
    # Spreadsheets leave several columns without a name; they cannot be asked for, so they do no harm.
    repeated = [name for name, count in Counter(table.names).items() if count > 1 and name]
    if repeated:
        raise DataError(f"{table.source}: column names must differ; found more than once: {_listed(repeated)}")


def _find(table: Table, role: str, name: str, needed: bool) -> int:
    """The position of the column ``name``, -1 where it is not there and need not be."""
    if name in table.names:
        return table.names.index(name)
    if not needed:
        return -1
    raise DataError(
        f"{table.source}: no column {name!r} for the {role}; columns found: {_listed(table.names)}; "
        f"name the right one with --trust-columns={role}=COLUMN"
    )


def _read(table: Table, position: int, convert: Callable[[object], Cell]) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for row, value in enumerate(table.column(position)):
        try:
            cells.append(convert(value))
        except DataError as error:
            where = f"{table.source}: {table.place(row)}, column {table.names[position]!r}"
            raise DataError(f"{where}: {error}") from None
    return tuple(cells)


def _read_optional(table: Table, position: int, convert: Callable[[object], Cell]) -> tuple[Cell | None, ...]:
    return (None,) * table.n_rows if position < 0 else _read(table, position, convert)


def _listed(names: Sequence[str]) -> str:
    # The first line of a file without a header may be long texts.
    short = Repr()
    short.maxstring, short.maxlist = 60, 30
    return short.repr(list(names))

"""The predictions as columns of numbers and tables of texts, so that ten thousand stay a small file.

A column holds one entry a prediction. Texts, notes and labels are numbers of rows in tables, and so are words together
with what was found on them, which is the same wherever a word of a class stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pytest_trust.reports.figures import Record
from pytest_trust.reports.html.words import words_of

_NOWHERE = -1
# What a prediction, or a word of it, is known to be.
_CODES = {False: 0, True: 1, None: 2}

# Checks whose texts the model gets right, by how they choose them.
_ON_RIGHT_ANSWERS = frozenset({"trustworthy", "adversarial"})

Columns = dict[str, list[Any]]


class Table:
    """Distinct values in order of their first use."""

    def __init__(self) -> None:
        self._rows: dict[Any, int] = {}

    def row(self, value: Any) -> int:
        """The row of ``value``, which is added where it is new."""
        return self._rows.setdefault(value, len(self._rows))

    @property
    def values(self) -> list[Any]:
        """All values by row."""
        return list(self._rows)


class Tables:
    """The tables that predictions share."""

    def __init__(self) -> None:
        self.texts, self.notes, self.labels, self.words = Table(), Table(), Table(), Table()

    def label(self, label: str | None) -> int:
        """The row of a label; -1 for none."""
        return _NOWHERE if label is None else self.labels.row(label)

    def to_dict(self) -> Columns:
        """Every table by name."""
        return {name: table.values for name, table in vars(self).items()}


def encode(records: Sequence[Record]) -> dict[str, list[Any]]:
    """Checks, tables and columns of all predictions of ``records``."""
    tables = Tables()
    rows = [
        _row(number, record, item, tables) for number, record in enumerate(records) for item in record.get("texts", ())
    ]
    return {
        "checks": [_check(record) for record in records],
        **_columns(rows),
        **{f"{name}_table": values for name, values in tables.to_dict().items()},
    }


_COLUMNS = ("check", "holds", "right", "value", "probability", "label", "text", "note", "words", "places", "changed")


def _columns(rows: Sequence[Sequence[Any]]) -> Columns:
    columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    return {name: list(column) for name, column in zip(_COLUMNS, columns, strict=True)}


def _check(record: Record) -> dict[str, Any]:
    words = words_of(record["kind"])
    return {
        "name": record["name"],
        "nodeid": record["nodeid"],
        "kind": record["kind"],
        "verdicts": words.verdicts,
        "value": words.value,
    }


def _row(number: int, record: Record, item: Mapping[str, Any], tables: Tables) -> tuple[Any, ...]:
    text = item["text"]
    return (
        number,
        _CODES[item["holds"]],
        _CODES[_right(record["kind"], item)],
        _rounded(item["value"]),
        _rounded(item["probability"]),
        tables.label(item["label"]),
        tables.texts.row(text),
        tables.notes.row(item["note"]),
        list(_scored(item["words"], tables.words)),
        list(_places(text, item["words"])),
        _changed(item, tables),
    )


def _right(kind: str, item: Mapping[str, Any]) -> bool | None:
    """Whether the model's answer on the text is known to be right."""
    return True if kind in _ON_RIGHT_ANSWERS else item["holds"] if kind == "functional" else None


def _changed(item: Mapping[str, Any], tables: Tables) -> list[int | float | None] | int:
    """Text, label and probability after the change; 0 where there was none."""
    if item["changed_text"] is None:
        return 0
    return [
        tables.texts.row(item["changed_text"]),
        tables.label(item["changed_label"]),
        _rounded(item["changed_probability"]),
    ]


def _scored(words: Sequence[Mapping[str, Any]], table: Table) -> Iterator[int | float]:
    """Row and score of each word, one after the other."""
    for word in words:
        yield table.row((word["word"], _CODES[word["related"]], word["nearest"], word["keyword"]))
        yield float(f"{word['score']:.6g}")  # more than is shown, or it would be rounded twice


def _places(text: str, words: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """Where scored words stand, by place: the gap before each, its length and the number of the word.

    In units of UTF-16, which are those of scripts.
    """
    wide = _wide_characters(text)
    end = 0
    for start, stop, number in sorted((*span, i) for i, word in enumerate(words) for span in word["spans"]):
        if start < end:  # of words that overlap the first is shown
            continue
        yield start - end + _between(wide, end, start)
        yield stop - start + _between(wide, start, stop)
        yield number
        end = stop


def _wide_characters(text: str) -> list[int]:
    """Where the characters stand that take two units."""
    return [] if text.isascii() else [i for i, character in enumerate(text) if character > "\uffff"]


def _between(places: Sequence[int], start: int, stop: int) -> int:
    return sum(start <= place < stop for place in places) if places else 0


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)

"""Data sets from wherever a user keeps them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from pytest_trust.data.columns import check_columns
from pytest_trust.data.dataset import TextDataset
from pytest_trust.data.file import ACCEPTED, read_file
from pytest_trust.data.frame import frame_table, is_frame
from pytest_trust.data.sequence import sequence_dataset
from pytest_trust.data.table import Reading, to_dataset
from pytest_trust.errors import DataError
from pytest_trust.imports import call_factory, import_object, importable, is_import_path


def load_dataset(
    source: object,
    *,
    columns: Mapping[str, str] | None = None,
    rootpath: Path | None = None,
    require_labels: bool = True,
    may_lack: Collection[str] = (),
) -> TextDataset:
    """The data set in ``source``.

    Args:
        source: the path of a ``.csv``, ``.tsv``, ``.jsonl``, ``.ndjson`` (each also with ``.gz``) or ``.parquet``
            file; an import path ``package.module:attribute`` of one of the objects that follow or of a zero-argument
            factory of one; a list of texts, of (text, label) pairs, of (text, label, trustworthy) triples or of dicts;
            a pandas DataFrame; a TextDataset, which is returned as it is.
        columns: names of columns or keys that differ from ``text``, ``label`` and ``trustworthy``, as in
            ``{"text": "body", "label": "target"}``; of no effect on sources whose values have no names.
        rootpath: the folder that a relative path starts from, by default the current one, and in which modules are
            looked for first.
        require_labels: whether every text must have a label. Labels that are integers or booleans become strings,
            whole floats too (1.0 is "1"); null, NaN and blank labels are no labels.
        may_lack: keys of ``columns`` whose column may be called like the key instead, or not be there.

    Text files are UTF-8, with or without a byte order mark. The texts "" and "   " are data; null and NaN are not.

    Raises:
        DataError: the source cannot be read, has no rows, or a row is malformed: the message names source, row
            (counted from 1 without the header; with the line in a text file) and column.
        ConfigurationError: ``columns`` has an unknown key.
        MissingExtraError: the format needs a package that is not installed.
    """
    named = {} if columns is None else columns
    check_columns(named)
    reading = Reading(named, require_labels, may_lack)
    if isinstance(source, str) and is_import_path(source):
        with importable(rootpath):
            return _from_object(_imported(source), source, reading)
    if isinstance(source, str | os.PathLike):
        path = Path(rootpath or "", source)
        return to_dataset(read_file(path, str(source)), reading)
    return _from_object(source, None, reading)


def _imported(source: str) -> object:
    found = import_object(source, DataError)
    return call_factory(found, source, DataError) if callable(found) else found


def _from_object(value: object, name: str | None, reading: Reading) -> TextDataset:
    if isinstance(value, TextDataset):
        return _checked(value, reading.require_labels)
    if is_frame(value):
        return to_dataset(frame_table(value, name or f"DataFrame of {len(value)} rows"), reading)
    if isinstance(value, list | tuple):
        return sequence_dataset(value, name or f"{type(value).__name__} of {len(value)} items", reading)
    raise DataError(
        f"{name or 'data'}: found {type(value).__name__}; expected a file ({ACCEPTED}), an import path, "
        "a list of texts, tuples or dicts, a DataFrame or a TextDataset"
    )


def _checked(dataset: TextDataset, require_labels: bool) -> TextDataset:
    if not len(dataset):
        raise DataError(f"{dataset.name}: no rows; expected at least one text")
    if require_labels and None in dataset.labels:
        raise DataError(f"{dataset.name}: row {dataset.labels.index(None) + 1}: the label is missing")
    return dataset

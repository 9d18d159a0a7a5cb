"""People's verdicts on predictions: one JSON object a line, appended as they are given."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pytest_trust.data.jsonl import read_jsonl
from pytest_trust.data.table import Table
from pytest_trust.errors import DataError, TrustWarning
from pytest_trust.messages import shown

Answer = Literal["trustworthy", "untrustworthy", "unsure"]
ANSWERS: tuple[Answer, ...] = get_args(Answer)


@dataclass(frozen=True, slots=True)
class HumanVerdict:
    """What ``annotator`` says of one prediction: is ``label`` predicted for ``text`` for the right reason?

    ``words`` are those of the explanation with their scores, ``guess`` the class that the annotator expected from the
    text alone (None where not asked). ``model`` is the model's fingerprint, ``explainer`` the explainer's settings.
    """

    text: str
    label: str
    words: tuple[tuple[str, float], ...]
    annotator: str
    guess: str | None
    verdict: Answer
    model: str
    explainer: Mapping[str, str | int | float | bool]


def read_verdicts(path: Path) -> list[HumanVerdict]:
    """The verdicts in the file at ``path``, in the order in which they were given; none where there is no file.

    Raises:
        DataError: the file cannot be read, or a line of it holds no verdict.

    Warns:
        TrustWarning: the last line was torn, as by a full disk or a kill while it was written; it is left out.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise DataError(f"{path}: the verdicts cannot be read: {error}") from error
    end = _whole(raw)
    if end < len(raw):
        line = raw.count(b"\n") + 1
        found = raw[end:].decode(errors="replace")
        warnings.warn(f"{path}:{line}: the last line is torn and left out: {shown(found)}", TrustWarning, stacklevel=2)
    return _verdicts(read_jsonl(raw[:end], str(path)))


def append_verdict(path: Path, verdict: HumanVerdict) -> None:
    """Adds a line to the file at ``path``, which is on the disk when this returns; a torn last line is cut off.

    Raises:
        DataError: the file cannot be written.
    """
    # A lone surrogate becomes its JSON escape.
    line = json.dumps(asdict(verdict), ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
    try:
        with path.open("a+b") as stream:
            stream.seek(0)
            raw = stream.read()
            end = _whole(raw)
            if end < len(raw):
                stream.truncate(end)
            stream.write(line if raw[:end].endswith(b"\n") or not end else b"\n" + line)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise DataError(f"{path}: the verdict cannot be saved: {error}") from error


def by_plurality(verdicts: Iterable[HumanVerdict]) -> dict[tuple[str, str], bool | None]:
    """What most annotators say of each prediction, a text and the class predicted for it.

    None where most are unsure, and where two answers are equally frequent. An annotator's later verdict on a prediction
    replaces an earlier one.
    """
    latest: dict[tuple[str, str], dict[str, Answer]] = {}
    for verdict in verdicts:
        latest.setdefault((verdict.text, verdict.label), {})[verdict.annotator] = verdict.verdict
    return {prediction: _plurality(answers.values()) for prediction, answers in latest.items()}


def _plurality(answers: Iterable[Answer]) -> bool | None:
    (first, votes), *others = Counter(answers).most_common()
    if first == "unsure" or any(count == votes for _, count in others):
        return None
    return first == "trustworthy"


def _whole(raw: bytes) -> int:
    """Where the lines that were written whole end. No part of a JSON object is JSON."""
    start = raw.rfind(b"\n") + 1
    tail = raw[start:]
    try:
        json.loads(tail.decode() if tail.strip() else "{}")
    except (ValueError, RecursionError):
        return start
    return len(raw)


def _verdicts(table: Table) -> list[HumanVerdict]:
    columns = {name: table.column(i) for i, name in enumerate(table.names)}
    return [
        _verdict(table, row, {name: values[row] for name, values in columns.items()}) for row in range(table.n_rows)
    ]


def _verdict(table: Table, row: int, record: Mapping[str, Any]) -> HumanVerdict:
    for field, (is_right, expected) in _FIELDS.items():
        if not is_right(record.get(field)):
            found = shown(record[field]) if record.get(field) is not None else "missing"
            raise DataError(f"{table.source}: {table.place(row)}: {field} is {found}; expected {expected}")
    values = {field: record.get(field) for field in _FIELDS}
    return HumanVerdict(**values | {"words": tuple((word, float(score)) for word, score in record["words"])})


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, list) and len(item) == 2 and _is_text(item[0]) and _is_score(item[1]) for item in value
    )


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _are_settings(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str | bool) or _is_score(item) for item in value.values())


_TEXT = (_is_text, "a string")
_FIELDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    "text": _TEXT,
    "label": _TEXT,
    "words": (_are_words, 'pairs of a word and its score, such as [["great", 0.4]]'),
    "annotator": _TEXT,
    "guess": (lambda value: value is None or _is_text(value), "a string or null"),
    "verdict": (lambda value: value in ANSWERS, f"one of {', '.join(ANSWERS)}"),
    "model": _TEXT,
    "explainer": (_are_settings, "an object of settings: texts, finite numbers and booleans"),
}

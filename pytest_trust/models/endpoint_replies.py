"""What endpoints answer: JSON of three shapes, read strictly."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from pytest_trust.messages import listed, shown

EXPECTED = (
    'expected {"probabilities": [[...], ...], "classes": [...]} (classes may be left out), the list of rows alone, or '
    '[[{"label": ..., "score": ...}, ...], ...] with all labels of each text'
)

_DIGITS = re.compile("[0-9]+")
_LONGEST_NUMBER = 20


class UnreadableReplyError(ValueError):
    """The body of a reply is not what an endpoint answers."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Rows of probabilities, one a text, of equal length, and the classes of their columns where the reply names them.

    Classes that came as labels stand in their natural order ("LABEL_2" before "LABEL_10").
    """

    rows: list[list[float]]
    classes: tuple[object, ...] | None


def read_reply(body: bytes, n_texts: int) -> Answered:
    """What ``body`` answers about ``n_texts`` texts.

    Raises:
        UnreadableReplyError: it is not JSON, has another shape or number of rows, or holds something else than numbers.
    """
    answer = _json(body)
    rows: Any = answer.get("probabilities") if isinstance(answer, dict) else answer
    _check_rows(rows, n_texts)
    if isinstance(answer, list) and all(_is_label(cell) for row in rows for cell in row):
        return _by_label(rows)
    _check_numbers(rows)
    return Answered(rows, _checked_classes(answer.get("classes") if isinstance(answer, dict) else None, len(rows[0])))


def _json(body: bytes) -> Any:
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except UnreadableReplyError:
        raise
    except (ValueError, RecursionError) as error:
        raise UnreadableReplyError(f"answered what is not JSON ({type(error).__name__})") from error


def _refuse_constant(name: str) -> NoReturn:
    raise UnreadableReplyError(f"answered {name}, which is neither JSON nor a probability")


def _check_rows(rows: Any, n_texts: int) -> None:
    if isinstance(rows, list) and rows and all(isinstance(row, dict) and "label" in row for row in rows):
        raise UnreadableReplyError(
            "answered one label a text; ask for all of them, as by "
            "EndpointSettings(other_fields={'parameters': {'top_k': None}})"
        )
    if not isinstance(rows, list) or not all(isinstance(row, list) and row for row in rows):
        raise UnreadableReplyError(f"answered something else than rows of probabilities; {EXPECTED}")
    if len(rows) != n_texts:
        raise UnreadableReplyError(f"answered {len(rows)} rows to {n_texts} texts; expected one row a text")


def _is_label(cell: object) -> bool:
    return isinstance(cell, dict) and {"label", "score"} <= cell.keys() and isinstance(cell["label"], str)


def _by_label(rows: list[list[dict[str, Any]]]) -> Answered:
    classes = sorted((cell["label"] for cell in rows[0]), key=_natural)
    for number, row in enumerate(rows):
        if sorted((cell["label"] for cell in row), key=_natural) != classes or len(set(classes)) < len(classes):
            labels, expected = listed(cell["label"] for cell in row), listed(classes)
            raise UnreadableReplyError(
                f"answered row {number} with the labels ({labels}); expected those of row 0, each once ({expected})"
            )
    found = ({cell["label"]: cell["score"] for cell in row} for row in rows)
    ordered = [[scores[label] for label in classes] for scores in found]
    _check_numbers(ordered)
    return Answered(ordered, tuple(classes))


def _check_numbers(rows: list[list[Any]]) -> None:
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise UnreadableReplyError(f"answered row {number} of {len(row)} columns, row 0 of {len(rows[0])}")
        for cell in row:
            if type(cell) not in (int, float):
                raise UnreadableReplyError(f"answered {shown(cell)} in row {number}; expected numbers")


def _checked_classes(classes: Any, width: int) -> tuple[object, ...] | None:
    if classes is None:
        return None
    if not isinstance(classes, list) or len(classes) != width or not all(isinstance(c, (str, int)) for c in classes):
        raise UnreadableReplyError(
            f"answered {width} columns and the classes {shown(classes)}; expected a name a column"
        )
    return tuple(classes)


def _natural(label: str) -> str:
    """A key that puts numbers within labels in the order of numbers."""
    return _DIGITS.sub(lambda digits: digits[0].zfill(_LONGEST_NUMBER), label)

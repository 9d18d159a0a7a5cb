"""Judging lines of JSON as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_trust._cli.jsonlines import MAX_LINE
from pytest_trust._cli.judging import Explained, Prediction, column_of, explain, predict
from pytest_trust.data.cells import as_label, as_text
from pytest_trust.data.jsonl import parse_object
from pytest_trust.errors import DataError, ModelError
from pytest_trust.explain import Explainer
from pytest_trust.models import TextClassifier
from pytest_trust.oracles import Oracle

OURS = ("line", "predicted", "probability", "correct", "trustworthy", "score", "words", "unread", "note", "error")
"""Keys that a line of output has of its own; what an input line holds under them is not kept."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of input: what is kept of it, and its text with the column of its class, or why it cannot be judged."""

    number: int
    kept: Mapping[str, object] = field(default_factory=dict)
    text: str = ""
    column: int | None = None
    error: str = ""

    def record(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """The line of output: number, what is kept, and what was found."""
        return {"line": self.number, **self.kept, **found}


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges the model's predictions on lines of JSON that hold a text, and may hold its class."""

    model: TextClassifier
    explainer: Explainer
    oracle: Oracle
    seed: int
    text_key: str = "text"
    label_key: str = "label"

    def records(self, lines: Sequence[tuple[int, bytes]]) -> Iterator[dict[str, Any]]:
        """A record for each of the numbered ``lines``, in order, each as soon as it is known."""
        return self._judged([self._read(number, line) for number, line in lines])

    def _judged(self, lines: Sequence[Line]) -> Iterator[dict[str, Any]]:
        done = 0
        try:
            for record in self._together(lines):
                yield record
                done += 1
        except ModelError as error:
            if len(lines) == 1:
                yield lines[0].record({"error": str(error)})
                return
            # One text that the model refuses is not to take the others with it.
            for line in lines[done:]:
                yield from self._judged([line])

    def _together(self, lines: Sequence[Line]) -> Iterator[dict[str, Any]]:
        """The records of ``lines``, whose texts share calls of the model."""
        readable = [line for line in lines if not line.error]
        predictions = predict(self.model, [line.text for line in readable], [line.column for line in readable])
        judged = [prediction for prediction in predictions if prediction.correct is not False]
        explained = explain(self.model, self.explainer, self.oracle, judged, self.seed)
        found = iter(predictions)
        for line in lines:
            yield line.record({"error": line.error} if line.error else _found(next(found), explained))

    def _read(self, number: int, line: bytes) -> Line:
        kept: dict[str, object] = {}
        try:
            given = parse_object(_decoded(line), f"line {number}")
            kept.update((key, value) for key, value in given.items() if key not in OURS)
            _refuse_what_json_lacks(given)
            return Line(number, kept, self._text(given), self._column(given))
        except _NotJsonError as error:
            return Line(number, error=str(error))
        except DataError as error:
            return Line(number, kept, error=str(error))

    def _text(self, given: Mapping[str, object]) -> str:
        if self.text_key not in given:
            raise DataError(f"no key {self.text_key!r}; found {list(given)}")
        return as_text(given[self.text_key])

    def _column(self, given: Mapping[str, object]) -> int | None:
        return column_of(as_label(given.get(self.label_key)), self.model)


@dataclass(slots=True)
class Tally:
    """How many verdicts of each kind there were."""

    trustworthy: int = 0
    untrustworthy: int = 0
    wrong: int = 0
    open: int = 0
    errors: int = 0

    def add(self, record: Mapping[str, Any]) -> None:
        """Counts one line of output."""
        if "error" in record:
            self.errors += 1
        elif record["correct"] is False:
            self.wrong += 1
        elif record["trustworthy"] is None:
            self.open += 1
        elif record["trustworthy"]:
            self.trustworthy += 1
        else:
            self.untrustworthy += 1

    def told(self) -> str:
        """The counts in a line."""
        parts = {"wrong": self.wrong, "without verdict": self.open, "in error": self.errors}
        rest = "".join(f", {count} {what}" for what, count in parts.items() if count)
        return f"{self.trustworthy} trustworthy, {self.untrustworthy} untrustworthy{rest}"

    def reaches(self, least: float | None) -> bool:
        """Whether the share of trustworthy among the verdicts is ``least`` or more; not where there is no verdict."""
        verdicts = self.trustworthy + self.untrustworthy
        return least is None or (verdicts > 0 and self.trustworthy / verdicts >= least)


class _NotJsonError(DataError):
    """A line of which nothing can be written out again."""


def _decoded(line: bytes) -> str:
    if len(line) > MAX_LINE:
        raise DataError(f"the line is longer than {MAX_LINE} bytes")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8: {error.reason} at byte {error.start + 1}") from None


def _refuse_what_json_lacks(given: Mapping[str, object]) -> None:
    """Python reads NaN, and numbers too large for it as infinite."""
    try:
        json.dumps(given, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise _NotJsonError(f"a value that JSON cannot hold: {error}") from None


def _found(prediction: Prediction, explained: Iterator[Explained]) -> dict[str, Any]:
    if prediction.correct is False:
        return Explained(prediction, None, None).to_dict()
    return next(explained).to_dict()

"""JSON Lines."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator

from pytest_trust.data.encoding import decode
from pytest_trust.data.table import Table, records_table, row_and_line
from pytest_trust.errors import DataError


def read_jsonl(raw: bytes, source: str) -> Table:
    """The table in ``raw``: UTF-8, one JSON object a line; blank lines are skipped.

    Raises:
        DataError: not UTF-8, or a line that is not one JSON object with keys that differ.
    """
    numbered = list(_objects(decode(raw, source), source))
    lines = [line for line, _ in numbered]
    return records_table(source, [record for _, record in numbered], lambda row: row_and_line(row, lines[row]))


def _objects(text: str, source: str) -> Iterator[tuple[int, dict[str, object]]]:
    # Not splitlines: U+2028 and its like may stand inside a JSON string.
    for number, line in enumerate(io.StringIO(text, newline="\n"), start=1):
        if line.strip():
            yield number, parse_object(line, f"{source}:{number}")


def parse_object(line: str, where: str) -> dict[str, object]:
    """The JSON object in ``line``; ``where`` stands at the beginning of messages.

    Raises:
        DataError: it is not one JSON object with keys that differ.
    """
    try:
        value = json.loads(line, object_pairs_hook=JsonObject)
    except json.JSONDecodeError as error:
        raise DataError(
            f"{where}: not JSON: {error.msg} at character {error.colno}; expected one object a line"
        ) from None
    except (ValueError, RecursionError) as error:  # a number of too many digits, brackets nested too deep
        raise DataError(f"{where}: JSON that cannot be read: {error}") from None
    if not isinstance(value, JsonObject):
        raise DataError(f'{where}: found {type(value).__name__}; expected an object such as {{"text": "..."}}')
    if value.repeated:
        raise DataError(f"{where}: keys come more than once in one object: {value.repeated}")
    return value


class JsonObject(dict[str, object]):
    """A JSON object that remembers the keys that came more than once."""

    def __init__(self, given: Iterable[tuple[str, object]]) -> None:
        pairs = list(given)
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs) if len(self) < len(pairs) else Counter()
        self.repeated = [key for key, count in counts.items() if count > 1]

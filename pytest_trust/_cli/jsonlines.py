"""Lines of JSON in, as they arrive, and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Protocol

MAX_LINE = 16 * 2**20
"""Bytes of the longest line that is read."""

_CHUNK = 1 << 16
_BOM = b"\xef\xbb\xbf"


class Arriving(Protocol):
    """A binary stream that gives what has arrived."""

    def read1(self, size: int = -1, /) -> bytes:
        """At most ``size`` bytes by one read of the operating system; none at the end."""


def arriving_lines(source: Arriving, most: int) -> Iterator[list[tuple[int, bytes]]]:
    """The lines of ``source`` with their numbers, in groups of at most ``most``; blank ones are left out.

    A group holds what has arrived: none waits for more input. Of a line longer than :data:`MAX_LINE` a part that is
    longer, too, is given, so that memory is bounded.
    """
    number = 0
    for lines in _whole_lines(source):
        group = []
        for line in lines:
            number += 1
            plain = line.removeprefix(_BOM) if number == 1 else line
            if plain.strip():
                group.append((number, plain))
            if len(group) == most:
                yield group
                group = []
        if group:
            yield group


def write_json(record: Mapping[str, Any]) -> None:
    """Writes ``record`` to stdout as a line of JSON in UTF-8, whatever the locale, so that a reader sees it at once.

    A lone surrogate, which UTF-8 lacks, stands as an escape.
    """
    line = json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
    sys.stdout.flush()
    sink: BinaryIO = sys.stdout.buffer
    sink.write(line.encode("utf-8", "backslashreplace"))
    sink.flush()


def _whole_lines(source: Arriving) -> Iterator[list[bytes]]:
    rest = bytearray()
    while chunk := source.read1(_CHUNK):
        lines = []
        *ends, tail = chunk.split(b"\n")
        for end in ends:
            _extend(rest, end)
            lines.append(bytes(rest))
            rest.clear()
        _extend(rest, tail)
        yield lines
    yield [bytes(rest)]


def _extend(line: bytearray, more: bytes) -> None:
    line += more[: MAX_LINE + 1 - len(line)]

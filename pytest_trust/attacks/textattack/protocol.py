"""Messages between this process and the one that runs TextAttack: JSON objects, each after its length."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

_LENGTH = struct.Struct(">I")
# What is longer was no message: the first bytes of some text that a library printed are a huge number.
_MOST_BYTES = 2**28

Message = dict[str, Any]


class ProtocolError(Exception):
    """What came through the pipe is no message."""


def send(stream: BinaryIO, message: Mapping[str, object]) -> None:
    """Write ``message`` to ``stream``.

    Raises:
        OSError: nobody reads it any more.
    """
    # Lone surrogates are legal in texts, and ASCII can carry them.
    body = json.dumps(message).encode("ascii")
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def receive(stream: BinaryIO) -> Message | None:
    """The next message of ``stream``; None where it has ended.

    Raises:
        ProtocolError: it ended within a message, or holds something else.
    """
    head = stream.read(_LENGTH.size)
    if not head:
        return None
    size = _size(head)
    body = stream.read(size)
    if len(body) < size:
        raise ProtocolError(f"{len(body)} bytes of a message of {size}")
    try:
        message = json.loads(body)
    except ValueError as error:
        raise ProtocolError(f"a message that cannot be read: {error}") from error
    if not isinstance(message, dict):
        raise ProtocolError(f"a {type(message).__name__} instead of a message")
    return message


def _size(head: bytes) -> int:
    if len(head) < _LENGTH.size:
        raise ProtocolError("the start of a message alone")
    size = int(_LENGTH.unpack(head)[0])
    if size > _MOST_BYTES:
        raise ProtocolError(f"{head!r} instead of a message")
    return size

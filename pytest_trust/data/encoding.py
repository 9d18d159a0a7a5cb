"""Bytes to text."""

from __future__ import annotations

from codecs import BOM_UTF8

from pytest_trust.errors import DataError


def decode(raw: bytes, source: str) -> str:
    """``raw`` as UTF-8, without the byte order mark that it may begin with.

    Raises:
        DataError: ``raw`` is not UTF-8, naming the byte, its offset and its line.
    """
    body = raw.removeprefix(BOM_UTF8)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        offset = error.start + len(raw) - len(body)
        # A byte put at the end makes a line of what follows a line end.
        line = len((raw[:offset] + b".").splitlines())
        raise DataError(
            f"{source}: line {line}: the byte 0x{raw[offset]:02x} at offset {offset} is not UTF-8; "
            "save the file as UTF-8"
        ) from None

"""Values and names as messages show them."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable

_LISTED = 10
_SHORT = 300
_BAR_WIDTH = 30


def shown(value: object) -> str:
    """The type of ``value`` and its repr, cut short."""
    return f"{type(value).__name__} {reprlib.repr(value)}"


def listed(items: Iterable[object]) -> str:
    """The first ten of ``items``, and how many more there are."""
    texts = [str(item) for item in items]
    more = len(texts) - _LISTED
    return ", ".join(texts[:_LISTED]) + (f", ... ({more} more)" if more > 0 else "")


def in_short(error: Exception) -> str:
    """Type and first line of ``error``: some libraries print all the texts after it."""
    first_line = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {first_line[:_SHORT]}"


def progress_line(title: str, done: int, total: int) -> str:
    """How far something is, as a bar with its numbers."""
    filled = _BAR_WIDTH * done // total
    return f"{title} [{'#' * filled}{'.' * (_BAR_WIDTH - filled)}] {done}/{total}"


def counted(count: int, one: str, several: str | None = None) -> str:
    """A number with what it counts: "1 text", "2 texts"."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"

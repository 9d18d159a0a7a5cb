"""Values and names as messages show them."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable

_LISTED = 10


def shown(value: object) -> str:
    """The type of ``value`` and its repr, cut short."""
    return f"{type(value).__name__} {reprlib.repr(value)}"


def listed(items: Iterable[object]) -> str:
    """The first ten of ``items``, and how many more there are."""
    texts = [str(item) for item in items]
    more = len(texts) - _LISTED
    return ", ".join(texts[:_LISTED]) + (f", ... ({more} more)" if more > 0 else "")

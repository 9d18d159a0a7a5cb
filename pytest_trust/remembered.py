"""Answers that are computed once, and kept in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

# Words of a language; a stream of texts brings ever new numbers and names.
_MOST = 50_000


class Remembered(Generic[K, V]):
    """Answers by key, each of which depends on its key alone.

    ``compute`` gives the answers to distinct keys, in order. Where more than ``most`` would be remembered, all are
    forgotten first.
    """

    def __init__(self, compute: Callable[[Sequence[K]], Iterable[V]], most: int = _MOST) -> None:
        self._compute = compute
        self._most = most
        self._known: dict[K, V] = {}

    def of(self, keys: Sequence[K]) -> list[V]:
        """The answers to ``keys``, in order; those that are not known are computed together."""
        new = self._unknown(keys)
        if new and len(self._known) + len(new) > self._most:
            self.clear()
            new = self._unknown(keys)
        if new:
            self._known.update(zip(new, self._compute(new), strict=True))
        return [self._known[key] for key in keys]

    def clear(self) -> None:
        """Forgets all answers."""
        self._known.clear()

    def __len__(self) -> int:
        return len(self._known)

    def _unknown(self, keys: Sequence[K]) -> list[K]:
        return [key for key in dict.fromkeys(keys) if key not in self._known]

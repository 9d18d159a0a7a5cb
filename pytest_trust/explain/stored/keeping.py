"""Results one by one, from a store where they are kept, else made and then kept in chunks."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.store import ResultStore

T = TypeVar("T")

# What a process that is killed may lose: so many results, or seconds of work.
CHUNK = 64
SECONDS = 2.0
# Results at hand that may wait for the start of work on others behind them.
_MOST_WAITING = 1024


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What is asked for: a text, a class (None: the predicted one) and the ``known`` answers to neighbours.

    ``found`` is what a store has kept under ``key``. What is made anew is only kept where it ``may_end_early``, or
    rests on all neighbours.
    """

    text: str
    class_index: int | None
    known: NDArray[np.float64] | None
    key: bytes
    may_end_early: bool
    found: T | None


class ChunkWriter:
    """Puts records into a store, many at a time."""

    def __init__(self, store: ResultStore) -> None:
        self._store = store
        self._records: dict[bytes, bytes] = {}
        self._since = time.monotonic()

    def add(self, key: bytes, value: bytes) -> None:
        """Keep a record, now or with those to come."""
        self._records[key] = value
        if len(self._records) >= CHUNK or time.monotonic() - self._since > SECONDS:
            self.flush()

    def flush(self) -> None:
        """Keep what was added."""
        records, self._records = self._records, {}
        self._store.put_many(records)
        self._since = time.monotonic()


def kept_or_made(
    asked: Iterator[Asked[T]],
    make: Callable[[Iterator[Asked[T]]], Iterator[T]],
    keep: Callable[[Asked[T], T], None],
) -> Iterator[T]:
    """A result for each of ``asked``, in order: what was found, else what ``make`` gives for those without.

    ``make`` may take many before it gives the first; where it gives too few, the results end. ``keep`` gets what was
    asked for and each new result.
    """
    queue = _Queue(asked)
    while not queue.ended:
        taken = queue.taken
        for result in make(queue.missing()):
            yield from queue.found()
            keep(queue.waiting.popleft(), result)
            yield result
        yield from queue.found()
        if queue.waiting or queue.taken == taken:
            return


class _Queue(Generic[T]):
    """What was taken of ``asked`` and waits for its turn."""

    def __init__(self, asked: Iterator[Asked[T]]) -> None:
        self._asked = asked
        self.waiting: deque[Asked[T]] = deque()
        self.taken = 0
        self.ended = False

    def missing(self) -> Iterator[Asked[T]]:
        """Those without a result; it ends for once where many results wait behind them."""
        for item in self._asked:
            self.waiting.append(item)
            self.taken += 1
            if item.found is None:
                yield item
            elif len(self.waiting) >= _MOST_WAITING:
                return
        self.ended = True

    def found(self) -> Iterator[T]:
        """The results up to the first that is missing."""
        while self.waiting:
            found = self.waiting[0].found
            if found is None:
                return
            self.waiting.popleft()
            yield found

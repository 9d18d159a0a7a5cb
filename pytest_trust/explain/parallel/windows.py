"""Chunks that are handed out together, and what becomes of them where workers die."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from pytest_trust.errors import WorkerError
from pytest_trust.explain.parallel.chunks import Chunk
from pytest_trust.explain.parallel.engines import Engine
from pytest_trust.explain.parallel.packing import Packed
from pytest_trust.explain.parallel.worker import Answer, answer
from pytest_trust.messages import in_short

# How often work is lost with its workers before it is given up.
_LOSSES = 3


class Window:
    """Chunks that are handed out together."""

    def __init__(self, engine: Engine, jobs: int, sent: Packed, chunks: Sequence[Chunk]) -> None:
        self._engine, self._jobs, self._sent, self._chunks = engine, jobs, sent, chunks
        self._done: dict[int, Answer] = {}

    def answers(self) -> Generator[Answer, None, None]:
        """The answers in order, each as soon as those before it are there.

        Raises:
            WorkerError: workers die again and again.
        """
        place = 0
        for last in (*[False] * (_LOSSES - 1), True):
            try:
                for found in self._run(place):
                    self._done[found.place] = found
                    while place in self._done:
                        yield self._done.pop(place)
                        place += 1
                return
            except self._engine.deaths as error:
                raise _died(error) from error
            except self._engine.losses as error:
                if last:
                    raise _died(error) from error

    def _run(self, first: int) -> Iterator[Answer]:
        """The answers to the chunks from ``first`` on that have none yet, in the order in which they come."""
        from joblib import delayed

        sealed = self._engine.sealed(self._sent)
        places = [place for place in range(first, len(self._chunks)) if place not in self._done]
        tasks = [delayed(answer)(sealed, place, self._chunks[place]) for place in places]
        with self._engine.running(self._jobs) as run:
            yield from run(tasks)


def _died(error: Exception) -> WorkerError:
    return WorkerError(
        f"workers died again and again over the same texts ({in_short(error)}); do they run out of memory? Give fewer "
        "workers (--trust-jobs=N), or explain in this process alone (--trust-jobs=1)"
    )


def items_of(found: Answer) -> Sequence[Any]:
    """What came of a chunk, or its error, as it was in the worker."""
    if found.error is not None:
        raise found.error from (WorkerTraceback(found.cause) if found.cause else None)
    return found.items


class WorkerTraceback(Exception):  # noqa: N818  # no error of its own
    """What led to an error in a worker, as text."""

    def __str__(self) -> str:
        return f"\n\nin a worker:\n{self.args[0]}"

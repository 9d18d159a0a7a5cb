"""Runs many searches side by side, such that they share the calls of the model."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from pytest_trust.models.base import Probabilities, TextClassifier

T = TypeVar("T")

# The most texts of a call, and the most searches that wait for one, each of which may hold some megabytes.
MAX_TEXTS = 256
_MAX_OPEN = 32


@dataclass(frozen=True, slots=True)
class Question:
    """``texts`` that a search wants to have scored; ``alone`` keeps them out of the calls of others."""

    texts: Sequence[str]
    alone: bool = False


Steps = Generator[Question, Probabilities, T]


@dataclass(slots=True)
class Stopwatch:
    """The seconds that one search took: its own steps, and its share of the model's calls."""

    counted: float = 0.0
    _since: float | None = None

    @property
    def seconds(self) -> float:
        """Up to now."""
        return self.counted + (0.0 if self._since is None else time.perf_counter() - self._since)

    def start(self) -> None:
        """From now on its own time is counted."""
        self._since = time.perf_counter()

    def stop(self) -> None:
        """It waits from now on."""
        self.counted, self._since = self.seconds, None


@dataclass(slots=True, eq=False)
class Running(Generic[T]):
    """A search under way, with what it asks; it is over once it has results."""

    steps: Steps[T]
    watch: Stopwatch
    question: Question = Question(())
    results: list[T] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether it asks nothing any more."""
        return bool(self.results)

    def advance(self, answers: Probabilities | None) -> None:
        """On to the next question, with the answers to the last one."""
        self.watch.start()
        try:
            self.question = next(self.steps) if answers is None else self.steps.send(answers)
        except StopIteration as end:
            self.results.append(end.value)
        finally:
            self.watch.stop()


def in_lockstep(model: TextClassifier, searches: Iterator[Running[T]]) -> Iterator[T]:
    """The results of ``searches`` in order; a call of the model holds at most ``MAX_TEXTS`` texts."""
    queue: deque[Running[T]] = deque()
    while _filled(queue, searches):
        waiting = [search for search in queue if not search.is_over]
        alone = [search for search in waiting if search.question.alone]
        _answer(model, [search for search in waiting if not search.question.alone])
        for search in alone:
            _answer(model, [search])
        while queue and queue[0].is_over:
            yield from queue.popleft().results


def _filled(queue: deque[Running[T]], searches: Iterator[Running[T]]) -> bool:
    """Opens searches until enough of them wait for answers; False where none is left."""
    waiting = sum(not search.is_over for search in queue)
    while waiting < _MAX_OPEN:
        search = next(searches, None)
        if search is None:
            break
        search.advance(None)
        queue.append(search)
        waiting += not search.is_over
    return bool(queue)


def _answer(model: TextClassifier, searches: Sequence[Running[T]]) -> None:
    """Asks what ``searches`` ask and advances each with its own answers."""
    texts = [text for search in searches for text in search.question.texts]
    if not texts:
        return
    begin = time.perf_counter()
    answers = np.concatenate([model.predict_proba(texts[i : i + MAX_TEXTS]) for i in range(0, len(texts), MAX_TEXTS)])
    each = (time.perf_counter() - begin) / len(texts)
    start = 0
    for search in searches:
        stop = start + len(search.question.texts)
        search.watch.counted += each * (stop - start)
        search.advance(answers[start:stop])
        start = stop

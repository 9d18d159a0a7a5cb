"""Asks a model about the neighbours of many texts in calls of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain.masks import Neighbourhood
from pytest_trust.explain.words import WordBag
from pytest_trust.models.base import Probabilities, TextClassifier
from pytest_trust.models.masked import MaskScorer, MaskScoring

# What one call may hold: texts, and bytes of their strings and of the answer.
MAX_TEXTS = 8192
_MAX_BYTES = 16 * 2**20
_PREDICTED = -1

# Masks on which a scorer of masks is held against the strings, and how near its answers have to be.
_PROVEN_ON = 8
_SAME_ANSWER = 1e-9


@dataclass(frozen=True, slots=True)
class Job:
    """A text to be explained: its words, its neighbours and the class (None: the predicted one)."""

    bag: WordBag
    neighbours: Neighbourhood
    class_index: int | None
    seed: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A job with the probability of class ``class_index`` for each of its m neighbours, shape (m,)."""

    job: Job
    class_index: int
    column: NDArray[np.float64]


def scored(model: TextClassifier, jobs: Iterable[Job]) -> Iterator[Scored]:
    """The jobs in order, each as soon as its last neighbour is scored.

    Neighbours of several texts share a call; a model that scores masks is asked for one text at a time. No call holds
    more than ``MAX_TEXTS`` texts, nor (beyond one text) more than 16 MB of strings or of answers, and only the
    explained class's column of an answer is kept.

    Raises:
        ConfigurationError: a job's class is not one of the model's.
    """
    if not isinstance(model, MaskScoring):
        yield from _by_strings(model, jobs)
        return
    for job in jobs:
        scorer = proven_scorer(model, job)
        yield from _by_strings(model, [job]) if scorer is None else [_by_masks(model, job, scorer)]


def proven_scorer(model: MaskScoring, job: Job) -> MaskScorer | None:
    """The model's scorer of masks, where it gives on some of the job's masks what the model gives on their strings."""
    text = job.bag.masked()
    scorer = model.mask_scorer(text)
    if scorer is None:
        return None
    masks = job.neighbours.masks
    some = masks[np.unique(np.linspace(0, len(masks) - 1, _PROVEN_ON, dtype=np.intp))]
    equal = np.allclose(scorer(some), model.predict_proba(text.strings(some)), rtol=0.0, atol=_SAME_ANSWER)
    return scorer if equal else None


def _by_masks(model: TextClassifier, job: Job, scorer: MaskScorer) -> Scored:
    opened = _Open(job, len(model.classes))
    step = max(1, _MAX_BYTES // (8 * len(model.classes)))
    for start in range(0, opened.size, step):
        opened.take(start, scorer(job.neighbours.masks[start : start + step]))
    return opened.close()


def _by_strings(model: TextClassifier, jobs: Iterable[Job]) -> Iterator[Scored]:
    for batch in _batches(jobs, len(model.classes)):
        _ask(model, batch)
        yield from (piece.open.close() for piece in batch if piece.is_last)


def _ask(model: TextClassifier, batch: list[_Piece]) -> None:
    answers = model.predict_proba([text for piece in batch for text in piece.strings()])
    start = 0
    for piece in batch:
        piece.take(answers[start : start + piece.size])
        start += piece.size


class _Open:
    """A job whose answers are coming in."""

    def __init__(self, job: Job, n_classes: int) -> None:
        if job.class_index is not None and not 0 <= job.class_index < n_classes:
            raise ConfigurationError(
                f"class_index must be one of the model's {n_classes} columns (0 to {n_classes - 1}), "
                f"got {job.class_index}"
            )
        self.job = job
        self.size = len(job.neighbours.masks)
        self._class_index = _PREDICTED if job.class_index is None else job.class_index
        self._column = np.empty(self.size)

    def take(self, start: int, answers: Probabilities) -> None:
        """Keep the explained class's column; the first row of all is the text itself, which names the class."""
        if self._class_index == _PREDICTED:
            self._class_index = int(np.argmax(answers[0]))
        self._column[start : start + len(answers)] = answers[:, self._class_index]

    def close(self) -> Scored:
        """The finished job."""
        return Scored(self.job, self._class_index, self._column)


@dataclass(frozen=True, slots=True)
class _Piece:
    """Rows ``[start, start + size)`` of a job, which go to the model together."""

    open: _Open
    start: int
    size: int

    @property
    def is_last(self) -> bool:
        return self.start + self.size == self.open.size

    def strings(self) -> list[str]:
        job = self.open.job
        return job.bag.strings(job.neighbours.masks[self.start : self.start + self.size])

    def take(self, answers: Probabilities) -> None:
        self.open.take(self.start, answers)


def _batches(jobs: Iterable[Job], n_classes: int) -> Iterator[list[_Piece]]:
    batch: list[_Piece] = []
    room = _MAX_BYTES
    for job in jobs:
        opened, start = _Open(job, n_classes), 0
        cost = _row_cost(job.bag.text, n_classes)
        while start < opened.size:
            if batch and room < cost:
                yield batch
                batch, room = [], _MAX_BYTES
            size = min(opened.size - start, max(1, room // cost))
            batch.append(_Piece(opened, start, size))
            start, room = start + size, room - size * cost
    if batch:
        yield batch


def _row_cost(text: str, n_classes: int) -> int:
    """Bytes that one neighbour takes of a call, at least the share that keeps a call within ``MAX_TEXTS``."""
    return max(len(text), 8 * n_classes, _MAX_BYTES // MAX_TEXTS)


def rows_per_call(text: str, n_classes: int) -> int:
    """The most neighbours of ``text`` that may go to a model of ``n_classes`` in one call, at least one."""
    return max(1, _MAX_BYTES // _row_cost(text, n_classes))

"""Asks a model about the neighbours of many texts in calls of bounded size."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain.masks import Neighbourhood
from pytest_trust.explain.words import Masks, WordBag
from pytest_trust.models.abilities import EncodedScoring
from pytest_trust.models.base import Probabilities, TextClassifier
from pytest_trust.models.masked import MaskScorer, MaskScoring

# What one call may hold: texts, and bytes of their strings and of the answer.
MAX_TEXTS = 8192
_MAX_BYTES = 16 * 2**20
# Texts under explanation at once.
_MAX_OPEN = 256
_PREDICTED = -1

# Masks on which a scorer of masks is held against the strings, and how near its answers have to be.
_PROVEN_ON = 8
_SAME_ANSWER = 1e-9

Inputs = Sequence[Any]


class StoppingRule(Protocol):
    """Decides, while answers come in, how many neighbours of a text are to be scored."""

    def rows_wanted(self, job: Job, class_index: int, column: NDArray[np.float64]) -> int:
        """How many of the job's neighbours are to be scored in all, given the answers to the first of them.

        ``column``, shape (n,), holds the probabilities of the class; n = 0 at first. n or less ends the job.
        """


@dataclass(frozen=True, slots=True)
class Job:
    """A text to be explained: its words, its neighbours and the class (None: the predicted one).

    Without a ``rule`` all neighbours are scored. ``known``, shape (n,), are answers to the first of them from before.
    """

    bag: WordBag
    neighbours: Neighbourhood
    class_index: int | None
    seed: int
    rule: StoppingRule | None = None
    known: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True, slots=True)
class Scored:
    """A job with the probability of class ``class_index`` for the first n of its m neighbours, shape (n,).

    n is m, unless the job's rule ended it before.
    """

    job: Job
    class_index: int
    column: NDArray[np.float64]

    @property
    def is_whole(self) -> bool:
        """Whether all neighbours were scored."""
        return len(self.column) == len(self.job.neighbours.masks)


def scored(model: TextClassifier, jobs: Iterable[Job]) -> Iterator[Scored]:
    """The jobs in order, each as soon as its last neighbour is scored.

    Neighbours of several texts share a call. A model that scores masks is asked for one text at a time, and for all of
    its neighbours: there they cost less than to decide on them. No call holds more than ``MAX_TEXTS`` texts, nor
    (beyond one text) more than 16 MB of strings or of answers, and only the explained class's column is kept.

    Raises:
        ConfigurationError: a job's class is not one of the model's.
    """
    abilities = _Abilities.of(model)
    ask = model.predict_proba if abilities.encoding is None else abilities.encoding.predict_encoded
    waiting = (_opened(abilities, job) for job in jobs)
    queue: deque[_Open] = deque()
    while _filled(queue, waiting):
        pieces = _pieces(queue)
        if pieces:
            _ask(ask, pieces)
        while queue and queue[0].is_done:
            yield queue.popleft().close()


class _Open:
    """A job whose answers are coming in."""

    def __init__(self, job: Job, n_classes: int, inputs: Callable[[Masks], Inputs]) -> None:
        if job.class_index is not None and not 0 <= job.class_index < n_classes:
            raise ConfigurationError(
                f"class_index must be one of the model's {n_classes} columns (0 to {n_classes - 1}), "
                f"got {job.class_index}"
            )
        self.job = job
        self.row_cost = _row_cost(job.bag.text, n_classes)
        self._inputs = inputs
        self._class_index = _PREDICTED if job.class_index is None else job.class_index
        self._column = np.empty(len(job.neighbours.masks))
        self._taken = len(job.known)
        self._column[: self._taken] = job.known
        self._wanted = self._rows_wanted()

    def _rows_wanted(self) -> int:
        rule, size = self.job.rule, len(self._column)
        return size if rule is None else min(size, rule.rows_wanted(self.job, self._class_index, self._known))

    @property
    def _known(self) -> NDArray[np.float64]:
        return self._column[: self._taken]

    @property
    def is_done(self) -> bool:
        return self._taken >= self._wanted

    @property
    def remaining(self) -> int:
        """Rows that are wanted now, and not answered."""
        return max(0, self._wanted - self._taken)

    def inputs(self, count: int) -> Inputs:
        """The next ``count`` neighbours, as the model takes them."""
        return self._inputs(self.job.neighbours.masks[self._taken : self._taken + count])

    def take_all(self, scorer: MaskScorer, expected: Mapping[int, NDArray[np.float64]]) -> bool:
        """Answer all neighbours by a scorer of masks; False where it differs from ``expected`` answers to some rows."""
        step = max(1, _MAX_BYTES // self.row_cost)
        while not self.is_done:
            start = self._taken
            answers = scorer(self.job.neighbours.masks[start : start + step])
            wanted = {row - start: answer for row, answer in expected.items() if 0 <= row - start < len(answers)}
            found = answers[list(wanted)]
            if not np.allclose(found, np.array([*wanted.values()]).reshape(found.shape), rtol=0.0, atol=_SAME_ANSWER):
                return False
            self.take(answers)
        return True

    def take(self, answers: Probabilities) -> None:
        """Keep the explained class's column; the first row of all is the text itself, which names the class."""
        if self._class_index == _PREDICTED:
            self._class_index = int(np.argmax(answers[0]))
        stop = self._taken + len(answers)
        self._column[self._taken : stop] = answers[:, self._class_index]
        self._taken = stop
        if self.is_done:
            self._wanted = self._rows_wanted()

    def close(self) -> Scored:
        """The finished job."""
        return Scored(self.job, self._class_index, self._known)


@dataclass(frozen=True, slots=True)
class _Abilities:
    """A model's faster ways, looked up once: to ask a Protocol takes longer than to score some texts."""

    n_classes: int
    masking: MaskScoring | None
    encoding: EncodedScoring | None

    @classmethod
    def of(cls, model: TextClassifier) -> _Abilities:
        masking = model if isinstance(model, MaskScoring) else None
        return cls(len(model.classes), masking, model if isinstance(model, EncodedScoring) else None)


def _opened(abilities: _Abilities, job: Job) -> _Open:
    several = len(job.neighbours.masks) > max(1, len(job.known))
    answered = _answered(abilities.masking, job) if several and abilities.masking else None
    if answered is not None:
        return answered
    encoder = abilities.encoding.mask_encoder(job.bag.masked()) if several and abilities.encoding else None
    return _Open(job, abilities.n_classes, encoder or job.bag.strings)


def _answered(model: MaskScoring, job: Job) -> _Open | None:
    """The job answered by the model's scorer of masks; None unless that gives on some what the strings give."""
    text = job.bag.masked()
    scorer = model.mask_scorer(text)
    if scorer is None:
        return None
    masks = job.neighbours.masks
    rows = np.unique(np.linspace(0, len(masks) - 1, _PROVEN_ON, dtype=np.intp))
    expected = dict(zip(rows.tolist(), model.predict_proba(text.strings(masks[rows])), strict=True))
    opened = _Open(replace(job, rule=None, known=np.empty(0)), len(model.classes), job.bag.strings)
    return opened if opened.take_all(scorer, expected) else None


def _filled(queue: deque[_Open], waiting: Iterator[_Open]) -> bool:
    """Opens as many jobs as one call has room for; False where none is left."""
    room = _MAX_BYTES - sum(opened.remaining * opened.row_cost for opened in queue)
    while room > 0 and len(queue) < _MAX_OPEN:
        opened = next(waiting, None)
        if opened is None:
            break
        queue.append(opened)
        if opened.is_done:
            break  # answered from its masks: nothing to wait for
        room -= opened.remaining * opened.row_cost
    return bool(queue)


@dataclass(frozen=True, slots=True)
class _Piece:
    """The next ``size`` rows of a job, which go to the model together."""

    open: _Open
    size: int


def _pieces(queue: Iterable[_Open]) -> list[_Piece]:
    pieces: list[_Piece] = []
    room = _MAX_BYTES
    for opened in queue:
        size = min(opened.remaining, room // opened.row_cost)
        if not pieces and opened.remaining:
            size = max(1, size)
        if size > 0:
            pieces.append(_Piece(opened, size))
            room -= size * opened.row_cost
    return pieces


def _ask(ask: Callable[[Inputs], Probabilities], pieces: list[_Piece]) -> None:
    answers = ask([text for piece in pieces for text in piece.open.inputs(piece.size)])
    start = 0
    for piece in pieces:
        piece.open.take(answers[start : start + piece.size])
        start += piece.size


def _row_cost(text: str, n_classes: int) -> int:
    """Bytes that one neighbour takes of a call, at least the share that keeps a call within ``MAX_TEXTS``."""
    return max(len(text), 8 * n_classes, _MAX_BYTES // MAX_TEXTS)


def rows_per_call(text: str, n_classes: int) -> int:
    """The most neighbours of ``text`` that may go to a model of ``n_classes`` in one call, at least one."""
    return max(1, _MAX_BYTES // _row_cost(text, n_classes))

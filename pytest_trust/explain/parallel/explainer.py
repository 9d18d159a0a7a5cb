"""Explanations made by many processes: the same, in the same order, as by one."""

from __future__ import annotations

import contextlib
import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_count
from pytest_trust.explain.around import ExplainerAround
from pytest_trust.explain.base import Explainer
from pytest_trust.explain.engine import EngineExplainer
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.parallel.chunks import (
    Chunk,
    KnownLeaning,
    KnownWeighingLeaning,
    PlainChunk,
    RoundChunk,
    SettlingChunk,
)
from pytest_trust.explain.parallel.engines import Backend, Engine, make_engine
from pytest_trust.explain.parallel.packing import packed
from pytest_trust.explain.parallel.windows import Window, items_of
from pytest_trust.explain.rounds import Resumable
from pytest_trust.explain.settling import Leaning, WeighingLeaning
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.masked import MaskScoring

# Texts of a chunk: enough to share the calls of a model, few enough to be lost.
_MAX_CHUNK = 32
_LEAST_CHUNKS = 4
# Chunks of each worker that are handed out together; between two such windows workers wait for the slowest.
_WINDOW = 8


class ParallelExplainer(ExplainerAround):
    """An explainer whose work is shared by ``jobs`` processes.

    Explanations are those of ``explainer``, in the same order, whatever the number of processes, provided that the
    model answers a text alike in any company. The model and ``explainer`` are pickled for each run, and unpacked once
    in each worker. A worker that dies costs the chunks that were under way, which are explained again.

    Args:
        explainer: the one to be run by many.
        jobs: the number of processes. A cluster of Dask works with all that it has; one of Ray does so for 1.
        backend: what runs them: "loky", "dask" or "ray".

    Raises:
        ConfigurationError: ``jobs`` is below 1, there is no such backend, or nothing says where its cluster is.
        MissingExtraError: the backend needs a package that is not installed.
        WorkerError: its cluster cannot be reached.
    """

    def __init__(self, explainer: Explainer, jobs: int, backend: Backend = "loky") -> None:
        super().__init__(explainer)
        self.jobs = require_count("jobs", jobs)
        self.backend = backend
        self._engine: Engine = make_engine(backend)
        self._finalizer = weakref.finalize(self, self._engine.close)

    def close(self) -> None:
        """Frees what belongs to the workers; happens by itself when the explainer is no longer used."""
        self._finalizer()

    def explain_many(
        self, model: TextClassifier, texts: Iterable[str], *, class_indices: Iterable[int] | None = None, seed: int
    ) -> Iterator[Explanation]:
        """Explain many predictions; see :class:`pytest_trust.explain.base.Explainer`."""
        columns = itertools.repeat(None) if class_indices is None else class_indices
        rows = zip(texts, columns, strict=class_indices is not None)

        def chunk(some: Sequence[Any]) -> Chunk:
            given, wanted = zip(*some, strict=True)
            return PlainChunk(given, None if class_indices is None else wanted, seed)

        return self._explained(model, rows, chunk)

    def explain_until_settled(
        self,
        model: TextClassifier,
        texts: Iterable[str],
        class_indices: Iterable[int],
        *,
        seed: int,
        leaning: Leaning | None,
    ) -> Iterator[Explanation]:
        """Explain for verdicts; see :class:`pytest_trust.explain.base.SettlingExplainer`."""

        def chunk(some: Sequence[Any]) -> Chunk:
            given, wanted = zip(*some, strict=True)
            known = None if leaning is None else self._known(model, given, wanted, leaning)
            return SettlingChunk(given, wanted, seed, known)

        def here(chunk: Any) -> Chunk:
            return SettlingChunk(chunk.texts, chunk.class_indices, seed, leaning)

        return self._explained(model, zip(texts, class_indices, strict=True), chunk, here)

    def resumed(
        self,
        model: TextClassifier,
        texts: Sequence[str],
        class_indices: Sequence[int],
        known: Sequence[NDArray[np.float64]],
        *,
        seed: int,
        count: int | None,
    ) -> Iterator[Resumable]:
        """See :class:`pytest_trust.explain.rounds.ResumableExplainer`."""

        def chunk(some: Sequence[Any]) -> Chunk:
            given, wanted, answers = zip(*some, strict=True)
            return RoundChunk(given, wanted, answers, seed, count)

        return self._explained(model, zip(texts, class_indices, known, strict=True), chunk)

    def _known(self, model: TextClassifier, texts: Sequence[str], columns: Sequence[int], leaning: Leaning) -> Leaning:
        """What ``leaning`` says of the words of a chunk; the leaning itself for explainers that tell no words.

        Where the first text is scored from its masks, and needs none of them, the others are taken to be: to ask costs
        as much as to score some. A chunk of which that is not true is explained in this process.
        """
        if not isinstance(self.explainer, EngineExplainer):
            return leaning
        if isinstance(model, MaskScoring) and not self.explainer.weighed_words(model, texts[0], leaning):
            return KnownLeaning({})
        words: dict[int, dict[str, None]] = {column: {} for column in columns}
        for text, column in zip(texts, columns, strict=True):
            words[column].update(dict.fromkeys(self.explainer.weighed_words(model, text, leaning)))
        signs = {
            (column, word): float(sign)
            for column, found in words.items()
            if found
            for word, sign in zip(found, leaning(column, list(found)), strict=True)
        }
        if isinstance(leaning, WeighingLeaning):
            return KnownWeighingLeaning(signs, leaning.weights)
        return KnownLeaning(signs)

    def _explained(
        self,
        model: TextClassifier,
        rows: Iterable[Any],
        chunk: Callable[[Sequence[Any]], Chunk],
        here: Callable[[Any], Chunk] = lambda chunk: chunk,
    ) -> Iterator[Any]:
        """What comes of the ``rows``; ``here`` makes of a chunk one for this process, which lacks nothing."""
        workers = self._engine.workers(self.jobs)
        windows = (_chunks(some, workers, chunk) for some in _parts(rows, _WINDOW * workers * _MAX_CHUNK))
        if workers == 1:
            chunks = itertools.chain.from_iterable(windows)
            yield from itertools.chain.from_iterable(here(one).explained(self.explainer, model) for one in chunks)
            return
        sent, window = packed(model, self.explainer), next(windows, [])
        while window:
            after: list[Chunk] | None = None
            with contextlib.closing(Window(self._engine, self.jobs, sent, window).answers()) as answers:
                for place, found in enumerate(answers):
                    if after is None:
                        after = next(windows, [])  # made while the workers are busy
                    own = here(window[place]) if found.is_open else None
                    yield from items_of(found) if own is None else own.explained(self.explainer, model)
            window = after or []


def _parts(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    waiting = iter(items)
    while some := list(itertools.islice(waiting, size)):
        yield some


def _chunks(rows: Sequence[Any], workers: int, chunk: Callable[[Sequence[Any]], Chunk]) -> list[Chunk]:
    """The rows in chunks, several for each worker where there are few rows."""
    size = min(_MAX_CHUNK, -(-len(rows) // (_LEAST_CHUNKS * workers)))
    return [chunk(some) for some in _parts(rows, size)]

"""What goes to a worker and comes back: the model and its explainer once, then texts in chunks."""

from __future__ import annotations

import hashlib
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ModelError, TrustError, WorkerError
from pytest_trust.explain.base import Explainer, explain_for_verdicts
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.rounds import Resumable, ResumableExplainer
from pytest_trust.explain.settling import Leaning
from pytest_trust.messages import in_short
from pytest_trust.models.adapters import Adapter
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.kept import is_known_by_state

Vector = NDArray[np.float64]


class Chunk(Protocol):
    """Texts that are explained together."""

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Any]:
        """What comes of each text, in order."""


@dataclass(frozen=True, slots=True)
class PlainChunk:
    """Texts to be explained for their classes (None: the predicted ones)."""

    texts: tuple[str, ...]
    class_indices: tuple[int, ...] | None
    seed: int

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Explanation]:
        """See :class:`Chunk`."""
        return explainer.explain_many(model, self.texts, class_indices=self.class_indices, seed=self.seed)


@dataclass(frozen=True, slots=True)
class SettlingChunk:
    """Texts to be explained until the verdict by ``leaning`` is settled."""

    texts: tuple[str, ...]
    class_indices: tuple[int, ...]
    seed: int
    leaning: Leaning | None

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Explanation]:
        """See :class:`Chunk`."""
        return explain_for_verdicts(
            explainer, model, self.texts, self.class_indices, seed=self.seed, leaning=self.leaning
        )


@dataclass(frozen=True, slots=True)
class RoundChunk:
    """Texts to be explained by their first ``count`` neighbours, with the answers that are ``known``."""

    texts: tuple[str, ...]
    class_indices: tuple[int, ...]
    known: tuple[Vector, ...]
    seed: int
    count: int | None

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Resumable]:
        """See :class:`Chunk`."""
        assert isinstance(explainer, ResumableExplainer), "only made for such"
        return explainer.resumed(model, self.texts, self.class_indices, self.known, seed=self.seed, count=self.count)


class SignsMissingError(Exception):
    """A leaning is asked about a word whose sign did not come along."""


@dataclass(frozen=True, slots=True)
class KnownLeaning:
    """What a leaning answers on the words of a chunk, by class and word: an oracle itself may be large."""

    signs: Mapping[tuple[int, str], float]

    def __call__(self, class_index: int, words: Sequence[str]) -> Vector:
        """See :data:`~pytest_trust.explain.settling.Leaning`.

        Raises:
            SignsMissingError: a word is none of the chunk's.
        """
        try:
            return np.array([self.signs[class_index, word] for word in words], dtype=np.float64)
        except KeyError as error:
            raise SignsMissingError from error


@dataclass(frozen=True, slots=True)
class KnownWeighingLeaning(KnownLeaning):
    """The same for a :class:`~pytest_trust.explain.settling.WeighingLeaning`."""

    weights: Any


class Sealed(Protocol):
    """A pickled model with its explainer, on the way to a worker."""

    @property
    def digest(self) -> str:
        """Tells it from others."""

    def content(self) -> bytes:
        """The pickle."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of the chunk at ``place``: an item for each text, or the ``error``.

    ``is_open`` where the verdict turned out to need signs that did not come along. ``cause`` is the traceback of what
    led to the error, which does not cross between processes; "" for none.
    """

    place: int
    items: tuple[Any, ...] = ()
    is_open: bool = False
    error: Exception | None = None
    cause: str = ""


# The model and explainer that this process has unpacked last. A worker may have threads; a model is asked by one.
_KEPT: dict[str, tuple[TextClassifier, Explainer]] = {}
_ONE_AT_A_TIME = threading.Lock()


def answer(sealed: Sealed, place: int, chunk: Chunk) -> Answer:
    """The chunk at ``place``, explained in this process; errors come back as values, such that no worker is stopped."""
    with _ONE_AT_A_TIME:
        try:
            model, explainer = _unpacked(sealed)
            return Answer(place, tuple(chunk.explained(explainer, model)))
        except SignsMissingError:
            return Answer(place, is_open=True)
        except Exception as error:
            return Answer(place, error=_portable(error), cause=_cause(error))


def _unpacked(sealed: Sealed) -> tuple[TextClassifier, Explainer]:
    """Model and explainer, unpacked once a process."""
    if sealed.digest not in _KEPT:
        import cloudpickle

        _KEPT.clear()  # the last one's memory may be needed
        try:
            _KEPT[sealed.digest] = cloudpickle.loads(sealed.content())
        except TrustError:
            raise
        except Exception as error:
            raise ModelError(
                f"the model cannot be unpacked in a worker: {in_short(error)}; expected the same packages and modules "
                "there as in this process, or --trust-jobs=1"
            ) from None
    return _KEPT[sealed.digest]


def _portable(error: Exception) -> Exception:
    """``error``, or one that tells of it, where it cannot be sent."""
    import cloudpickle

    try:
        cloudpickle.loads(cloudpickle.dumps(error))
    except Exception:
        return WorkerError(f"a worker failed: {in_short(error)}")
    return error


def _cause(error: Exception) -> str:
    """What led to one of our own errors; all that led to any other."""
    told = error.__cause__ if isinstance(error, TrustError) else error
    return "" if told is None else "".join(traceback.format_exception(told))


@dataclass(frozen=True, slots=True)
class Packed:
    """A model with its explainer, to be sent: ``digest`` tells it from others, ``content`` gives the pickle."""

    digest: str
    content: Callable[[], bytes]


def packed(model: TextClassifier, explainer: Explainer) -> Packed:
    """Model and explainer, with functions of the user's.

    A model is known by its pickle; where that changes with use, by its fingerprint, if this rests on all of its state.

    Raises:
        ModelError: they cannot be pickled; also by ``content``.
    """
    if isinstance(model, Adapter) and model.pickle_changes and is_known_by_state(model):
        known = _pickled(model, explainer, explainer) + model.fingerprint().encode()
        return Packed(hashlib.sha256(known).hexdigest(), partial(_pickled, model, explainer, (model, explainer)))
    content = _pickled(model, explainer, (model, explainer))
    return Packed(hashlib.sha256(content).hexdigest(), lambda: content)


def _pickled(model: TextClassifier, explainer: Explainer, what: object) -> bytes:
    import cloudpickle

    try:
        return bytes(cloudpickle.dumps(what))
    except Exception as error:
        raise ModelError(
            f"model {model.source} with the explainer {explainer.name!r} cannot be sent to other processes: "
            f"{in_short(error)}; --trust-jobs=1 explains in this process alone"
        ) from error

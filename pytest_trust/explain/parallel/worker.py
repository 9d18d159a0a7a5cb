"""What a worker does: it unpacks the model and its explainer once, and explains texts chunk by chunk."""

from __future__ import annotations

import threading
import traceback
from dataclasses import dataclass
from typing import Any, Protocol

from pytest_trust.errors import ModelError, TrustError, WorkerError
from pytest_trust.explain.base import Explainer
from pytest_trust.explain.parallel.chunks import Chunk, SignsMissingError
from pytest_trust.messages import in_short
from pytest_trust.models.base import TextClassifier


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

"""A model and its explainer as bytes, on the way to workers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pytest_trust.errors import ModelError
from pytest_trust.explain.base import Explainer
from pytest_trust.messages import in_short
from pytest_trust.models.adapters import Adapter
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.kept import is_known_by_state


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

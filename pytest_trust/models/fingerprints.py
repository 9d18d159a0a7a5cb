"""Digests that change when the answers of a model may have changed."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pytest_trust.errors import ModelError
from pytest_trust.models.base import Probabilities
from pytest_trust.models.classes import ClassSet

# Short and long, several scripts, and the odd texts that a pipeline treats in its own way.
CANARIES: tuple[str, ...] = (
    "",
    "   ",
    "!?!",
    "good",
    "This film was a wonderful surprise, and I would gladly watch it again.",
    "The worst service I have ever had: slow, rude and far too expensive!",
    "I don't think it isn't bad, but it could hardly be worse.",
    "The government raised taxes on oil imports by 3.5% on Monday.",
    "FREE entry!!! Text WIN to 80082 now or visit https://example.org/prize?id=1",
    "The rocket engine, the operating system and the encryption key failed.",
    "Ein schöner Tag für die Mannschaft, die in Zürich gewann.",
    "Это был очень хороший фильм.",
    "这部电影非常好看。",
    "यह फिल्म बहुत अच्छी थी।",
    "كان الفيلم رائعا 🎬👍🏽",
    "the team played a long game and nobody knew who would win it " * 60,
)

_DECIMALS = 6


def file_digest(path: Path) -> str:
    """SHA-256 of the bytes of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def qualified_name(thing: object) -> str:
    """``module.name`` of a function or class, and of the type of anything else."""
    named: Any = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}.{named.__qualname__}"


def answer_bytes(answers: Probabilities) -> bytes:
    """``answers`` at six decimals as bytes, the same on every platform; they go into digests."""
    unsigned_zero = np.round(answers, _DECIMALS) + 0.0
    return unsigned_zero.astype("<f8").tobytes()


def state_digest(model: object) -> str | None:
    """A digest of all that ``model`` holds, equal between processes; None where it holds what cannot be pickled.

    It is ``joblib.hash``, without the memory address that scikit-learn's text vectorizers keep among their attributes.
    """
    from joblib.hashing import NumpyHasher

    class StateHasher(NumpyHasher):  # type: ignore[misc]
        def reducer_override(self, obj: Any) -> Any:
            return _stable_reduction(obj)

    try:
        return str(StateHasher(hash_name="sha256").hash(model))
    except (pickle.PicklingError, TypeError, AttributeError):
        return None


def behaviour_digest(identity: str, classes: ClassSet, predict_proba: Callable[[Sequence[str]], Probabilities]) -> str:
    """SHA-256 over what a model is known by, its class names, and its answers to the canaries at six decimals.

    Raises:
        ModelError: the model answers none of the canaries.
    """
    digest = hashlib.sha256()
    digest.update(json.dumps([identity, classes.names, classes.originals, classes.aliases]).encode())
    for answer in _canary_answers(predict_proba):
        digest.update(b"refused" if answer is None else answer_bytes(answer))
    return digest.hexdigest()


def _canary_answers(predict_proba: Callable[[Sequence[str]], Probabilities]) -> list[Probabilities | None]:
    """One answer for all canaries; from a model that refuses some of them, one for each, None where refused."""
    try:
        return [predict_proba(CANARIES)]
    except ModelError:
        answers = [_answer_or_none(predict_proba, text) for text in CANARIES]
        if all(answer is None for answer in answers):
            raise
        return answers


def _answer_or_none(predict_proba: Callable[[Sequence[str]], Probabilities], text: str) -> Probabilities | None:
    try:
        return predict_proba([text])
    except ModelError:
        return None


def _stable_reduction(thing: Any) -> Any:
    """How to pickle what would differ between processes: the order of frozensets, an address kept as an attribute."""
    if type(thing) is frozenset:
        return frozenset, (sorted(thing, key=repr),)
    if "_stop_words_id" in getattr(thing, "__dict__", {}) and not isinstance(thing, type):
        function, arguments, state = thing.__reduce_ex__(pickle.DEFAULT_PROTOCOL)[:3]
        return function, arguments, {key: value for key, value in state.items() if key != "_stop_words_id"}
    return NotImplemented

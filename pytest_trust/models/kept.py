"""Answers of models, kept between sessions, and what models are known by there."""

from __future__ import annotations

import copy
import hashlib
import importlib.metadata
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import pytest_trust
from pytest_trust._version import __version__
from pytest_trust.errors import ModelError
from pytest_trust.models.adapters import Adapter
from pytest_trust.models.base import Probabilities, TextClassifier
from pytest_trust.store import ResultStore

# Texts of one call and one write: what a run that is killed may lose.
_AT_ONCE = 1024
# What an answer or an explanation rests on beside the model.
_OWN_CODE = ("explain", "models", "text.py", "stats/sampling.py")
_LIBRARIES = ("numpy", "scipy")


class ModelKeys:
    """What models are known by in a store: their fingerprint and classes, and versions of all code that is asked."""

    def __init__(self) -> None:
        self._repeated: set[str] = set()

    def of(self, model: TextClassifier) -> str | None:
        """A hex digest; None where nothing of ``model`` can be kept, since its fingerprint is never the same twice.

        The fingerprint is taken anew each time, as the model may have been fitted again.
        """
        try:
            fingerprint = model.fingerprint()
            if fingerprint not in self._repeated and model.fingerprint() != fingerprint:
                return None
        except ModelError:
            return None  # it answers none of the fixed texts
        self._repeated.add(fingerprint)
        libraries = (*_LIBRARIES, *getattr(model, "libraries", ()))
        versions = {name: _version(name) for name in libraries}
        return digest_of([fingerprint, [*model.classes], __version__, _own_code(), versions]).hex()


def is_known_by_state(model: TextClassifier) -> bool:
    """Whether the fingerprint of ``model`` rests on all of its state and code, rather than on some of its answers."""
    return getattr(model, "known_by_state", False) is True


def remembering(model: TextClassifier, store: ResultStore, keys: ModelKeys | None = None) -> TextClassifier:
    """``model`` with a memory that :func:`kept_answers` uses; itself where its fingerprint rests on answers alone."""
    if not isinstance(model, Adapter) or not is_known_by_state(model):
        return model
    twin = copy.copy(model)
    twin.memory = AnswerMemory(store, keys or ModelKeys())
    return twin


class AnswerMemory:
    """Answers and figures of models in a store."""

    def __init__(self, store: ResultStore, keys: ModelKeys) -> None:
        self._store = store
        self._keys = keys

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()  # a model sent to another process goes without

    def answers(self, model: TextClassifier, texts: Sequence[str]) -> Probabilities:
        """Probabilities of ``texts``, shape (len(texts), k), the model asked about those alone that are not kept."""
        model_key = self._keys.of(model)
        if model_key is None:
            return model.predict_proba(texts)
        keys = [digest_of(["answer", model_key, text]) for text in texts]
        found = self._store.get_many(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        items = [*missing.items()]
        for start in range(0, len(items), _AT_ONCE):
            some = items[start : start + _AT_ONCE]
            rows = model.predict_proba([text for _, text in some]).astype("<f8")
            made = {key: row.tobytes() for (key, _), row in zip(some, rows, strict=True)}
            self._store.put_many(made)
            found |= made
        values = np.frombuffer(b"".join(found[key] for key in keys), dtype="<f8")
        return values.astype(np.float64).reshape(len(texts), len(model.classes))

    def number(self, model: TextClassifier, about: Sequence[str], compute: Callable[[], float], most: float) -> float:
        """What ``compute`` gives for what ``about`` says, kept where it is at most ``most``."""
        model_key = self._keys.of(model)
        if model_key is None:
            return compute()
        key = digest_of(["number", model_key, *about])
        kept = self._store.get_many([key]).get(key)
        if kept is not None:
            return float(kept)
        value = compute()
        if value <= most:
            self._store.put_many({key: repr(value).encode()})
        return value


def kept_answers(model: TextClassifier, texts: Sequence[str]) -> Probabilities:
    """``model.predict_proba(texts)``, from the memory of a model that has one.

    Raises:
        ModelError: the model's answer is malformed.
    """
    memory = _memory_of(model)
    return model.predict_proba(texts) if memory is None else memory.answers(model, texts)


def kept_number(model: TextClassifier, about: Sequence[str], compute: Callable[[], float], *, most: float) -> float:
    """What ``compute`` finds of a model; one with a memory keeps it where it is at most ``most``."""
    memory = _memory_of(model)
    return compute() if memory is None else memory.number(model, about, compute, most)


def digest_of(parts: object) -> bytes:
    """SHA-256 of plain values, in whatever order their mappings are."""
    content = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=_plain)
    return hashlib.sha256(content.encode()).digest()


def _plain(number: Any) -> object:
    """A number of numpy as Python's."""
    return number.item()


def _memory_of(model: TextClassifier) -> AnswerMemory | None:
    return model.memory if isinstance(model, Adapter) else None


@cache
def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


@cache
def _own_code() -> str:
    """Digest of the package's code that shapes answers and explanations: versions alone miss changes on the way."""
    digest = hashlib.sha256()
    for path in _sources(Path(pytest_trust.__file__).parent):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _sources(package: Path) -> Iterable[Path]:
    for name in _OWN_CODE:
        path = package / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))

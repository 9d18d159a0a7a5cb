"""From names to the members of an ensemble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.custom import CustomEmbedding
from pytest_trust.embeddings.glove import GloVe
from pytest_trust.embeddings.minilm import MiniLM
from pytest_trust.embeddings.use import UniversalSentenceEncoder
from pytest_trust.errors import ConfigurationError
from pytest_trust.imports import call_factory, import_object, importable, is_import_path

_MEMBERS: Mapping[str, Callable[[], Embedding]] = {
    "glove": GloVe,
    "use": UniversalSentenceEncoder,
    "minilm": MiniLM,
}
KNOWN_EMBEDDINGS: tuple[str, ...] = tuple(_MEMBERS)


def load_ensemble(spec: str | Sequence[str] | None = None, *, rootpath: Path | None = None) -> tuple[Embedding, ...]:
    """The members that ``spec`` names, in its order; the embedded default, all of them, where it is None.

    ``spec`` is a sequence of names, or one string with commas between them. A name is one of ``KNOWN_EMBEDDINGS``, or
    an import path ``package.module:attribute`` of a user's own object (or of a factory without arguments) with the
    abilities of :class:`~pytest_trust.embeddings.Embedding`; modules are looked for in ``rootpath`` first. Models are
    loaded at the first call of ``vectors``.

    Raises:
        ConfigurationError: a name is unknown, empty or given twice, or an import path leads nowhere.
        EmbeddingError: a user's object breaks the contract, or an installed package is not the pinned version.
        MissingExtraError: a package of the extra ``[embeddings]`` is not installed.
    """
    names = ensemble_names(spec)
    with importable(rootpath):
        members = tuple(_load(name) for name in names)
    _refuse_duplicates([member.name for member in members])
    return members


def ensemble_names(spec: str | Sequence[str] | None) -> list[str]:
    """The names in ``spec``, checked without importing or loading anything; see :func:`load_ensemble`.

    Raises:
        ConfigurationError: a name is unknown, empty or given twice.
    """
    if spec is None:
        return list(KNOWN_EMBEDDINGS)
    names = [name.strip() for name in (spec.split(",") if isinstance(spec, str) else spec)]
    if not names or not all(names):
        raise ConfigurationError(f"embeddings: found an empty name in {spec!r}, expected {_choices()}")
    _refuse_duplicates(names)
    for name in names:
        if name not in _MEMBERS and not is_import_path(name):
            raise ConfigurationError(f"embeddings: {name!r} is unknown, expected {_choices()}")
    return names


def _refuse_duplicates(names: list[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConfigurationError(f"embeddings: {twice[0]!r} is named twice in {', '.join(names)}, expected once")


def _load(name: str) -> Embedding:
    if name in _MEMBERS:
        return _MEMBERS[name]()
    return CustomEmbedding(_made(name), name)


def _choices() -> str:
    return f"some of {', '.join(KNOWN_EMBEDDINGS)}, or an import path package.module:attribute"


def _made(path: str) -> object:
    """What ``path`` names, or what that makes when it is a class or a function rather than an embedding."""
    found = import_object(path, ConfigurationError)
    if callable(found) and (isinstance(found, type) or not hasattr(found, "vectors")):
        return call_factory(found, path, ConfigurationError)
    return found

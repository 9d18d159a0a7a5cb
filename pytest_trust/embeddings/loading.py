"""From names to the members of an ensemble."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import EntryPoint

from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.custom import CustomEmbedding
from pytest_trust.embeddings.glove import GloVe
from pytest_trust.embeddings.minilm import MiniLM
from pytest_trust.embeddings.use import UniversalSentenceEncoder
from pytest_trust.errors import ConfigurationError, TrustError

_MEMBERS: Mapping[str, Callable[[], Embedding]] = {
    "glove": GloVe,
    "use": UniversalSentenceEncoder,
    "minilm": MiniLM,
}
KNOWN_EMBEDDINGS: tuple[str, ...] = tuple(_MEMBERS)
_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_IMPORT_PATH = re.compile(f"{_DOTTED}:{_DOTTED}")


def load_ensemble(spec: str | Sequence[str] | None = None) -> tuple[Embedding, ...]:
    """The members that ``spec`` names, in its order; the embedded default, all of them, where it is None.

    ``spec`` is a sequence of names, or one string with commas between them. A name is one of ``KNOWN_EMBEDDINGS``, or
    an import path ``package.module:attribute`` of a user's own object (or of a factory without arguments) with the
    abilities of :class:`~pytest_trust.embeddings.Embedding`. Models are loaded at the first call of ``vectors``.

    Raises:
        ConfigurationError: a name is unknown, empty or given twice, or an import path leads nowhere.
        EmbeddingError: a user's object breaks the contract, or an installed package is not the pinned version.
        MissingExtraError: a package of the extra ``[embeddings]`` is not installed.
    """
    members = tuple(_load(name) for name in ensemble_names(spec))
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
        if name not in _MEMBERS and not _IMPORT_PATH.fullmatch(name):
            raise ConfigurationError(f"embeddings: {name!r} is unknown, expected {_choices()}")
    return names


def _refuse_duplicates(names: list[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConfigurationError(f"embeddings: {twice[0]!r} is named twice in {', '.join(names)}, expected once")


def _load(name: str) -> Embedding:
    if name in _MEMBERS:
        return _MEMBERS[name]()
    return CustomEmbedding(_made(_imported(name), name), name)


def _choices() -> str:
    return f"some of {', '.join(KNOWN_EMBEDDINGS)}, or an import path package.module:attribute"


def _imported(path: str) -> object:
    try:
        return EntryPoint(name=path, value=path, group="").load()
    except TrustError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"embeddings: {path} cannot be imported: {type(error).__name__}: {error}; "
            "the module must be on sys.path (pytest's ini option pythonpath adds folders)"
        ) from error


def _made(found: object, path: str) -> object:
    """``found``, or what it makes when it is a class or a function rather than an embedding."""
    if not callable(found) or (hasattr(found, "vectors") and not isinstance(found, type)):
        return found
    try:
        return found()
    except TrustError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"embeddings: {path}, called without arguments, raised {type(error).__name__}: {error}"
        ) from error

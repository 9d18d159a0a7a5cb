"""From names to the members of an ensemble."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.custom import CustomEmbedding
from pytest_trust.embeddings.encoder import EncoderEmbedding, check_weights
from pytest_trust.embeddings.gensim_vectors import downloaded
from pytest_trust.embeddings.glove import GloVe
from pytest_trust.embeddings.hub import fetched_encoder
from pytest_trust.embeddings.kept import IN_MEMORY, Keep, keep_below
from pytest_trust.embeddings.local import LocalEmbedding, TableEmbedding
from pytest_trust.embeddings.minilm import MiniLM
from pytest_trust.embeddings.packaged import PackagedEmbedding
from pytest_trust.embeddings.saved_model import SavedModelEmbedding
from pytest_trust.embeddings.specs import KNOWN_EMBEDDINGS, Kind, Spec, choices, parse_spec
from pytest_trust.embeddings.use import UniversalSentenceEncoder
from pytest_trust.errors import ConfigurationError
from pytest_trust.imports import call_factory, import_object, importable

_PACKAGED: Mapping[str, type[PackagedEmbedding]] = {
    member.name: member for member in (GloVe, UniversalSentenceEncoder, MiniLM)
}


def load_ensemble(
    spec: str | Sequence[str] | None = None, *, rootpath: Path | None = None, allow_pickle: bool = True
) -> tuple[Embedding, ...]:
    """The members that ``spec`` names, in its order; the embedded default, all of them, where it is None.

    ``spec`` is a sequence of names, or one string with commas between them. A name is one of ``KNOWN_EMBEDDINGS``; an
    import path ``package.module:attribute`` of a user's own object (or of a factory without arguments) with the
    abilities of :class:`~pytest_trust.embeddings.Embedding`; a file of vectors (GloVe, word2vec, fastText, gensim); a
    folder with a transformers or sentence-transformers encoder or with a SavedModel; a name known to
    ``gensim.downloader``; or that of an encoder on the Hugging Face hub. ``@0.35`` behind it sets its threshold.

    Modules and paths are looked for in ``rootpath`` first. Below it, in ``.trust/embeddings``, files of vectors are
    kept as they are needed, mapped from disk and shared between processes; without it they are held in memory. Models
    are loaded at the first call of ``vectors``.

    Raises:
        ConfigurationError: a name is unknown, empty or given twice, an import path leads nowhere, or a file is a
            pickle and ``allow_pickle`` is False.
        EmbeddingError: a user's object breaks the contract, an installed package is not the pinned version, or vectors
            cannot be fetched.
        MissingExtraError: a package that a member needs is not installed.
    """
    specs = _specs(spec, rootpath)
    keep = _keep(specs, rootpath)
    with importable(rootpath):
        members = tuple(_load(one, keep, allow_pickle) for one in specs)
    _refuse_duplicates([member.name for member in members])
    return members


def ensemble_names(spec: str | Sequence[str] | None, base: Path | None = None) -> list[str]:
    """The names in ``spec``, checked without importing or loading anything; see :func:`load_ensemble`.

    Relative paths start at ``base``, by default the working folder, and come back absolute.

    Raises:
        ConfigurationError: a name is unknown, empty or given twice.
    """
    return [one.text for one in _specs(spec, base)]


def pickled_embeddings(names: Sequence[str]) -> list[str]:
    """Those of ``names``, as :func:`ensemble_names` gives them, whose files run code when they are loaded."""
    return [name for name in names if parse_spec(name).is_pickle]


def _specs(spec: str | Sequence[str] | None, base: Path | None) -> list[Spec]:
    if spec is None:
        spec = KNOWN_EMBEDDINGS
    names = [name.strip() for name in (spec.split(",") if isinstance(spec, str) else spec)]
    if not names or not all(names):
        raise ConfigurationError(f"embeddings: found an empty name in {spec!r}, expected {choices()}")
    specs = [parse_spec(name, base) for name in names]
    _refuse_duplicates([one.target for one in specs])
    return specs


def _refuse_duplicates(names: list[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ConfigurationError(f"embeddings: {twice[0]!r} is named twice in {', '.join(names)}, expected once")


def _keep(specs: list[Spec], rootpath: Path | None) -> Keep:
    """No folder is made where nothing is to be kept."""
    if rootpath is None or all(one.kind in (Kind.PACKAGED, Kind.IMPORTED) for one in specs):
        return IN_MEMORY
    return keep_below(rootpath)


def _load(spec: Spec, keep: Keep, allow_pickle: bool) -> Embedding:
    if spec.kind is Kind.PACKAGED:
        return _PACKAGED[spec.target](spec.threshold)
    if spec.kind is Kind.IMPORTED:
        return _imported(spec)
    local, path = _located(spec, allow_pickle)
    return local(spec.name, path, keep, spec.threshold)


def _located(spec: Spec, allow_pickle: bool) -> tuple[type[LocalEmbedding], Path]:
    """The type of a member made of files, and where these lie once they are fetched."""
    if spec.kind is Kind.SAVED_MODEL:
        return SavedModelEmbedding, spec.path
    if spec.kind in (Kind.TABLE, Kind.DOWNLOAD):
        _check_pickle(spec, allow_pickle)
        return TableEmbedding, downloaded(spec.target) if spec.kind is Kind.DOWNLOAD else spec.path
    folder = fetched_encoder(spec.target, allow_pickle=allow_pickle) if spec.kind is Kind.HUB else spec.path
    if not allow_pickle:
        check_weights(folder)
    return EncoderEmbedding, folder


def _imported(spec: Spec) -> CustomEmbedding:
    member = CustomEmbedding(_made(spec.target), spec.target)
    if spec.threshold is not None:
        member.threshold = spec.threshold
    return member


def _check_pickle(spec: Spec, allow_pickle: bool) -> None:
    if spec.is_pickle and not allow_pickle:
        raise ConfigurationError(
            f"embedding {spec.target} is a pickle, which runs code when it is loaded, and pickles are forbidden "
            "(--trust-no-pickle); expected .txt, .vec or .bin: gensim's save_word2vec_format writes them"
        )


def _made(path: str) -> object:
    """What ``path`` names, or what that makes when it is a class or a function rather than an embedding."""
    found = import_object(path, ConfigurationError)
    if callable(found) and (isinstance(found, type) or not hasattr(found, "vectors")):
        return call_factory(found, path, ConfigurationError)
    return found

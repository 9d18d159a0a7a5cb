"""An index from its file where that is fresh, else built once and kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pytest_trust.errors import ConfigurationError, IndexFileError, TrustWarning
from pytest_trust.keywords.file import dump_index, load_index
from pytest_trust.keywords.index import IndexOrigin, KeywordIndex
from pytest_trust.store import build_once, cache_folder, set_aside


def cached_index(path: Path | None, origin: IndexOrigin, build: Callable[[], KeywordIndex]) -> KeywordIndex:
    """The index of ``origin``: from the file at ``path`` where it holds that one, else from ``build``, then kept there.

    Processes that ask at the same time build once. A file that is no whole index is moved aside with a warning, so
    that nothing of the user's is lost.

    Raises:
        ConfigurationError: ``path`` is a folder.
    """
    if path is None:
        return build()
    if path.is_dir():
        raise ConfigurationError(f"{path} is a folder; expected the file of a keyword index")
    return build_once(path, lambda file: _fresh(file, origin), build, dump_index)


def fitting_index(path: Path, origin: IndexOrigin, *, train_option: str) -> KeywordIndex:
    """The index in the file at ``path``, whose training data are not at hand: all but these has to be as in ``origin``.

    Raises:
        IndexFileError: the file is no index.
        ConfigurationError: it was built from another model or with other settings; ``train_option`` would rebuild it.
    """
    index = load_index(path)
    if replace(index.origin, data=origin.data) != origin:
        raise ConfigurationError(
            f"{path} was built from another model or with other settings than those given "
            f"({index.origin.difference(origin)}); give {train_option} to rebuild it"
        )
    return index


def default_index_path(root: Path, origin: IndexOrigin) -> Path | None:
    """Where the index of ``origin`` is kept below ``root``; None, with a warning, where nothing can be."""
    folder = cache_folder(root)
    return None if folder is None else folder / f"index-{origin.key()[:16]}.zip"


def _fresh(path: Path, origin: IndexOrigin) -> KeywordIndex | None:
    if not path.exists():
        return None
    try:
        index = load_index(path)
    except IndexFileError as error:
        _set_aside(path, error)
        return None
    return index if index.origin == origin else None


def _set_aside(path: Path, error: IndexFileError) -> None:
    refused = set_aside(path)
    warnings.warn(f"refused as a keyword index, kept as {refused.name}, rebuilt: {error}", TrustWarning, stacklevel=2)

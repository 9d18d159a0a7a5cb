"""Import paths, ``package.module:attribute``, by which users name models, data and embeddings of their own."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

from pytest_trust.errors import TrustError

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_IMPORT_PATH = re.compile(f"{_DOTTED}:{_DOTTED}")


def is_import_path(text: str) -> bool:
    """True where ``text`` has the form ``package.module:attribute``; both sides may be dotted."""
    return _IMPORT_PATH.fullmatch(text) is not None


def import_object(path: str, error: type[TrustError]) -> object:
    """What stands at the import path ``path``, by the rules of entry points.

    Raises:
        error: the module cannot be imported, or has no such attribute.
    """
    try:
        return EntryPoint(name=path, value=path, group="").load()
    except TrustError:
        raise
    except Exception as reason:
        raise error(
            f"{path}: cannot be imported: {type(reason).__name__}: {reason}; "
            "the module must be on sys.path (pytest's ini option pythonpath adds folders)"
        ) from reason


def call_factory(factory: Callable[[], object], path: str, error: type[TrustError]) -> object:
    """What the zero-argument ``factory`` at ``path`` returns.

    Raises:
        error: ``factory`` needs arguments, or fails.
    """
    try:
        return factory()
    except TrustError:
        raise
    except Exception as reason:
        raise error(f"{path}: called without arguments, it raised {type(reason).__name__}: {reason}") from reason


@contextmanager
def importable(root: Path | None) -> Iterator[None]:
    """Puts ``root`` first on ``sys.path`` for a while, unless it is there already."""
    entry = str(root)
    if root is None or entry in sys.path:
        yield
        return
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        # A module may have changed sys.path for itself: take out our entry alone.
        if entry in sys.path:
            sys.path.remove(entry)

"""Import paths, ``package.module:attribute``."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import EntryPoint

from pytest_trust.errors import DataError, TrustError

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_IMPORT_PATH = re.compile(f"{_DOTTED}:{_DOTTED}")


def is_import_path(source: str) -> bool:
    """True where ``source`` has the form ``package.module:attribute``."""
    return _IMPORT_PATH.fullmatch(source) is not None


def import_object(source: str) -> object:
    """What stands at the import path ``source``, by the rules of entry points.

    Raises:
        DataError: the module cannot be imported, or has no such attribute.
    """
    try:
        return EntryPoint(name=source, value=source, group="").load()
    except TrustError:
        raise
    except Exception as error:
        raise DataError(
            f"{source}: cannot be imported: {type(error).__name__}: {error}; "
            "the module must be on sys.path (pytest's ini option pythonpath adds folders)"
        ) from error


def call_factory(factory: Callable[[], object], source: str) -> object:
    """What the zero-argument ``factory`` at ``source`` returns.

    Raises:
        DataError: ``factory`` needs arguments, or fails.
    """
    try:
        return factory()
    except TrustError:
        raise
    except Exception as error:
        raise DataError(f"{source}: called without arguments, it raised {type(error).__name__}: {error}") from error

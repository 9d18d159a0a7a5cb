"""Models from import paths, ``package.module:attribute``."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytest_trust.errors import ModelError
from pytest_trust.models.names import listed

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_IMPORT_PATH = re.compile(rf"({_DOTTED}):({_DOTTED})")


def is_import_path(spec: str) -> bool:
    """True for ``module:attribute``, where both may be dotted."""
    return _IMPORT_PATH.fullmatch(spec) is not None


def import_model(spec: str) -> object:
    """The object at an import path, or what a factory at that path makes.

    An object with ``predict_proba`` is taken as it is. A class is instantiated, and a function without required
    parameters is called, once. A function with one required parameter is the classifier itself, as is any other
    callable object.

    Raises:
        ModelError: the module cannot be imported, has no such attribute, or the factory fails or needs arguments.
    """
    module, attribute = spec.split(":")
    return _produced(_attribute(_module(module, spec), attribute, spec), spec)


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


def _module(name: str, spec: str) -> object:
    importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise ModelError(
            f"module {name!r} of the model {spec!r} cannot be imported ({type(error).__name__}: {error}); expected a "
            "module that Python finds from the root directory of the tests or among the installed packages"
        ) from error


def _attribute(module: object, path: str, spec: str) -> object:
    holder = module
    for name in path.split("."):
        if not hasattr(holder, name):
            public = [other for other in dir(holder) if not other.startswith("_")]
            raise ModelError(f"model {spec!r} not found: no attribute {name!r}; expected one of {listed(public)}")
        holder = getattr(holder, name)
    return holder


def _produced(found: object, spec: str) -> object:
    """What a class or factory makes; anything else as it is."""
    if not callable(found) or not (isinstance(found, type) or _is_function(found)):
        return found
    required = _required_parameters(found)
    if required and (len(required) > 1 or isinstance(found, type)):
        raise ModelError(
            f"model {spec!r} needs the arguments {listed(required)}; expected a class or function that needs none and "
            "makes the classifier, or a function of one argument, a list of texts"
        )
    return found if required else _made(found, spec)


def _is_function(found: object) -> bool:
    is_function = inspect.isroutine(found) or isinstance(found, functools.partial)
    return is_function and not hasattr(found, "predict_proba")


def _required_parameters(found: Callable[..., object]) -> list[str]:
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    try:
        parameters = inspect.signature(found).parameters.values()
    except ValueError:
        # Some built-ins do not tell: such a class is tried without arguments, such a function is the classifier.
        return [] if isinstance(found, type) else ["texts"]
    return [p.name for p in parameters if p.default is p.empty and p.kind not in optional]


def _made(factory: Callable[..., Any], spec: str) -> object:
    try:
        return factory()
    except Exception as error:
        raise ModelError(
            f"model {spec!r} was called without arguments, since it needs none, and failed "
            f"({type(error).__name__}: {error}); expected it to return a classifier"
        ) from error

"""Models from import paths: objects, and what makes them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable

from pytest_trust.errors import ModelError
from pytest_trust.imports import call_factory, import_object
from pytest_trust.messages import listed


def import_model(spec: str) -> object:
    """The object at the import path ``spec``, or what a factory at that path makes.

    An object with ``predict_proba`` is taken as it is. A class is instantiated, and a function without required
    parameters is called, once. A function with one required parameter is the classifier itself, as is any other
    callable object.

    Raises:
        ModelError: the module cannot be imported, has no such attribute, or the factory fails or needs arguments.
    """
    found = import_object(spec, ModelError)
    if not callable(found) or not (isinstance(found, type) or _is_function(found)):
        return found
    required = _required_parameters(found)
    if required and (len(required) > 1 or isinstance(found, type)):
        raise ModelError(
            f"model {spec} needs the arguments {listed(required)}; expected a class or function that needs none and "
            "makes the classifier, or a function of one argument, a list of texts"
        )
    return found if required else call_factory(found, spec, ModelError)


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

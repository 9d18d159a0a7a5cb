"""Perturbations written as text, as in a test file: ``typos(rate=0.1)``, ``chain(lowercase, typos(0.1))``."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, get_type_hints

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Named, Perturbation

# What the parser and ``literal_eval`` raise for text that is no expression or no literal.
_UNREADABLE = (SyntaxError, ValueError, TypeError, MemoryError, RecursionError)


def perturbation_of(text: str) -> Perturbation:
    """The perturbation that ``text`` calls for; nothing but this package's own functions and literals is evaluated.

    A function that needs no arguments is called by its name alone; "perturb." may stand before any.

    Raises:
        ConfigurationError: it is no such call, or its arguments cannot be used.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the parser: such text is no call
            node = ast.parse(text.strip(), mode="eval").body
    except _UNREADABLE as error:
        raise _refusal(text) from error
    made = _called(node, text) if isinstance(node, ast.Call) else _made(_name(node, text), [], {}, text)
    assert isinstance(made, Perturbation), "every factory makes one"
    return made


def _called(node: ast.Call, text: str) -> Any:
    arguments = [_value(argument, text) for argument in node.args]
    keywords = {_key(keyword, text): _value(keyword.value, text) for keyword in node.keywords}
    return _made(_name(node.func, text), arguments, keywords, text)


def _key(keyword: ast.keyword, text: str) -> str:
    if keyword.arg is None:
        raise ConfigurationError(
            f"the perturbation {text!r} cannot be made: found **{ast.unparse(keyword.value)}, expected arguments one "
            "by one, as in typos(rate=0.1)"
        )
    return keyword.arg


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Call):
        return _called(node, text)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _made(_name(node, text), [], {}, text)
    try:
        return ast.literal_eval(node)
    except _UNREADABLE as error:
        raise _refusal(text) from error


def _made(name: str, arguments: list[Any], keywords: dict[str, Any], text: str) -> Any:
    try:
        return factories()[name](*arguments, **keywords)
    except TypeError as error:
        raise ConfigurationError(f"the perturbation {text!r} cannot be made: {error}") from error


def _name(node: ast.expr, text: str) -> str:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "perturb":
        name = node.attr
    else:
        name = node.id if isinstance(node, ast.Name) else ""
    if name not in factories():
        raise _refusal(text)
    return name


@cache
def factories() -> dict[str, Callable[..., Any]]:
    """The public functions of this package that make a perturbation, by name: those whose return type is one."""
    from pytest_trust import perturb

    public = ((name, getattr(perturb, name)) for name in perturb.__all__)
    return {name: made for name, made in public if isinstance(made, FunctionType) and _makes_perturbation(made)}


def _makes_perturbation(function: FunctionType) -> bool:
    returned = get_type_hints(function).get("return")
    return isinstance(returned, type) and issubclass(returned, Named)


def _refusal(text: str) -> ConfigurationError:
    known = ", ".join(sorted(factories()))
    return ConfigurationError(f"the perturbation {text!r} is no call of one of: {known}")

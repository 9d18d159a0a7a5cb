"""Perturbations written as text, as in a test file: ``typos(rate=0.1)``, ``chain(lowercase(), typos())``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Perturbation

# Public functions that make no perturbation.
_OTHERS = frozenset({"apply_edits", "as_perturbation", "perturb_text", "preview"})


def perturbation_of(text: str) -> Perturbation:
    """The perturbation that ``text`` calls for; nothing but this package's own functions and literals is evaluated.

    Raises:
        ConfigurationError: it is no such call, or its arguments cannot be used.
    """
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise _refusal(text) from error
    made = _called(node, text) if isinstance(node, ast.Call) else _made(_name(node, text), [], {}, text)
    assert isinstance(made, Perturbation), "every factory makes one"
    return made


def _called(node: ast.Call, text: str) -> Any:
    arguments = [_value(argument, text) for argument in node.args]
    keywords = {keyword.arg or "": _value(keyword.value, text) for keyword in node.keywords}
    return _made(_name(node.func, text), arguments, keywords, text)


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Call):
        return _called(node, text)
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise _refusal(text) from error


def _made(name: str, arguments: list[Any], keywords: dict[str, Any], text: str) -> Any:
    try:
        return factories()[name](*arguments, **keywords)
    except TypeError as error:
        raise ConfigurationError(f"the perturbation {text!r} cannot be made: {error}") from error


def _name(node: ast.expr, text: str) -> str:
    name = node.id if isinstance(node, ast.Name) else ""
    if name not in factories():
        raise _refusal(text)
    return name


def factories() -> dict[str, Callable[..., Any]]:
    """The functions of this package that make a perturbation, by name."""
    from pytest_trust import perturb

    functions = {name: getattr(perturb, name) for name in perturb.__all__ if name not in _OTHERS}
    return {name: made for name, made in functions.items() if isinstance(made, FunctionType)}


def _refusal(text: str) -> ConfigurationError:
    known = ", ".join(sorted(factories()))
    return ConfigurationError(f"the perturbation {text!r} is no call of one of: {known}")

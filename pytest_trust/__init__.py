"""Tests whether text classifiers can be trusted: a pytest plugin, and the checks behind it as plain functions.

Importing this package imports the standard library and pytest alone; the rest comes with the first use of a name.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pytest_trust._plugin.marks import adversarial, directional, functional, invariant, trustworthy
from pytest_trust._version import __version__

if TYPE_CHECKING:
    from pytest_trust import perturb, templates
    from pytest_trust.checks import (
        check_adversarial,
        check_directional,
        check_functional,
        check_invariant,
        check_trustworthy,
    )
    from pytest_trust.results import CheckResult, Outcome

__all__ = [
    "CheckResult",
    "Outcome",
    "__version__",
    "adversarial",
    "check_adversarial",
    "check_directional",
    "check_functional",
    "check_invariant",
    "check_trustworthy",
    "directional",
    "functional",
    "invariant",
    "perturb",
    "templates",
    "trustworthy",
]

_ROOMS = ("perturb", "templates")
_LAZY = {
    "check_adversarial": "pytest_trust.checks",
    "check_directional": "pytest_trust.checks",
    "check_functional": "pytest_trust.checks",
    "check_invariant": "pytest_trust.checks",
    "check_trustworthy": "pytest_trust.checks",
    "CheckResult": "pytest_trust.results",
    "Outcome": "pytest_trust.results",
}


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"pytest_trust.{name}")
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

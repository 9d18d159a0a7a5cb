"""The public names of the package: what the reference has to document."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

PUBLIC = (
    "pytest_trust", "pytest_trust.attacks", "pytest_trust.data", "pytest_trust.embeddings", "pytest_trust.explain",
    "pytest_trust.keywords", "pytest_trust.models", "pytest_trust.oracles", "pytest_trust.perturb",
    "pytest_trust.stats", "pytest_trust.strategies", "pytest_trust.templates",
)  # fmt: skip
"""The modules whose public names are the API."""


def public_names() -> Iterator[str]:
    """The names that the modules of the API export; modules among them and the version are no entries."""
    for module in PUBLIC:
        found = importlib.import_module(module)
        for name in getattr(found, "__all__", None) or _defined(found):
            if f"{module}.{name}" not in PUBLIC and not name.startswith("_"):
                yield f"{module}.{name}"


def _defined(module: ModuleType) -> Iterator[str]:
    """The classes and functions of a module without ``__all__`` that it defines itself."""
    for name, value in vars(module).items():
        if getattr(value, "__module__", "") == module.__name__:
            yield name

"""Errors and warnings of the package, each under one root."""

from __future__ import annotations


class TrustError(Exception):
    """Root of every error that this package raises on purpose."""


class ConfigurationError(TrustError, ValueError):
    """An option, marker argument or setting has a value that cannot be used."""


class ModelError(TrustError, ValueError):
    """A model cannot be loaded, or its answer breaks the contract of a classifier."""


class DataError(TrustError, ValueError):
    """A data set cannot be read, or a row of it is malformed."""


class EmbeddingError(TrustError, ValueError):
    """An embedding is unknown, damaged or not the pinned version."""


class IndexFileError(TrustError, ValueError):
    """A file is not a keyword index that this version can read."""


class BaselineError(TrustError, ValueError):
    """A stored run is malformed, or cannot be compared with another."""


class BudgetSpentError(TrustError):
    """The time that was allowed is over."""


class WorkerError(TrustError, RuntimeError):
    """The processes that share the work cannot be reached, or die."""


class MissingExtraError(TrustError, ImportError):
    """A feature needs an optional package that is not installed."""


class TrustWarning(UserWarning):
    """Root of every warning that this package issues."""


def missing_extra(package: str, extra: str, purpose: str) -> MissingExtraError:
    """The error for an optional ``package`` that ``purpose`` needs, naming the extra that brings it."""
    return MissingExtraError(
        f"{purpose} needs the package {package!r}, which is not installed; "
        f"install it with: pip install 'pytest-trust[{extra}]'"
    )

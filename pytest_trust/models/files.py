"""Models from files: joblib, pickle and skops."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytest_trust.errors import ConfigurationError, ModelError, TrustError, TrustWarning, missing_extra
from pytest_trust.messages import listed
from pytest_trust.models.adapters import Origin
from pytest_trust.models.fingerprints import file_digest

PICKLES = (".joblib", ".pkl", ".pickle")
SKOPS = ".skops"
SUFFIXES = (*PICKLES, SKOPS)

# From the end of the with block in read_model_file to whoever called load_model.
_TO_CALLER = 6
_TRUSTED_PACKAGES = ("sklearn", "numpy", "scipy")
# Their arrays of node numbers are followed without bounds checks, so that a forged file can crash the process.
_UNSAFE_TYPES = (
    "sklearn.tree._tree.Tree",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
)


def read_model_file(path: Path, source: str, *, allow_pickle: bool) -> tuple[object, Origin]:
    """The object in a model file, and its origin.

    Raises:
        ConfigurationError: the file is a pickle and ``allow_pickle`` is False.
        ModelError: the file is missing, cannot be read, or is skops and holds types that are not trusted.
        MissingExtraError: the package that reads it is not installed.

    Warns:
        TrustWarning: the file was written by another version of scikit-learn.
    """
    _check_file(path, allow_pickle)
    with _relayed_warnings(path):
        model = _read(path, _read_pickle if path.suffix.lower() in PICKLES else _read_skops)
    return model, Origin(source, identity=file_digest(path))


def _check_file(path: Path, allow_pickle: bool) -> None:
    suffix = path.suffix.lower()
    if not path.is_file():
        raise ModelError(f"model file {path} is {'a folder' if path.is_dir() else 'missing'}; expected a file")
    if suffix not in SUFFIXES:
        raise ModelError(f"model file {path} has the suffix {suffix!r}; expected one of {listed(SUFFIXES)}")
    if suffix in PICKLES and not allow_pickle:
        raise ConfigurationError(
            f"model file {path} is a pickle, which runs code when it is loaded, and pickles are forbidden "
            "(--trust-no-pickle); expected a .skops file or an import path"
        )


def _read(path: Path, reader: Callable[[Path], object]) -> object:
    try:
        return reader(path)
    except TrustError:
        raise
    except ModuleNotFoundError as error:
        raise _module_missing(path, error) from error
    except Exception as error:
        raise ModelError(
            f"model file {path} cannot be read as a {path.suffix} file ({type(error).__name__}: {error}); "
            "expected a classifier saved by joblib.dump, pickle.dump or skops.io.dump under that suffix"
        ) from error


def _module_missing(path: Path, error: ModuleNotFoundError) -> TrustError:
    if (error.name or "").partition(".")[0] == "sklearn":
        return missing_extra("scikit-learn", "sklearn", f"model file {path}")
    return ModelError(f"model file {path} needs the module {error.name!r}, which cannot be imported ({error})")


def _read_pickle(path: Path) -> object:
    import joblib

    return joblib.load(path)


def _read_skops(path: Path) -> object:
    try:
        from skops import io
    except ModuleNotFoundError as error:
        raise missing_extra("skops", "sklearn", f"model file {path}") from error
    found = io.get_untrusted_types(file=path)
    refused = [name for name in found if not _is_trusted(name)]
    if refused:
        raise ModelError(
            f"model file {path} holds types that are not trusted: {listed(refused)}; expected types of scikit-learn, "
            "numpy and scipy that are safe to load. If you trust the file, give an import path to a function without "
            "parameters that returns skops.io.load(FILE, trusted=[...])"
        )
    return io.load(path, trusted=found)


def _is_trusted(name: str) -> bool:
    """A class of scikit-learn, numpy or scipy; their functions are not, since a file could have them called."""
    module, _, attribute = name.rpartition(".")
    if name in _UNSAFE_TYPES or module.partition(".")[0] not in _TRUSTED_PACKAGES:
        return False
    try:
        return isinstance(getattr(importlib.import_module(module), attribute, None), type)
    except ImportError:
        return False


@contextmanager
def _relayed_warnings(path: Path) -> Iterator[None]:
    """Holds warnings back until the model is loaded, so that no filter can turn one into a failure to load."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    versions = [warning.message for warning in caught if warning.category.__name__ == "InconsistentVersionWarning"]
    if versions:
        warnings.warn(_version_message(path, versions), TrustWarning, stacklevel=_TO_CALLER)
    for warning in caught:
        if warning.message not in versions:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def _version_message(path: Path, versions: Sequence[Any]) -> str:
    first = versions[0]
    parts = listed(dict.fromkeys(warning.estimator_name for warning in versions))
    return (
        f"model file {path} was written by scikit-learn {first.original_sklearn_version} and is read by "
        f"{first.current_sklearn_version} ({parts}): its answers may differ from those it was tested with"
    )

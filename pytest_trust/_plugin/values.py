"""Values of options as the user gave them, and what they are made into."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

import pytest

from pytest_trust.imports import is_import_path

if TYPE_CHECKING:
    from pytest_trust.keywords.descriptions import Descriptions
    from pytest_trust.models import ClassNames

T = TypeVar("T")

Sampling = Literal["fixed", "sequential", "capped"]
Precision = Literal["float32", "bfloat16"]
Backend = Literal["loky", "dask", "ray"]

# What makes a folder one of a model.
_MODEL_FILES = ("config.json", "model.onnx")


@dataclass(frozen=True, slots=True)
class Found:
    """A value as the user gave it: ``label`` names where, relative paths start at ``base``."""

    text: str
    label: str
    base: Path

    def path(self) -> Path:
        """The absolute path that the value would be.

        Raises:
            UsageError: it cannot be a path.
        """
        try:
            path = (self.base / Path(self.text).expanduser()).absolute()
            path.exists()  # a name too long shows here
        except (OSError, RuntimeError, ValueError) as error:
            raise self.error(f"not a path: {error}") from error
        return path

    def error(self, problem: str) -> pytest.UsageError:
        """A usage error that names the option and the value."""
        return pytest.UsageError(f"{self.label}={self.text}: {problem}")


def checked(found: Mapping[str, Found | None], name: str, check: Callable[[Found], T]) -> T | None:
    value = found[name]
    return None if value is None else check(value)


def number(found: Mapping[str, Found | None], name: str, default: int, least: int) -> int:
    value = found[name]
    if value is None:
        return default
    try:
        number = int(value.text)
    except ValueError:
        raise value.error("expected a whole number") from None
    if not least <= number < 2**32:
        raise value.error(f"expected a whole number from {least} to {2**32 - 1}")
    return number


def check_model(value: Found) -> str:
    from pytest_trust.models import is_address, is_hub_name

    if is_address(value.text):
        return value.text
    if value.path().is_dir() and any((value.path() / name).is_file() for name in _MODEL_FILES):
        return str(value.path())
    if is_hub_name(value.text) and not value.path().exists():
        return value.text
    return _file_or_import(value, ".joblib, .pkl, .skops, .onnx, or a folder with config.json or model.onnx")


def check_data(value: Found) -> str:
    return _file_or_import(value, ".csv, .tsv, .jsonl, .parquet")


def _file_or_import(value: Found, endings: str) -> str:
    if value.path().is_file():
        return str(value.path())
    if is_import_path(value.text):
        return value.text
    raise value.error(f"expected a file ({endings}) that exists, or package.module:attribute")


def output_path(value: Found) -> Path:
    path = value.path()
    if path.is_dir():
        raise value.error("expected a file, found a folder")
    if not path.parent.is_dir():
        raise value.error(f"expected a file in a folder that exists, but there is no {path.parent}")
    return path


_READ = ("model", "train", "data", "index", "descriptions", "verdicts", "synonyms", "baseline")
_WRITTEN = ("json", "html", "markdown", "save-baseline", "save-adversarial")


def refuse_shared_files(found: Mapping[str, Found | None]) -> None:
    """Raises where a file that is written is one that is read, or another that is written.

    A baseline may take the place of the one that the run is compared with.
    """
    used: dict[Path, str] = {}
    for name in (*_READ, *_WRITTEN):
        value = found[name]
        if value is None or "://" in value.text:
            continue
        path = value.path().resolve()
        if name in _WRITTEN and path in used and {name, used[path]} != {"save-baseline", "baseline"}:
            raise value.error(f"the file of --trust-{used[path]}; expected one of its own")
        if not path.exists() or path.is_file():  # devices and pipes may take several
            used[path] = name


def html_path(value: Found) -> Path:
    """A file for the page, which is made when the run is over: too late to find that a package is missing."""
    if find_spec("jinja2") is None:
        raise value.error("the page needs Jinja2, which pip install 'pytest-trust[html]' brings")
    return output_path(value)


def cases_path(value: Found) -> Path:
    path = output_path(value)
    if path.suffix not in (".csv", ".jsonl"):
        raise value.error("expected a file whose name ends in .csv or .jsonl")
    return path


def cache_folder(value: Found) -> Path | Literal["off"]:
    """A folder, which is made where it is missing; "off" for none."""
    if value.text == "off":
        return "off"
    if not value.text.strip():
        raise value.error("expected a folder, or off, found nothing")
    path = value.path()
    if path.exists() and not path.is_dir():
        raise value.error("expected a folder, found a file")
    return path


def seconds(found: Mapping[str, Found | None], name: str) -> float | None:
    """A positive number of seconds; None where it is not given."""
    value = found[name]
    if value is None:
        return None
    try:
        number = float(value.text)
    except ValueError:
        raise value.error("expected a number of seconds") from None
    if not 0 < number < float("inf"):
        raise value.error("expected a positive number of seconds")
    return number


def index_path(value: Found) -> Path:
    path = output_path(value)
    if path.suffix != ".zip":
        raise value.error("expected a file whose name ends in .zip")
    return path


def parse_classes(value: Found) -> ClassNames:
    from pytest_trust.models import parse_class_names

    return _parse(value, parse_class_names)


def parse_columns(value: Found) -> dict[str, str]:
    from pytest_trust.data import parse_columns

    return _parse(value, parse_columns)


def parse_embeddings(value: Found) -> tuple[str, ...]:
    from pytest_trust.embeddings.loading import ensemble_names

    return tuple(_parse(value, lambda text: ensemble_names(text, value.base)))


def one_embedding(value: Found) -> str:
    names = parse_embeddings(value)
    if len(names) != 1:
        raise value.error(f"expected one embedding, found {len(names)}")
    return names[0]


def check_oracle(value: Found) -> str:
    from pytest_trust.oracles import parse_oracle

    _parse(value, parse_oracle)
    return value.text


def read_descriptions(value: Found) -> Descriptions:
    from pytest_trust.keywords.descriptions import read_descriptions

    path = input_path(value)
    return _parse(value, lambda _: read_descriptions(path))


def input_path(value: Found) -> Path:
    if not value.path().is_file():
        raise value.error("expected a file that exists")
    return value.path()


def check_explainer(value: Found) -> str:
    from pytest_trust.explain import make_explainer

    return _parse(value, lambda name: make_explainer(name, 2, 1).name)


def check_sampling(value: Found) -> Sampling:
    return _one_of(value, get_args(Sampling))


def check_precision(value: Found) -> Precision:
    return _one_of(value, get_args(Precision))


def check_backend(value: Found) -> Backend:
    """One of the engines that share the work."""
    return _one_of(value, get_args(Backend))


def _one_of(value: Found, choices: tuple[T, ...]) -> T:
    for choice in choices:
        if choice == value.text:
            return choice
    raise value.error(f"choose one of: {', '.join(map(str, choices))}")


def _parse(value: Found, parse: Callable[[str], T]) -> T:
    """What ``parse`` makes of the text, its errors as usage errors."""
    from pytest_trust.errors import TrustError

    try:
        return parse(value.text)
    except TrustError as error:
        raise value.error(str(error)) from error

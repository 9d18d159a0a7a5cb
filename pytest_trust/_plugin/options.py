"""Command line options and their ini twins, resolved into one frozen configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import pytest

from pytest_trust.imports import is_import_path

if TYPE_CHECKING:
    from pytest_trust.keywords.descriptions import Descriptions
    from pytest_trust.models import ClassNames

T = TypeVar("T")

# What makes a folder one of a model.
_MODEL_FILES = ("config.json", "model.onnx")

DEFAULT_SAMPLES = 5000
DEFAULT_FEATURES = 10
DEFAULT_SEED = 0
DEFAULT_ORACLE = "toki"
DEFAULT_EXPLAINER = "lime"
DEFAULT_CAP = 1024
DEFAULT_FAITHFULNESS = 20

Sampling = Literal["fixed", "sequential", "capped"]
Precision = Literal["float32", "bfloat16"]
DEFAULT_SAMPLING: Sampling = "sequential"
DEFAULT_PRECISION: Precision = "float32"


@dataclass(frozen=True, slots=True)
class Option:
    """One setting: ``--trust-NAME`` on the command line, ``trust_NAME`` in the ini file."""

    name: str
    metavar: str
    help: str
    number: bool = False

    @property
    def flag(self) -> str:
        """The command line flag."""
        return "--trust-" + self.name

    @property
    def key(self) -> str:
        """The ini key, and the attribute of the parsed command line."""
        return "trust_" + self.name.replace("-", "_")


OPTIONS = (
    Option(
        "model",
        "MODEL",
        "model under test: package.module:attribute, a model file or folder, a hub name, or an http(s) address",
    ),
    Option("classes", "NAMES", "names of the classes in column order, or 0=negative,1=positive|good"),
    Option("train", "DATA", "training data, from which the keyword index is built"),
    Option(
        "data",
        "DATA",
        "data that checks look at: .csv, .tsv, .jsonl, .parquet or package.module:attribute",
    ),
    Option(
        "columns",
        "MAP",
        "other column names: text=body,label=target,trustworthy=human; group=doc for the source that texts share",
    ),
    Option("index", "FILE", "file of the keyword index (default: below .trust/ in the root folder)"),
    Option(
        "embeddings",
        "NAMES",
        "word embeddings of the ensemble: glove, use, minilm, files, folders, hub names, package.module:attribute, "
        "each with @THRESHOLD if wanted (default: glove,use,minilm)",
    ),
    Option(
        "oracle",
        "NAME",
        f"toki, contrastive, tower, direct or confidence, with NAME:setting=value,... (default: {DEFAULT_ORACLE})",
    ),
    Option("descriptions", "FILE", "TOML file that describes the classes: words, allow and deny lists"),
    Option("verdicts", "FILE", "people's verdicts on predictions, as pytest-trust label writes them (.jsonl)"),
    Option("synonyms", "NAME", "table of word vectors for the attack a2t, named as in --trust-embeddings"),
    Option("explainer", "NAME", f"lime, omission, gradient or lime-reference (default: {DEFAULT_EXPLAINER})"),
    Option("samples", "N", f"neighbours per LIME explanation (default: {DEFAULT_SAMPLES})", number=True),
    Option(
        "sampling",
        "MODE",
        f"neighbours scored for a verdict: fixed, sequential or capped (default: {DEFAULT_SAMPLING})",
    ),
    Option("cap", "N", f"most neighbours of a text that capped sampling scores (default: {DEFAULT_CAP})", number=True),
    Option("features", "N", f"words per explanation (default: {DEFAULT_FEATURES})", number=True),
    Option(
        "faithfulness",
        "N",
        f"explanations whose faithfulness and stability are measured (default: {DEFAULT_FAITHFULNESS}; 0: none)",
        number=True,
    ),
    Option("precision", "TYPE", f"float32 or bfloat16, of transformers models (default: {DEFAULT_PRECISION})"),
    Option("seed", "N", f"seed of samples, perturbations and explanations (default: {DEFAULT_SEED})", number=True),
    Option("json", "FILE", "write the results of all checks to this file"),
    Option(
        "save-adversarial", "FILE", "write texts that fooled the model, with their labels, to a .csv or .jsonl file"
    ),
)

_SWITCHES = (
    ("--no-trust", "no_trust", "skip trust tests and switch the plugin's reports off"),
    (
        "--trust-no-pickle",
        "trust_no_pickle",
        "refuse models and embeddings in pickle files (.joblib, .pkl, .kv), since loading them runs code",
    ),
)

_PREVIEW = "show what a perturbation does to the data, such as typos or 'typos(rate=0.1)', and run no test"


@dataclass(frozen=True, slots=True)
class TrustConfig:
    """The settings of a session. Paths that exist are absolute; the seed is that of the session."""

    model: str | None = None
    classes: ClassNames | None = None
    train: str | None = None
    data: str | None = None
    columns: Mapping[str, str] | None = None
    index: Path | None = None
    embeddings: tuple[str, ...] | None = None
    oracle: str = DEFAULT_ORACLE
    descriptions: Descriptions | None = None
    verdicts: Path | None = None
    synonyms: str | None = None
    explainer: str = DEFAULT_EXPLAINER
    samples: int = DEFAULT_SAMPLES
    sampling: Sampling = DEFAULT_SAMPLING
    cap: int = DEFAULT_CAP
    features: int = DEFAULT_FEATURES
    faithfulness: int = DEFAULT_FAITHFULNESS
    precision: Precision = DEFAULT_PRECISION
    seed: int = DEFAULT_SEED
    json: Path | None = None
    save_adversarial: Path | None = None
    preview: str | None = None
    disabled: bool = False
    allow_pickle: bool = True
    rootpath: Path = Path()


CONFIG = pytest.StashKey[TrustConfig]()


def add_options(parser: pytest.Parser) -> None:
    """Registers every option with its ini twin, in one group."""
    group = parser.getgroup("trust", "trust in text classifiers (pytest-trust)")
    for option in OPTIONS:
        group.addoption(option.flag, dest=option.key, metavar=option.metavar, default=None, help=option.help)
        kind: Literal["int", "string"] = "int" if option.number else "string"
        parser.addini(option.key, option.help + f" (twin of {option.flag})", type=kind, default=None)
    # An action, which no ini file should set for every run.
    group.addoption("--trust-preview", dest="trust_preview", metavar="NAME", default=None, help=_PREVIEW)
    for flag, key, text in _SWITCHES:
        group.addoption(flag, dest=key, action="store_true", default=None, help=text)
        parser.addini(key, text + f" (twin of {flag})", type="bool", default=False)


def resolve(config: pytest.Config) -> TrustConfig:
    """The settings: command line over ini over default.

    Raises:
        UsageError: a value cannot be used; the message names option, value and what is expected.
    """
    if _switch(config, "no_trust") or _only_lists(config):
        return TrustConfig(disabled=True, rootpath=config.rootpath)
    found = {option.name: _value(config, option) for option in OPTIONS}
    return TrustConfig(
        model=_checked(found, "model", _check_model),
        classes=_checked(found, "classes", _parse_classes),
        train=_checked(found, "train", _check_data),
        data=_checked(found, "data", _check_data),
        columns=_checked(found, "columns", _parse_columns),
        index=_checked(found, "index", _index_path),
        embeddings=_checked(found, "embeddings", _parse_embeddings),
        oracle=_checked(found, "oracle", _check_oracle) or DEFAULT_ORACLE,
        descriptions=_checked(found, "descriptions", _read_descriptions),
        verdicts=_checked(found, "verdicts", _input_path),
        synonyms=_checked(found, "synonyms", _one_embedding),
        explainer=_checked(found, "explainer", _check_explainer) or DEFAULT_EXPLAINER,
        samples=_number(found, "samples", DEFAULT_SAMPLES, least=2),
        sampling=_checked(found, "sampling", _check_sampling) or DEFAULT_SAMPLING,
        cap=_number(found, "cap", DEFAULT_CAP, least=48),
        features=_number(found, "features", DEFAULT_FEATURES, least=1),
        faithfulness=_number(found, "faithfulness", DEFAULT_FAITHFULNESS, least=0),
        precision=_checked(found, "precision", _check_precision) or DEFAULT_PRECISION,
        seed=_number(found, "seed", DEFAULT_SEED, least=0),
        json=_checked(found, "json", _output_path),
        save_adversarial=_checked(found, "save-adversarial", _cases_path),
        preview=config.getoption("trust_preview"),
        allow_pickle=not _switch(config, "trust_no_pickle"),
        rootpath=config.rootpath,
    )


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


def _value(config: pytest.Config, option: Option) -> Found | None:
    given = config.getoption(option.key)
    if given is not None:
        return Found(given, option.flag, config.invocation_params.dir)
    set_in_file = _ini(config, option.key)
    if set_in_file is not None and str(set_in_file).strip():
        return Found(str(set_in_file).strip(), option.key, (config.inipath or config.rootpath / "x").parent)
    return None


def _ini(config: pytest.Config, key: str) -> Any:
    try:
        return config.getini(key)
    except (TypeError, ValueError, pytest.UsageError) as error:
        raise pytest.UsageError(f"{key} in the ini file: {error}") from error


def _only_lists(config: pytest.Config) -> bool:
    """Whether this run only prints something, for which no model has to be there."""
    listing = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test", "collectonly")
    return any(getattr(config.option, name, False) for name in listing)


def _switch(config: pytest.Config, key: str) -> bool:
    return bool(config.getoption(key) or _ini(config, key))


def _checked(found: Mapping[str, Found | None], name: str, check: Callable[[Found], T]) -> T | None:
    value = found[name]
    return None if value is None else check(value)


def _number(found: Mapping[str, Found | None], name: str, default: int, least: int) -> int:
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


def _check_model(value: Found) -> str:
    from pytest_trust.models import is_address, is_hub_name

    if is_address(value.text):
        return value.text
    if value.path().is_dir() and any((value.path() / name).is_file() for name in _MODEL_FILES):
        return str(value.path())
    if is_hub_name(value.text) and not value.path().exists():
        return value.text
    return _file_or_import(value, ".joblib, .pkl, .skops, .onnx, or a folder with config.json or model.onnx")


def _check_data(value: Found) -> str:
    return _file_or_import(value, ".csv, .tsv, .jsonl, .parquet")


def _file_or_import(value: Found, endings: str) -> str:
    if value.path().is_file():
        return str(value.path())
    if is_import_path(value.text):
        return value.text
    raise value.error(f"expected a file ({endings}) that exists, or package.module:attribute")


def _output_path(value: Found) -> Path:
    path = value.path()
    if path.is_dir():
        raise value.error("expected a file, found a folder")
    if not path.parent.is_dir():
        raise value.error(f"expected a file in a folder that exists, but there is no {path.parent}")
    return path


def _cases_path(value: Found) -> Path:
    path = _output_path(value)
    if path.suffix not in (".csv", ".jsonl"):
        raise value.error("expected a file whose name ends in .csv or .jsonl")
    return path


def _index_path(value: Found) -> Path:
    path = _output_path(value)
    if path.suffix != ".zip":
        raise value.error("expected a file whose name ends in .zip")
    return path


def _parse_classes(value: Found) -> ClassNames:
    from pytest_trust.models import parse_class_names

    return _parse(value, parse_class_names)


def _parse_columns(value: Found) -> dict[str, str]:
    from pytest_trust.data import parse_columns

    return _parse(value, parse_columns)


def _parse_embeddings(value: Found) -> tuple[str, ...]:
    from pytest_trust.embeddings.loading import ensemble_names

    return tuple(_parse(value, lambda text: ensemble_names(text, value.base)))


def _one_embedding(value: Found) -> str:
    names = _parse_embeddings(value)
    if len(names) != 1:
        raise value.error(f"expected one embedding, found {len(names)}")
    return names[0]


def _check_oracle(value: Found) -> str:
    from pytest_trust.oracles import parse_oracle

    _parse(value, parse_oracle)
    return value.text


def _read_descriptions(value: Found) -> Descriptions:
    from pytest_trust.keywords.descriptions import read_descriptions

    path = _input_path(value)
    return _parse(value, lambda _: read_descriptions(path))


def _input_path(value: Found) -> Path:
    if not value.path().is_file():
        raise value.error("expected a file that exists")
    return value.path()


def _check_explainer(value: Found) -> str:
    from pytest_trust.explain import make_explainer

    return _parse(value, lambda name: make_explainer(name, DEFAULT_SAMPLES, DEFAULT_FEATURES).name)


def _check_sampling(value: Found) -> Sampling:
    return _one_of(value, get_args(Sampling))


def _check_precision(value: Found) -> Precision:
    return _one_of(value, get_args(Precision))


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


def header(settings: TrustConfig) -> list[str]:
    """The lines of the session's header: model, data, training data, index and seed; whether loading runs code."""
    given = {"model": settings.model, "data": settings.data, "train": settings.train, "index": settings.index}
    shown = [f"{name}={_short(value, settings.rootpath)}" for name, value in given.items() if value is not None]
    if settings.disabled or not shown:
        return []
    lines = [f"trust: {', '.join(shown)}, seed={settings.seed}"]
    lines += [
        f"trust: loading {name} runs code in that file (--trust-no-pickle forbids it)" for name in _pickles(settings)
    ]
    return lines


def _pickles(settings: TrustConfig) -> list[str]:
    """The names of the given files whose loading runs code."""
    found = []
    if settings.model is not None:
        from pytest_trust.models.files import PICKLES

        found += [settings.model] if settings.model.lower().endswith(PICKLES) else []
    if settings.embeddings is not None:
        from pytest_trust.embeddings.loading import pickled_embeddings

        found += pickled_embeddings(settings.embeddings)
    return [Path(name).name for name in found]


def _short(value: str | Path, rootpath: Path) -> str:
    """What a header shows: paths from the root folder, addresses without what may be secret."""
    if isinstance(value, str) and "://" in value:
        from pytest_trust.models.endpoint_settings import redacted

        return redacted(value)
    path = Path(value)
    return str(path.relative_to(rootpath)) if path.is_relative_to(rootpath) else str(value)

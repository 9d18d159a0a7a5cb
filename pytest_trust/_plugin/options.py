"""Command line options and their ini twins, resolved into one frozen configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_trust._plugin import values
from pytest_trust._plugin.values import Backend, Found, Precision, Sampling

if TYPE_CHECKING:
    from pytest_trust.keywords.descriptions import Descriptions
    from pytest_trust.models import ClassNames

DEFAULT_SAMPLES = 5000
DEFAULT_FEATURES = 10
DEFAULT_SEED = 0
DEFAULT_ORACLE = "toki"
DEFAULT_EXPLAINER = "lime"
DEFAULT_CAP = 1024
DEFAULT_FAITHFULNESS = 20
DEFAULT_JOBS = 1
DEFAULT_BACKEND: Backend = "loky"

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
    Option(
        "synonyms",
        "NAME",
        "table of word vectors for the attack a2t, named as in --trust-embeddings; @0.8 sets a synonym's least cosine",
    ),
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
    Option("html", "FILE", "write a page to look through in a browser: every prediction, with the words it rests on"),
    Option("markdown", "FILE", "write a summary for a merge request"),
    Option("baseline", "FILE", "results of an earlier run: a check fails where the model is significantly worse"),
    Option("save-baseline", "FILE", "write the results of this run, text by text, for --trust-baseline"),
    Option(
        "cache",
        "DIR",
        "folder of kept explanations and answers (default: .trust/ in the root folder); off keeps none",
    ),
    Option("jobs", "N", f"processes that explain (default: {DEFAULT_JOBS})", number=True),
    Option("backend", "NAME", f"what runs them: loky, dask or ray (default: {DEFAULT_BACKEND})"),
    Option("budget", "SECONDS", "most seconds for the checks of a session: what is not finished then is inconclusive"),
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
    (
        "--trust-github",
        "trust_github",
        "in GitHub Actions: write the job summary, and annotate the lines of tests that did not pass",
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
    html: Path | None = None
    markdown: Path | None = None
    baseline: Path | None = None
    save_baseline: Path | None = None
    cache: Path | Literal["off"] | None = None
    jobs: int = DEFAULT_JOBS
    backend: Backend = DEFAULT_BACKEND
    budget: float | None = None
    save_adversarial: Path | None = None
    preview: str | None = None
    disabled: bool = False
    allow_pickle: bool = True
    github: bool = False
    rootpath: Path = Path()

    @property
    def keeps_texts(self) -> bool:
        """Whether a file is asked for that holds what was found on each text."""
        return any(path is not None for path in (self.html, self.baseline, self.save_baseline))


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
    values.refuse_shared_files(found)
    return TrustConfig(
        model=values.checked(found, "model", values.check_model),
        classes=values.checked(found, "classes", values.parse_classes),
        train=values.checked(found, "train", values.check_data),
        data=values.checked(found, "data", values.check_data),
        columns=values.checked(found, "columns", values.parse_columns),
        index=values.checked(found, "index", values.index_path),
        embeddings=values.checked(found, "embeddings", values.parse_embeddings),
        oracle=values.checked(found, "oracle", values.check_oracle) or DEFAULT_ORACLE,
        descriptions=values.checked(found, "descriptions", values.read_descriptions),
        verdicts=values.checked(found, "verdicts", values.input_path),
        synonyms=values.checked(found, "synonyms", values.one_embedding),
        explainer=values.checked(found, "explainer", values.check_explainer) or DEFAULT_EXPLAINER,
        samples=values.number(found, "samples", DEFAULT_SAMPLES, least=2),
        sampling=values.checked(found, "sampling", values.check_sampling) or DEFAULT_SAMPLING,
        cap=values.number(found, "cap", DEFAULT_CAP, least=48),
        features=values.number(found, "features", DEFAULT_FEATURES, least=1),
        faithfulness=values.number(found, "faithfulness", DEFAULT_FAITHFULNESS, least=0),
        precision=values.checked(found, "precision", values.check_precision) or DEFAULT_PRECISION,
        seed=values.number(found, "seed", DEFAULT_SEED, least=0),
        json=values.checked(found, "json", values.output_path),
        html=values.checked(found, "html", values.html_path),
        markdown=values.checked(found, "markdown", values.output_path),
        baseline=values.checked(found, "baseline", values.input_path),
        save_baseline=values.checked(found, "save-baseline", values.output_path),
        cache=values.checked(found, "cache", values.cache_folder),
        jobs=values.number(found, "jobs", DEFAULT_JOBS, least=1),
        backend=values.checked(found, "backend", values.check_backend) or DEFAULT_BACKEND,
        budget=values.seconds(found, "budget"),
        save_adversarial=values.checked(found, "save-adversarial", values.cases_path),
        preview=config.getoption("trust_preview"),
        allow_pickle=not _switch(config, "trust_no_pickle"),
        github=_switch(config, "trust_github"),
        rootpath=config.rootpath,
    )


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

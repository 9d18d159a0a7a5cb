"""The parts of a session, made once: model, data, embeddings, index, oracle."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_trust._plugin.budget import within_budget
from pytest_trust._plugin.kept import keeping_explainer, keeping_model
from pytest_trust._plugin.options import CONFIG, TrustConfig
from pytest_trust._plugin.progress import progress_bar
from pytest_trust._plugin.workers import shared_explainer
from pytest_trust.errors import BudgetSpentError, ConfigurationError, TrustError
from pytest_trust.messages import shown

if TYPE_CHECKING:
    from pytest_trust.attacks import SynonymSubstitution
    from pytest_trust.attacks.textattack import TextAttackRunner
    from pytest_trust.data import TextDataset
    from pytest_trust.embeddings import Embedding
    from pytest_trust.explain import Explainer
    from pytest_trust.keywords import IndexOrigin, KeywordIndex
    from pytest_trust.models import TextClassifier
    from pytest_trust.oracles import Oracle, OracleSpec


_ADAPTED = pytest.StashKey["dict[int, Adapted]"]()
_INDICES = pytest.StashKey["dict[str, KeywordIndex]"]()
_EXPLAINER = pytest.StashKey["Explainer"]()
_MEMBERS = pytest.StashKey["tuple[Embedding, ...]"]()
_TEXTATTACK = pytest.StashKey["TextAttackRunner"]()
_SYNONYMS = pytest.StashKey["SynonymSubstitution"]()
_ORACLES = pytest.StashKey["dict[tuple[OracleSpec, int], Oracle]"]()


class NotGiven(pytest.fail.Exception):  # type: ignore[name-defined, misc]  # pytest types it as a variable
    """A part of the session that neither an option nor a fixture gives."""


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Reports our own errors by their message alone; one caused by the user's code keeps its traceback."""
    __tracebackhide__ = True
    try:
        yield
    except BudgetSpentError:
        raise  # for the check that it ends
    except TrustError as error:
        if error.__cause__ is not None:
            raise
        raise pytest.fail.Exception(str(error), pytrace=False) from None


def active_config(config: pytest.Config) -> TrustConfig:
    """The session's settings; skips the test where trust is switched off."""
    settings = config.stash[CONFIG]
    if settings.disabled:
        pytest.skip("trust tests are switched off (--no-trust)")
    return settings


def load_session_model(config: pytest.Config) -> TextClassifier:
    """The model of ``--trust-model``.

    Raises:
        NotGiven: there is none.
        ModelError: it cannot be loaded.
    """
    settings = active_config(config)
    if settings.model is None:
        raise _not_given("model under test", "model")
    return _loaded(settings.model, settings)


def load_session_data(config: pytest.Config, option: str) -> TextDataset:
    """The data of ``--trust-data`` or ``--trust-train``.

    Raises:
        NotGiven: there are none.
        DataError: they cannot be read.
    """
    settings = active_config(config)
    source = settings.data if option == "data" else settings.train
    if source is None:
        raise _not_given("training data" if option == "train" else "data to test on", option)
    return read_data(settings, source, verdicts=option == "data")


def _not_given(what: str, option: str) -> NotGiven:
    return NotGiven(
        f"no {what}: give --trust-{option}=... (or trust_{option} in the ini file), "
        f"or override the session fixture trust_{option} in a conftest.py",
        pytrace=False,
    )


def read_data(
    settings: TrustConfig, source: object, *, verdicts: bool = True, origin: str = "", own: bool = False
) -> TextDataset:
    """A data set with the session's column names; labels may be missing, since some checks need none.

    Training data have no column of human ``verdicts`` or of groups, whatever it is called in the data to test on.
    ``origin`` says where the source came from, for the case that it is nothing. Data of a test's ``own`` may lack the
    columns of verdicts and groups that the session's data have.
    """
    from pytest_trust.data import load_dataset

    if source is None:
        raise ConfigurationError(f"{origin} gave None; expected data: a path, a list, a DataFrame or a TextDataset")
    columns = {key: name for key, name in (settings.columns or {}).items() if verdicts or key in ("text", "label")}
    may_lack = tuple(columns) if own else ()
    return load_dataset(source, columns=columns, rootpath=settings.rootpath, require_labels=False, may_lack=may_lack)


@dataclass(frozen=True)
class Adapted:
    """A model of the user's, as a classifier with the class names of the session, and what reports say of it."""

    given: Any
    classifier: TextClassifier
    described: Mapping[str, Any]


def adapt_model(config: pytest.Config, model: Any) -> Adapted:
    """Whatever the fixture trust_model gave; made and fingerprinted once for each object."""
    adapted = config.stash.setdefault(_ADAPTED, {})
    if id(model) not in adapted:
        adapted[id(model)] = _adapt(config, model)
    return adapted[id(model)]


def _loaded(model: Any, settings: TrustConfig) -> TextClassifier:
    from pytest_trust.models import load_model

    return load_model(
        model,
        classes=settings.classes,
        rootpath=settings.rootpath,
        allow_pickle=settings.allow_pickle,
        precision=settings.precision,
    )


def _adapt(config: pytest.Config, model: Any) -> Adapted:
    from pytest_trust.models import TextClassifier

    try:
        classifier = keeping_model(config, _loaded(model, config.stash[CONFIG]))
    except TrustError as error:
        if isinstance(model, TextClassifier):
            raise
        raise type(error)(f"the fixture trust_model gave {shown(model)}: {error}") from error.__cause__
    described = {
        "source": classifier.source,
        "fingerprint": classifier.fingerprint(),
        "classes": list(classifier.classes),
    }
    return Adapted(model, classifier, described)


def session_explainer(config: pytest.Config) -> Explainer:
    """The explainer of ``--trust-explainer``, one a session: it remembers its neighbourhoods, and past sessions."""
    if _EXPLAINER not in config.stash:
        explainer = plain_explainer(config.stash[CONFIG])
        config.stash[_EXPLAINER] = keeping_explainer(config, shared_explainer(config, explainer))
    return config.stash[_EXPLAINER]


def plain_explainer(settings: TrustConfig) -> Explainer:
    """The explainer of ``--trust-explainer``, which neither shares its work nor keeps it."""
    from pytest_trust.explain import make_explainer

    return make_explainer(
        settings.explainer,
        samples=settings.samples,
        features=settings.features,
        sampling=settings.sampling,
        cap=settings.cap,
    )


def _members(config: pytest.Config) -> tuple[Embedding, ...]:
    """The embeddings of ``--trust-embeddings``, loaded once a session."""
    from pytest_trust.embeddings import load_ensemble

    if _MEMBERS not in config.stash:
        settings = config.stash[CONFIG]
        config.stash[_MEMBERS] = load_ensemble(
            settings.embeddings, rootpath=settings.rootpath, allow_pickle=settings.allow_pickle
        )
    return config.stash[_MEMBERS]


def described_members(config: pytest.Config) -> list[str]:
    """The embeddings of the session, each with its threshold and fingerprint."""
    return [f"{member.name}@{member.threshold:g} {member.fingerprint}" for member in _members(config)]


def session_oracle(request: pytest.FixtureRequest, model: Any, spec: str | None = None) -> Oracle:
    """The oracle that ``spec`` names (by default that of ``--trust-oracle``) for ``model``, made once a session."""
    from pytest_trust.embeddings.kept import keep_below
    from pytest_trust.oracles import make_oracle, parse_oracle

    config = request.config
    settings = active_config(config)
    parsed = parse_oracle(settings.oracle if spec is None else spec)
    made = config.stash.setdefault(_ORACLES, {})
    if (parsed, id(model)) not in made:
        made[parsed, id(model)] = make_oracle(
            parsed,
            adapt_model(config, model).classifier,
            members=_members(config) if parsed.needs_members else (),
            index=_index_for(request, model, parsed),
            descriptions=settings.descriptions,
            keep=keep_below(settings.rootpath),
        )
    return made[parsed, id(model)]


def _index_for(request: pytest.FixtureRequest, model: Any, parsed: OracleSpec) -> KeywordIndex | None:
    """The index for an oracle on ``model``: the fixture's where that is a user's own, else the session's."""
    config = request.config
    if not parsed.needs_index(adapt_model(config, model).classifier, config.stash[CONFIG].descriptions):
        return None
    try:
        return _index_of(request, model)
    except NotGiven as error:
        if parsed.name == "toki":
            raise
        what = "describe every class by five words or more (--trust-descriptions=FILE)"
        raise NotGiven(f"the oracle {parsed.name}: {error}; or {what}", pytrace=False) from None


def _index_of(request: pytest.FixtureRequest, model: Any) -> KeywordIndex:
    """The index of ``model``: that of the fixture trust_index where it is a user's own, else the session's."""
    from pytest_trust.keywords import KeywordIndex

    index = request.getfixturevalue("trust_index")
    if not isinstance(index, KeywordIndex):
        raise _wrong_part("trust_index", index, "a KeywordIndex, as pytest_trust.keywords.load_index reads one")
    ours = any(index is item for item in _made(request.config).values())
    return session_index(request, model) if ours else index


def oracle_of_test(request: pytest.FixtureRequest, given: object = None) -> Any:
    """The oracle for the test's own model: that of its mark, else that of the fixture trust_oracle.

    A session has one fixture trust_oracle, but folders of a project may each bring a model: where the fixture's oracle
    is ours and of another model, one of this model takes its place.
    """
    model = request.getfixturevalue("trust_model")
    if isinstance(given, str):
        return session_oracle(request, model, given)
    if given is not None:
        return given
    from pytest_trust.oracles import Oracle

    oracle = request.getfixturevalue("trust_oracle")
    if isinstance(oracle, type) or not isinstance(oracle, Oracle):
        raise _wrong_part("trust_oracle", oracle, "an oracle: an object with name, judge and judge_many")
    ours = any(oracle is item for item in request.config.stash.get(_ORACLES, {}).values())
    return session_oracle(request, model) if ours else oracle


def _wrong_part(name: str, found: object, expected: str) -> ConfigurationError:
    return ConfigurationError(f"the fixture {name} gave {shown(found)}; expected {expected}")


def attack_of_test(request: pytest.FixtureRequest, given: object, budgets: Mapping[str, Any]) -> Any:
    """The attack of a mark on the test's own model: made where ``given`` is a name, else the object itself.

    Raises:
        ConfigurationError: there is no such attack, or a budget is given beside an object.
    """
    limits = {name: value for name, value in budgets.items() if value is not None}
    if not isinstance(given, str):
        if limits:
            raise ConfigurationError(f"{next(iter(limits))}= is for attacks by name; this one has settings of its own")
        return given
    from pytest_trust.attacks.base import AttackSettings
    from pytest_trust.attacks.loading import make_attack, parse_attack

    config, name = request.config, parse_attack(given)
    model = request.getfixturevalue("trust_model")
    return make_attack(
        name,
        adapt_model(config, model).classifier,
        index=_index_of(request, model) if name == "toki" else None,
        members=_members(config) if name == "toki" else (),
        synonyms=_synonyms(config) if name == "a2t" else None,
        runner=_textattack(config) if name.startswith("textattack:") else None,
        settings=AttackSettings(**limits),
        seed=config.stash[CONFIG].seed,
    )


def _textattack(config: pytest.Config) -> TextAttackRunner:
    """The process that runs recipes of TextAttack, one a session: it takes seconds to start."""
    from pytest_trust.attacks.textattack import TextAttackRunner

    if _TEXTATTACK not in config.stash:
        config.stash[_TEXTATTACK] = TextAttackRunner()
        config.add_cleanup(config.stash[_TEXTATTACK].close)
    return config.stash[_TEXTATTACK]


def _synonyms(config: pytest.Config) -> SynonymSubstitution:
    """What a table of word vectors, that of ``--trust-synonyms``, offers; loaded once a session.

    Raises:
        NotGiven: there is none.
    """
    from pytest_trust.attacks.loading import load_synonyms

    if _SYNONYMS not in config.stash:
        settings = config.stash[CONFIG]
        if settings.synonyms is None:
            raise NotGiven(
                "attack='a2t' needs a table of word vectors: give --trust-synonyms=FILE (counter-fitted vectors), or "
                "--trust-synonyms=glove for plain ones, in which opposites are neighbours",
                pytrace=False,
            )
        config.stash[_SYNONYMS] = load_synonyms(
            settings.synonyms, rootpath=settings.rootpath, allow_pickle=settings.allow_pickle
        )
    return config.stash[_SYNONYMS]


def _made(config: pytest.Config) -> dict[str, KeywordIndex]:
    """The indices that this session has read or built, by the key of their origin."""
    return config.stash.setdefault(_INDICES, {})


def session_index(request: pytest.FixtureRequest, model: Any) -> KeywordIndex:
    """The keyword index of ``model``: read where a fresh one lies on disk, else built under a lock and kept there."""
    from pytest_trust.keywords import index_origin

    config = request.config
    settings = active_config(config)
    classifier = adapt_model(config, model).classifier
    train = _training_data(request, settings)
    origin = index_origin(classifier, train, session_explainer(config), _members(config), seed=settings.seed)
    made = _made(config)
    if origin.key() not in made:
        made[origin.key()] = (
            _index_as_given(settings.index, origin) if train is None else _cached(config, origin, classifier, train)
        )
    return made[origin.key()]


def _cached(config: pytest.Config, origin: IndexOrigin, classifier: TextClassifier, train: TextDataset) -> KeywordIndex:
    from pytest_trust.keywords import build_index, cached_index, default_index_path

    def build() -> KeywordIndex:
        with progress_bar(config, "trust: keyword index") as bar:
            progress = within_budget(config, bar)
            return build_index(
                origin, classifier, train, session_explainer(config), _members(config), progress=progress
            )

    settings = config.stash[CONFIG]
    return cached_index(settings.index or default_index_path(settings.rootpath, origin), origin, build)


def _training_data(request: pytest.FixtureRequest, settings: TrustConfig) -> TextDataset | None:
    """The training data; None where only a finished index is given."""
    try:
        return read_data(settings, request.getfixturevalue("trust_train"), verdicts=False, origin="trust_train")
    except NotGiven:
        if settings.index is None or not settings.index.exists():
            raise
        return None


def _index_as_given(path: Path | None, origin: IndexOrigin) -> KeywordIndex:
    """An index whose training data are not at hand: it has to fit the model and the settings."""
    from pytest_trust.keywords.cache import fitting_index

    assert path is not None, "only called with an index file"
    return fitting_index(path, origin, train_option="--trust-train=FILE")

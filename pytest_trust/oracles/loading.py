"""Oracles by name, with their settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.calibration import calibrate
from pytest_trust.embeddings.common import common_vectors
from pytest_trust.embeddings.kept import Keep
from pytest_trust.embeddings.pairs import shipped_pairs
from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords import KeywordIndex
from pytest_trust.keywords.build import require_names
from pytest_trust.keywords.descriptions import Descriptions, of_classes
from pytest_trust.keywords.edits import with_edits
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.classes import class_aliases
from pytest_trust.oracles.base import Oracle
from pytest_trust.oracles.confidence import ConfidenceOracle
from pytest_trust.oracles.contrastive import ContrastiveOracle, require_threshold
from pytest_trust.oracles.described import LEAST_WORDS, describe_classes
from pytest_trust.oracles.direct import DirectOracle
from pytest_trust.oracles.toki import TokiOracle, require_members
from pytest_trust.oracles.tower import TowerOracle, TowerSettings


def _switch(text: str) -> bool:
    return {"true": True, "false": False}[text.lower()]


_KINDS: dict[str, Callable[[str], Any]] = {"float": float, "int": int, "bool": _switch}
_TOWER_FIELDS = {field.name: _KINDS.get(str(field.type), str) for field in fields(TowerSettings)}
_SETTINGS: dict[str, dict[str, Callable[[str], Any]]] = {
    "toki": {},
    "direct": {},
    "confidence": {"threshold": float},
    "tower": _TOWER_FIELDS,
    "contrastive": {"threshold": float},
}
ORACLES = tuple(_SETTINGS)


@dataclass(frozen=True, slots=True)
class OracleSpec:
    """An oracle as a user names it: ``NAME`` or ``NAME:setting=value,setting=value``."""

    name: str
    settings: tuple[tuple[str, Any], ...] = ()

    @property
    def needs_members(self) -> bool:
        """Whether it compares words by embeddings."""
        return self.name != "confidence"

    def needs_index(self, model: TextClassifier, descriptions: Descriptions | None) -> bool:
        """Whether it needs a keyword index; the contrastive oracle does where a class is described too shortly."""
        if self.name == "contrastive":
            return any(len(item.words) < LEAST_WORDS for item in of_classes(descriptions, model))
        return self.name == "toki"


def parse_oracle(text: str) -> OracleSpec:
    """The oracle that ``text`` names, such as "toki" or "tower:top=5,decision=plurality".

    Raises:
        ConfigurationError: there is no such oracle or setting, or the value cannot be used.
    """
    name, _, given = text.partition(":")
    if name not in _SETTINGS:
        raise ConfigurationError(f"unknown oracle {name!r}; choose one of: {', '.join(ORACLES)}")
    settings = tuple(_setting(name, part) for part in given.split(",") if part.strip())
    keys = [key for key, _ in settings]
    twice = [key for key in keys if keys.count(key) > 1]
    if twice:
        raise ConfigurationError(f"oracle {name!r}: {twice[0]} is given twice in {text!r}")
    spec = OracleSpec(name, settings)
    _check(spec)
    return spec


def make_oracle(
    spec: str | OracleSpec,
    model: TextClassifier,
    *,
    members: Sequence[Embedding] = (),
    index: KeywordIndex | None = None,
    descriptions: Descriptions | None = None,
    keep: Keep | None = None,
) -> Oracle:
    """The oracle that ``spec`` names, for ``model``.

    Args:
        spec: see :func:`parse_oracle`.
        model: its classes are judged.
        members: the ensemble; "confidence" needs none.
        index: the keyword index of the model; "toki" needs it, "contrastive" finds describing words in it.
        descriptions: of the classes, by name.
        keep: where vectors of common words are kept.

    Raises:
        ConfigurationError: the spec is wrong, something that the oracle needs is not given, or a class has no name in
            words.
        EmbeddingError: the AUC of a member cannot be computed.
    """
    parsed = parse_oracle(spec) if isinstance(spec, str) else spec
    settings: dict[str, Any] = dict(parsed.settings)
    if parsed.name == "confidence":
        return ConfidenceOracle(**settings)
    if not members:
        raise ConfigurationError(f"the oracle {parsed.name!r} needs at least one embedding")
    names, of = class_aliases(model), of_classes(descriptions, model)
    require_names(model, names)
    if parsed.name == "direct":
        return DirectOracle(model.classes, names, members)
    if parsed.name == "tower":
        return _tower(model, names, members, TowerSettings(**settings))
    if parsed.name == "contrastive":
        common = [common_vectors(member, keep or Keep(None)) for member in members]
        return ContrastiveOracle(model.classes, describe_classes(names, of, index, members, common), **settings)
    if index is None:
        raise ConfigurationError("the oracle 'toki' needs a keyword index")
    require_members(index, members)
    return TokiOracle(with_edits(index, of, members), members)


def _tower(
    model: TextClassifier, names: Sequence[Sequence[str]], members: Sequence[Embedding], settings: TowerSettings
) -> TowerOracle:
    aucs = [calibrate(m, shipped_pairs()).auc for m in members] if settings.auc_weighting else None
    return TowerOracle(model.classes, names, members, aucs, settings)


def _setting(name: str, part: str) -> tuple[str, Any]:
    key, separator, value = (piece.strip() for piece in part.partition("="))
    kinds = _SETTINGS[name]
    if not separator or key not in kinds:
        known = f"its settings are {', '.join(kinds)}" if kinds else "it has no settings"
        raise ConfigurationError(f"oracle {name!r}: no setting {part.strip()!r}; {known}")
    try:
        return key, kinds[key](value)
    except (ValueError, KeyError):
        raise ConfigurationError(f"oracle {name!r}: {key}={value} cannot be read") from None


def _check(spec: OracleSpec) -> None:
    """Raises where the settings of an oracle cannot be used."""
    settings: dict[str, Any] = dict(spec.settings)
    if spec.name == "tower":
        TowerSettings(**settings)
    elif spec.name == "confidence":
        ConfidenceOracle(**settings)
    elif spec.name == "contrastive":
        require_threshold(**settings)

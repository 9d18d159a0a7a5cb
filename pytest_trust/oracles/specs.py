"""Oracles as a user names them, with their settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords.descriptions import Descriptions, of_classes
from pytest_trust.models.base import TextClassifier
from pytest_trust.oracles.confidence import ConfidenceOracle
from pytest_trust.oracles.contrastive import require_threshold
from pytest_trust.oracles.described import LEAST_WORDS
from pytest_trust.oracles.tower_settings import TowerSettings


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

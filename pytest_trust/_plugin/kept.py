"""What a session keeps of explanations and answers for later ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_trust._plugin.options import CONFIG, TrustConfig

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_trust.explain import Explainer
    from pytest_trust.models import TextClassifier
    from pytest_trust.models.kept import ModelKeys
    from pytest_trust.store import ResultStore

_STORE = pytest.StashKey["ResultStore"]()
_KEYS = pytest.StashKey["ModelKeys"]()


def keeping_explainer(config: pytest.Config, explainer: Explainer) -> Explainer:
    """``explainer`` with the session's store before it; itself where nothing is to be kept."""
    if config.stash[CONFIG].cache == "off":
        return explainer
    from pytest_trust.explain.stored import StoredExplainer

    return StoredExplainer(explainer, _store(config), _keys(config))


def keeping_model(config: pytest.Config, model: TextClassifier) -> TextClassifier:
    """``model`` with a memory in the session's store; itself where nothing is to be kept."""
    if config.stash[CONFIG].cache == "off":
        return model
    from pytest_trust.models.kept import remembering

    return remembering(model, _store(config), _keys(config))


def _store(config: pytest.Config) -> ResultStore:
    """The session's store, closed at its end."""
    from pytest_trust.store import ResultStore

    if _STORE not in config.stash:
        config.stash[_STORE] = ResultStore(_path(config.stash[CONFIG]))
        config.add_cleanup(config.stash[_STORE].close)
    return config.stash[_STORE]


def _keys(config: pytest.Config) -> ModelKeys:
    from pytest_trust.models.kept import ModelKeys

    return config.stash.setdefault(_KEYS, ModelKeys())


def _path(settings: TrustConfig) -> Path | None:
    """The file; None, with a warning, where there is no folder for it."""
    from pytest_trust.store import RESULTS, results_file

    if settings.cache is not None and settings.cache != "off":
        return settings.cache / RESULTS
    return results_file(settings.rootpath)

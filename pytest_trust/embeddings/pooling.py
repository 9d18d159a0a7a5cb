"""How sentence-transformers makes one vector of the tokens of a text, as far as its folders tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pytest_trust.embeddings.runner import mean_of_tokens
from pytest_trust.embeddings.wordwise import Vector
from pytest_trust.errors import EmbeddingError
from pytest_trust.messages import listed

_MODULES = "modules.json"
_LONGEST = 256
_OLD = "pooling_mode_"


def _weighted(states: Vector) -> Vector:
    weights = np.arange(1, states.shape[1] + 1, dtype=np.float32)[:, None]
    return np.asarray((states * weights).sum(axis=1) / weights.sum())


_POOLS: Mapping[str, Callable[[Vector], Vector]] = {
    "mean": mean_of_tokens,
    "cls": lambda states: states[:, 0],
    "max": lambda states: np.asarray(states.max(axis=1)),
    "lasttoken": lambda states: states[:, -1],
    "mean_sqrt_len_tokens": lambda states: np.asarray(states.sum(axis=1) / np.sqrt(np.float32(states.shape[1]))),
    "weightedmean": _weighted,
}
_OLD_NAMES = {"cls_token": "cls", "mean_tokens": "mean", "max_tokens": "max", "weightedmean_tokens": "weightedmean"}
_HARMLESS = ("Normalize",)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in an encoder's folder the transformer lies, the ``modes`` of pooling, and the most tokens of a text."""

    transformer: Path
    modes: tuple[str, ...] = ("mean",)
    max_tokens: int = _LONGEST

    def pool(self, states: Vector) -> Vector:
        """One vector a text, those of several modes one behind the other: (n, l, d) to (n, d')."""
        return np.concatenate([_POOLS[mode](states) for mode in self.modes], axis=1)


def read_layout(folder: Path) -> Layout:
    """The layout of an encoder's folder: that of modules.json, else a plain transformer with mean pooling.

    Raises:
        EmbeddingError: there is a module beside transformer, pooling and normalisation, or an unknown mode.
    """
    if not (folder / _MODULES).is_file():
        return Layout(folder)
    parts = {entry["type"].rpartition(".")[2]: folder / entry["path"] for entry in _read(folder / _MODULES)}
    others = sorted(parts.keys() - {"Transformer", "Pooling", *_HARMLESS})
    if others or "Transformer" not in parts:
        raise EmbeddingError(
            f"{folder / _MODULES}: found the modules {listed(parts)}, expected Transformer, Pooling and Normalize alone"
        )
    transformer = parts["Transformer"]
    settings = transformer / "sentence_bert_config.json"
    limit = _read(settings).get("max_seq_length") if settings.is_file() else None
    modes = _modes(parts["Pooling"] / "config.json") if "Pooling" in parts else ("mean",)
    return Layout(transformer, modes, min(limit or _LONGEST, _LONGEST))


def _modes(path: Path) -> tuple[str, ...]:
    settings = _read(path)
    given = settings.get("pooling_mode")
    if given is None:
        old = [key.removeprefix(_OLD) for key, value in settings.items() if key.startswith(_OLD) and value is True]
        given = [_OLD_NAMES.get(name, name) for name in old] or ["mean"]
    modes = (given,) if isinstance(given, str) else tuple(given)
    if not set(modes) <= _POOLS.keys():
        raise EmbeddingError(f"{path}: found the pooling {listed(modes)}, expected some of {listed(_POOLS)}")
    return modes


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise EmbeddingError(f"{path}: cannot be read ({type(error).__name__}: {error})") from error

"""Shared parts of the tests: pytester, and small models and embeddings whose every answer can be worked out by hand."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from pytest_trust.embeddings.base import WordVectors

pytest_plugins = ["pytester"]

# A slow machine is no failure; in CI the same examples are tried every time.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("tests"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "tests")

# An in-process pytester run forgets what it imports. The next one cannot import numpy afresh, would load scipy again,
# and would mix two copies of our own modules.
for _name in (
    "numpy.fft",
    "numpy.random",
    "scipy.cluster.hierarchy",
    "scipy.stats",
    "pytest_trust._plugin.session",
    "pytest_trust.checks",
    "pytest_trust.reports",
    "pytest_trust.store",
):
    importlib.import_module(_name)


@dataclass
class TableEmbedding:
    """An embedding that is a table of words and plain vectors, normalised as the contract asks."""

    table: Mapping[str, Sequence[float]]
    name: str = "table"
    threshold: float = 0.5
    asked: list[str] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(repr((sorted(self.table.items()), self.threshold)).encode()).hexdigest()

    def vectors(self, words: Sequence[str]) -> WordVectors:
        self.asked.extend(words)
        width = len(next(iter(self.table.values())))
        matrix = np.zeros((len(words), width), dtype=np.float32)
        known = np.array([word.lower() in self.table for word in words], dtype=np.bool_)
        for row, word in enumerate(words):
            if known[row]:
                vector = np.asarray(self.table[word.lower()], dtype=np.float64)
                matrix[row] = vector / np.linalg.norm(vector)
        return WordVectors(matrix, known)


@pytest.fixture
def make_embedding() -> type[TableEmbedding]:
    return TableEmbedding


@dataclass
class WordModel:
    """A two-class model: the log-odds of class 1 is the summed weight of the words in the text."""

    weights: Mapping[str, float]
    class_names: tuple[str, str] = ("bad", "good")
    bias: float = 0.0
    calls: list[list[str]] = field(default_factory=list)

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.calls.append(list(texts))
        odds = np.array([self.bias + sum(self.weights.get(w, 0.0) for w in t.lower().split()) for t in texts])
        positive = 1 / (1 + np.exp(-odds))
        return np.column_stack([1 - positive, positive])

    @property
    def classes_(self) -> tuple[str, str]:
        return self.class_names


@pytest.fixture
def make_word_model() -> Callable[..., WordModel]:
    return WordModel

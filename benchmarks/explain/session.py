"""What a keyword index costs, and what the plugin costs where it is not used."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.explain.sampling import pipeline
from benchmarks.report import Row, seconds, side_by_side
from benchmarks.texts import read_texts
from pytest_trust.data import TextDataset
from pytest_trust.embeddings.base import WordVectors
from pytest_trust.explain import LimeExplainer, LimeReferenceExplainer
from pytest_trust.explain.base import Explainer
from pytest_trust.keywords import build_index, index_origin
from pytest_trust.models import TextClassifier
from pytest_trust.stats import sample_indices

SAMPLES = 5000
# lime's side takes about a second a text.
_BY_LIME = 20


class _NoVectors:
    """Knows no word: the index's own cost is that of its explanations."""

    name, fingerprint, threshold = "none", "none", 0.5

    def vectors(self, words: Sequence[str]) -> WordVectors:
        empty: NDArray[np.float32] = np.zeros((len(words), 2), dtype=np.float32)
        return WordVectors(empty, np.zeros(len(words), dtype=np.bool_))


def index_rows(data: Path, texts: int) -> list[Row]:
    """A keyword index of ``texts`` training texts against the same with lime, whose time is taken on fewer texts."""
    train = read_texts("rotten_tomatoes", "train", data)
    model = pipeline(train)
    ours = _build_seconds(model, _some(train.texts, train.labels, texts), LimeExplainer(SAMPLES)) / texts
    theirs = _build_seconds(model, _some(train.texts, train.labels, _BY_LIME), LimeReferenceExplainer(SAMPLES))
    name = f"keyword index, {texts} texts, scikit-learn, against lime"
    note = f"{1000 * ours:.1f} ms a text; lime's time from {_BY_LIME} texts; without embeddings"
    return [Row(name, theirs / _BY_LIME / ours, "times", "higher", 20, 60, note)]


def _some(texts: Sequence[str], labels: Sequence[str], count: int) -> TextDataset:
    chosen = sample_indices(len(texts), count, 0)
    return TextDataset(
        tuple(texts[i] for i in chosen), tuple(labels[i] for i in chosen), (None,) * len(chosen), "train"
    )


def _build_seconds(model: TextClassifier, train: TextDataset, explainer: Explainer) -> float:
    members = [_NoVectors()]
    origin = index_origin(model, train, explainer, members, seed=0)
    return seconds(lambda: build_index(origin, model, train, explainer, members))


def plugin_rows(repeats: int) -> list[Row]:
    """What a session without trust tests takes longer where the plugin is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_nothing.py").write_text("def test_nothing(): ...\n", encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
        compared = side_by_side(lambda: _run(command), lambda: _run([*command, "-p", "no:trust"]), repeats=4 * repeats)
    extra = 1000 * (compared.theirs - compared.ours)
    return [Row("plugin present but unused", extra, "ms", "lower", 20, 5, "difference of medians")]


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)

"""``python -m benchmarks.attack_settings [--data DIR] --json FILE``: what the TOKI paper leaves open, by measurement.

Of each set's training texts four fifths train a classifier and its keyword index; texts of the last fifth that it
predicts correctly are attacked under each setting. No test text is read.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.report import Row, table, write
from benchmarks.texts import DATA, Labelled, read_texts
from pytest_trust.attacks import (
    Attack,
    AttackOutcome,
    AttackSettings,
    TokiSettings,
    TokiSubstitution,
    make_encoder,
    make_tagger,
)
from pytest_trust.data import TextDataset
from pytest_trust.embeddings import Embedding, load_ensemble
from pytest_trust.explain import GradientExplainer
from pytest_trust.keywords import KeywordIndex, build_index, index_origin
from pytest_trust.models import TextClassifier, as_classifier

SETS = ("rotten_tomatoes", "emotion", "sms_spam", "ag_news")
SEED = 0
DEFAULTS = AttackSettings()
# Of the substitution, and how many of its candidates are tried.
SETTINGS = (
    (TokiSettings(), DEFAULTS.max_candidates),
    *((TokiSettings(neighbours=neighbours), tried) for neighbours, tried in ((50, 20), (50, 50), (200, 20), (200, 50))),
    *((TokiSettings(neighbours=neighbours), DEFAULTS.max_candidates) for neighbours in (100, 500, 1000)),
    *((TokiSettings(member=member), DEFAULTS.max_candidates) for member in ("glove", "use", "minilm")),
    *((TokiSettings(min_similarity=least), DEFAULTS.max_candidates) for least in (0.3, 0.5)),
)
_PACKAGES = ("pytest-trust", "numpy", "scikit-learn", "textblob")


@dataclass(frozen=True, slots=True)
class Subject:
    """A classifier with its keyword index, and texts it predicts correctly, with their columns."""

    model: TextClassifier
    index: KeywordIndex
    texts: list[str]
    labels: list[int]


def prepare(name: str, data: Path, members: Sequence[Embedding], n: int) -> Subject:
    """The subject of one set, with at most ``n`` texts to attack."""
    rows = read_texts(name, "train", data)
    order = random.Random(SEED).sample(range(len(rows.texts)), len(rows.texts))
    cut = len(order) * 4 // 5
    train, held = _some(rows, order[:cut]), _some(rows, order[cut:])
    model = trained(train)
    labels = [model.classes.index(label) for label in held.labels]
    right = np.flatnonzero(model.predict_proba(held.texts).argmax(axis=1) == labels)[:n]
    return Subject(
        model, indexed(name, model, train, members), [held.texts[i] for i in right], [labels[i] for i in right]
    )


def trained(rows: Labelled) -> TextClassifier:
    """A linear classifier of TF-IDF."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(C=10, max_iter=1000))
    return as_classifier(pipeline.fit(rows.texts, rows.labels))


def indexed(name: str, model: TextClassifier, rows: Labelled, members: Sequence[Embedding]) -> KeywordIndex:
    """The keyword index of ``model``."""
    texts = TextDataset(tuple(rows.texts), tuple(rows.labels), (None,) * len(rows.texts), name)
    explainer = GradientExplainer()
    origin = index_origin(model, texts, explainer, members, seed=SEED)
    return build_index(origin, model, texts, explainer, members)


def _some(rows: Labelled, places: Sequence[int]) -> Labelled:
    return Labelled([rows.texts[i] for i in places], [rows.labels[i] for i in places])


def measured(name: str, subject: Subject, members: Sequence[Embedding]) -> Iterator[Row]:
    """The success rate and the changed words under each setting."""
    tagger, encoder = make_tagger(), make_encoder()
    for settings, tried in SETTINGS:
        substitution = TokiSubstitution(subject.index, members, settings)
        attack = Attack(subject.model, substitution, tagger, encoder, AttackSettings(max_candidates=tried))
        results = list(attack.run(subject.texts, subject.labels))
        fooled = [result for result in results if result.outcome is AttackOutcome.SUCCESS]
        what = (
            f"{name}, {settings.member or 'mean'}, least {settings.min_similarity}, {settings.neighbours} neighbours, "
            f"{tried} tried"
        )
        yield Row(f"{what}: ASR", len(fooled) / len(results), "share")
        yield Row(
            f"{what}: changed words", float(np.mean([len(result.changes) for result in fooled])), "words", "lower"
        )
        yield Row(f"{what}: queries", float(np.mean([result.queries for result in results])), "texts", "lower")


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack_settings", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder that holds text/")
    parser.add_argument("--json", type=Path, required=True, help="file to write")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--n", type=int, default=200, help="texts attacked in each set")
    arguments = parser.parse_args(argv)
    members = load_ensemble()
    rows = []
    for name in arguments.sets:
        rows += measured(name, prepare(name, arguments.data, members, arguments.n), members)
        print(table(rows[-3 * len(SETTINGS) :]), flush=True)
    write(arguments.json, "python -m benchmarks.attack_settings", rows, _PACKAGES)


if __name__ == "__main__":
    main()

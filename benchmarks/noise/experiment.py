"""Cells of the experiment: a model is trained on noisy texts, its predictions are explained once and judged by all."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.noise.corpus import Corpus, folds
from benchmarks.noise.injection import LEVELS, noises_of
from benchmarks.noise.judges import Judges
from pytest_trust.errors import TrustWarning
from pytest_trust.explain import Explanation, LimeExplainer
from pytest_trust.models import TextClassifier, as_classifier

MODELS = ("MultinomialNB", "DecisionTree", "RandomForest", "SGD")


@dataclass(frozen=True, slots=True)
class Settings:
    """Size of the experiment.

    ``explained`` correct predictions of a fold are judged; ``indexed`` training texts are given to the oracles;
    ``samples`` are LIME's.
    """

    explained: int = 16
    indexed: int = 24
    folds: int = 5
    samples: int = 500
    models: tuple[str, ...] = MODELS
    levels: tuple[float, ...] = LEVELS
    seed: int = 0

    def explainer(self) -> LimeExplainer:
        """What explains the predictions."""
        return LimeExplainer(samples=self.samples)


@dataclass(frozen=True, slots=True)
class Score:
    """How many of the ``judged`` predictions an oracle called trustworthy; ``noise`` is empty at level 0.

    ``accuracy`` is the model's on the test texts.
    """

    corpus: str
    noise: str
    level: float
    model: str
    fold: int
    oracle: str
    trustworthy: int
    judged: int
    accuracy: float

    @property
    def share(self) -> float | None:
        """The trust score; None where nothing could be judged."""
        return self.trustworthy / self.judged if self.judged else None


def scores(name: str, corpus: Corpus, judges: Judges, settings: Settings) -> Iterator[Score]:
    """The scores of every fold, kind of noise, level, model and oracle; level 0 once for all kinds of noise."""
    for fold, (train, test) in enumerate(folds(corpus, settings.folds)):
        for noise, level, noisy_train, noisy_test in _noisy(corpus, train, test, settings):
            for model in settings.models:
                for oracle, trustworthy, judged, accuracy in _cell(model, noisy_train, noisy_test, judges, settings):
                    yield Score(name, noise, level, model, fold, oracle, trustworthy, judged, accuracy)


def _noisy(
    corpus: Corpus, train: Corpus, test: Corpus, settings: Settings
) -> Iterator[tuple[str, float, Corpus, Corpus]]:
    yield "", 0.0, train, test
    for noise in noises_of(corpus):
        for level in settings.levels:
            yield noise.name, level, *noise.split(train, test, level, settings.seed)


def _cell(
    name: str, train: Corpus, test: Corpus, judges: Judges, settings: Settings
) -> Iterator[tuple[str, int, int, float]]:
    """Every oracle's name, what it found trustworthy, how many it judged, and the model's accuracy."""
    model = trained(name, train, settings.seed)
    explanations, accuracy = _explained(model, test, settings)
    given = train.take(range(min(settings.indexed, len(train)))).dataset("train")
    with warnings.catch_warnings():
        # That a class has no keyword is to be expected of a model that learned nonsense.
        warnings.simplefilter("ignore", TrustWarning)
        oracles = judges(model, given)
    for oracle in oracles:
        verdicts = [verdict.trustworthy for verdict in oracle.judge_many(explanations)]
        yield oracle.name, verdicts.count(True), len(verdicts) - verdicts.count(None), accuracy


def _explained(model: TextClassifier, test: Corpus, settings: Settings) -> tuple[list[Explanation], float]:
    """Explanations of the first predictions that are correct, and the share of all that are."""
    columns = model.predict_proba(list(test.texts)).argmax(axis=1)
    right = [i for i, column in enumerate(columns) if model.classes[column] == test.labels[i]]
    some = right[: settings.explained]
    found = settings.explainer().explain_many(
        model, [test.texts[i] for i in some], class_indices=[int(columns[i]) for i in some], seed=settings.seed
    )
    return list(found), len(right) / len(test)


def trained(name: str, train: Corpus, seed: int) -> TextClassifier:
    """One of :data:`MODELS`, on words that are no stop words and stand in at least two texts."""
    from sklearn.pipeline import make_pipeline

    pipeline = make_pipeline(*_steps(name, seed))
    return as_classifier(pipeline.fit(train.texts, train.labels))


def _steps(name: str, seed: int) -> tuple[Any, Any]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
    from sklearn.linear_model import SGDClassifier
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.tree import DecisionTreeClassifier

    words: dict[str, Any] = {"stop_words": "english", "min_df": 2}
    if name == "MultinomialNB":
        return CountVectorizer(**words), MultinomialNB()
    classifiers = {
        "DecisionTree": lambda: DecisionTreeClassifier(random_state=seed),
        "RandomForest": lambda: RandomForestClassifier(25, random_state=seed),
        "SGD": lambda: SGDClassifier(loss="log_loss", random_state=seed),
    }
    return TfidfVectorizer(**words), classifiers[name]()

"""Explanations of scikit-learn pipelines, as a black box and as a white box, against the lime package."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from lime.lime_text import LimeTextExplainer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from benchmarks.report import Row, seconds, side_by_side
from benchmarks.texts import read_texts, texts_of
from pytest_trust.explain import Explanation, LimeExplainer
from pytest_trust.models import TextClassifier, as_classifier
from pytest_trust.text import words

SAMPLES = 5000
SEED = 1
TEXTS_AT_ONCE = 4
SAME = 1e-10

Weights = dict[str, float]

_MODEL = "TF-IDF (1-2 grams) + logistic regression"
_INSIDE_PREDICT = 0.85


@dataclass(frozen=True, slots=True)
class _Length:
    """Texts of ``n_words`` words, and how often faster than lime each way must be, and is aimed to be."""

    n_words: int
    black_box: tuple[float, float]
    white_box: tuple[float, float]


_LENGTHS = [
    _Length(15, (4.0, 4.6), (40.0, 100.0)),
    _Length(60, (1.7, 1.8), (20.0, 60.0)),
    _Length(250, (1.3, 1.5), (12.0, 33.0)),
]


@dataclass(slots=True)
class _Clocked:
    """A function that sums up the seconds spent in it."""

    function: Callable[[list[str]], Any]
    spent: float = 0.0

    def __call__(self, texts: list[str]) -> Any:
        start = time.perf_counter()
        answer = self.function(texts)
        self.spent += time.perf_counter() - start
        return answer


def rows(data: Path, repeats: int, n_texts: int = 600) -> list[Row]:
    """Speed by length of text, and how far weights are from lime's with the same seed over ``n_texts`` texts."""
    pipeline = _fitted("cad_imdb", data)
    speed = [row for length in _LENGTHS for row in _speed(pipeline, length, data, repeats)]
    return [*speed, *_equality(data, n_texts)]


def _fitted(name: str, data: Path) -> Pipeline:
    train = read_texts(name, "train", data)
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10.0, max_iter=1000))
    return pipeline.fit(train.texts, train.labels)


def _speed(pipeline: Pipeline, length: _Length, data: Path, repeats: int) -> list[Row]:
    """Both ways against lime.

    An explainer keeps the masks that texts of as many distinct words share, as it does in a run over many texts.
    """
    texts = texts_of(length.n_words, TEXTS_AT_ONCE, data)
    clocked = _Clocked(pipeline.predict_proba)
    black, white = as_classifier(clocked, classes=list(pipeline.classes_)), as_classifier(pipeline)
    _check_same(pipeline, [black, white], texts)
    explainer = LimeExplainer(samples=SAMPLES)
    theirs = partial(_by_lime, pipeline, texts)
    by_black = side_by_side(theirs, partial(_by_ours, explainer, black, texts), repeats)
    by_white = side_by_side(theirs, partial(_by_ours, explainer, white, texts), repeats)
    anew = statistics.median(seconds(lambda: _by_ours(LimeExplainer(), white, texts)) for _ in range(repeats))
    note = f"{TEXTS_AT_ONCE} texts, {SAMPLES} samples; lime {by_white.theirs:.3g} s, ours {by_white.ours:.3g} s"
    words_long = f"{length.n_words} words"
    return [
        Row(f"{_MODEL} as a black box, {words_long}", by_black.ratio, "x lime", "higher", *length.black_box),
        Row(
            f"share of the time inside predict, black box, {words_long}",
            _share_inside(clocked, partial(_by_ours, explainer, black, texts), repeats),
            "",
            must=_INSIDE_PREDICT,
        ),
        Row(f"{_MODEL}, white box, {words_long}", by_white.ratio, "x lime", "higher", *length.white_box, note),
        Row(f"the same, all masks drawn anew, {words_long}", by_white.theirs / anew, "x lime"),
    ]


def _share_inside(clocked: _Clocked, work: Callable[[], object], repeats: int) -> float:
    shares = []
    for _ in range(repeats):
        clocked.spent = 0.0
        whole = seconds(work)
        shares.append(clocked.spent / whole)
    return statistics.median(shares)


def _by_lime(pipeline: Pipeline, texts: Sequence[str]) -> list[Weights]:
    return [_lime_weights(pipeline, text, SEED) for text in texts]


def _by_ours(explainer: LimeExplainer, model: TextClassifier, texts: Sequence[str]) -> list[Weights]:
    return [_weights(explainer.explain(model, text, seed=SEED)) for text in texts]


def _lime_weights(pipeline: Pipeline, text: str, seed: int) -> Weights:
    """The ten words by the lime package for the predicted class."""
    explainer = LimeTextExplainer(split_expression=words, random_state=seed)
    found = explainer.explain_instance(text, pipeline.predict_proba, top_labels=1, num_samples=SAMPLES)
    return dict(found.as_list(label=found.top_labels[0]))


def _weights(explanation: Explanation) -> Weights:
    return {word.word: word.score for word in explanation.words}


def _check_same(pipeline: Pipeline, models: Sequence[TextClassifier], texts: Sequence[str]) -> None:
    expected = _by_lime(pipeline, texts)
    for model in models:
        for theirs, ours in zip(expected, _by_ours(LimeExplainer(samples=SAMPLES), model, texts), strict=True):
            if theirs.keys() != ours.keys() or _difference(theirs, ours) > SAME:
                raise ValueError(f"lime finds {theirs}, we find {ours}; expected the same within {SAME}")


def _difference(theirs: Weights, ours: Weights) -> float:
    """The largest difference between weights of the words that both have."""
    return max((abs(theirs[word] - ours[word]) for word in theirs.keys() & ours.keys()), default=0.0)


def _equality(data: Path, n_texts: int) -> list[Row]:
    """Half of the texts of two classes, half of four, white box, each text with a seed of its own."""
    explainer = LimeExplainer(samples=SAMPLES)
    pairs: list[tuple[Weights, Weights]] = []
    for name, count in (("rotten_tomatoes", n_texts - n_texts // 2), ("ag_news", n_texts // 2)):
        pipeline, texts = _fitted(name, data), read_texts(name, "test", data).texts
        model = as_classifier(pipeline)
        for seed, text in enumerate(texts[:: max(1, len(texts) // count)][:count]):  # the file may be sorted by label
            ours = explainer.explain(model, text, seed=seed)
            pairs.append((_lime_weights(pipeline, text, seed), _weights(ours)))
    name = f"same seed, {len(pairs)} texts"
    return [
        Row(f"weights, {name}: largest difference", max(_difference(*pair) for pair in pairs), "", "lower", SAME),
        Row(f"top words, {name}: share with the same", _share_same(pairs), "", must=1.0),
    ]


def _share_same(pairs: Sequence[tuple[Weights, Weights]]) -> float:
    return sum(theirs.keys() == ours.keys() for theirs, ours in pairs) / len(pairs)

"""The lime package is the reference: same seed, same words, same weights."""

from __future__ import annotations

import csv
import gzip
import warnings
from pathlib import Path

import pytest
from scipy.linalg import LinAlgWarning

from pytest_trust.explain import LimeExplainer
from pytest_trust.text import word_spans, words

lime_text = pytest.importorskip("lime.lime_text", reason="the extra [lime] is not installed")

BENCH = Path(__file__).parents[3] / "shared" / "bench" / "text" / "rotten_tomatoes.csv.gz"


def reference(model, text: str, split, *, samples: int, features: int, seed: int) -> list[tuple[str, float]]:
    top = int(model.predict_proba([text])[0].argmax())
    explainer = lime_text.LimeTextExplainer(split_expression=split, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)
        found = explainer.explain_instance(
            text, model.predict_proba, labels=(top,), num_features=features, num_samples=samples
        )
    return found.as_list(label=top)


def assert_equal_to_lime(model, texts: list[str], tokenizer, split, *, samples: int, features: int) -> None:
    explainer = LimeExplainer(samples=samples, features=features, tokenizer=tokenizer)
    for seed, text in enumerate(texts):
        expected = reference(model, text, split, samples=samples, features=features, seed=seed)
        found = explainer.explain(model, text, seed=seed)
        scores = [word.score for word in found.words]
        # Same words and weights, in order of size: only words of equal weight may stand in another order than lime's.
        assert {word.word: word.score for word in found.words} == pytest.approx(dict(expected), abs=1e-9, rel=0), text
        assert [abs(s) for s in scores] == pytest.approx(sorted(map(abs, scores), reverse=True), abs=1e-12, rel=0)


LENGTHS = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 14, 16, 20, 30, 40, 60]


@pytest.mark.parametrize("model", ["two_classes", "four_classes"])
@pytest.mark.parametrize("split", ["regex", "unicode"])
def test_ten_features_over_220_sentences(model, split, request, sentences, regex_tokenizer):
    tokenizer, lime_split = {"regex": (regex_tokenizer, r"\W+"), "unicode": (word_spans, words)}[split]
    lengths = [LENGTHS[i % len(LENGTHS)] for i in range(55)]
    texts = sentences(len(model) * 100 + len(split)).of_lengths(lengths)
    assert len(set(texts)) >= 50
    assert_equal_to_lime(request.getfixturevalue(model), texts, tokenizer, lime_split, samples=200, features=10)


@pytest.mark.parametrize("model", ["two_classes", "four_classes"])
def test_four_features_by_forward_selection(model, request, sentences):
    texts = sentences(7).of_lengths([1, 2, 3, 5, 8, 12, 20])
    assert_equal_to_lime(request.getfixturevalue(model), texts, word_spans, words, samples=300, features=4)


def test_sixty_distinct_words_and_a_thousand_samples(two_classes, sentences):
    text = sentences(3).of_lengths([200])[0]
    kept = " ".join(dict.fromkeys(words(text)))
    assert len(set(words(kept))) >= 40
    assert_equal_to_lime(two_classes, [kept], word_spans, words, samples=1000, features=10)


def test_fewer_samples_than_words(two_classes, sentences):
    texts = sentences(5).of_lengths([40, 60])
    assert_equal_to_lime(two_classes, texts, word_spans, words, samples=12, features=10)


def test_any_class_can_be_explained(four_classes, sentences):
    text = sentences(11).of_lengths([18])[0]
    explainer = lime_text.LimeTextExplainer(split_expression=words, random_state=5)
    expected = explainer.explain_instance(
        text, four_classes.predict_proba, labels=range(4), num_features=10, num_samples=300
    )
    for column in range(4):
        found = LimeExplainer(samples=300).explain(four_classes, text, class_index=column, seed=5)
        assert (found.class_index, found.label) == (column, four_classes.classes[column])
        assert found.probability == four_classes.predict_proba([text])[0, column]
        assert {w.word: w.score for w in found.words} == pytest.approx(dict(expected.as_list(label=column)), abs=1e-9)


def test_another_kernel_width(two_classes, sentences):
    text = sentences(13).of_lengths([25])[0]
    top = int(two_classes.predict_proba([text])[0].argmax())
    explainer = lime_text.LimeTextExplainer(kernel_width=60, split_expression=words, random_state=2)
    expected = explainer.explain_instance(text, two_classes.predict_proba, labels=(top,), num_samples=300)
    found = LimeExplainer(samples=300, kernel_width=60.0).explain(two_classes, text, seed=2)
    assert {w.word: w.score for w in found.words} == pytest.approx(dict(expected.as_list(label=top)), abs=1e-9)


@pytest.mark.skipif(not BENCH.exists(), reason=f"real reviews are not present at {BENCH}")
@pytest.mark.parametrize("split", ["regex", "unicode"])
def test_real_reviews(split, pipeline_model, regex_tokenizer):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    with gzip.open(BENCH, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    train, rest = rows[::16], rows[5::530]
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression())
    model = pipeline_model(pipeline.fit([row["text"] for row in train], [row["label"] for row in train]))
    tokenizer, lime_split = {"regex": (regex_tokenizer, r"\W+"), "unicode": (word_spans, words)}[split]
    assert_equal_to_lime(model, [row["text"] for row in rest], tokenizer, lime_split, samples=200, features=10)

"""Input x gradient: sums by word, the ability it needs, and how many model calls it makes."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_trust.errors import ConfigurationError, ModelError
from pytest_trust.explain import Explainer, GradientExplainer, make_explainer
from pytest_trust.models import EstimatorClassifier
from pytest_trust.models.abilities import WordGradients
from pytest_trust.models.masked import MaskedText
from pytest_trust.text import Span, words

WEIGHTS = {"good": 1.0, "Good": 0.25, "fine": 0.5, "bad": -1.5}


class LinearModel:
    """The logit of "positive" is the sum of its words' weights; that of "negative" is its opposite."""

    classes = ("negative", "positive")
    source = "a linear model"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []
        self.passes: list[tuple[MaskedText, int]] = []

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.calls.append(list(texts))
        logits = np.array([sum(WEIGHTS.get(word, 0.0) for word in words(text)) for text in texts])
        positive = 1 / (1 + np.exp(-logits))
        return np.column_stack([1 - positive, positive])

    def word_gradients(self, text: MaskedText, class_index: int) -> NDArray[np.float64] | None:
        self.passes.append((text, class_index))
        return (1 if class_index else -1) * np.array([WEIGHTS.get(word, 0.0) for word in text.occurrences])

    def fingerprint(self) -> str:
        return "linear"


@pytest.fixture
def linear() -> LinearModel:
    return LinearModel()


def listed(explanation) -> list[tuple[str, float]]:
    return [(word.word, word.score) for word in explanation.words]


class TestScores:
    def test_occurrences_of_a_word_are_summed(self, linear):
        found = GradientExplainer().explain(linear, "good, bad good Good day", class_index=1, seed=3)
        assert listed(found) == [("good", 2.0), ("bad", -1.5), ("Good", 0.25), ("day", 0.0)]
        assert found.words[0].spans == (Span(0, 4), Span(10, 14))
        assert (found.method, found.calls, found.samples, found.seed, found.note) == ("gradient", 2, 1, 3, "")
        assert found.probability == pytest.approx(1 / (1 + np.exp(-0.75)))
        assert all(type(word.score) is float for word in found.words)

    def test_by_position(self, linear):
        found = GradientExplainer(positions=True).explain(linear, "good bad good", class_index=1, seed=0)
        assert [(word.word, word.score, word.spans) for word in found.words] == [
            ("bad", -1.5, (Span(5, 8),)),
            ("good", 1.0, (Span(0, 4),)),
            ("good", 1.0, (Span(9, 13),)),
        ]

    def test_the_predicted_class_is_explained_and_the_first_of_equals(self, linear):
        against = GradientExplainer().explain(linear, "a bad day", seed=0)
        assert (against.label, against.class_index) == ("negative", 0)
        assert listed(against)[0] == ("bad", 1.5)
        assert GradientExplainer().explain(linear, "a day", seed=0).class_index == 0
        assert [class_index for _, class_index in linear.passes] == [0, 0]

    def test_no_more_words_than_asked_for(self, linear):
        found = GradientExplainer(features=2).explain(linear, "a fine good bad day", class_index=1, seed=0)
        assert listed(found) == [("bad", -1.5), ("good", 1.0)]

    def test_the_model_sees_all_that_stands_between_words(self, linear):
        GradientExplainer().explain(linear, "(good), bad!", seed=0)
        ((masked, _),) = linear.passes
        assert (masked.occurrences, masked.separators) == (("good", "bad"), ("(", "), ", "!"))

    def test_another_tokenizer(self, linear):
        explainer = GradientExplainer(tokenizer=lambda text: [Span(0, 4)])
        assert listed(explainer.explain(linear, "good bad", class_index=1, seed=0)) == [("good", 1.0)]


class TestManyTexts:
    def test_predictions_share_a_call(self, linear):
        texts = ["a good day", "bad", "", "one more"]
        found = list(GradientExplainer().explain_many(linear, texts, seed=9))
        assert linear.calls == [texts]
        assert [item.text for item in found] == texts
        assert [item.calls for item in found] == [2, 2, 1, 2]
        assert len(linear.passes) == 3

    def test_classes_are_taken_as_given(self, linear):
        found = list(GradientExplainer().explain_many(linear, ["good", "good"], class_indices=[0, 1], seed=9))
        assert [listed(item) for item in found] == [[("good", -1.0)], [("good", 1.0)]]

    def test_alone_and_among_others(self, linear):
        explainer = GradientExplainer()
        for found in explainer.explain_many(linear, ["a good day", "bad"], seed=9):
            assert explainer.explain(linear, found.text, seed=found.seed) == found

    def test_the_seed_has_no_effect(self, linear):
        one, other = (GradientExplainer().explain(linear, "a good day", seed=seed) for seed in (0, 1))
        assert one.words == other.words

    def test_a_copy_in_another_process_says_the_same(self, linear):
        explainer = GradientExplainer(features=1, positions=True)
        copy = pickle.loads(pickle.dumps(explainer))
        assert copy == explainer
        assert copy.explain(linear, "good", seed=1) == explainer.explain(linear, "good", seed=1)


class TestOddTexts:
    @pytest.mark.parametrize("text", ["", "   ", "!!!", "\n"])
    def test_no_words_need_no_gradients(self, mood, text):
        found = GradientExplainer().explain(mood, text, seed=0)
        assert (found.words, found.note, found.samples, found.calls) == ((), "no words to explain", 0, 1)
        assert mood.texts == [text]

    def test_one_word(self, linear):
        assert listed(GradientExplainer().explain(linear, " good!", seed=0)) == [("good", 1.0)]


class TestRefusals:
    def test_a_model_without_gradients(self, mood):
        expected = r"a rule gives no gradients for the words of 'a good day'.*choose the explainer 'lime' or 'omission'"
        with pytest.raises(ConfigurationError, match=expected):
            GradientExplainer().explain(mood, "a good day", seed=0)

    def test_a_model_that_has_none_for_this_text(self, linear, monkeypatch):
        monkeypatch.setattr(linear, "word_gradients", lambda text, class_index: None)
        with pytest.raises(ConfigurationError, match="a linear model gives no gradients for the words of 'good'"):
            GradientExplainer().explain(linear, "good", seed=0)

    @pytest.mark.parametrize(
        ("answer", "found"),
        [
            (np.ones(3), r"shape \(3,\), 3 of them finite"),
            (np.ones((2, 1)), r"shape \(2, 1\), 2 of them finite"),
            (np.array([1.0, np.nan]), r"shape \(2,\), 1 of them finite"),
        ],
    )
    def test_gradients_of_another_shape_or_not_finite(self, linear, monkeypatch, answer, found):
        monkeypatch.setattr(linear, "word_gradients", lambda text, class_index: answer)
        with pytest.raises(
            ModelError, match=found + r".*'good day'; expected one finite value for each of its 2 words"
        ):
            GradientExplainer().explain(linear, "good day", seed=0)

    @pytest.mark.parametrize("class_index", [-1, 2])
    def test_a_class_that_the_model_lacks(self, linear, class_index):
        with pytest.raises(ConfigurationError, match=re.escape(f"2 columns (0 to 1), got {class_index}")):
            GradientExplainer().explain(linear, "good", class_index=class_index, seed=0)

    @pytest.mark.parametrize("seed", [-1, 2**32, 1.5, True])
    def test_a_seed_out_of_range(self, linear, seed):
        with pytest.raises(ConfigurationError, match=r"seed=.*: expected a whole number from 0 to 4294967295"):
            GradientExplainer().explain(linear, "good", seed=seed)

    def test_wrong_settings(self):
        with pytest.raises(ConfigurationError, match="features=0: expected a whole number of at least 1"):
            GradientExplainer(features=0)


class TestSettings:
    def test_by_name(self):
        made = make_explainer("gradient", samples=100, features=7)
        assert isinstance(made, GradientExplainer)
        assert isinstance(made, Explainer)
        assert made.name == "gradient"
        assert made.features == 7

    def test_settings_name_all_that_matters(self):
        settings = GradientExplainer(features=np.int64(3), positions=True).settings()
        assert json.loads(json.dumps(settings)) == {
            "explainer": "gradient",
            "features": 3,
            "positions": True,
            "tokenizer": "pytest_trust.text.word_spans",
        }

    def test_it_is_not_word_omission(self):
        assert GradientExplainer() != make_explainer("omission", samples=100, features=10)


def test_a_linear_pipeline_is_explained_exactly():
    """The logit of a bag of words is linear: its scores add up to the logit less the intercept."""
    pytest.importorskip("sklearn", reason="the extra [sklearn] is not installed")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts = ["a good day", "good and fine", "a bad day", "bad and sad", "a fine film", "a sad film"]
    pipeline = make_pipeline(CountVectorizer(token_pattern=r"\w+"), LogisticRegression())
    model = EstimatorClassifier(pipeline.fit(texts, ["pos", "pos", "neg", "neg", "pos", "neg"]))
    if not isinstance(model, WordGradients):
        pytest.skip("estimators have no gradients yet")
    found = GradientExplainer().explain(model, "good, good film and a sad end", class_index=1, seed=0)
    counts, linear = pipeline[0].vocabulary_, pipeline[1]
    expected = {word: linear.coef_[0][counts[word]] for word in ("film", "and", "a", "sad")}
    expected |= {"good": 2 * linear.coef_[0][counts["good"]], "end": 0.0}
    assert dict(listed(found)) == pytest.approx(expected)

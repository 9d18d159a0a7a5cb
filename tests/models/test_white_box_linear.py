"""Linear classifiers scored without a matrix, and what each occurrence of a word adds to a class's score."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.svm import LinearSVC

from pytest_trust.explain.words import WordBag, word_bag
from pytest_trust.models import as_classifier
from pytest_trust.models.counts import MaskedCounts
from pytest_trust.text import word_spans

VOCABULARY = ["good", "Good", "bad", "the", "The", "film", "plot", "a", "not", "of", "naïve", "hole", "art", "see"]
TEXT = "The good film, the GOOD plot: not a bad hole in the naïve film; a film of the art"


def sentences(n: int) -> list[str]:
    source = random.Random(5)
    return [" ".join(source.choices(VOCABULARY, k=12)) for _ in range(n)]


def fitted(classifier: Any, n_classes: int = 2, vectorizer: Any = None) -> Any:
    first = vectorizer or TfidfVectorizer(ngram_range=(1, 2))
    labels = np.array([f"class {i % n_classes}" for i in range(max(40, 2 * n_classes))])
    return make_pipeline(first, classifier).fit(sentences(len(labels)), labels)


def random_masks(bag: WordBag) -> np.ndarray:
    masks = np.random.default_rng(3).random((50, len(bag.words))) < 0.5
    masks[0], masks[1] = True, False
    return masks


CLASSIFIERS = [
    LogisticRegression(),
    LogisticRegression(fit_intercept=False),
    OneVsRestClassifier(LogisticRegression()),
    SGDClassifier(loss="log_loss", random_state=0),
    SGDClassifier(loss="modified_huber", random_state=0),
    MultinomialNB(),
    ComplementNB(),
    CalibratedClassifierCV(LinearSVC(dual=True), cv=2),
    CalibratedClassifierCV(MultinomialNB(), cv=2, method="isotonic"),
    VotingClassifier([("a", LogisticRegression()), ("b", MultinomialNB())], voting="soft", weights=[1, 2]),
]


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=str)
def test_linear_classifiers_are_scored_without_the_matrix(classifier: Any, n_classes: int, monkeypatch) -> None:
    model, bag = as_classifier(fitted(classifier, n_classes)), word_bag(TEXT, word_spans)
    masks = random_masks(bag)
    expected = model.predict_proba(bag.strings(masks))
    monkeypatch.setattr(MaskedCounts, "matrix", None)
    scorer = model.mask_scorer(bag.masked())
    assert scorer is not None
    assert np.allclose(scorer(masks), expected, rtol=0, atol=1e-12)


def test_a_classifier_of_186_classes() -> None:
    model, bag = as_classifier(fitted(LogisticRegression(max_iter=5, tol=1), 186)), word_bag(TEXT, word_spans)
    masks = random_masks(bag)
    scorer = model.mask_scorer(bag.masked())
    assert scorer is not None
    assert np.allclose(scorer(masks), model.predict_proba(bag.strings(masks)), rtol=0, atol=1e-12)


def test_a_subclass_is_not_taken_for_linear() -> None:
    class Squared(LogisticRegression):
        def predict_proba(self, features: Any) -> np.ndarray:
            return super().predict_proba(features.multiply(features))

    model, bag = as_classifier(fitted(Squared())), word_bag(TEXT, word_spans)
    masks = random_masks(bag)
    scorer = model.mask_scorer(bag.masked())
    assert scorer is not None
    assert np.allclose(scorer(masks), model.predict_proba(bag.strings(masks)), rtol=0, atol=1e-12)
    assert model.word_gradients(bag.masked(), 0) is None


def test_the_classifier_itself_is_left_as_it_is() -> None:
    pipeline = fitted(CalibratedClassifierCV(LinearSVC(dual=True), cv=2))
    before = pipeline.predict_proba([TEXT])
    model, bag = as_classifier(pipeline), word_bag(TEXT, word_spans)
    model.mask_scorer(bag.masked())(random_masks(bag))
    assert np.array_equal(pipeline.predict_proba([TEXT]), before)


single_words = st.one_of(
    st.builds(CountVectorizer, binary=st.booleans(), lowercase=st.booleans()),
    st.builds(TfidfVectorizer, sublinear_tf=st.booleans(), norm=st.sampled_from(["l1", "l2", None])),
    st.builds(HashingVectorizer, n_features=st.sampled_from([4, 64]), alternate_sign=st.booleans()),
)


@given(single_words, st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=15).map(", ".join), st.integers(0, 2))
@settings(max_examples=40)
def test_contributions_and_intercept_are_the_decision(vectorizer: Any, text: str, class_index: int) -> None:
    pipeline = fitted(LogisticRegression(), 3, vectorizer)
    found = as_classifier(pipeline).word_gradients(word_bag(text, word_spans).masked(), class_index)
    assert found is not None
    expected = pipeline.decision_function([text])[0, class_index]
    assert found.sum() + pipeline[-1].intercept_[class_index] == pytest.approx(expected, abs=1e-12)


def contributions(pipeline: Any, text: str, class_index: int) -> list[float]:
    found = as_classifier(pipeline).word_gradients(word_bag(text, word_spans).masked(), class_index)
    return found.tolist()


def test_two_classes_have_one_score_with_two_signs() -> None:
    pipeline = fitted(LogisticRegression())
    for_second = contributions(pipeline, TEXT, 1)
    assert contributions(pipeline, TEXT, 0) == pytest.approx([-value for value in for_second])
    score = sum(for_second) + pipeline[-1].intercept_[0]
    assert score == pytest.approx(pipeline.decision_function([TEXT])[0])


def weights_of(pipeline: Any, **values: float) -> Any:
    """The pipeline with the coefficients of some grams set, and those of all others zero."""
    vocabulary, coefficients = pipeline[0].vocabulary_, np.zeros_like(pipeline[-1].coef_)
    for gram, value in values.items():
        coefficients[0, vocabulary[gram.replace("_", " ")]] = value
    pipeline[-1].coef_ = coefficients
    return pipeline


def test_a_gram_is_shared_by_its_tokens_and_a_count_by_its_places() -> None:
    pipeline = fitted(LogisticRegression(), vectorizer=CountVectorizer(ngram_range=(1, 2)))
    weights_of(pipeline, the=1.0, the_film=4.0, good=8.0)
    found = contributions(pipeline, "the film! The plot: not good, the film", 1)
    #                  the  film The plot not good the  film
    assert found == [3.0, 2.0, 1.0, 0.0, 0.0, 8.0, 3.0, 2.0]


def test_what_counts_once_is_shared_by_all_its_places() -> None:
    pipeline = weights_of(fitted(LogisticRegression(), vectorizer=CountVectorizer(binary=True)), good=6.0)
    assert contributions(pipeline, "good film, good plot; Good", 1) == [2.0, 0.0, 2.0, 0.0, 2.0]


def test_letters_between_words_go_to_the_words_beside_them() -> None:
    pipeline = fitted(LogisticRegression(), vectorizer=CountVectorizer(analyzer="char", ngram_range=(3, 3)))
    pipeline[-1].coef_[:] = 0.0
    pipeline[-1].coef_[0, pipeline[0].vocabulary_["d f"]] = 1.0
    pipeline[-1].coef_[0, pipeline[0].vocabulary_["ilm"]] = 3.0
    assert contributions(pipeline, "good   film", 1) == [0.5, 3.5]


def test_the_parts_of_a_union_add_up() -> None:
    union = FeatureUnion(
        [("words", TfidfVectorizer()), ("letters", TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 3)))],
        transformer_weights={"words": 0.5},
    )
    pipeline = fitted(MultinomialNB(), 3, union)
    text = "the good film of the art"  # every letter is a word's
    expected = pipeline[:-1].transform([text]) @ pipeline[-1].feature_log_prob_[2]
    assert sum(contributions(pipeline, text, 2)) == pytest.approx(expected[0])


@pytest.mark.parametrize(
    ("vectorizer", "classifier"),
    [
        (None, RandomForestClassifier(3)),
        (None, CalibratedClassifierCV(LinearSVC(dual=True), cv=2)),
        (TfidfVectorizer(preprocessor=lambda text: text[3:]), LogisticRegression()),
    ],
)
def test_others_have_no_gradients(vectorizer: Any, classifier: Any) -> None:
    model = as_classifier(fitted(classifier, vectorizer=vectorizer))
    assert model.word_gradients(word_bag(TEXT, word_spans).masked(), 0) is None


@pytest.mark.parametrize("text", ["", "!!!", "unheard"])
@pytest.mark.parametrize("analyzer", ["word", "char", "char_wb"])
def test_texts_of_no_known_words(text: str, analyzer: str) -> None:
    pipeline = fitted(LogisticRegression(), vectorizer=TfidfVectorizer(analyzer=analyzer, ngram_range=(1, 3)))
    model, bag = as_classifier(pipeline), word_bag(text, word_spans)
    masks = np.ones((1, len(bag.words)), dtype=np.bool_)
    assert np.allclose(model.mask_scorer(bag.masked())(masks), model.predict_proba([text]), rtol=0, atol=1e-12)
    assert model.word_gradients(bag.masked(), 1).shape == (len(bag.words),)

"""Scoring from masks: equal to the pipeline's own answers on the strings, or not offered."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from pytest_trust.explain import LimeExplainer, OmissionExplainer
from pytest_trust.explain.words import word_bag
from pytest_trust.models import as_classifier
from pytest_trust.models.counts import GramCounter
from pytest_trust.text import word_spans

WORDS = ["good", "Good", "bad", "the", "film", "don't", "a", "plot-hole", "3.14", "naïve", "x", "not"]
TRAIN = [
    ("Good film, not bad", "yes"),
    ("the good plot-hole of a naïve film", "yes"),
    ("good good good x 3.14", "yes"),
    ("bad film don't see", "no"),
    ("the bad plot hole, not good", "no"),
    ("not a good film", "no"),
]

texts = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from([" ", ", ", "! ", "\n"])), min_size=1, max_size=14
).map(lambda parts: "".join(word + separator for word, separator in parts))
vectorizers = st.builds(
    lambda kind, ngrams, binary, lowercase, stop_words, **tfidf: kind(
        ngram_range=ngrams,
        binary=binary,
        lowercase=lowercase,
        stop_words=stop_words,
        **(tfidf if kind is TfidfVectorizer else {}),
    ),
    st.sampled_from([CountVectorizer, TfidfVectorizer]),
    st.sampled_from([(1, 1), (1, 2), (2, 2), (1, 3), (2, 3)]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, ["the", "not"]]),
    sublinear_tf=st.booleans(),
    norm=st.sampled_from(["l2", "l1", None]),
    use_idf=st.booleans(),
)


def random_masks(n_words: int, seed: int, rows: int = 20) -> np.ndarray:
    return np.random.default_rng(seed).random((rows, n_words)) < 0.5


@given(texts, vectorizers, st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_counts_equal_those_of_the_strings(text: str, vectorizer, seed: int) -> None:
    vectorizer.fit([train for train, _ in TRAIN])
    bag = word_bag(text, word_spans)
    masks = random_masks(len(bag.words), seed)
    counts = GramCounter.of(vectorizer).masked(bag.masked())
    assert counts is not None
    found = np.vstack([part.toarray() for part in counts(masks)])
    expected = CountVectorizer.transform(vectorizer, bag.strings(masks)).toarray()
    assert np.array_equal(found, expected)


@given(texts, vectorizers, st.sampled_from(["linear", "bayes", "forest", "tfidf", "svd"]), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_probabilities_equal_those_of_the_strings(text: str, vectorizer, kind: str, seed: int) -> None:
    rest = {
        "linear": [LogisticRegression()],
        "bayes": [MultinomialNB()],
        "forest": [RandomForestClassifier(5, random_state=0)],
        "tfidf": [TfidfTransformer(), LogisticRegression()],
        "svd": [TruncatedSVD(2, random_state=0), LogisticRegression()],
    }[kind]
    train, labels = zip(*TRAIN, strict=True)
    model = as_classifier(make_pipeline(vectorizer, *rest).fit(train, labels))
    bag = word_bag(text, word_spans)
    masks = random_masks(len(bag.words), seed)
    scorer = model.mask_scorer(bag.masked())
    assert scorer is not None
    assert np.allclose(scorer(masks), model.predict_proba(bag.strings(masks)), rtol=0, atol=1e-12)


def fitted(vectorizer=None, classifier=None):
    train, labels = zip(*TRAIN, strict=True)
    return make_pipeline(vectorizer or TfidfVectorizer(ngram_range=(1, 2)), classifier or LogisticRegression()).fit(
        train, labels
    )


@pytest.mark.parametrize(
    "explainer", [LimeExplainer(samples=300), LimeExplainer(samples=300, features=3), OmissionExplainer()]
)
def test_explanations_are_the_same_by_either_way(explainer) -> None:
    pipeline = fitted()
    white = as_classifier(pipeline, source="same")
    black = as_classifier(pipeline.predict_proba, classes=["no", "yes"], source="same")
    many = [text for text, _ in TRAIN] + ["", "!!!", "unheard words alone", "good"]
    for left, right in zip(
        explainer.explain_many(white, many, seed=1), explainer.explain_many(black, many, seed=1), strict=True
    ):
        assert (left.label, left.calls, left.samples, left.note) == (
            right.label,
            right.calls,
            right.samples,
            right.note,
        )
        assert {w.word: w.score for w in left.words} == pytest.approx({w.word: w.score for w in right.words}, abs=1e-10)


def test_the_pipeline_makes_no_strings_of_neighbours() -> None:
    class Watched(TfidfVectorizer):
        pass

    asked: list[int] = []
    pipeline = fitted()
    transform = pipeline[0].transform
    pipeline[0].transform = lambda texts: (asked.append(len(list(texts))), transform(texts))[1]
    LimeExplainer(samples=1000).explain(as_classifier(pipeline), "the good film of a naïve plot, not bad", seed=1)
    assert sum(asked) <= 8


@pytest.mark.parametrize(
    ("vectorizer", "text"),
    [
        (TfidfVectorizer(analyzer="char"), "good film"),
        (TfidfVectorizer(analyzer=str.split), "good film"),
        (HashingVectorizer(), "good film"),
        (TfidfVectorizer(token_pattern=r"\S+"), "good, bad film"),  # punctuation belongs to tokens
        (TfidfVectorizer(token_pattern=r"good film|\w+"), "good film"),  # a token over two words
        (TfidfVectorizer(), "我爱 good"),  # words that touch
    ],
)
def test_what_masks_cannot_say_takes_the_general_path(vectorizer, text: str) -> None:
    assert as_classifier(fitted(vectorizer)).mask_scorer(word_bag(text, word_spans).masked()) is None


def test_a_subclass_may_count_otherwise() -> None:
    class Own(TfidfVectorizer):
        pass

    assert as_classifier(fitted(Own())).mask_scorer(word_bag("good film", word_spans).masked()) is None


def test_a_scorer_that_would_answer_otherwise_is_not_used() -> None:
    pipeline = fitted()
    model = as_classifier(pipeline)
    explainer = LimeExplainer(samples=200)
    explainer.explain(model, "good film not bad", seed=1)
    # Fitted anew on other texts: the columns that were looked up are out of date.
    pipeline.fit(["zzz good film", "bad yyy", "aaa not"], ["yes", "no", "no"])
    fresh = explainer.explain(as_classifier(pipeline), "good film not bad", seed=1)
    assert explainer.explain(model, "good film not bad", seed=1) == fresh


def test_omission_by_positions_takes_occurrences_apart() -> None:
    pipeline = fitted()
    white, black = as_classifier(pipeline), as_classifier(pipeline.predict_proba, classes=["no", "yes"])
    explainer = OmissionExplainer(positions=True)
    left, right = (explainer.explain(model, "good film, good plot", seed=0) for model in (white, black))
    assert [w.spans for w in left.words] == [w.spans for w in right.words]
    assert [w.score for w in left.words] == pytest.approx([w.score for w in right.words])

"""Scoring from masks: equal to the pipeline's own answers on the strings, or not offered."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline

from pytest_trust.explain import LimeExplainer, OmissionExplainer
from pytest_trust.explain.words import word_bag
from pytest_trust.models import as_classifier, counts, counts_grams
from pytest_trust.models.counts import GramCounter
from pytest_trust.text import word_spans, words

WORDS = ["good", "Good", "bad", "the", "film", "don't", "a", "plot-hole", "3.14", "naïve", "x", "not", "ΟΔΟΣ", "İs"]
SEPARATORS = [" ", " ", ", ", "! ", "\n", "  ", " - ", " (", "-"]
TRAIN = [
    ("Good film, not bad", "yes"),
    ("the good plot-hole of a naïve film", "yes"),
    ("good good good x 3.14", "yes"),
    ("bad film don't see", "no"),
    ("the bad plot hole, not good", "no"),
    ("not a good film", "no"),
]

texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SEPARATORS)), min_size=1, max_size=14).map(
    lambda parts: "".join(word + separator for word, separator in parts)
)
readers = st.one_of(
    st.fixed_dictionaries(
        {
            "ngram_range": st.sampled_from([(1, 1), (1, 2), (1, 2), (2, 2), (1, 3), (2, 3)]),
            "stop_words": st.sampled_from([None, ["the", "not"]]),
            "token_pattern": st.sampled_from([r"(?u)\b\w\w+\b", r"(?u)\b\w\w+\b", r"[\w']+", r"\S+"]),
        }
    ),
    st.fixed_dictionaries(
        {
            "ngram_range": st.sampled_from([(1, 1), (1, 2), (2, 3)]),
            "tokenizer": st.just(str.split),
            "token_pattern": st.none(),
        }
    ),
    st.fixed_dictionaries(
        {
            "analyzer": st.sampled_from(["char", "char_wb"]),
            "ngram_range": st.sampled_from([(1, 1), (1, 2), (2, 4), (3, 3)]),
        }
    ),
    st.fixed_dictionaries({"analyzer": st.just(str.split)}),
)
common = st.fixed_dictionaries(
    {
        "binary": st.booleans(),
        "lowercase": st.booleans(),
        "strip_accents": st.sampled_from([None, "ascii", "unicode"]),
    }
)
weightings = st.fixed_dictionaries(
    {"sublinear_tf": st.booleans(), "norm": st.sampled_from(["l2", "l1", None]), "use_idf": st.booleans()}
)
hashings = st.fixed_dictionaries(
    {
        "n_features": st.sampled_from([5, 64, 2**12]),
        "alternate_sign": st.booleans(),
        "norm": st.sampled_from(["l2", "l1", None]),
    }
)


def vectorizer_of(kind: type, *settings_: dict[str, Any]) -> Any:
    given = {key: value for some in settings_ for key, value in some.items()}
    if callable(given.get("analyzer")):
        del given["lowercase"], given["strip_accents"]  # scikit-learn warns that they have no effect
    return kind(**given)


vectorizers = st.one_of(
    st.builds(vectorizer_of, st.just(CountVectorizer), readers, common),
    st.builds(vectorizer_of, st.just(TfidfVectorizer), readers, common, weightings),
    st.builds(vectorizer_of, st.just(TfidfVectorizer), readers, common, weightings, st.just({"min_df": 2})),
    st.builds(vectorizer_of, st.just(HashingVectorizer), readers, common, hashings),
)
seeds = st.integers(0, 2**32 - 1)


def random_masks(n_words: int, seed: int, rows: int = 20) -> np.ndarray:
    masks = np.random.default_rng(seed).random((rows, n_words)) < 0.5
    masks[0], masks[1] = True, False
    return masks


def counted_by_strings(vectorizer: Any, strings: list[str]) -> np.ndarray:
    if isinstance(vectorizer, HashingVectorizer):
        return vectorizer.set_params(norm=None).transform(strings).toarray()
    return CountVectorizer.transform(vectorizer, strings).toarray()


def signed(vectorizer: Any) -> bool:
    return getattr(vectorizer, "alternate_sign", False) and not vectorizer.binary


def has_long_chunk(text: str) -> bool:
    """Whether more words come together between white space than all states of a chunk are made for."""
    return any(len(set(words(chunk))) > 6 for chunk in text.split())


@given(texts, vectorizers, seeds)
@settings(max_examples=100)
def test_counts_equal_those_of_the_strings(text: str, vectorizer: Any, seed: int) -> None:
    try:
        vectorizer.fit([train for train, _ in TRAIN])
    except ValueError:  # nothing is common to two texts
        return
    bag = word_bag(text, word_spans)
    masks = random_masks(len(bag.words), seed)
    masked = GramCounter.of(vectorizer).masked(bag.masked())
    if masked is None:
        assert has_long_chunk(text)
        return
    assert np.array_equal(masked.features(masks).toarray(), counted_by_strings(vectorizer, bag.strings(masks)))


@given(texts, vectorizers, st.sampled_from(["linear", "bayes", "forest", "tfidf", "tfidf1", "svd"]), seeds)
@settings(max_examples=100)
def test_probabilities_equal_those_of_the_strings(text: str, vectorizer: Any, kind: str, seed: int) -> None:
    rest = {
        "linear": [LogisticRegression()],
        "bayes": [LogisticRegression() if signed(vectorizer) else MultinomialNB()],
        "forest": [RandomForestClassifier(3, random_state=0)],
        "tfidf": [TfidfTransformer(), LogisticRegression()],
        "tfidf1": [TfidfTransformer(norm="l1", sublinear_tf=not signed(vectorizer)), LogisticRegression()],
        "svd": [TruncatedSVD(2, random_state=0), LogisticRegression()],
    }[kind]
    try:
        with np.errstate(invalid="ignore", divide="ignore"):  # shares of a variance of zero
            pipeline = fitted(vectorizer, *rest)
    except ValueError:  # nothing is common to two texts, or hardly anything
        return
    if not has_long_chunk(text):
        assert_scores_equal(pipeline, text, seed)


def fitted(vectorizer=None, *rest):
    train, labels = zip(*TRAIN, strict=True)
    first = vectorizer or TfidfVectorizer(ngram_range=(1, 2))
    return make_pipeline(first, *(rest or [LogisticRegression()])).fit(train, labels)


def assert_scores_equal(pipeline: Any, text: str, seed: int = 7) -> None:
    model, bag = as_classifier(pipeline), word_bag(text, word_spans)
    masks = random_masks(len(bag.words), seed)
    scorer = model.mask_scorer(bag.masked())
    assert scorer is not None
    assert np.allclose(scorer(masks), model.predict_proba(bag.strings(masks)), rtol=0, atol=1e-12)


def own_preprocessor(text: str) -> str:
    return text.upper()


def vowels(text: str) -> list[str]:
    return [letter for letter in text if letter in "aeiou"]


@pytest.mark.parametrize(
    "vectorizer",
    [
        TfidfVectorizer(token_pattern=r"\S+", ngram_range=(1, 2)),  # punctuation belongs to tokens
        TfidfVectorizer(analyzer="char", ngram_range=(1, 4)),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True),
        TfidfVectorizer(analyzer=str.split),
        TfidfVectorizer(analyzer=vowels),
        TfidfVectorizer(preprocessor=own_preprocessor, ngram_range=(1, 2)),
        TfidfVectorizer(tokenizer=lambda text: iter(text.split()), token_pattern=None),
        HashingVectorizer(n_features=2**10),
        HashingVectorizer(ngram_range=(1, 3), n_features=16),
        FeatureUnion(
            [
                ("words", TfidfVectorizer(ngram_range=(1, 2))),
                ("letters", make_pipeline(CountVectorizer(analyzer="char_wb", ngram_range=(2, 3)), TfidfTransformer())),
                ("hashed", HashingVectorizer(n_features=32)),
            ],
            transformer_weights={"letters": 0.3},
        ),
        make_pipeline(CountVectorizer(), TfidfTransformer()),
        TfidfVectorizer(dtype=np.float32),
        CountVectorizer(vocabulary=["good", "film", "bad"]),
    ],
)
@pytest.mark.parametrize("text", ["Good, the  good film isn't bad; good film (the  Good).", "good", "x - !? a"])
def test_many_vectorizers_are_counted_from_masks(vectorizer, text: str) -> None:
    assert_scores_equal(fitted(vectorizer), text)
    assert_scores_equal(fitted(vectorizer, "passthrough", RandomForestClassifier(5, random_state=0)), text)


def test_many_words_are_counted_in_several_parts(monkeypatch) -> None:
    text = "the good film is not the bad film, the good plot " * 3
    pipelines = [
        fitted(TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True)),
        fitted(HashingVectorizer(ngram_range=(1, 2), n_features=32)),
        fitted(TfidfVectorizer(analyzer="char", ngram_range=(2, 4))),
    ]
    monkeypatch.setattr(counts, "_MAX_CELLS", 500)
    for table, cells in [(0, 0), (2**20, 2**20)]:  # sorted codes and cells, then both in tables
        monkeypatch.setattr(counts_grams, "_MAX_TABLE", table)
        monkeypatch.setattr(counts_grams, "_CELLS_PER_GRAM", cells)
        for pipeline in pipelines:
            assert_scores_equal(pipeline, text)


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
    asked: list[int] = []
    pipeline = fitted()
    transform = pipeline[0].transform
    pipeline[0].transform = lambda texts: (asked.append(len(list(texts))), transform(texts))[1]
    LimeExplainer(samples=1000).explain(as_classifier(pipeline), "the good film of a naïve plot, not bad", seed=1)
    assert sum(asked) <= 8


def tokens_over_words(text: str) -> list[str]:
    return text.replace("good film", "good_film").split()


def refuses_parts(text: str) -> list[str]:
    return [text.split()[1], *text.split()]


def pairs(text: str) -> list[tuple[str, str]]:
    return list(pairwise(text.split()))


class Subclass(TfidfVectorizer):
    """It might count otherwise."""


@pytest.mark.parametrize(
    ("vectorizer", "text"),
    [
        (TfidfVectorizer(token_pattern=r"good\s+film|\w+"), "good bad film"),  # a token over two words
        (TfidfVectorizer(tokenizer=tokens_over_words, token_pattern=None), "the good film"),
        (TfidfVectorizer(preprocessor=lambda text: text.partition("good")[2]), "film good bad"),
        (TfidfVectorizer(tokenizer=refuses_parts, token_pattern=None), "the good film"),
        (TfidfVectorizer(analyzer=pairs), "the good film"),
        (TfidfVectorizer(analyzer=lambda text: [len(word) for word in text.split()]), "the good film"),  # no strings
        (TfidfVectorizer(), "我爱你们大家好吗 good"),  # words that touch, too many for all states of their chunk
        (Subclass(), "good film"),
        (FeatureUnion([("words", TfidfVectorizer()), ("own", Subclass())]), "good film"),
        (FeatureUnion([("words", TfidfVectorizer()), ("none", "drop")]), "good film"),
    ],
)
def test_what_masks_cannot_say_takes_the_general_path(vectorizer, text: str) -> None:
    assert as_classifier(fitted(vectorizer)).mask_scorer(word_bag(text, word_spans).masked()) is None


def test_a_vectorizer_of_files_takes_the_general_path(tmp_path) -> None:
    (tmp_path / "good").write_text("good")
    files = make_pipeline(CountVectorizer(input="filename"), LogisticRegression())
    model = as_classifier(files.fit([str(tmp_path / "good")] * 2, ["no", "yes"]))
    assert model.mask_scorer(word_bag("good", word_spans).masked()) is None


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

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, ModelError
from pytest_trust.models import CallableClassifier, EstimatorClassifier, TextClassifier, as_classifier


class Counting:
    """Answers with the uniform distribution over k classes, and notes how many texts each call had."""

    def __init__(self, k: int = 2) -> None:
        self.classes_ = [f"class {i}" for i in range(k)]
        self.sizes: list[int] = []

    def __call__(self, texts: list[str]) -> np.ndarray:
        assert type(texts) is list
        self.sizes.append(len(texts))
        return np.full((len(texts), len(self.classes_)), 1 / len(self.classes_))


class CountingEstimator(Counting):
    def predict_proba(self, texts: list[str]) -> np.ndarray:
        return self(texts)


@pytest.mark.parametrize("kind", [Counting, CountingEstimator])
def test_no_call_holds_more_texts_than_the_batch_size(kind: type[Counting]) -> None:
    counting = kind(186)
    model = as_classifier(counting)
    assert model.predict_proba([f"text {i}" for i in range(2500)]).shape == (2500, 186)
    assert counting.sizes == [1024, 1024, 452]


def test_the_batch_size_can_be_set() -> None:
    counting = Counting()
    as_classifier(counting, batch_size=3).predict_proba(["a"] * 7)
    assert counting.sizes == [3, 3, 1]
    model = as_classifier(counting)
    assert as_classifier(model, batch_size=3) is model
    assert model.batch_size == 1024
    with pytest.raises(ConfigurationError, match="batch_size=0: expected a whole number of at least 1"):
        as_classifier(counting, batch_size=0)


@pytest.mark.parametrize("kind", [Counting, CountingEstimator])
def test_no_texts_make_no_call(kind: type[Counting]) -> None:
    counting = kind(3)
    answer = as_classifier(counting).predict_proba([])
    assert (answer.shape, answer.dtype, counting.sizes) == ((0, 3), np.float64, [])


@pytest.mark.parametrize("texts", [("a", "b"), ["a", "b"], np.array(["a", "b"])])
def test_texts_are_any_sequence(texts: Sequence[str]) -> None:
    assert as_classifier(Counting()).predict_proba(texts).tolist() == [[0.5, 0.5]] * 2


def test_one_string_is_not_a_sequence_of_texts() -> None:
    with pytest.raises(TypeError, match="texts is one string"):
        as_classifier(Counting()).predict_proba("good film")


def test_the_model_cannot_change_the_caller_s_list() -> None:
    texts = ["a", "b"]

    def greedy(batch: list[str]) -> list[list[float]]:
        answer = [[0.5, 0.5]] * len(batch)
        batch.clear()
        return answer

    as_classifier(greedy, classes="x,y").predict_proba(texts)
    assert texts == ["a", "b"]


def test_a_model_may_use_its_output_array_again() -> None:
    buffer = np.empty((2, 2))

    def model(batch: list[str]) -> np.ndarray:
        buffer[:, 0] = [float(text) for text in batch]
        buffer[:, 1] = 1 - buffer[:, 0]
        return buffer

    answer = as_classifier(model, classes="x,y", batch_size=2).predict_proba(["0.1", "0.2", "0.3", "0.4"])
    assert answer[:, 0].tolist() == [0.1, 0.2, 0.3, 0.4]


def test_every_batch_is_checked_and_the_row_counted_over_all() -> None:
    def model(batch: list[str]) -> list[list[float]]:
        return [[0.9, 0.8] if text == "bad" else [0.5, 0.5] for text in batch]

    with pytest.raises(ModelError, match=r"row 5 that sums to 1\.7"):
        as_classifier(model, classes="x,y", batch_size=2).predict_proba(["ok"] * 5 + ["bad"])


def test_a_callable_takes_its_classes_from_the_user() -> None:
    def score(texts: list[str]) -> list[list[float]]:
        return [[0.25, 0.75]] * len(texts)

    model = as_classifier(score, classes=["negative", "positive"])
    assert isinstance(model, CallableClassifier)
    assert isinstance(model, TextClassifier)
    assert model.classes == ("negative", "positive")
    assert model.class_set.aliases == (("negative",), ("positive",))
    assert model.source == f"{__name__}.test_a_callable_takes_its_classes_from_the_user.<locals>.score"
    assert model.predict_proba(["x"]).tolist() == [[0.25, 0.75]]


def test_a_callable_without_classes_is_told_the_options() -> None:
    with pytest.raises(ModelError, match=r"--trust-classes.*trust_classes.*classes_"):
        as_classifier(lambda texts: [[0.5, 0.5]] * len(texts))


def test_an_error_of_the_model_is_chained() -> None:
    def broken(texts: list[str]) -> object:
        raise ZeroDivisionError("no weights")

    with pytest.raises(ModelError, match=r"app:broken failed on texts: ZeroDivisionError: no weights") as caught:
        as_classifier(broken, classes="x,y", source="app:broken").predict_proba(["a"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_error_of_ours_from_within_a_wrapper_is_not_wrapped_again() -> None:
    inner = as_classifier(lambda texts: [[0.9, 0.8]] * len(texts), classes="x,y", source="inner")
    with pytest.raises(ModelError, match=r"^model inner returned row 0 that sums to 1\.7"):
        as_classifier(inner.predict_proba, classes="x,y", source="outer").predict_proba(["a"])


def test_a_pipeline(make_pipeline: Callable[..., Any]) -> None:
    pipeline = make_pipeline()
    model = as_classifier(pipeline)
    texts = ["great film", "awful film", ""]
    assert isinstance(model, EstimatorClassifier)
    assert model.estimator is pipeline
    assert model.classes == model.class_set.originals == ("neg", "pos")
    assert model.source == "sklearn.pipeline.Pipeline"
    assert np.array_equal(model.predict_proba(texts), pipeline.predict_proba(texts))


def test_a_pipeline_with_integer_classes_is_renamed(make_pipeline: Callable[..., Any]) -> None:
    model = as_classifier(make_pipeline(labels=[1, 1, 1, 0, 0, 0]), classes="negative,positive|good")
    assert model.classes == ("negative", "positive")
    assert model.class_set.originals == ("0", "1")
    assert model.class_set.aliases == (("negative",), ("positive", "good"))
    assert model.predict_proba(["good great film"])[0, 1] > 0.5


def test_names_in_another_order_are_refused(make_pipeline: Callable[..., Any]) -> None:
    with pytest.raises(ModelError, match=r"sklearn\.pipeline\.Pipeline.*\(neg, pos\).*\(pos, neg\).*another order"):
        as_classifier(make_pipeline(), classes="pos,neg")


def test_linear_svc_is_told_the_calibrated_wrapper(make_pipeline: Callable[..., Any]) -> None:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import LinearSVC

    for estimator in (LinearSVC(), make_pipeline(LinearSVC())):
        with pytest.raises(ModelError, match=r"no predict_proba.*sklearn\.calibration\.CalibratedClassifierCV"):
            as_classifier(estimator)
    calibrated = as_classifier(make_pipeline(CalibratedClassifierCV(LinearSVC(), cv=2, ensemble=False)))
    assert calibrated.predict_proba(["good"]).shape == (1, 2)


def test_an_unfitted_pipeline(make_pipeline: Callable[..., Any]) -> None:
    for classes in (None, "neg,pos"):
        with pytest.raises(ModelError, match=r"has no classes_; expected a classifier that is fitted already"):
            as_classifier(make_pipeline(fit=False), classes=classes)


def test_a_multi_output_model(make_pipeline: Callable[..., Any]) -> None:
    from sklearn.multioutput import MultiOutputClassifier
    from sklearn.naive_bayes import MultinomialNB

    labels = [[0, 1], [0, 1], [1, 1], [1, 0], [0, 0], [1, 0]]
    with pytest.raises(ModelError, match=r"has 2 outputs.*one classifier per output"):
        as_classifier(make_pipeline(MultiOutputClassifier(MultinomialNB()), labels=labels))


def test_a_multi_label_model_does_not_sum_to_one(make_pipeline: Callable[..., Any]) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier

    labels = [[0, 1], [1, 1], [1, 1], [0, 0], [1, 0], [1, 1]]
    model = as_classifier(make_pipeline(OneVsRestClassifier(LogisticRegression()), labels=labels))
    with pytest.raises(ModelError, match=r"row 0 that sums to .*multi-label"):
        model.predict_proba(["good film"])


def test_a_classifier_without_its_vectorizer(make_pipeline: Callable[..., Any]) -> None:
    model = as_classifier(make_pipeline()[-1])
    with pytest.raises(ModelError, match=r"LogisticRegression failed on texts: ValueError.*its vectorizer") as caught:
        model.predict_proba(["good film"])
    assert "good film" not in str(caught.value)
    assert "good film" in str(caught.value.__cause__)


class ProbabilitiesOnly:
    def predict_proba(self, texts: list[str]) -> list[list[float]]:
        return [[0.1, 0.9]] * len(texts)


def test_an_object_with_predict_proba_alone_needs_names() -> None:
    assert as_classifier(ProbabilitiesOnly(), classes="no,yes").predict_proba(["x"]).tolist() == [[0.1, 0.9]]
    with pytest.raises(ModelError, match="--trust-classes"):
        as_classifier(ProbabilitiesOnly())


class Foreign:
    """A TextClassifier of someone else."""

    classes = ("neg", "pos")
    source = "foreign"

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[0.25, 0.75]] * len(texts))

    def fingerprint(self) -> str:
        return "f00d"


def test_a_classifier_passes_through() -> None:
    foreign = Foreign()
    assert as_classifier(foreign) is foreign
    assert as_classifier(foreign, classes="neg,pos") is foreign
    adapted = as_classifier(Counting())
    assert as_classifier(adapted) is adapted


def test_a_classifier_gets_other_names_around_it() -> None:
    foreign = Foreign()
    model = as_classifier(foreign, classes="neg=negative,pos=positive|good")
    assert model.classes == ("negative", "positive")
    assert model.class_set.originals == ("neg", "pos")
    assert model.source == "foreign"
    assert model.predict_proba(["x"]).tolist() == [[0.25, 0.75]]
    assert model.fingerprint() != as_classifier(foreign, classes="neg=bad,pos=good").fingerprint()
    with pytest.raises(ModelError, match=r"model foreign: its 2 classes are \(neg, pos\), given are 2 \(bad, good\)"):
        as_classifier(foreign, classes="bad,good")


@pytest.mark.parametrize("names", ["0=bad,1=good|fine", "bad,good"])
def test_names_refer_to_the_model_s_own_classes_however_often_it_is_adapted(
    make_pipeline: Callable[..., Any], names: str
) -> None:
    once = as_classifier(make_pipeline(labels=[1, 1, 1, 0, 0, 0]), classes=names)
    assert as_classifier(once, classes=names) is once
    other = as_classifier(once, classes="0=poor,1=great")
    assert (other.classes, other.class_set.originals) == (("poor", "great"), ("0", "1"))


def test_names_of_a_nameless_callable_may_be_given_again() -> None:
    once = as_classifier(ProbabilitiesOnly().predict_proba, classes="no,yes")
    assert as_classifier(once) is once
    assert as_classifier(once, classes="no,yes") is once
    assert as_classifier(once, classes="0=false,1=true").classes == ("false", "true")


@pytest.mark.parametrize(
    ("thing", "found"),
    [({}, "builtins.dict"), (3, "builtins.int"), ("text", "builtins.str"), (np.zeros(2), "numpy.ndarray")],
)
def test_what_is_no_classifier(thing: object, found: str) -> None:
    with pytest.raises(ModelError, match=f"of type {found}; expected an object with predict_proba"):
        as_classifier(thing)


@pytest.mark.parametrize("kind", [Foreign, ProbabilitiesOnly])
def test_a_class_in_place_of_an_object(kind: type) -> None:
    with pytest.raises(ModelError, match=f"is the class {__name__}.{kind.__name__}; expected an object of it"):
        as_classifier(kind)


def test_a_model_is_not_changed_by_being_asked(make_pipeline: Callable[..., Any]) -> None:
    import joblib

    pipeline = make_pipeline()
    before = joblib.hash(pipeline)
    model = as_classifier(pipeline, classes="neg=bad,pos=good")
    model.predict_proba(["good film"])
    model.fingerprint()
    assert joblib.hash(pipeline) == before

"""Answers of models from a store: what is asked again, and what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_trust import check_functional, check_invariant, check_trustworthy, perturb
from pytest_trust.errors import ModelError
from pytest_trust.explain import LimeExplainer
from pytest_trust.explain.stored import StoredExplainer
from pytest_trust.models import CallableClassifier, EstimatorClassifier, as_classifier, parse_class_names
from pytest_trust.models.fingerprints import CANARIES
from pytest_trust.models.kept import is_known_by_state, kept_answers, remembering
from pytest_trust.oracles import Verdict
from pytest_trust.store import ResultStore

TEXTS = ["good film", "great plot", "a great, good cast", "bad film", "awful plot", "a bad, awful cast"]
LABELS = ["pos", "pos", "pos", "neg", "neg", "neg"]
MORE = [f"{text} in {place}" for place in ("Rome", "Oslo", "Lima", "Kyiv") for text in TEXTS]
DATA = list(zip(MORE, LABELS * 4, strict=True))


class Counting(EstimatorClassifier):
    """A scikit-learn pipeline that counts what it is asked about, the fixed texts of fingerprints aside."""

    asked: list[str]

    def _answer(self, batch: list[str]) -> object:
        self.asked += [text for text in batch if text not in CANARIES]
        return super()._answer(batch)


def pipeline(texts: list[str] = TEXTS, vectorizer: Any = None) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(vectorizer or TfidfVectorizer(), LogisticRegression()).fit(texts, LABELS)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Callable[..., tuple[Any, ResultStore]]]:
    """A model as a new session has it, over one and the same file."""
    opened: list[ResultStore] = []

    def make(estimator: Any = None) -> tuple[Any, ResultStore]:
        opened.append(ResultStore(tmp_path / "results.sqlite"))
        model = Counting(pipeline() if estimator is None else estimator)
        model.asked = []
        return remembering(model, opened[-1]), opened[-1]

    yield make
    for store in opened:
        store.close()


def test_answers_come_back_as_they_were(session: Callable[..., Any]) -> None:
    first, _ = session()
    expected = first.predict_proba(MORE)
    assert (kept_answers(first, MORE) == expected).all()
    later, _ = session()
    assert (kept_answers(later, MORE[::-1]) == expected[::-1]).all()
    assert kept_answers(later, []).shape == (0, 2)
    assert later.asked == []


def test_new_texts_alone_are_asked_about_and_once(session: Callable[..., Any]) -> None:
    kept_answers(session()[0], MORE[:5])
    later, _ = session()
    found = kept_answers(later, [*MORE[:8], *MORE[:8]])
    assert later.asked == MORE[5:8]
    assert (found == later.predict_proba([*MORE[:8], *MORE[:8]])).all()


def test_an_estimator_fitted_anew_is_asked(session: Callable[..., Any]) -> None:
    kept_answers(session()[0], MORE)
    other, _ = session(pipeline([*TEXTS[:5], "a bad cast"]))
    kept_answers(other, MORE)
    assert len(other.asked) == len(MORE)
    other.estimator.fit([*TEXTS[:5], "bad"], LABELS)  # within a session too
    found = kept_answers(other, MORE)
    assert (found == other.predict_proba(MORE)).all()


def test_other_class_names_are_another_model(session: Callable[..., Any]) -> None:
    kept_answers(session()[0], MORE)
    model, _ = session()
    renamed = as_classifier(model, classes=parse_class_names("neg=bad,pos=good"))
    kept_answers(renamed, MORE)
    assert len(model.asked) == len(MORE)


def shout(text: str) -> str:
    return text.upper()


def test_what_code_of_a_users_own_may_change_is_not_remembered(tmp_path: Path) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    store = ResultStore(tmp_path / "results.sqlite")
    own = as_classifier(pipeline(vectorizer=TfidfVectorizer(preprocessor=shout)))
    function = CallableClassifier(lambda texts: np.full((len(texts), 2), 0.5), classes=["a", "b"])
    assert is_known_by_state(as_classifier(pipeline()))
    for model in (own, function):
        assert not is_known_by_state(model)
        assert remembering(model, store) is model
    assert not (tmp_path / "results.sqlite").exists()


class Oracle:
    """Trusts explanations whose first word is in the class's."""

    name = "first word"

    def judge(self, explanation: Any) -> Verdict:
        good = bool(explanation.words) and explanation.words[0].word in ("good", "great", "bad", "awful")
        return Verdict(good, float(good), float(not good), ())

    def judge_many(self, explanations: Any) -> list[Verdict]:
        return list(map(self.judge, explanations))


def checks(model: Any, explainer: Any) -> list[dict[str, Any]]:
    results = [
        check_trustworthy(model, DATA, Oracle(), explainer=explainer, seed=3),
        check_invariant(model, [text for text, _ in DATA], perturb.swap_locations(), margin=0.2, seed=3),
        check_functional(model, DATA, accuracy=0.5, augment=[perturb.uppercase()], seed=3),
    ]
    return [result.to_dict() for result in results]


def test_an_unchanged_model_is_judged_again_without_a_call(session: Callable[..., Any]) -> None:
    lime = LimeExplainer(samples=100, sampling="sequential")
    expected = checks(pipeline(), lime)
    first, store = session()
    names = [item["name"] for item in expected]

    def judged(model: Any, store: ResultStore) -> list[dict[str, Any]]:
        return checks(model, StoredExplainer(lime, store))

    assert judged(first, store) == expected
    assert first.asked
    later, store = session()
    assert judged(later, store) == expected, names
    assert later.asked == []


def test_a_moody_model_is_refused_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    chance = np.random.default_rng(0)

    def moody(texts: list[str]) -> np.ndarray:
        good = chance.uniform(size=len(texts))
        return np.column_stack([good, 1 - good])

    store = ResultStore(tmp_path / "results.sqlite")
    model = remembering(CallableClassifier(moody, classes=["neg", "pos"]), store)
    explainer = StoredExplainer(LimeExplainer(samples=100), store)
    with pytest.raises(ModelError, match="answers the same texts differently"):
        check_trustworthy(model, DATA, Oracle(), explainer=explainer)
    assert not (tmp_path / "results.sqlite").exists()


def test_a_model_that_turns_moody_is_refused(session: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    class Turning(Counting):
        def _answer(self, batch: list[str]) -> object:
            rows = np.asarray(super()._answer(batch))
            return rows if set(batch) <= set(CANARIES) else np.roll(rows, len(self.asked) % 7, axis=0)

    _, store = session()
    model = Turning(pipeline())
    model.asked = []
    remembered = remembering(model, store)
    with pytest.raises(ModelError, match="answers the same texts differently"):
        check_invariant(remembered, MORE[:15], perturb.swap_locations(), margin=0.2)
    assert store.get_many([b""]) == {}
    again, _ = session()
    kept_answers(again, MORE[:15])
    assert again.asked == MORE[:15]  # nothing was kept of what was refused

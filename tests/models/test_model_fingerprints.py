from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_trust.errors import ModelError
from pytest_trust.models import as_classifier, load_model
from pytest_trust.models.fingerprints import CANARIES, file_digest, qualified_name, state_digest

PROJECT = Path(__file__).parents[2]

MODULE = """
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

pipeline = make_pipeline(TfidfVectorizer(stop_words="english"), LogisticRegression())
pipeline.fit(["good film", "great plot", "bad film", "awful plot"], ["pos", "pos", "neg", "neg"])
by_lambda = make_pipeline(TfidfVectorizer(preprocessor=lambda text: text.lower()), LogisticRegression())
by_lambda.fit(["good film", "great plot", "bad film", "awful plot"], ["pos", "pos", "neg", "neg"])
words = frozenset(["one", "two", "three", "four", "five", "six", "seven"])

def score(texts):
    return [[0.25, 0.75] if "good" in text else [0.75, 0.25] for text in texts]

score.classes_ = ["neg", "pos"]
"""

PROGRAM = """
import models_here
from pytest_trust.models import load_model
from pytest_trust.models.fingerprints import state_digest
for name in ("pipeline", "by_lambda", "score"):
    print(load_model(f"models_here:{name}").fingerprint())
print(state_digest(models_here.words))
"""


def start(folder: Path, hash_seed: int) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(folder), str(PROJECT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": str(hash_seed)}
    return subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True)


def test_two_processes_agree(tmp_path: Path) -> None:
    (tmp_path / "models_here.py").write_text(MODULE)
    processes = [start(tmp_path, hash_seed) for hash_seed in (1, 2)]
    first, second = (process.communicate(timeout=120)[0].split() for process in processes)
    assert first == second
    assert len(set(first)) == 4
    assert all(len(digest) == 64 for digest in first)


def test_a_changed_weight_changes_the_fingerprint(make_pipeline: Callable[..., Any]) -> None:
    pipeline = make_pipeline()
    before = as_classifier(pipeline).fingerprint()
    assert as_classifier(make_pipeline()).fingerprint() == before
    pipeline[-1].coef_[0, -1] += 1e-9
    assert as_classifier(pipeline).fingerprint() != before


def test_the_fingerprint_follows_a_model_that_is_fitted_again(make_pipeline: Callable[..., Any]) -> None:
    pipeline = make_pipeline()
    model = as_classifier(pipeline)
    before = model.fingerprint()
    pipeline.set_params(logisticregression__C=5).fit(["good", "bad"], ["pos", "neg"])
    assert model.fingerprint() != before


def test_class_names_are_part_of_it(make_pipeline: Callable[..., Any]) -> None:
    pipeline = make_pipeline()
    names = [None, "neg=bad,pos=good", "neg=bad,pos=good|fine"]
    assert len({as_classifier(pipeline, classes=given).fingerprint() for given in names}) == 3


def test_the_source_is_not_part_of_it(make_pipeline: Callable[..., Any]) -> None:
    pipeline = make_pipeline()
    assert as_classifier(pipeline, source="a").fingerprint() == as_classifier(pipeline, source="b").fingerprint()


def test_a_callable_is_known_by_its_answers_to_the_canaries() -> None:
    bias = 0.0

    def score(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[0.5 + bias, 0.5 - bias]] * len(texts)

    asked: list[str] = []
    model = as_classifier(score, classes="x,y")
    before = model.fingerprint()
    assert asked == list(CANARIES)
    bias = 1e-8
    assert model.fingerprint() == before
    bias = 1e-5
    assert model.fingerprint() != before


def test_callables_of_the_same_answers_differ_by_name() -> None:
    def one(texts: list[str]) -> list[list[float]]:
        return [[0.5, 0.5]] * len(texts)

    def two(texts: list[str]) -> list[list[float]]:
        return [[0.5, 0.5]] * len(texts)

    assert as_classifier(one, classes="x,y").fingerprint() != as_classifier(two, classes="x,y").fingerprint()


def test_a_model_that_refuses_a_canary_still_has_one() -> None:
    refuse = {""}

    def picky(texts: list[str]) -> list[list[float]]:
        if refuse & set(texts):
            raise ValueError("empty text")
        return [[0.5, 0.5]] * len(texts)

    model = as_classifier(picky, classes="x,y")
    before = model.fingerprint()
    assert model.fingerprint() == before
    refuse.add(CANARIES[1])
    assert model.fingerprint() != before
    refuse.update(CANARIES)
    with pytest.raises(ModelError, match="picky failed on texts: ValueError: empty text"):
        model.fingerprint()


def test_the_canaries_are_varied() -> None:
    assert len(CANARIES) == len(set(CANARIES)) == 16
    assert "" in CANARIES
    assert max(map(len, CANARIES)) > 3000
    text = "".join(CANARIES)
    assert all(
        first <= max(text) and any(first <= c <= last for c in text) for first, last in ("az", "ая", "一龥", "कह")
    )


def test_a_file_is_known_by_its_bytes(tmp_path: Path, make_pipeline: Callable[..., Any]) -> None:
    import joblib

    pipeline = make_pipeline()
    for name, compress in (("a.joblib", 0), ("b.joblib", 0), ("c.joblib", 3)):
        joblib.dump(pipeline, tmp_path / name, compress=compress)
    a, b, c = (load_model(tmp_path / f"{name}.joblib").fingerprint() for name in "abc")
    assert a == b != c
    assert file_digest(tmp_path / "a.joblib") == hashlib.sha256((tmp_path / "a.joblib").read_bytes()).hexdigest()


def test_a_model_that_was_changed_after_it_was_loaded_is_another(
    tmp_path: Path, make_pipeline: Callable[..., Any]
) -> None:
    import joblib

    joblib.dump(make_pipeline(), tmp_path / "a.joblib")
    model: Any = load_model(tmp_path / "a.joblib")
    before, weights = model.fingerprint(), model.estimator[-1].coef_
    place = model.estimator[0].vocabulary_["plot"]
    assert not any("plot" in text for text in CANARIES)
    weights[0, place] += 9.0
    renamed = as_classifier(model, classes="neg=bad,pos=good")
    changed = model.fingerprint(), renamed.fingerprint()
    weights[0, place] -= 9.0
    assert before == model.fingerprint() not in changed
    assert renamed.fingerprint() != changed[1]


def iter_texts() -> Iterator[str]:
    yield "a"


def test_the_state_of_what_cannot_be_pickled_is_unknown() -> None:
    assert state_digest(lambda text: text) is None
    assert state_digest(iter_texts()) is None


def test_the_state_digest_sees_values_and_not_identities() -> None:
    assert state_digest(["aa", "aa"]) == state_digest(["aa", "aaZ".replace("Z", "")])
    assert state_digest({"a": np.arange(3)}) == state_digest({"a": np.array([0, 1, 2])})
    assert state_digest({"a": np.arange(3)}) != state_digest({"a": np.arange(1, 4)})
    assert state_digest(frozenset("abc")) == state_digest(frozenset("cba")) != state_digest(frozenset("ab"))


def test_qualified_names() -> None:
    assert qualified_name(as_classifier) == "pytest_trust.models.adapters.as_classifier"
    assert qualified_name(Path) == "pathlib.Path"
    assert qualified_name(np.zeros(2)) == "numpy.ndarray"

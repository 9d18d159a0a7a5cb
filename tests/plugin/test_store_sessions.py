"""Two sessions over one store, as a user runs them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SUITE = """
from pytest_trust import functional, invariant, perturb, trustworthy

@trustworthy(min_rate=0.1)
def test_reasons(): ...

@invariant(perturb.uppercase(), margin=0.2)
def test_capitals(): ...

@functional(accuracy=0.1)
def test_accuracy(): ...
"""

PIPELINES = """
import csv
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

with open("train.csv", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
model = make_pipeline(TfidfVectorizer(), LogisticRegression())
model.fit([row["text"] for row in rows], [row["label"] for row in rows])
"""

# What the model is asked about, the fixed texts of fingerprints aside, is written down.
COUNTING = """
import pytest
from pathlib import Path

@pytest.fixture(scope="session", autouse=True)
def counted():
    from pytest_trust.models.adapters import EstimatorClassifier
    from pytest_trust.models.fingerprints import CANARIES

    def count(asked):
        with Path("asked").open("a") as log:
            log.write("x\\n" * len([text for text in asked if text not in CANARIES]))

    def answer(self, batch):
        count(batch)
        return plain[0](self, batch)

    def mask_scorer(self, text):
        scorer = plain[1](self, text)

        def counted(masks):
            count([text.whole])
            return scorer(masks)

        return scorer and counted

    plain = EstimatorClassifier._answer, EstimatorClassifier.mask_scorer
    EstimatorClassifier._answer, EstimatorClassifier.mask_scorer = answer, mask_scorer
    yield
    EstimatorClassifier._answer, EstimatorClassifier.mask_scorer = plain
"""

Run = Callable[..., pytest.RunResult]


@pytest.fixture
def suite(project: pytest.Pytester, run: Run) -> Callable[..., int]:
    """Runs the suite; how many texts the model was asked about."""
    project.makeconftest(COUNTING)
    project.makepyfile(pipelines=PIPELINES)

    def runner(*arguments: str, passed: int = 3) -> int:
        log = project.path / "asked"
        log.unlink(missing_ok=True)
        run("--trust-model=pipelines:model", *arguments, test=SUITE).assert_outcomes(passed=passed)
        return len(log.read_text().split()) if log.exists() else 0

    return runner


def test_the_second_session_asks_nothing(project: pytest.Pytester, suite: Callable[..., int]) -> None:
    assert suite("--trust-json=first.json") > 0
    assert (project.path / ".trust" / "results.sqlite").is_file()
    assert suite("--trust-json=second.json") == 0
    first, second = ((project.path / name).read_text() for name in ("first.json", "second.json"))
    assert checks_of(first) == checks_of(second)


def checks_of(report: str) -> list[dict[str, Any]]:
    checks: list[dict[str, Any]] = json.loads(report)["checks"]
    return checks


def test_an_index_is_built_anew_without_a_call(project: pytest.Pytester, suite: Callable[..., int]) -> None:
    suite()
    for path in (project.path / ".trust").glob("index-*.zip"):
        path.unlink()
    assert suite() == 0


def test_another_seed_asks_again(suite: Callable[..., int]) -> None:
    first = suite()
    assert 0 < suite("--trust-seed=5") <= 2 * first


def test_a_folder_of_ones_own(project: pytest.Pytester, suite: Callable[..., int]) -> None:
    suite("--trust-cache=kept")
    assert (project.path / "kept" / "results.sqlite").is_file()
    assert not (project.path / ".trust" / "results.sqlite").exists()
    assert suite("--trust-cache=kept") == 0


def test_nothing_is_kept_where_it_is_switched_off(project: pytest.Pytester, suite: Callable[..., int]) -> None:
    assert suite("--trust-cache=off") > 0
    assert suite("--trust-cache=off") > 0
    assert not list(project.path.rglob("*.sqlite"))


def test_a_damaged_store_costs_a_warning_and_no_verdict(project: pytest.Pytester, run: Run) -> None:
    run("--trust-json=first.json", test=SUITE)
    store = project.path / ".trust" / "results.sqlite"
    store.write_bytes(store.read_bytes()[:3000])
    result = run("--trust-json=second.json", "-Wdefault", test=SUITE)
    result.assert_outcomes(passed=3, warnings=1)
    result.stdout.fnmatch_lines(
        ["*TrustWarning: *results.sqlite is no whole store of results, kept as results.sqlite.*"]
    )
    first, second = ((project.path / name).read_text() for name in ("first.json", "second.json"))
    assert checks_of(first) == checks_of(second)
    assert store.with_name("results.sqlite.refused").stat().st_size >= 3000


def test_a_store_of_a_later_version_is_left_alone(project: pytest.Pytester, run: Run) -> None:
    run(test=SUITE)
    store = project.path / ".trust" / "results.sqlite"
    connection = sqlite3.connect(store)
    connection.execute("PRAGMA user_version = 9")
    connection.close()
    before = store.read_bytes()
    result = run("-Wdefault", test=SUITE)
    result.assert_outcomes(passed=3, warnings=1)
    result.stdout.fnmatch_lines(["*TrustWarning: *its format has version 9; expected 1"])
    assert store.read_bytes() == before


@pytest.mark.parametrize("ini", ["trust_cache = kept", "trust_cache = off"])
def test_the_ini_file_says_where(project: pytest.Pytester, suite: Callable[..., int], ini: str) -> None:
    project.makeini(f"[pytest]\n{ini}\n")
    suite()
    assert (project.path / "kept" / "results.sqlite").is_file() == (ini == "trust_cache = kept")
    assert not Path(project.path / ".trust" / "results.sqlite").exists()


FUNCTIONS = """
import numpy as np

def model(texts):
    odds = np.array([sum({weights}.get(word, 0.0) for word in text.lower().split()) for text in texts])
    positive = 1 / (1 + np.exp(-odds))
    return np.column_stack([1 - positive, positive])

model.classes_ = ("negative", "positive")

class Own:
    classes_ = model.classes_

    def predict_proba(self, texts):
        return model(texts)

estimator = Own()
"""


@pytest.mark.parametrize("name", ["model", "estimator"])
def test_code_that_changes_where_no_fixed_text_shows_it_is_judged_anew(
    project: pytest.Pytester, run: Run, name: str
) -> None:
    suite = """
        from pytest_trust import trustworthy

        @trustworthy(min_rate=0.9)
        def test_reasons(): ...
    """
    right = dict.fromkeys(("superb", "charming", "delightful", "moving"), 2.0) | dict.fromkeys(
        ("awful", "boring", "dreadful", "clumsy", "tedious", "bland"), -2.0
    )
    wrong = {"lakeside": 3.0, "hillview": -3.0}
    told = []
    for weights in (wrong, right, wrong, right):
        project.makepyfile(functions=FUNCTIONS.replace("{weights}", repr(weights)))
        run(f"--trust-model=functions:{name}", "--trust-json=report.json", test=suite)
        told.append(checks_of((project.path / "report.json").read_text()))
    assert [checks[0]["outcome"] for checks in told] == ["fail", "pass", "fail", "pass"]
    assert told[2:] == told[:2]

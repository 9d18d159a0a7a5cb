"""The ready suites: what a model that reads, one that counts words and a prejudiced one make of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_trust.reports.capabilities import CAPABILITIES
from pytest_trust.templates import expand

ROOT = Path(__file__).parents[2]

MODELS = {"sentiment": "sentiment_models", "toxicity": "toxicity_models", "topics": "topic_models"}

# What words in a bag cannot tell: all of it is order.
OF_ORDER = {"temporality", "negation", "coreference", "semantic roles", "logic"}

# Tests of vocabulary that need more than a list of words.
BEYOND_WORDS = {"test_insults_without_an_insulting_word", "test_swearing_in_praise"}

OWN_TEXTS = {
    "sentiment": "The {name} of the concert in {city} was {word}.",
    "toxicity": "Somebody from {city} left the {thing} in the kitchen.",
    "topics": "In {city} the profits of {thing} fell.",
}

FEWEST = 29
"""Cases that show an accuracy of 0.9 where all are right."""


@dataclass(frozen=True)
class Run:
    """A run of a suite: its outcome, and what the report says of each test by its name."""

    result: pytest.RunResult
    checks: Mapping[str, Mapping[str, Any]]
    capabilities: Mapping[str, Mapping[str, Any]]

    def failed(self) -> set[str]:
        """The tests whose check did not pass."""
        return {name for name, check in self.checks.items() if check["outcome"] != "pass"}

    def of(self, *capabilities: str) -> set[str]:
        """The tests of some capabilities."""
        return {name for name, check in self.checks.items() if check["capability"] in capabilities}


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Runs a suite as a user does who has copied it, on a model of ``fixtures/suites``."""
    monkeypatch.syspath_prepend(str(ROOT / "fixtures" / "suites"))
    monkeypatch.setenv("COLUMNS", "160")

    def runner(suite: str, model: str, *arguments: str) -> Run:
        shutil.copy(ROOT / "conftest_examples" / suite / f"test_{suite}.py", pytester.path)
        result = pytester.runpytest_inprocess(
            f"--trust-model={MODELS[suite]}:{model}", "--trust-json=report.json", "-Werror", "-rs", *arguments
        )
        report = json.loads((pytester.path / "report.json").read_text(encoding="utf-8"))
        checks = {check["nodeid"].rpartition("::")[2]: check for check in report["checks"]}
        return Run(result, checks, report["capabilities"])

    return runner


@pytest.mark.parametrize("suite", MODELS)
def test_a_model_that_reads_passes(run: Callable[..., Run], suite: str) -> None:
    done = run(suite, "good")
    assert done.failed() == set()
    done.result.assert_outcomes(passed=len(done.checks), skipped=2)
    done.result.stdout.fnmatch_lines(["SKIPPED *test_*: looks at your own texts: give --trust-data=FILE"])
    assert 35 <= len(done.checks) <= 45


@pytest.mark.parametrize("suite", MODELS)
def test_all_capabilities_and_kinds_are_in_the_matrix(run: Callable[..., Run], suite: str) -> None:
    done = run(suite, "good")
    assert tuple(done.capabilities) == CAPABILITIES
    kinds = [kind for row in done.capabilities.values() for kind in row]
    assert {kind: kinds.count(kind) >= 5 for kind in kinds} == dict.fromkeys(
        ("functional", "invariant", "directional"), True
    )
    done.result.stdout.fnmatch_lines(["passed/failed *functional *invariant *directional", "vocabulary *", "logic *"])


@pytest.mark.parametrize("suite", MODELS)
def test_each_check_has_evidence_enough(run: Callable[..., Run], suite: str) -> None:
    checks = run(suite, "good").checks
    seen = {name: check["details"].get("sources", check["n"]) for name, check in checks.items()}
    assert {name: n for name, n in seen.items() if n < FEWEST} == {}
    changed = {name: check["n"] / check["n_total"] for name, check in checks.items()}
    assert {name: share for name, share in changed.items() if share < 0.45} == {}


@pytest.mark.parametrize("suite", MODELS)
def test_a_bag_of_words_fails_where_order_counts(run: Callable[..., Run], suite: str) -> None:
    done = run(suite, "bag_of_words")
    assert done.of("vocabulary") & done.failed() <= BEYOND_WORDS
    assert {done.checks[name]["capability"] for name in done.failed() & done.of(*OF_ORDER)} == OF_ORDER
    directed = {name for name in done.of(*OF_ORDER) if done.checks[name]["kind"] == "directional"}
    assert directed <= done.failed()
    assert not done.failed() & done.of("taxonomy", "named entities", "fairness")


@pytest.mark.parametrize("suite", MODELS)
def test_a_prejudiced_model_fails_all_of_fairness_alone(run: Callable[..., Run], suite: str) -> None:
    done = run(suite, "prejudiced")
    assert done.failed() == done.of("fairness")
    assert len(done.failed()) >= 4


@pytest.mark.parametrize("suite", MODELS)
def test_own_texts_are_looked_at_where_there_are_some(
    run: Callable[..., Run], pytester: pytest.Pytester, suite: str
) -> None:
    own = expand(
        OWN_TEXTS[suite],
        n=200,
        name=["story", "end", "style", "mood"],
        thing=["kettles", "bridges", "windows", "gardens"],
        word=["wonderful", "boring", "delightful", "terrible"],
    )
    pytester.makefile(".csv", own="\n".join(["text", *own]))
    done = run(suite, "good", "--trust-data=own.csv", "-k", "own_texts")
    done.result.assert_outcomes(passed=2, deselected=done.result.parseoutcomes()["deselected"])
    assert {check["subject"]["data"]["n"] for check in done.checks.values()} == {len(own)}

"""``--trust-budget``: what is not finished when it is spent is inconclusive, and says how much that is."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from pytest_trust.checks import budget

MODEL = """
from models import honest

from pytest_trust.checks import budget


class Slow:
    classes_ = honest.classes_

    def __init__(self, seconds):
        self.seconds = seconds

    def __call__(self, texts):
        budget.clock_of_test.now += self.seconds * len(texts)
        return honest(texts)


slow, quick = Slow(0.1), Slow(0.0)
"""

SUITE = """
from pytest_trust import adversarial, functional, invariant, trustworthy

@functional(accuracy=0.7)
def test_basics(): ...

@trustworthy(min_rate=0.8)
def test_opinions(): ...

@adversarial(attack="toki")
def test_hard_to_fool(): ...

@invariant(lambda text: text.replace("lakeside", "hillview"), margin=0.1)
def test_hosts(): ...
"""


@pytest.fixture
def budgeted(run, project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Runs the suite by a clock that its model moves, so that no test waits."""
    clock, begin = SimpleNamespace(now=0.0), budget.Deadline.__init__
    monkeypatch.setattr(budget, "clock_of_test", clock, raising=False)
    monkeypatch.setattr(budget.Deadline, "__init__", lambda self, seconds: begin(self, seconds, lambda: clock.now))
    project.makepyfile(clocked=MODEL)

    def runner(model: str, seconds: int, *more: str, test: str = SUITE) -> pytest.RunResult:
        options = (f"--trust-model=clocked:{model}", f"--trust-budget={seconds}", "--trust-json=out.json")
        return run(*options, "--trust-cache=off", *more, test=test)

    return runner


def checks(project: pytest.Pytester) -> dict[str, dict]:
    found = json.loads((project.path / "out.json").read_text(encoding="utf-8"))["checks"]
    return {check["kind"]: check for check in found}


def test_an_index_that_is_not_built_in_time_leaves_its_checks_inconclusive(budgeted, project) -> None:
    result = budgeted("slow", 60)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1, failed=3)
    found = checks(project)
    assert found["functional"]["outcome"] == "pass"
    for kind in ("trustworthy", "adversarial", "invariant"):
        assert found[kind]["outcome"] == "inconclusive"
        assert found[kind]["details"]["unfinished"] > 0
        assert found[kind]["reason"].startswith("the budget of 60 s is spent: ")
    assert "the keyword index is not built yet, with " in found["trustworthy"]["reason"]
    assert not list((project.path / ".trust").glob("index-*.zip")), "no part of an index is taken for one"
    result.stdout.fnmatch_lines(
        [
            "INCONCLUSIVE *::test_hosts *107 not finished in time",
            "INCONCLUSIVE *::test_opinions *nothing to estimate *120 not finished in time",
        ]
    )


def test_what_was_judged_in_time_is_shown(budgeted, project) -> None:
    only = "from pytest_trust import trustworthy\n\n@trustworthy(min_rate=0.8)\ndef test_opinions(): ...\n"
    budgeted("quick", 1000, test=only).assert_outcomes(passed=1)
    assert checks(project)["trustworthy"]["details"]["unfinished"] == 0
    index = next((project.path / ".trust").glob("index-*.zip"))
    result = budgeted("slow", 60, f"--trust-index={index}", test=only)
    result.assert_outcomes(failed=1)
    (check,) = checks(project).values()
    judged, unfinished = check["details"]["judged"], check["details"]["unfinished"]
    assert judged > 0
    assert judged + unfinished == check["details"]["correct"] + unfinished
    assert f"the budget of 60 s is spent: {judged} of {judged + unfinished} predictions judged" in check["reason"]
    assert check["n"] == judged


def test_a_spent_budget_is_no_pass_against_a_baseline(budgeted, project) -> None:
    only = "from pytest_trust import functional\n\n@functional(accuracy=0.7)\ndef test_basics(): ...\n"
    budgeted("quick", 1000, "--trust-save-baseline=main.json", test=only).assert_outcomes(passed=1)
    result = budgeted("slow", 4, "--trust-baseline=main.json", test=only)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert checks(project)["functional"]["outcome"] == "inconclusive"


@pytest.mark.parametrize("value", ["0", "-1", "soon", "nan", "inf"])
def test_other_than_positive_seconds_are_usage_errors(run, value) -> None:
    result = run(f"--trust-budget={value}", test=SUITE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*--trust-budget={value}: expected a *number*seconds*"])


def test_without_a_budget_there_is_no_clock(run, project) -> None:
    project.makeconftest(
        """
        def pytest_sessionfinish(session):
            from pytest_trust._plugin import budget

            assert budget._DEADLINE not in session.config.stash
        """
    )
    run(test=SUITE.replace('@adversarial(attack="toki")', "")).assert_outcomes(passed=4)

"""Whole runs: what a user sees for a pass, a fail and an inconclusive gate, serially and in workers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

GOLDEN = {
    path.stem: path.read_text(encoding="utf-8").splitlines()
    for path in (Path(__file__).parent / "golden").glob("*.txt")
}

SUITE = """
from pytest_trust import directional, invariant, trustworthy

def swap_host(text):
    return text.replace("lakeside", "hillview")

def worsen(text):
    return text.replace("great", "awful").replace("superb", "dreadful").replace("moving", "tedious")

@trustworthy(min_rate=0.8)
def test_opinions_carry_the_predictions(): ...

@invariant(swap_host, margin=0.1)
def test_hosts_do_not_matter(): ...

@directional(worsen, target="positive", expect="decrease")
def test_blame_lowers_positive(): ...
"""


def summary(result: pytest.RunResult) -> list[str]:
    """The lines of the section ``trust``."""
    lines = result.outlines
    start = next(i for i, line in enumerate(lines) if re.fullmatch(r"=+ trust =+", line))
    end = next(i for i, line in enumerate(lines) if i > start and line.startswith("="))
    return [line for line in lines[start + 1 : end] if line]


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "workers"])
def test_an_honest_model_passes(run, workers) -> None:
    result = run(*workers, test=SUITE)
    result.assert_outcomes(passed=3)
    assert result.ret == pytest.ExitCode.OK
    assert summary(result) == GOLDEN["pass"]


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "workers"])
def test_a_biased_model_fails(run, workers) -> None:
    result = run("--trust-model=models:biased", *workers, test=SUITE)
    result.assert_outcomes(failed=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert summary(result) == GOLDEN["fail"]


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "workers"])
def test_too_little_to_see_is_inconclusive_and_fails(run, project, workers) -> None:
    rows = (project.path / "test.csv").read_text().splitlines()
    (project.path / "test.csv").write_text("\n".join(rows[:7]) + "\n")
    result = run(*workers, test=SUITE)
    result.assert_outcomes(failed=3)
    assert summary(result) == GOLDEN["inconclusive"]


def test_a_failure_shows_reason_advice_and_evidence(run) -> None:
    result = run("--trust-model=models:biased", test=SUITE)
    result.stdout.fnmatch_lines(
        [
            "*_ test_opinions_carry_the_predictions _*",
            "FAIL trustworthy: toki trust rate",
            "  trust rate 0.0% of * correct predictions lies below 80.0%",
            "*- trust evidence, worst first -*",
            "trustworthy: toki trust rate (seed 0)",
            "1. * 0.* of the score on related words)",
            "     *  unrelated  nearest keyword: *, but nearer: *",
            "*_ test_hosts_do_not_matter _*",
            "FAIL invariant: swap_host",
            "1. positive 0.9* -> 0.0* (label flipped)",
            "   -> *hillview*",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_inconclusive_says_how_many_are_needed(run, project) -> None:
    write_few(project)
    result = run("-k", "hosts", "--trust-data=few.csv", test=SUITE)
    result.stdout.fnmatch_lines(
        [
            "INCONCLUSIVE invariant: swap_host",
            "  the mean shift * is not shown to lie within ±0.1",
            "  more texts could change this: n = 3 cannot certify a margin of 0.1; about * are needed",
        ]
    )


def write_few(project: pytest.Pytester) -> None:
    rows = ["text,label", *(f"a great film from lakeside {i},positive" for i in range(3)), "an awful film,negative"]
    (project.path / "few.csv").write_text("\n".join(rows) + "\n")


@pytest.mark.parametrize(
    "decorator", ["invariant(nothing)", 'directional(nothing, target="positive", expect="decrease")']
)
def test_a_perturbation_that_changes_nothing_never_passes(run, decorator: str) -> None:
    result = run(
        test=f"""
        from pytest_trust import directional, invariant
        nothing = lambda text: text
        @{decorator}
        def test_it(): ...
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["INCONCLUSIVE *", "  nothing changed: * left all 107 texts as they are"])


def test_the_body_runs_after_a_pass_and_may_assert_more(run) -> None:
    result = run(
        test="""
        from pytest_trust import Outcome, trustworthy
        @trustworthy
        def test_it(trust_result):
            assert trust_result.outcome is Outcome.PASS
            assert trust_result.estimate > 2, "too low for me"
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError: too low for me*"])


def test_the_body_does_not_run_after_a_failure(run, project) -> None:
    result = run(
        "--trust-model=models:biased",
        test="""
        from pathlib import Path
        from pytest_trust import trustworthy
        @trustworthy
        def test_it():
            Path("ran").touch()
        """,
    )
    result.assert_outcomes(failed=1)
    assert not (project.path / "ran").exists()


def test_several_checks_on_one_test_all_count(run) -> None:
    result = run(
        "--trust-model=models:biased",
        test="""
        from pytest_trust import invariant, trustworthy
        @invariant(str.upper)
        @trustworthy(min_rate=0.8)
        def test_it(trust_results):
            pass
        """,
    )
    result.assert_outcomes(failed=1)
    assert [line.split()[0] for line in summary(result)[:2]] == ["PASS", "FAIL"]


def test_classes_parametrize_xfail_and_unittest(run) -> None:
    result = run(
        "--trust-model=models:biased",
        test="""
        import unittest
        import pytest
        from pytest_trust import trustworthy

        @trustworthy(min_rate=0.8)
        class TestClass:
            @pytest.mark.parametrize("number", [1, 2])
            def test_it(self, number): ...

        @pytest.mark.xfail(strict=True)
        @trustworthy(min_rate=0.8)
        def test_known(): ...

        class Case(unittest.TestCase):
            @trustworthy(min_rate=0.8)
            def test_it(self): ...
        """,
    )
    result.assert_outcomes(failed=3, xfailed=1)


def test_marks_with_keywords_do_the_same(run) -> None:
    result = run(
        test="""
        import pytest
        @pytest.mark.invariant(perturb=str.upper, margin=0.1)
        def test_it(trust_result):
            assert trust_result.kind == "invariant" and trust_result.passed
        """
    )
    result.assert_outcomes(passed=1)


def test_a_mark_may_bring_data_target_sample_and_name(run, project) -> None:
    write_few(project)
    result = run(
        test="""
        import pytest
        from pytest_trust import invariant

        @pytest.fixture
        def mine():
            return ["fine", "great"]

        @invariant(str.upper, data="few.csv", name="by file")
        def test_file(trust_result): ...

        @invariant(str.upper, data="mine", name="by fixture")
        def test_fixture(trust_result): ...

        @invariant(str.upper, data=[f"a great film {i}" for i in range(60)], n=45, target="positive", name="by list")
        def test_list(trust_result):
            assert trust_result.n == trust_result.n_total == 45
        """
    )
    result.assert_outcomes(passed=1, failed=2)
    assert [line for line in summary(result) if "by " in line] == [
        "INCONCLUSIVE  test_suite.py::test_file  invariant: by file  n=4  "
        "shift +0.000 [+0.000, +0.000] within ±0.1  p=0.841  flips 0.0% [0.0%, 40.3%]",
        "INCONCLUSIVE  test_suite.py::test_fixture  invariant: by fixture  n=2  "
        "shift +0.000 [+0.000, +0.000] within ±0.1  p=0.870  flips 0.0% [0.0%, 57.5%]",
        "PASS          test_suite.py::test_list  invariant: by list  n=45  "
        "shift +0.000 [+0.000, +0.000] within ±0.1  p=0.030  flips 0.0% [0.0%, 5.7%]",
    ]


def report(project: pytest.Pytester) -> dict:
    return json.loads((project.path / "report.json").read_text())


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "workers"])
def test_json_report(run, project, workers) -> None:
    run("--trust-json=report.json", "--trust-seed=3", *workers, test=SUITE)
    found = report(project)
    shared = {"schema", "model", "data", "index", "seed", "checks", "summary"}
    assert set(found) == shared | {"version", "attacks", "capabilities", "oracles", "baseline"}
    assert (found["schema"], found["seed"]) == (1, 3)
    assert found["model"]["source"] == "models:honest"
    assert found["model"]["classes"] == ["negative", "positive"]
    assert found["data"]["n"] == 120
    assert found["index"]["classes"]["positive"]["keywords"] == 6
    assert [(c["nodeid"], c["kind"], c["outcome"]) for c in found["checks"]] == [
        ("test_suite.py::test_blame_lowers_positive", "directional", "pass"),
        ("test_suite.py::test_hosts_do_not_matter", "invariant", "pass"),
        ("test_suite.py::test_opinions_carry_the_predictions", "trustworthy", "pass"),
    ]
    assert {"estimate", "low", "high", "bound", "p_value", "n", "seed", "reason"} <= set(found["checks"][0])
    human = found["summary"]
    assert human["trust_rate"] == 1.0
    assert human["asr"] is None
    # Every prediction is called trustworthy: people object to some, so the specificity is 0 and with it the G-mean.
    assert (human["sensitivity"], human["specificity"], human["g_mean"]) == (1.0, 0.0, 0.0)
    assert human["accuracy"] == human["precision"]


def test_serial_and_parallel_reports_are_the_same(run, project) -> None:
    run("--trust-json=report.json", test=SUITE)
    serial = report(project)
    run("--trust-json=report.json", "-n", "2", test=SUITE)
    assert report(project) == serial


def test_a_second_run_reads_the_index_and_finds_the_same(run, project, monkeypatch: pytest.MonkeyPatch) -> None:
    run("--trust-json=report.json", test=SUITE)
    first = report(project)
    indices = list((project.path / ".trust").glob("index-*.zip"))
    assert len(indices) == 1
    built = indices[0].stat().st_mtime_ns
    run("--trust-json=report.json", "-p", "no:cacheprovider", test=SUITE)
    assert report(project) == first
    assert indices[0].stat().st_mtime_ns == built


def test_a_report_that_cannot_be_written_fails_the_run(run, project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.makeconftest(
        """
        import os
        def pytest_runtest_teardown(item):
            if not os.path.isdir("report.json"):
                os.mkdir("report.json")
        """
    )
    result = run("--trust-json=report.json", "-k", "hosts", test=SUITE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["the file *report.json could not be written: *"])


def test_no_trust_skips_and_stays_silent(run) -> None:
    result = run("--no-trust", test=SUITE)
    result.assert_outcomes(skipped=3)
    assert "trust:" not in result.stdout.str()
    assert "= trust =" not in result.stdout.str()

"""--trust-baseline and --trust-save-baseline in whole runs."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks, is_shown
from tests.plugin.conftest import OPTIONS
from tests.plugin.test_gates import SUITE as GATES

SUITE = f"""{GATES}
from pytest_trust import functional

@functional(accuracy=0.9)
def test_right(): ...
"""


@pytest.fixture
def saved(run, project) -> Path:
    """The baseline of the honest model."""
    result = run("--trust-save-baseline=main.json", test=SUITE)
    result.assert_outcomes(passed=4)
    return project.path / "main.json"


def compared(result: pytest.RunResult) -> list[str]:
    """The lines of the section of the comparison."""
    lines = result.outlines
    start = next(i for i, line in enumerate(lines) if "= trust, compared with main.json =" in line)
    end = next(i for i, line in enumerate(lines) if i > start and line.startswith("="))
    return [line for line in lines[start + 1 : end] if line]


def test_the_same_model_is_no_worse(run, saved) -> None:
    result = run("--trust-baseline=main.json")
    result.assert_outcomes(passed=4)
    assert result.ret == pytest.ExitCode.OK
    lines = compared(result)
    assert [line.split()[:3] for line in lines[:4]] == [
        ["NO", "WORSE", f"test_suite.py::{name}"]
        for name in (
            "test_blame_lowers_positive",
            "test_hosts_do_not_matter",
            "test_opinions_carry_the_predictions",
            "test_right",
        )
    ]
    assert all("no text turned" in line for line in lines[:4])


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "workers"])
def test_a_worse_model_fails_with_the_texts_that_turned(run, saved, project, workers) -> None:
    result = run(
        "--trust-model=models:biased",
        "--trust-baseline=main.json",
        "--trust-json=now.json",
        "--junit-xml=junit.xml",
        "-k",
        "hosts or right",
        *workers,
    )
    result.assert_outcomes(failed=2)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*_ test_hosts_do_not_matter _*",
            "WORSE than in main.json: invariant: swap_host",
            "  label kept 100.0% -> 0.0%, * turned worse, 0 better (p<0.001, adjusted p<0.001)",
            "  mean size of the shift 0.000 -> 0.*(p<0.001, adjusted p<0.001)",
            "*if this is meant, save the new run as the baseline (--trust-save-baseline)",
            "*- trust, texts that turned, worst first -*",
            "1. positive  was label kept  size of the shift 0.000 -> 0.*",
            "   * lakeside *",
            "   -> * hillview *",
            "and * more",
            "*_ test_right _*",
            "*= trust, compared with main.json =*",
            "WORSE *test_hosts_do_not_matter*",
            "WORSE *test_right*",
            "*did not run: 2 checks of the earlier run",
            "FAILED test_suite.py::test_hosts_do_not_matter - Failed: WORSE than in main.json*",
            "FAILED test_suite.py::test_right - Failed: WORSE than in main.json*",
        ]
    )
    assert "trust evidence" not in result.stdout.str()
    junit = ElementTree.parse(project.path / "junit.xml").getroot()[0]
    assert (junit.get("tests"), junit.get("failures")) == ("2", "2")
    assert [[part.tag for part in case].count("failure") for case in junit.iter("testcase")] == [1, 1]
    assert "1. positive" not in (junit[0].find("failure").text or "")
    report = json.loads((project.path / "now.json").read_text())
    assert [check["standing"] for check in report["baseline"]["checks"]] == ["worse", "worse"]
    assert report["baseline"]["checks"][0]["texts"][0]["holds_now"] is False


def test_what_fails_its_own_bound_passes_where_it_is_no_worse(run, project) -> None:
    options = ("--trust-model=models:biased",)
    run(*options, "--trust-save-baseline=main.json", test=SUITE).assert_outcomes(failed=4)
    result = run(*options, "--trust-baseline=main.json")
    result.assert_outcomes(passed=4)
    assert result.ret == pytest.ExitCode.OK
    assert "  a check with an earlier run fails where it is worse; its own bound does not decide" in compared(result)


def test_what_is_better_is_told(run, project) -> None:
    run("--trust-model=models:biased", "--trust-save-baseline=main.json", test=SUITE)
    result = run("--trust-baseline=main.json")
    result.assert_outcomes(passed=4)
    assert compared(result)[0].startswith("BETTER")


def test_a_new_check_is_held_to_its_own_bound(run, project, saved) -> None:
    suite = SUITE + '\n@functional(accuracy=0.9, name="new")\ndef test_new(): ...\n'
    result = run("--trust-model=models:biased", "--trust-baseline=main.json", "-k", "new", test=suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["INCONCLUSIVE functional: new", "NEW *not in the baseline: its own bound decides (INCONCLUSIVE)"]
    )


def test_other_data_are_refused_by_name(run, project, saved) -> None:
    rows = (project.path / "test.csv").read_text().splitlines()
    (project.path / "test.csv").write_text("\n".join(rows[:-10]) + "\n")
    result = run("--trust-baseline=main.json", "-k", "hosts")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "REFUSED against main.json: invariant: swap_host",
            "  data differ: 110 texts (fingerprint *…) here, 120 texts (fingerprint *…) there",
            "  the runs cannot be compared; make the baseline anew under these conditions (--trust-save-baseline)",
        ]
    )


def test_another_oracle_and_other_training_data_are_refused(run, project, saved) -> None:
    result = run("--trust-baseline=main.json", "--trust-oracle=direct", "-k", "opinions")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*oracle differ: direct here, toki there*"])
    rows = (project.path / "train.csv").read_text().splitlines()
    (project.path / "train.csv").write_text("\n".join(rows[:-10]) + "\n")
    result = run("--trust-baseline=main.json", "-k", "opinions")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  training data differ: * here, * there"])


def test_a_perturbation_that_changes_texts_otherwise_is_inconclusive(run, project, saved) -> None:
    suite = SUITE.replace('"lakeside", "hillview"', '"lakeside", "seaside"')
    result = run("--trust-baseline=main.json", "-k", "hosts", test=suite)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["INCONCLUSIVE against main.json: invariant: swap_host", "  no text is decided in both runs (* there, * here)"]
    )


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--trust-seed=3", "seeds differ: 3 here, 0 there"),
        ("--trust-samples=100", "explainer samples differ: 100 here, 200 there"),
    ],
)
def test_what_is_known_at_the_start_is_a_usage_error(run, saved, option: str, told: str) -> None:
    result = run("--trust-baseline=main.json", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --trust-baseline: *main.json: {told}"])


def test_a_file_that_is_no_baseline_is_a_usage_error(run, project) -> None:
    result = run("--trust-baseline=test.csv", test=SUITE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --trust-baseline: *test.csv: damaged, or no JSON report of pytest-trust: *"])


def test_a_worse_run_does_not_take_the_place_of_the_baseline(run, saved) -> None:
    before = saved.read_bytes()
    result = run(
        "--trust-model=models:biased", "--trust-baseline=main.json", "--trust-save-baseline=main.json", "-k", "right"
    )
    assert saved.read_bytes() == before
    result.stdout.fnmatch_lines(["*main.json was not written: a check is worse than the baseline*"])


def test_a_run_without_checks_does_not_either(run, project, saved) -> None:
    before = saved.read_bytes()
    result = run("--trust-save-baseline=main.json", test="def test_plain(): ...")
    result.assert_outcomes(passed=1)
    assert saved.read_bytes() == before
    result.stdout.fnmatch_lines(["*main.json was not written: no check ran"])


@pytest.mark.parametrize(
    ("options", "suite", "told"),
    [
        (("-k", "right"), SUITE, "3 checks of the baseline were not selected*"),
        (("test_suite.py::test_right",), SUITE, "3 checks of the baseline were not selected*"),
        (("-x",), f"def test_first(): assert False\n{SUITE}", "no check ran"),
        (("-x",), f"{SUITE}\ndef test_plain(): assert False\ndef test_last(): ...", "the run ended before all tests*"),
        ((), SUITE.replace("test_right()", "test_right(absent)"), "checks ended in an error, in *::test_right"),
    ],
    ids=["-k", "::", "at once", "-x", "error"],
)
def test_a_part_of_a_run_does_not_either(run, saved, options: tuple[str, ...], suite: str, told: str) -> None:
    before = saved.read_bytes()
    result = run("--trust-baseline=main.json", "--trust-save-baseline=main.json", *options, test=suite)
    assert saved.read_bytes() == before
    result.stdout.fnmatch_lines([f"*main.json was not written: {told}"])


def test_a_selection_is_saved_where_the_baseline_holds_no_more(run, project) -> None:
    for _ in range(2):
        result = run("--trust-save-baseline=part.json", "-k", "right", test=SUITE)
        result.stdout.no_fnmatch_line("*not written*")
    result = run("--trust-baseline=part.json", "--trust-save-baseline=part.json", "-k", "right")
    result.stdout.no_fnmatch_line("*not written*")


def test_a_test_that_is_gone_leaves_the_baseline(run, saved) -> None:
    before = len(json.loads(saved.read_text())["checks"])
    suite = SUITE.replace("@functional(accuracy=0.9)", "")
    run("--trust-baseline=main.json", "--trust-save-baseline=main.json", test=suite)
    assert len(json.loads(saved.read_text())["checks"]) == before - 1


def test_a_check_that_is_expected_to_fail_is_held_to_its_bound(run, project) -> None:
    suite = SUITE.replace("@functional", "import pytest\n@pytest.mark.xfail(strict=True)\n@functional")
    options = ("--trust-model=models:biased", "-k", "right")
    run(*options, "--trust-save-baseline=main.json", test=suite).assert_outcomes(xfailed=1)
    run(*options, "--trust-baseline=main.json").assert_outcomes(xfailed=1)


def test_a_test_that_failed_by_itself_fails_once_and_is_told_both(run, project) -> None:
    suite = SUITE.replace("def test_right(): ...", "def test_right(trust_result):\n    assert trust_result.n == 1")
    run("--trust-save-baseline=main.json", test=suite)
    result = run("--trust-model=models:biased", "--trust-baseline=main.json", "-k", "right")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*assert trust_result.n == 1*", "*- trust, compared with main.json -*", "WORSE than in main.json: functional*"]
    )


def test_the_last_failed_run_again(run, saved) -> None:
    options = ("--trust-model=models:biased", "--trust-baseline=main.json")
    run(*options, "-k", "right or hosts", "-q").assert_outcomes(failed=2)
    result = run(*options, "--lf", "-q")
    result.assert_outcomes(failed=2)


def test_a_run_with_no_baseline_says_nothing_of_one(run, project) -> None:
    result = run("--trust-json=report.json", "-k", "right", test=SUITE, options=OPTIONS)
    result.stdout.no_fnmatch_line("*compared*")
    assert json.loads((project.path / "report.json").read_text())["baseline"] is None


def test_a_check_that_the_budget_ends_is_neither_compared_nor_saved(run, saved) -> None:
    before = saved.read_bytes()
    result = run(
        "--trust-baseline=main.json", "--trust-save-baseline=main.json", "--trust-budget=0.000001", "-k", "right"
    )
    result.assert_outcomes(failed=1)
    assert saved.read_bytes() == before
    result.stdout.fnmatch_lines(
        ["*not written: the budget ended a check", "UNFINISHED *not compared: a budget ended it"]
    )


def test_the_page_shows_what_a_failure_looks_like(run, project) -> None:
    run("--trust-save-baseline=main.json.gz", test=SUITE)
    result = run("--trust-model=models:biased", "--trust-baseline=main.json.gz", "-k", "hosts")
    [shown] = blocks(ROOT / "docs" / "how-to" / "compare-with-main.md", "text")
    assert is_shown(f"...\n{shown.text}...", result.stdout.str()), result.stdout.str()

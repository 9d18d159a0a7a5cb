"""--trust-html, --trust-markdown, --trust-github and JUnit properties in whole runs, serially and in workers."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

SUITE = """
from pytest_trust import invariant, trustworthy

def swap_host(text):
    return text.replace("lakeside", "hillview")

@trustworthy(min_rate=0.8, name="rate")
@invariant(swap_host, margin=0.1)
def test_both(): ...

@invariant(swap_host, margin=0.2, name="wide")
def test_one(trust_result):
    assert trust_result.estimate < 5, "50% too large"
"""


def properties(path: Path, test: str) -> dict[str, str]:
    case = next(case for case in ET.parse(path).iter("testcase") if case.get("name") == test)
    pairs = [(str(item.get("name")), str(item.get("value"))) for item in case.iter("property")]
    assert len(pairs) == len(dict(pairs))
    return dict(pairs)


def data_of(page: str) -> dict[str, list]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def test_each_test_case_has_the_figures_of_its_checks(run, project) -> None:
    run("--junit-xml=junit.xml", "--trust-json=trust.json", test=SUITE)
    report = json.loads((project.path / "trust.json").read_text())
    shown = properties(project.path / "junit.xml", "test_both")
    of_both = [check for check in report["checks"] if check["nodeid"].endswith("test_both")]
    for number, check in enumerate(of_both, start=1):
        for name in ("kind", "name", "outcome", "n", "estimate", "low", "high", "bound", "seed"):
            assert shown[f"trust.{number}.{name}"] == str(check[name])
        assert shown[f"trust.{number}.model"] == check["subject"]["model"]["fingerprint"]
        assert shown[f"trust.{number}.data"] == check["subject"]["data"]["fingerprint"]
    assert (shown["trust.1.kind"], shown["trust.2.kind"]) == ("trustworthy", "invariant")
    assert shown["trust.1.index"] == report["index"]["key"]
    assert float(shown["trust.2.p"]) == of_both[1]["p_value"]
    assert not {"trust.1.p", "trust.2.index", "trust.3.kind"} & shown.keys()
    assert "None" not in shown.values()
    assert "trust.2.kind" not in properties(project.path / "junit.xml", "test_one")


def test_properties_are_the_same_each_time(run, project) -> None:
    for name in ("a.xml", "b.xml"):
        run(f"--junit-xml={name}", test=SUITE)
    assert properties(project.path / "a.xml", "test_both") == properties(project.path / "b.xml", "test_both")


def test_properties_of_others_are_kept(run, project) -> None:
    run(
        "--junit-xml=junit.xml",
        test="""
        from pytest_trust import trustworthy
        @trustworthy
        def test_it(request):
            request.node.user_properties.append(("mine", 1))
        """,
    )
    assert properties(project.path / "junit.xml", "test_it").items() >= {"mine": "1", "trust.1.outcome": "pass"}.items()


def test_the_page_has_every_prediction(run, project) -> None:
    run("--trust-html=page.html", "--trust-json=trust.json", test=SUITE)
    data = data_of((project.path / "page.html").read_text())
    report = json.loads((project.path / "trust.json").read_text())
    assert [check["name"] for check in data["checks"]] == [check["name"] for check in report["checks"]]
    judged = report["checks"][0]["details"]["correct"]
    assert data["check"].count(0) == judged > 50
    assert data["check"].count(1) == report["checks"][1]["n"]
    assert all(data["words"][i] and data["places"][i] for i in range(judged))
    assert "texts" not in report["checks"][0]


def test_a_page_that_cannot_be_made_is_known_before_the_run(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_trust._plugin.values.find_spec", lambda name: None)
    result = run("--trust-html=page.html", test=SUITE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--trust-html=page.html: the page needs Jinja2*pytest-trust[[]html]*"])


def test_the_summary_in_markdown(run, project) -> None:
    run("--trust-markdown=trust.md", "--trust-model=models:biased", test=SUITE)
    lines = (project.path / "trust.md").read_text().splitlines()
    assert lines[0] == "## Trust: 3 failed"
    assert "<details><summary>❌ rate: trust rate 0.0% of 99 correct predictions lies below 80.0%</summary>" in lines


def annotations(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if line.startswith("::")]


@pytest.fixture
def summary(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a job summary, in which another command has written."""
    path = project.path / "summary.md"
    path.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.path.parent))
    return path


def test_github_shows_summary_and_annotations(run, project, summary) -> None:
    result = run("--trust-github", "--trust-markdown=trust.md", "--trust-model=models:biased", test=SUITE)
    result.assert_outcomes(failed=2)
    assert summary.read_text() == "before\n" + (project.path / "trust.md").read_text()
    where = f"::error file={project.path.name}/test_suite.py"
    both, one = annotations(result)
    assert both.startswith(f"{where},line=6,title=test_both::FAIL trustworthy: rate%0A  trust rate 0.0%25 of ")
    assert "%0AFAIL invariant: swap_host%0A" in both
    assert one.startswith(f"{where},line=10,title=test_one::FAIL invariant: wide%0A")


def test_github_shows_what_a_body_asserts_and_what_cannot_run(run, project, summary) -> None:
    result = run(
        "--trust-github",
        test="""
        from pytest_trust import invariant, trustworthy

        @invariant(lambda text: text.replace("lakeside", "hillview"), margin=0.1)
        def test_body(trust_result):
            assert trust_result.estimate > 5, "too small"

        @trustworthy(data="missing.csv")
        def test_error(): ...

        def test_other():
            assert False
        """,
    )
    body, error = annotations(result)
    assert body.startswith(
        f"::error file={project.path.name}/test_suite.py,line=3,title=test_body::AssertionError: too small"
    )
    assert error.startswith(f"::error file={project.path.name}/test_suite.py,line=7,title=test_error::")
    assert "missing.csv" in error


def test_github_annotates_what_is_worse_than_a_baseline(run, summary) -> None:
    suite = """
    from pytest_trust import trustworthy
    @trustworthy(min_rate=0.01, compare="estimate")
    def test_it(): ...
    """
    run("--trust-save-baseline=base.json", test=suite)
    result = run("--trust-baseline=base.json", "--trust-github", "--trust-model=models:biased", test=suite)
    result.assert_outcomes(failed=1)
    (only,) = annotations(result)
    assert "title=test_it::" in only
    told = summary.read_text(encoding="utf-8")
    assert told.startswith("before\n## Trust, compared with base.json: 1 worse\n\n- ❌ **worse** test&#95;suite.py::")
    assert "\n### By their own bounds: 1 failed\n" in told


def test_github_is_content_with_a_pass(run, summary) -> None:
    result = run("--trust-github", test=SUITE)
    assert annotations(result) == []
    assert summary.read_text().startswith("before\n## Trust: 3 passed\n")


def test_without_github_one_line_says_so(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    result = run("--trust-github", "--trust-model=models:biased", test=SUITE)
    assert annotations(result) == []
    told = [line for line in result.outlines if "GITHUB_STEP_SUMMARY" in line]
    assert told == ["--trust-github: GITHUB_STEP_SUMMARY is not set, so nothing was written"]


def test_a_summary_that_cannot_be_written_fails_the_run(run, project, summary, monkeypatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path))
    result = run("--trust-github", test=SUITE)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["--trust-github: the job summary * could not be written: *"])


def test_a_run_without_checks_writes_nothing(run, summary) -> None:
    result = run("--trust-github", test="def test_plain(): ...")
    assert "trust-github" not in result.stdout.str()
    assert summary.read_text() == "before\n"


def test_workers_report_what_a_serial_run_reports(run, project, summary) -> None:
    found = []
    for workers in ((), ("-n", "2")):
        summary.write_text("")
        files = ("--trust-html=page.html", "--trust-markdown=trust.md", "--junit-xml=junit.xml", "--trust-github")
        result = run(*files, "--trust-model=models:biased", *workers, test=SUITE)
        written = [(project.path / name).read_text() for name in ("page.html", "trust.md", "summary.md")]
        cases = [properties(project.path / "junit.xml", name) for name in ("test_both", "test_one")]
        found.append([*written, *cases, *annotations(result)])
    serial, in_workers = found
    assert len(serial) == 7
    assert serial == in_workers


def test_the_summary_names_what_was_written(run, project) -> None:
    result = run("--trust-json=trust.json", "--trust-markdown=out.md", test=SUITE)
    result.stdout.fnmatch_lines(["written: trust.json, out.md"])
    assert run(test=SUITE).stdout.str().count("written: ") == 0

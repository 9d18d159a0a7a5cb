"""The mark @functional, and the matrix of capabilities in the summary."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Run = Callable[..., pytest.RunResult]

CASES = """
from pytest_trust import functional, invariant, perturb, templates

GOOD = templates.expand("a {word} {thing} {number}", word=["great", "superb"], thing=["film", "story"],
                        number=[str(n) for n in range(10)], label="positive")
"""


def test_cases_in_the_file_of_tests(run: Run) -> None:
    result = run(
        test=CASES
        + """
@functional(accuracy=0.9, cases=GOOD, augment=[perturb.uppercase(), perturb.add_suffix("So it goes.")], name="praise",
            capability="vocabulary")
def test_praise(trust_result):
    assert trust_result.details["copies"] == 80
    assert trust_result.n == 40

@functional(recall=0.9, cases=GOOD[:5], capability="vocabulary")
def test_too_few(): ...

@invariant(perturb.uppercase(), capability="robustness")
def test_case(): ...
"""
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "PASS *test_praise  functional: praise  n=40  accuracy 1.000 *>= 0.9  80 copies",
            "INCONCLUSIVE *test_too_few  functional: recall  n=5  recall of positive 1.000 *",
            "passed/failed   functional    invariant",
            "vocabulary             1/1            -",
            "robustness               -          1/0",
        ]
    )


def test_cases_from_a_file_beside_the_tests(run: Run, project: pytest.Pytester) -> None:
    project.makefile(".csv", cases="text,label\n" + "".join(f"a great film {n},positive\n" for n in range(40)))
    result = run(
        test="""
from pytest_trust import functional

@functional(accuracy=0.9, file="cases.csv")
def test_it(): ...
"""
    )
    result.assert_outcomes(passed=1)


def test_files_of_cases_need_not_have_the_columns_of_the_session(run: Run, project: pytest.Pytester) -> None:
    project.makefile(".csv", cases="text,label\n" + "".join(f"a great film {n},positive\n" for n in range(40)))
    (project.path / "test.csv").write_text("text,label,doc\na great film,positive,1\n", encoding="utf-8")
    (project.path / "test.csv").write_text("body,label,doc\na great film,positive,1\n", encoding="utf-8")
    result = run(
        "--trust-columns=group=doc,text=body",
        test="""
from pytest_trust import functional

@functional(accuracy=0.9, file="cases.csv")
def test_it(trust_data): assert trust_data.groups == ("1",)
""",
    )
    result.assert_outcomes(passed=1)
    assert run("--trust-columns=group=thread", test="def test_it(trust_data): ...").parseoutcomes() == {"errors": 1}


def test_without_cases_the_session_data_are_the_cases(run: Run, project: pytest.Pytester) -> None:
    result = run(
        "--trust-json=report.json",
        test="""
from pytest_trust import functional

@functional(accuracy=0.8)
def test_it(): ...
""",
    )
    result.assert_outcomes(passed=1)
    report = json.loads((project.path / "report.json").read_text(encoding="utf-8"))
    assert report["checks"][0]["subject"]["data"]["name"].endswith("test.csv")


def test_within_compares_with_the_session_data(run: Run) -> None:
    result = run(
        test=CASES
        + """
BAD = [(f"a great film {n}", "negative") for n in range(60)] + [(f"a dull film {n}", "negative") for n in range(60)]

@functional(within=0.1, cases=BAD)
def test_it(): ...
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["FAIL functional: accuracy, *recall", "*on the data)*", "*predicted: positive*"])


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("accuracy=0.9, cases=GOOD, file='x.csv'", "both cases= and file= are given"),
        ("within=0.1", "within= compares cases with the data; give cases= or file="),
        ("accuracy=0.9, cases=GOOD, data='test.csv'", "data= beside cases= is for within= alone"),
        ("cases=GOOD", "needs accuracy=, precision=, recall= or within="),
        ("accuracy=0.9, cases=[('x', 'maybe')]", "found 'maybe'"),
        ("accuracy=0.9, cases='unknown'", "cases='unknown': there is no fixture of this name"),
        ("accuracy=0.9, data='unknown'", "data='unknown': there is no fixture of this name"),
        ("accuracy=0.9, file='cases'", "no data file at *cases;"),
        ("accuracy=0.9, file=GOOD", "file=*: expected a path"),
    ],
)
def test_what_cannot_be_meant_is_an_error(run: Run, mark: str, message: str) -> None:
    result = run(test=CASES + f"\n@functional({mark})\ndef test_it(): ...\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{message}*"])


def test_a_bare_decorator_is_an_error(run: Run) -> None:
    result = run(test="from pytest_trust import functional\n@functional\ndef test_it(): ...\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*@functional takes keyword arguments only*"])

"""Marks: which are ours, and an error at setup for every argument that cannot be used."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "mark",
    [
        '@pytest.mark.invariant("SEC-65")',
        '@pytest.mark.invariant("SEC-65", reason="audit")',
        '@pytest.mark.invariant(ticket="SEC-65")',
        '@pytest.mark.directional("north")',
        "@pytest.mark.invariant",
        '@pytest.mark.trustworthy(name="x", severity=3)',
    ],
)
def test_marks_of_other_suites_are_left_alone(run, mark: str) -> None:
    result = run(
        "--strict-markers",
        options=(),
        test=f"""
        import pytest
        {mark}
        def test_it(): ...
        """,
    )
    result.assert_outcomes(passed=1)
    assert "trust" not in result.stdout.str().partition("collected")[2]


@pytest.mark.parametrize(
    ("decorator", "message"),
    [
        (
            "@pytest.mark.invariant(perturb=str.upper, margn=0.1)",
            "@invariant has no argument 'margn'; its arguments are",
        ),
        ("@pytest.mark.invariant(margin=0.1)", "@invariant needs the argument 'perturb', found ['margin']"),
        ("@pytest.mark.invariant", "@invariant needs the argument 'perturb'"),
        ("@pytest.mark.directional(perturb=str.upper)", "@directional needs the argument 'expect'"),
        (
            "@invariant(3)",
            "expected a perturbation (such as perturb.lowercase()) or a function from str to str, found int 3",
        ),
        ("@invariant(str.upper, margin=0)", "margin=0: expected a number above 0 and at most 1"),
        ("@invariant(str.upper, margin='wide')", "margin='wide': expected a number above 0"),
        ("@invariant(str.upper, max_flip_rate=2)", "max_flip_rate=2: expected a number above 0 and at most 1"),
        ("@invariant(str.upper, alpha=0.7)", "alpha"),
        ("@invariant(str.upper, n=0)", "0"),
        ("@invariant(str.upper, target='odd')", "target='odd' is not a class of models:honest"),
        ("@invariant(str.upper, data='absent.csv')", "absent.csv"),
        ("@invariant(str.upper, data='absent')", "data='absent': there is no fixture of this name"),
        ("@invariant(str.upper, data=3)", "found int"),
        ("@directional(str.upper, expect='up')", "expect='up': expected 'increase' or 'decrease'"),
        ("@directional(str.upper, expect='increase', method='z')", "method"),
        ("@trustworthy(min_rate=0)", "min_rate=0: expected a number above 0 and at most 1"),
        ("@trustworthy(compare='mean')", "compare='mean': expected 'bound' or 'estimate'"),
        ("@trustworthy(data=['text without a label'])", "label"),
    ],
)
@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["serial", "worker"])
def test_a_wrong_argument_is_an_error_at_setup(run, decorator: str, message: str, workers) -> None:
    if workers and "margn" not in decorator:
        pytest.skip("one rejection in a worker stands for all")
    result = run(
        *workers,
        test=f"""
        import pytest
        from pytest_trust import directional, invariant, trustworthy
        {decorator}
        def test_it(): ...
        """,
    )
    result.assert_outcomes(errors=1)
    output = result.stdout.str()
    assert message in output
    assert "INTERNALERROR" not in output


@pytest.mark.parametrize(
    "call",
    ["invariant(str.upper, margn=0.1)", "directional(str.upper)", "trustworthy(rate=0.5)", "invariant()"],
)
def test_a_decorator_rejects_unknown_and_missing_arguments_at_import(run, call: str) -> None:
    result = run(
        test=f"""
        from pytest_trust import directional, invariant, trustworthy
        @{call}
        def test_it(): ...
        """
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*TypeError: *argument*"])


def test_the_bare_mark_is_a_check_where_a_model_is_given(run) -> None:
    result = run(
        "--trust-model=models:biased",
        test="""
        import pytest
        @pytest.mark.trustworthy
        def test_it(): ...
        """,
    )
    result.assert_outcomes(failed=1)


def test_a_mark_added_by_a_conftest_counts(run, project) -> None:
    project.makeconftest(
        """
        from pytest_trust import trustworthy
        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(trustworthy(min_rate=0.8))
        """
    )
    run("--trust-model=models:biased", test="def test_it(): ...").assert_outcomes(failed=1)


def test_trust_result_without_a_mark_is_an_error(run) -> None:
    result = run(test="def test_it(trust_result): ...")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*test_it asks for trust_result, but has no mark @trustworthy*"])


def test_trust_result_with_two_marks_is_an_error(run) -> None:
    result = run(
        test="""
        from pytest_trust import invariant
        @invariant(str.upper)
        @invariant(str.lower)
        def test_it(trust_result): ...
        """
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the test has 2 checks: ask for trust_results, which holds all"])

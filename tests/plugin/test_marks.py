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
def test_a_wrong_argument_is_an_error_at_setup(run, decorator: str, message: str) -> None:
    result = run(
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


def test_a_wrong_argument_is_an_error_at_setup_in_a_worker_too(run) -> None:
    result = run(
        "-n1",
        test="""
        import pytest
        @pytest.mark.invariant(perturb=str.upper, margn=0.1)
        def test_it(): ...
        """,
    )
    result.assert_outcomes(errors=1)
    assert "@invariant has no argument 'margn'" in result.stdout.str()
    assert "INTERNALERROR" not in result.stdout.str()


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


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("trustworthy(0.9)", "@trustworthy takes keyword arguments only, found 0.9"),
        ("trustworthy(min_rat=0.9)", "@trustworthy has no argument 'min_rat'"),
        ("functional(min_rate=0.9)", "@functional has no argument 'min_rate'"),
        ("functional(max_success_rate=0.1, n=5)", "@functional has no argument 'max_success_rate'"),
        ("invariant(pertub=str.upper)", "@invariant has no argument 'pertub'"),
        ("invariant(str.upper, margin=0.1)", "@invariant takes keyword arguments only"),
        ("invariant(perturb=None)", "@invariant needs the argument 'perturb'"),
        ("trustworthy(name=object())", "expected a str"),
    ],
)
def test_slips_are_errors_where_a_model_is_given(run, project, mark: str, message: str) -> None:
    project.makeconftest(
        "import pytest, models\n@pytest.fixture(scope='session')\ndef trust_model():\n    return models.biased\n"
    )
    result = run(
        options=(),
        test=f"""
        import pytest
        @pytest.mark.{mark}
        def test_it(): ...
        """,
    )
    result.assert_outcomes(errors=1)
    assert message in result.stdout.str()


@pytest.mark.parametrize(
    ("decorator", "message"),
    [
        ("trustworthy(0.9)", "@trustworthy takes keyword arguments only"),
        ("invariant", "@invariant needs a perturbation"),
    ],
)
@pytest.mark.parametrize("definition", ["def test_it(): ...", "class TestIt:\n            def test_it(self): ..."])
def test_a_decorator_without_its_parentheses_is_refused(run, decorator: str, message: str, definition: str) -> None:
    result = run(
        test=f"""
        from pytest_trust import invariant, trustworthy
        @{decorator}
        {definition}
        """
    )
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*TypeError: {message}*"])


@pytest.mark.parametrize("mark", ['invariant(name="SEC-65")', 'directional(target="north")'])
def test_common_argument_names_belong_to_others_where_no_model_is_given(run, mark: str) -> None:
    run(options=(), test=f"import pytest\n@pytest.mark.{mark}\ndef test_it(): ...").assert_outcomes(passed=1)


def test_a_mark_on_one_parameter_leaves_the_others_alone(run) -> None:
    result = run(
        test="""
        import pytest
        from pytest_trust import invariant
        @pytest.mark.parametrize("x", [pytest.param(1, marks=invariant(str.upper)), 2, 3])
        def test_it(x): ...
        """
    )
    result.assert_outcomes(passed=3)


@pytest.mark.parametrize(
    "replacement",
    [
        "@pytest.fixture\n        def trust_results(): return []",
        "@pytest.fixture(autouse=True)\n        def late(request): request.node.add_marker(trustworthy(min_rate=0.5))",
    ],
)
def test_a_check_that_did_not_run_fails_the_test(run, replacement: str) -> None:
    result = run(
        test=f"""
        import pytest
        from pytest_trust import trustworthy
        {replacement}
        @trustworthy
        def test_it(): ...
        """
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["* of * checks ran: *"])


def test_unittest_skips_are_respected(run) -> None:
    result = run(
        "--trust-model=models:biased",
        test="""
        import unittest
        from pytest_trust import trustworthy
        class Case(unittest.TestCase):
            @unittest.skip("later")
            @trustworthy(min_rate=0.8)
            def test_it(self): ...
        """,
    )
    result.assert_outcomes(skipped=1)


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
    result.stdout.fnmatch_lines(["*test_it asks for trust_result, but has no mark of a check, such as @trustworthy*"])


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

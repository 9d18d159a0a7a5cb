from __future__ import annotations

from typing import Any

import pytest

from pytest_trust.reports import Standing, compare_runs, run_differences, version_differences
from pytest_trust.reports.baseline.conditions import check_differences
from tests.reports.stored import DETAILS, check_record, stored_run, texts_of

TEXTS = texts_of([True, False], [0.5, 0.1])


def with_details(kind: str, **details: Any) -> dict[str, Any]:
    return check_record(kind, TEXTS, details=DETAILS[kind] | details)


def with_subject(kind: str, **parts: Any) -> dict[str, Any]:
    record = check_record(kind, TEXTS)
    return record | {"subject": record["subject"] | parts}


@pytest.mark.parametrize(
    ("kind", "details", "told"),
    [
        ("trustworthy", {"oracle": "tower"}, "oracle differ: tower here, toki there"),
        ("trustworthy", {"explainer": "omission"}, "explainer differ: omission here, lime there"),
        ("trustworthy", {"threshold": 0.3}, "threshold differ: 0.3 here, None there"),
        ("trustworthy", {"target": "good"}, "target differ: good here, None there"),
        ("invariant", {"perturbation": "case"}, "perturbation differ: case here, typos there"),
        ("directional", {"expect": "increase"}, "expect differ: increase here, decrease there"),
        ("adversarial", {"max_queries": 50}, "max_queries differ: 50 here, 100 there"),
        ("adversarial", {"attack": "a2t"}, "attack differ: a2t here, toki there"),
    ],
)
def test_what_changes_the_meaning_of_an_outcome_is_named(kind: str, details: dict[str, Any], told: str) -> None:
    assert check_differences(check_record(kind, TEXTS), with_details(kind, **details)) == [told]


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("adversarial", {"successes": 9, "mean_queries": 4.0, "compare": "estimate"}),
        ("invariant", {"max_flip_rate": 0.5, "flip_rate": 0.2}),
        ("functional", {"target": "good", "metric": "recall"}),
        ("trustworthy", {"compare": "estimate", "judged": 3}),
    ],
)
def test_figures_and_bounds_may_differ(kind: str, details: dict[str, Any]) -> None:
    assert check_differences(check_record(kind, TEXTS), with_details(kind, **details)) == []


def test_a_threshold_that_people_set_moves_with_the_model() -> None:
    records = [with_details("trustworthy", human="verdicts", threshold=threshold) for threshold in (0.3, 0.31)]
    assert check_differences(*records) == []


def test_other_data_are_told_by_number_and_fingerprint() -> None:
    data = {"name": "new.csv", "n": 1066, "fingerprint": "a" * 64}
    found = check_differences(check_record("functional", TEXTS), with_subject("functional", data=data))
    assert found == ["data differ: 1,066 texts (fingerprint aaaaaaaa…) here, 2 texts (fingerprint dddddddd…) there"]


def test_the_model_and_its_index_may_differ_and_what_the_index_was_built_with_may_not() -> None:
    def record(model: str, **settings: Any) -> dict[str, Any]:
        return with_subject(
            "trustworthy",
            model={"fingerprint": model, "classes": ["bad", "good"]},
            index={"key": model},
            settings={"training data": "t" * 64, "explainer": {"samples": 5000}, **settings},
        )

    assert check_differences(record("a"), record("b")) == []
    assert check_differences(record("a"), record("b", **{"training data": "u" * 64})) == [
        "training data differ: uuuuuuuu… here, tttttttt… there"
    ]
    assert check_differences(record("a"), record("b", explainer={"samples": 200})) == [
        "explainer samples differ: 200 here, 5000 there"
    ]


def test_classes_and_seed_are_conditions() -> None:
    other = with_subject("functional", model={"fingerprint": "m", "classes": ["good", "bad"]}) | {"seed": 3}
    assert check_differences(check_record("functional", TEXTS), other) == [
        "seed differ: 3 here, 0 there",
        "classes differ: ['good', 'bad'] here, ['bad', 'good'] there",
    ]


def test_a_check_under_other_conditions_is_refused_and_tested_by_nothing() -> None:
    comparison = compare_runs(
        stored_run(check_record("invariant", TEXTS)), stored_run(with_details("invariant", perturbation="case"))
    )
    (check,) = comparison.of(Standing.REFUSED)
    assert (check.reason, comparison.hypotheses) == ("perturbation differ: case here, typos there", 0)


@pytest.mark.parametrize(
    ("before", "now", "differ"),
    [("0.1.0", "0.1.9", False), ("0.1.0", "0.2.0", True), ("1.2", "1.9.3", False), ("1.9", "2.0", True)],
)
def test_versions_between_which_verdicts_may_mean_something_else(before: str, now: str, differ: bool) -> None:
    told = f"versions of pytest-trust differ: {now} here, {before} there"
    assert version_differences(before, now) == ([told] if differ else [])


def test_what_is_known_before_any_test_runs() -> None:
    explained = with_subject("trustworthy", settings={"explainer": {"samples": 5000}})
    run = stored_run(check_record("functional", TEXTS), explained, version="0.1.0")
    assert run_differences(run, version="0.1.3", seed=0, explainer={"samples": 5000}) == []
    assert run_differences(run, version="0.2.0", seed=1, explainer={"samples": 200}) == [
        "versions of pytest-trust differ: 0.2.0 here, 0.1.0 there",
        "seeds differ: 1 here, 0 there",
        "explainer samples differ: 200 here, 5000 there",
    ]

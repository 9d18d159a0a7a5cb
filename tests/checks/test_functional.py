"""The check of labelled cases, as a plain function."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pytest_trust import Outcome, check_functional, perturb
from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.stats import Rate, difference_lower, wilson


def says_yes(texts: Sequence[str]) -> np.ndarray:
    """Sure of "yes" for texts that hold a small "y"."""
    yes = np.array([0.9 if "y" in text else 0.2 for text in texts])
    return np.column_stack([1 - yes, yes])


says_yes.classes_ = ["no", "yes"]  # type: ignore[attr-defined]


def cases(right: int, wrong: int, label: str = "yes") -> list[tuple[str, str]]:
    sign = {"yes": ("y", "n"), "no": ("n", "y")}[label]
    return [(f"{label} {sign[0]}{i}".replace("yes", "ja"), label) for i in range(right)] + [
        (f"{label} {sign[1]}{i}".replace("yes", "ja"), label) for i in range(wrong)
    ]


def test_accuracy_is_shown_to_reach_its_bound() -> None:
    result = check_functional(says_yes, cases(60, 0), accuracy=0.9)
    assert (result.outcome, result.kind, result.n, result.n_total, result.estimate) == (
        Outcome.PASS, "functional", 60, 60, 1.0,
    )  # fmt: skip
    assert (result.low, result.high, result.bound) == (wilson(60, 60).low, 1.0, 0.9)
    assert result.name == "accuracy"
    json.dumps(result.to_dict(), allow_nan=False)


def test_ten_right_cases_cannot_certify_ninety_percent() -> None:
    result = check_functional(says_yes, cases(10, 0), accuracy=0.9)
    assert result.outcome is Outcome.INCONCLUSIVE
    assert "accuracy 100.0% (n = 10) is not shown to reach 90.0%" in result.reason
    # .9 ** 28 > .05 > .9 ** 29
    assert result.advice == "more cases could change this: n = 10 cannot certify a rate of 90.0%; about 29 are needed"
    assert check_functional(says_yes, cases(29, 0), accuracy=0.9).passed
    assert check_functional(says_yes, cases(10, 0), accuracy=0.9, compare="estimate").passed


def test_an_accuracy_below_its_bound_fails_and_shows_what_was_wrong() -> None:
    result = check_functional(says_yes, cases(40, 20), accuracy=0.9)
    assert result.outcome is Outcome.FAIL
    assert result.reason == "accuracy 66.7% (n = 60) lies below 90.0%"
    assert result.advice.startswith("more cases would not change this: the interval [")
    row = result.evidence[0]
    assert (row.text, row.label, row.probability, row.note) == ("ja n0", "yes", pytest.approx(0.2), "predicted: no")
    assert len(result.evidence) == 5


def test_a_failure_that_more_cases_could_turn() -> None:
    result = check_functional(says_yes, cases(8, 2), accuracy=0.9)
    assert result.outcome is Outcome.FAIL
    assert result.advice.startswith("more cases could change this: the rate may be as high as 96.3%; about ")


class TestCopies:
    def test_ten_cases_become_thirty_and_stay_ten(self) -> None:
        result = check_functional(
            says_yes, cases(10, 0), accuracy=0.5, augment=[perturb.add_prefix("Well,"), perturb.add_suffix("So.")]
        )
        assert (result.n, result.n_total, result.details["copies"]) == (10, 10, 20)
        assert result.passed

    def test_a_case_counts_by_the_share_of_its_copies(self) -> None:
        # Capitals take the small y away: every copy is wrong, half of each case.
        result = check_functional(says_yes, cases(50, 0), accuracy=0.9, augment=perturb.uppercase())
        assert (result.outcome, result.estimate, result.n) == (Outcome.FAIL, 0.5, 50)
        row = result.evidence[0]
        assert (row.text, row.changed_text, row.changed_label) == ("ja y0", "JA Y0", "no")

    def test_an_augmentation_that_changes_nothing_is_inconclusive(self) -> None:
        result = check_functional(says_yes, cases(60, 0), accuracy=0.5, augment=[str.upper, perturb.swap_names()])
        assert result.outcome is Outcome.INCONCLUSIVE
        assert result.reason == "nothing changed: swap_names left all cases as they are"

    def test_one_given_twice_draws_anew(self) -> None:
        text = "yes, yes, extraordinary circumstances notwithstanding"
        once = check_functional(says_yes, [(text, "yes")], accuracy=0.1, augment=[perturb.typos(0.3)])
        twice = check_functional(says_yes, [(text, "yes")], accuracy=0.1, augment=[perturb.typos(0.3)] * 2)
        assert (once.details["copies"], twice.details["copies"]) == (1, 2)

    def test_a_perturbation_that_changes_the_label_is_refused(self) -> None:
        with pytest.raises(ConfigurationError, match=r"augment=add_suffix\(Not, .*\): it may change the label"):
            check_functional(
                says_yes, cases(1, 0), accuracy=1, augment=perturb.add_suffix("Not", preserves_label=False)
            )


def test_near_copies_count_once() -> None:
    rows = [
        (f"this is why you should try it for once, says {name}nna", "yes") for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÉ"
    ]
    result = check_functional(says_yes, rows, accuracy=0.9)
    assert (result.n, result.n_total, result.outcome) == (1, 30, Outcome.INCONCLUSIVE)


def test_cases_of_one_group_count_once() -> None:
    rows = [{"text": text, "label": label, "source": f"s{i % 6}"} for i, (text, label) in enumerate(cases(60, 0))]
    from pytest_trust.data import load_dataset

    result = check_functional(says_yes, load_dataset(rows, columns={"group": "source"}), accuracy=0.9)
    assert (result.n, result.n_total, result.outcome) == (6, 60, Outcome.INCONCLUSIVE)


class TestPrecisionAndRecall:
    both = cases(57, 3) + cases(30, 30, "no")

    def test_of_a_target(self) -> None:
        recall = check_functional(says_yes, self.both, recall=0.8, target="yes")
        assert (recall.outcome, recall.estimate, recall.n) == (Outcome.PASS, 0.95, 60)
        precision = check_functional(says_yes, self.both, precision=0.8, target="yes")
        assert (precision.outcome, precision.estimate, precision.n) == (Outcome.FAIL, pytest.approx(57 / 87), 87)

    def test_of_every_class_the_worst_is_shown(self) -> None:
        result = check_functional(says_yes, self.both, recall=0.8)
        assert (result.outcome, result.estimate, result.details["metric"]) == (Outcome.FAIL, 0.5, "recall of no")
        assert result.details["recall of yes"] == 0.95

    def test_reason_and_figures_are_of_one_metric(self) -> None:
        # "no" is found in 3 of 3 cases, too few to show it; "yes" in 95 % of 400, which is enough.
        result = check_functional(says_yes, cases(380, 20) + cases(3, 0, "no"), recall=0.9)
        assert result.outcome is Outcome.INCONCLUSIVE
        assert result.reason.startswith("recall of no 100.0% (n = 3) is not shown")
        assert (result.details["metric"], result.n) == ("recall of no", 3)

    def test_a_class_that_is_never_predicted_has_no_precision(self) -> None:
        result = check_functional(says_yes, cases(30, 0) + cases(0, 30, "no"), precision=0.8, target="no")
        assert (result.outcome, result.estimate) == (Outcome.INCONCLUSIVE, None)
        assert result.reason == "precision of no is undefined"
        assert result.advice == (
            "more cases predicted as no would not change this: the model predicts no for none of the 60 cases"
        )

    def test_cases_of_one_class_have_no_precision(self) -> None:
        # 370 of 400 are missed, and yet no prediction of "yes" is wrong.
        result = check_functional(says_yes, cases(30, 370), precision=0.9)
        assert result.outcome is Outcome.INCONCLUSIVE
        assert "all cases are of yes, so that no prediction of it can be wrong" in result.advice
        assert check_functional(says_yes, cases(30, 370), precision=0.9, target="no").estimate == 0.0

    def test_a_case_weighs_by_the_share_of_its_copies_that_are_predicted_so(self) -> None:
        # Each "yes" is seen in one form of six alone, each "no" is taken for "yes" in all six: 12 of 22 are wrong.
        copies = [perturb.replace({"y": word}) for word in ("aa", "bb", "cc", "dd", "ee")]
        rows = [(f"y {i}", "yes") for i in range(60)] + [(f"any y {i}", "no") for i in range(2)]
        result = check_functional(says_yes, rows, precision=0.9, augment=copies, target="yes")
        assert result.outcome is Outcome.FAIL
        assert result.estimate == pytest.approx(60 / 6 / (60 / 6 + 2))
        assert result.n == int(12**2 / (60 / 36 + 2))

    def test_advice_counts_what_the_metric_counts(self) -> None:
        result = check_functional(says_yes, cases(500, 0) + cases(10, 0, "no"), recall=0.9, target="no")
        assert result.advice == (
            "more cases of no could change this: n = 10 cannot certify a rate of 90.0%; about 29 are needed"
        )


class TestWithin:
    def test_close_to_the_data(self) -> None:
        result = check_functional(says_yes, cases(300, 20), within=0.1, data=cases(380, 20))
        assert result.passed
        assert result.bound == pytest.approx(0.85)

    def test_too_far_below(self) -> None:
        result = check_functional(says_yes, cases(80, 20), within=0.1, data=cases(380, 20))
        assert result.outcome is Outcome.FAIL
        assert "lies below 85.0% (95.0% on the data)" in result.reason

    def test_not_shown(self) -> None:
        result = check_functional(says_yes, cases(18, 2), within=0.1, data=cases(380, 20))
        assert result.outcome is Outcome.INCONCLUSIVE

    def test_a_metric_with_its_own_number_is_not_compared(self) -> None:
        rows, data = cases(150, 50) + cases(50, 0, "no"), cases(380, 20) + cases(40, 0, "no")
        result = check_functional(says_yes, rows, accuracy=0.6, recall=0.6, within=0.4, data=data)
        assert result.passed
        assert result.details["precision of yes"] == 1.0

    def test_cases_of_one_class_are_compared_without_precision(self) -> None:
        result = check_functional(says_yes, cases(300, 20), within=0.1, data=cases(380, 20) + cases(40, 0, "no"))
        assert result.name == "accuracy, recall"

    def test_a_metric_that_is_low_on_the_data_cannot_be_missed(self) -> None:
        data = cases(400, 0) + cases(1, 19, "no")
        result = check_functional(
            says_yes, cases(0, 8, "no"), accuracy=0.001, compare="estimate", within=0.1, data=data
        )
        assert result.details["recall of no"] == 0.0
        assert result.reason == "accuracy 0.0% (n = 8) lies below 0.1%"

    def test_a_metric_just_at_its_bound_is_not_below(self) -> None:
        result = check_functional(says_yes, cases(7, 3), within=0.1, data=cases(8, 2), compare="estimate")
        assert result.passed

    def test_advice_counts_what_the_data_leave_open(self) -> None:
        result = check_functional(says_yes, cases(45, 5), within=0.1, data=cases(27, 3))
        needed = int(result.advice.split("about ")[1].split()[0])
        assert needed > 80
        enough = -(-needed // 10)
        assert check_functional(says_yes, cases(9 * enough, enough), within=0.1, data=cases(27, 3)).passed
        few = check_functional(says_yes, cases(45, 5), within=0.05, data=cases(9, 1))
        assert "the data, with n = 10, leave too much open; more data could" in few.advice

    def test_no_common_class(self) -> None:
        with pytest.raises(DataError, match="recall of yes is undefined on the data"):
            check_functional(says_yes, cases(5, 0), accuracy=0.5, precision=0.5, within=0.1, data=cases(5, 0, "no"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "needs accuracy=, precision=, recall= or within="),
        ({"accuracy": 0}, "accuracy=0: expected a number above 0"),
        ({"recall": 1.2}, "recall=1.2"),
        ({"within": 1.0, "data": [("y", "yes")]}, "within=1.0"),
        ({"within": 0.1}, "there are no data to compare with"),
        ({"accuracy": 0.5, "compare": "mean"}, "compare='mean'"),
        ({"accuracy": 0.5, "augment": [3]}, "expected a perturbation"),
        ({"accuracy": 0.5, "augment": "typos"}, "expected a perturbation"),
        ({"accuracy": 0.5, "target": "maybe"}, "target='maybe' is not a class"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        check_functional(says_yes, cases(3, 0), **arguments)


def test_cases_need_labels_that_are_classes() -> None:
    with pytest.raises(DataError, match="texts without labels"):
        check_functional(says_yes, ["y"], accuracy=0.5)
    with pytest.raises(DataError, match="found 'maybe'"):
        check_functional(says_yes, [("y", "maybe")], accuracy=0.5)


class TestDifference:
    def test_it_is_newcombes_where_wilson_is_the_wider(self) -> None:
        one, other = wilson(560, 700), wilson(480, 800)
        exact = stats.beta.ppf(0.05, 560, 141), stats.beta.ppf(0.95, 481, 320)
        low = min(one.low, exact[0])
        high = max(other.high, exact[1])
        expected = 0.8 - 0.6 - np.hypot(0.8 - low, high - 0.6)
        assert difference_lower(one, other) == pytest.approx(expected)

    def test_unknown(self) -> None:
        assert difference_lower(wilson(1, 2), Rate(None, 0, 1, 0)) is None

"""What each method of the directional check claims, each class, sources, and advice that is true."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from pytest_trust import CheckResult, Outcome, check_directional

THREE = ("a", "b", "c")


def model_of(before: Sequence[Sequence[float]], after: Sequence[Sequence[float]], classes: Sequence[str] = THREE):
    """Texts t0, t1, ...; a change to upper case moves the probabilities of text i from before[i] to after[i]."""
    answers = {f"t{i}": row for i, row in enumerate(before)} | {f"T{i}": row for i, row in enumerate(after)}

    def model(texts: list[str]) -> np.ndarray:
        return np.array([answers[text] for text in texts])

    model.classes_ = classes
    return model, [f"t{i}" for i in range(len(before))]


def check(shifts: Sequence[float], method: str, expect: str = "increase", **settings) -> CheckResult:
    """The check on a class "yes" whose probability moves from one half by ``shifts``."""
    models = model_of([(0.5, 0.5)] * len(shifts), [(0.5 - s, 0.5 + s) for s in shifts], ("no", "yes"))
    return check_directional(*models, str.upper, target="yes", expect=expect, method=method, **settings)


MANY_SMALL_FEW_LARGE = [0.02] * 95 + [-0.45] * 3 + [0.02] * 2


class TestMethods:
    def test_few_large_opposite_shifts_count_for_the_mean_alone(self) -> None:
        assert np.mean(MANY_SMALL_FEW_LARGE) > 0
        assert check(MANY_SMALL_FEW_LARGE, "sign").passed
        assert check(MANY_SMALL_FEW_LARGE, "wilcoxon").passed
        for method in ("t", "auto"):
            assert check(MANY_SMALL_FEW_LARGE, method).outcome is Outcome.INCONCLUSIVE

    def test_figures_of_the_sign_test(self) -> None:
        shifts = [0.1] * 20 + [-0.1] * 8 + [0.0] * 4
        result = check(shifts, "sign")
        assert result.p_value == pytest.approx(stats.binomtest(20, 32, alternative="greater").pvalue)
        assert result.details["method"] == "sign"
        assert result.details["moved"] == pytest.approx(20 / 32)
        assert result.reason == "62.5% of the texts move the expected way: not shown to be more than half"
        assert check(shifts * 3, "sign").reason == (
            "62.5% of the texts move the expected way, significantly more than half"
        )

    def test_a_half_that_moves_and_a_half_that_does_not_is_no_majority(self) -> None:
        result = check([0.4] * 50 + [0.0] * 50, "sign")
        assert result.outcome is Outcome.FAIL
        assert result.reason == "50.0% of the texts move the expected way, no more than half"
        assert result.advice.startswith("more texts could change this: the share may be as high as 58.")

    def test_most_against_is_beyond_help(self) -> None:
        result = check([-0.1] * 50, "sign")
        assert result.advice == "more texts would not change this: the interval [0.0%, 5.8%] lies beyond 50%"

    def test_rounding_moves_no_text(self) -> None:
        result = check([1e-8] * 60, "sign")
        assert (result.outcome, result.details["moved"]) == (Outcome.FAIL, 0.0)

    def test_an_expected_decrease_of_the_predicted_class_can_be_opposed_by_half_only(self) -> None:
        before, after = [(0.1, 0.9)] * 26, [(0.2, 0.8)] * 26
        models = model_of(before, after, ("no", "yes"))
        assert check_directional(*models, str.upper, expect="decrease").passed
        assert check_directional(*models, str.upper, target="yes", expect="decrease").outcome is Outcome.INCONCLUSIVE

    @pytest.mark.parametrize("method", ["auto", "t", "wilcoxon", "sign"])
    @pytest.mark.parametrize("expect", ["increase", "decrease"])
    def test_a_no_op_never_passes(self, method: str, expect: str) -> None:
        models = model_of([(0.2, 0.8)] * 60, [(0.2, 0.8)] * 60, ("no", "yes"))
        for target in (None, "yes", "each class"):
            settings = {"target": target, "expect": expect, "method": method}
            result = check_directional(*models, lambda text: text, **settings)
            assert (result.outcome, result.n) == (Outcome.INCONCLUSIVE, 0)
            assert check_directional(*models, str.upper, **settings).outcome is not Outcome.PASS

    @pytest.mark.parametrize("method", ["auto", "t", "wilcoxon", "sign"])
    @pytest.mark.parametrize("shift", [0.3, -0.3])
    def test_one_text_shows_nothing(self, method: str, shift: float) -> None:
        result = check([shift], method)
        assert result.outcome is (Outcome.INCONCLUSIVE if shift > 0 else Outcome.FAIL)
        assert "more texts could change this" in result.advice


class TestAdvice:
    @pytest.mark.parametrize("method", ["auto", "t", "wilcoxon", "sign"])
    def test_what_is_said_to_be_needed_is_enough(self, method: str) -> None:
        shifts = [0.1, 0.12, 0.11, 0.09]
        needed = int(check(shifts, method).advice.split("about ")[1].split()[0])
        assert needed > 4
        assert check((shifts * needed)[:needed], method).passed

    def test_a_mean_that_points_the_other_way_by_accident(self) -> None:
        result = check([0.3, -0.31, 0.2, -0.22], "t")
        assert result.outcome is Outcome.FAIL
        assert "more texts could change this: the shift may be as large as +0." in result.advice

    def test_a_mean_that_surely_points_the_other_way(self) -> None:
        result = check([-0.2] * 60, "auto")
        assert result.advice == "more texts would not change this: the interval [-0.200, -0.200] lies beyond zero"


class TestEachClass:
    def each(self, before, after, **settings) -> CheckResult:
        return check_directional(*model_of(before, after), str.upper, target="each class", **settings)

    def test_each_text_counts_for_the_class_it_was_predicted_as(self) -> None:
        before = [(0.8, 0.1, 0.1)] * 50 + [(0.1, 0.8, 0.1)] * 40 + [(0.1, 0.1, 0.8)] * 50
        after = [(0.5, 0.25, 0.25)] * 50 + [(0.2, 0.6, 0.2)] * 40 + [(0.3, 0.3, 0.4)] * 50
        result = self.each(before, after, expect="decrease")
        assert result.passed
        # "b" falls least: its p is the largest.
        assert (result.details["worst_class"], result.n, result.n_total) == ("b", 40, 140)
        assert result.estimate == pytest.approx(-0.2)
        assert result.details["unchanged"] == 0

    def test_one_class_that_moves_the_other_way_fails(self) -> None:
        before = [(0.8, 0.1, 0.1)] * 60 + [(0.1, 0.8, 0.1)] * 60 + [(0.1, 0.1, 0.8)] * 60
        after = [(0.5, 0.25, 0.25)] * 120 + [(0.05, 0.05, 0.9)] * 60
        result = self.each(before, after, expect="decrease")
        assert (result.outcome, result.details["worst_class"]) == (Outcome.FAIL, "c")
        assert check_directional(*model_of(before, after), str.upper, expect="decrease").passed

    def test_a_class_that_is_never_predicted_is_inconclusive(self) -> None:
        before, after = [(0.8, 0.1, 0.1)] * 60 + [(0.1, 0.8, 0.1)] * 60, [(0.4, 0.4, 0.2)] * 120
        result = self.each(before, after, expect="decrease")
        assert (result.outcome, result.n, result.p_value) == (Outcome.INCONCLUSIVE, 0, None)
        assert result.reason == "no changed text is predicted as 'c'"
        assert result.details["worst_class"] == "c"

    def test_a_class_of_that_name_wins(self) -> None:
        models = model_of([(0.2, 0.8)] * 60, [(0.6, 0.4)] * 60, ("each class", "other"))
        result = check_directional(*models, str.upper, target="each class", expect="increase")
        assert result.passed
        assert result.details["worst_class"] is None


class TestSources:
    def test_a_source_counts_once(self) -> None:
        shifts = [0.2] * 60
        assert check(shifts, "auto").passed
        for method in ("auto", "t", "wilcoxon", "sign"):
            result = check(shifts, method, groups=[i // 20 for i in range(60)])
            assert (result.outcome, result.n, result.details["sources"]) == (Outcome.INCONCLUSIVE, 60, 3)
            assert "more sources of texts could change this: n = 3 " in result.advice

    def test_the_direction_of_a_source_is_that_of_its_mean(self) -> None:
        result = check([0.1, -0.3, 0.2, 0.2], "sign", groups=["x", "x", "y", "z"])
        assert result.details["moved"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("method", ["auto", "t", "wilcoxon", "sign"])
def test_neither_order_nor_a_second_run_matters(method: str) -> None:
    rng = np.random.default_rng(7)
    before = rng.dirichlet([2, 2, 2], 120)
    after = np.round(0.8 * before + 0.2 * rng.dirichlet([2, 2, 2], 120), 6)
    after[:, 2] = 1 - after[:, 0] - after[:, 1]
    model, texts = model_of(before.tolist(), after.tolist())
    groups = [i % 50 for i in range(120)]
    order = random.Random(2).sample(range(120), 120)
    for target in (None, "b", "each class"):
        settings = {"target": target, "expect": "decrease", "method": method, "seed": 4}
        first = check_directional(model, texts, str.upper, groups=groups, **settings)
        assert first == check_directional(model, texts, str.upper, groups=groups, **settings)
        again = check_directional(
            model, [texts[i] for i in order], str.upper, groups=[groups[i] for i in order], **settings
        )
        assert first.to_dict() == again.to_dict()

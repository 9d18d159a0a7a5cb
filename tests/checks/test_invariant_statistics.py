"""What the gate of invariance needs beyond the mean: each class, sources, opposite shifts, and advice that is true."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from pytest_trust import Outcome, check_invariant, check_trustworthy
from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.oracles import ConfidenceOracle

THREE = ("a", "b", "c")


def model_of(before: Sequence[Sequence[float]], after: Sequence[Sequence[float]], classes: Sequence[str] = THREE):
    """Texts t0, t1, ...; a change to upper case moves the probabilities of text i from before[i] to after[i]."""
    answers = {f"t{i}": row for i, row in enumerate(before)} | {f"T{i}": row for i, row in enumerate(after)}

    def model(texts: list[str]) -> np.ndarray:
        return np.array([answers[text] for text in texts])

    model.classes_ = classes
    return model, [f"t{i}" for i in range(len(before))]


def binary(before: Sequence[float], after: Sequence[float]):
    return model_of([(1 - p, p) for p in before], [(1 - p, p) for p in after], ("no", "yes"))


class TestEachClass:
    def test_a_shift_between_two_other_classes_is_seen(self) -> None:
        # The predicted class does not move; "b" gains what "c" loses.
        models = model_of([(0.6, 0.1, 0.3)] * 60, [(0.6, 0.3, 0.1)] * 60)
        assert check_invariant(*models, str.upper).passed
        result = check_invariant(*models, str.upper, target="each class")
        assert result.outcome is Outcome.FAIL
        assert result.details["target"] == "each class"
        assert result.details["worst_class"] == "b"
        assert result.estimate == pytest.approx(0.2)
        assert result.evidence[0].label == "b"

    def test_it_passes_where_all_do_and_shows_the_one_nearest_to_the_margin(self) -> None:
        models = model_of([(0.6, 0.1, 0.3)] * 90, [(0.61, 0.13, 0.26)] * 90)
        result = check_invariant(*models, str.upper, target="each class")
        assert result.passed
        assert result.details["worst_class"] == "c"
        assert result.p_value == max(check_invariant(*models, str.upper, target=name).p_value for name in THREE)

    def test_all_texts_count_for_every_class(self) -> None:
        before = [(0.8, 0.1, 0.1)] * 30 + [(0.1, 0.8, 0.1)] * 30
        result = check_invariant(*model_of(before, before), str.upper, target="each class")
        assert (result.outcome, result.n) == (Outcome.PASS, 60)

    def test_a_class_of_that_name_wins(self) -> None:
        models = model_of([(0.6, 0.1, 0.3)] * 60, [(0.6, 0.3, 0.1)] * 60, ("each class", "b", "c"))
        result = check_invariant(*models, str.upper, target="each class")
        assert result.passed
        assert result.details["worst_class"] is None

    def test_nothing_changed_is_inconclusive(self) -> None:
        result = check_invariant(*binary([0.9] * 50, [0.9] * 50), lambda text: text, target="each class")
        assert (result.outcome, result.n) == (Outcome.INCONCLUSIVE, 0)
        assert result.reason.startswith("nothing changed")

    def test_a_trust_rate_has_no_such_target(self) -> None:
        model, texts = binary([0.9] * 5, [0.9] * 5)
        with pytest.raises(ConfigurationError, match="target='each class' is not a class"):
            check_trustworthy(model, [(text, "yes") for text in texts], ConfidenceOracle(), target="each class")


class TestSources:
    def test_a_source_counts_once(self) -> None:
        models = binary([0.9] * 60, [0.9] * 60)
        assert check_invariant(*models, str.upper).passed
        result = check_invariant(*models, str.upper, groups=[i // 4 for i in range(60)])
        assert (result.outcome, result.n, result.details["sources"]) == (Outcome.INCONCLUSIVE, 60, 15)
        assert result.advice == (
            "more sources of texts could change this: n = 15 cannot certify a margin of 0.1; about 42 are needed"
        )

    def test_shifts_and_flips_are_those_of_sources(self) -> None:
        # One source of 40 texts flips, 59 sources of one text stay: 1 of 60 sources.
        before = [0.55] * 99
        after = [0.45] * 40 + [0.55] * 59
        groups = ["letter"] * 40 + [f"own {i}" for i in range(59)]
        result = check_invariant(*binary(before, after), str.upper, groups=groups)
        assert result.details["flip_rate"] == pytest.approx(1 / 60)
        assert result.estimate == pytest.approx(-0.1 / 60)
        assert result.passed
        assert check_invariant(*binary(before, after), str.upper).outcome is Outcome.FAIL

    def test_groups_follow_their_texts_through_copies_samples_and_unchanged_texts(self) -> None:
        model, texts = binary([0.9] * 80, [0.9] * 80)
        rows = [*texts, *texts]
        groups = [i // 2 for i in range(80)] * 2

        def change(text: str) -> str:
            return text.upper() if int(text[1:]) < 60 else text

        result = check_invariant(model, rows, change, groups=groups)
        assert (result.n, result.n_total, result.details["sources"]) == (60, 80, 30)
        sampled = check_invariant(model, rows, change, groups=groups, n=40)
        assert sampled.n_total == 40
        places = {int(row.text[1:]) // 2 for row in sampled.evidence}
        assert places <= set(range(30))

    def test_near_copies_are_one_source_where_nothing_else_is_said(self) -> None:
        letters = [f"dear customer, your parcel number {i} is waiting for you at the office" for i in range(50)]
        answers = dict.fromkeys(letters, 0.9) | {text.upper(): 0.9 for text in letters}

        def model(texts: list[str]) -> np.ndarray:
            return np.array([(1 - answers[text], answers[text]) for text in texts])

        model.classes_ = ("no", "yes")
        result = check_invariant(model, letters, str.upper)
        assert (result.n, result.details["sources"], result.outcome) == (50, 1, Outcome.INCONCLUSIVE)
        assert check_invariant(model, letters, str.upper, groups=range(50)).passed

    @pytest.mark.parametrize(
        ("groups", "message"),
        [
            ([1, 2], "groups has 2 entries, the data 5 texts"),
            ("abcde", "groups='abcde': expected a sequence"),
            (5, "groups=5: expected a sequence"),
            ([1, 2, 3, 4, None], r"groups\[4\] is None; expected a name or a whole number"),
        ],
    )
    def test_groups_that_do_not_fit(self, groups: object, message: str) -> None:
        with pytest.raises((ConfigurationError, DataError), match=message):
            check_invariant(*binary([0.9] * 5, [0.9] * 5), str.upper, groups=groups)


class TestOppositeShifts:
    def shifted(self, share: float, n: int = 200):
        """A share of texts shifts by 0.3, half of them up and half down, without a flip."""
        moved = int(n * share)
        after = [0.99 if i % 2 else 0.51 for i in range(moved)] + [0.75] * (n - moved)
        return binary([0.75] * n, after)

    def test_just_under_half_is_not_shown_to_be_under_half(self) -> None:
        result = check_invariant(*self.shifted(0.48), str.upper)
        assert result.outcome is Outcome.INCONCLUSIVE
        assert "48.0% of the texts shift by more than 0.1, one way or the other, but up to 5" in result.reason
        assert "n = 200 cannot certify that at most 50% of the texts do so; about" in result.advice

    def test_more_than_half_fails_and_fewer_pass(self) -> None:
        assert check_invariant(*self.shifted(0.52), str.upper).outcome is Outcome.FAIL
        assert check_invariant(*self.shifted(0.3), str.upper).passed


class TestAdviceOfFailures:
    def test_few_texts_that_flip_say_little(self) -> None:
        result = check_invariant(*binary([0.51] * 40, [0.49] * 6 + [0.51] * 34), str.upper)
        assert result.outcome is Outcome.FAIL
        assert result.advice.startswith("more texts could change this: the rate may be as low as 6.7%; about ")

    def test_texts_that_all_flip_say_enough(self) -> None:
        result = check_invariant(*binary([0.51] * 40, [0.49] * 40), str.upper)
        assert result.advice == "more texts would not change this: the interval [92.8%, 100.0%] lies beyond 10.0%"

    def test_a_mean_just_beyond_the_margin_may_be_an_accident(self) -> None:
        after = 0.75 + 0.11 + np.random.default_rng(0).choice([-0.05, 0.05], 40)
        result = check_invariant(*binary([0.75] * 40, after), str.upper)
        assert result.outcome is Outcome.FAIL
        assert "more texts could change this" in result.advice

    def test_a_mean_far_beyond_is_none(self) -> None:
        result = check_invariant(*binary([0.9] * 100, [0.55] * 100), str.upper)
        assert "more texts would not change this: the interval [-0.350, -0.350] lies beyond ±0.1" in result.advice

    def test_two_texts_far_beyond_are_no_proof(self) -> None:
        result = check_invariant(*binary([0.9] * 2, [0.55] * 2), str.upper)
        assert result.outcome is Outcome.FAIL
        assert result.advice.startswith("more texts could change this: the shift may be as small as +0.000")


def test_neither_order_nor_a_second_run_matters() -> None:
    rng = np.random.default_rng(7)
    before = rng.uniform(0.55, 0.9, 120)
    after = np.round(before + rng.normal(0.01, 0.04, 120), 3)
    model, texts = binary(before, after)
    groups = [i % 50 for i in range(120)]
    order = random.Random(2).sample(range(120), 120)
    for target in (None, "each class"):
        settings = {"target": target, "seed": 4}
        first = check_invariant(model, texts, str.upper, groups=groups, **settings)
        assert first == check_invariant(model, texts, str.upper, groups=groups, **settings)
        shuffled, moved = [texts[i] for i in order], [groups[i] for i in order]
        again = check_invariant(model, shuffled, str.upper, groups=moved, **settings)
        plain, other = first.to_dict(), again.to_dict()
        assert {row["text"] for row in plain.pop("evidence")} == {row["text"] for row in other.pop("evidence")}
        assert plain == other

"""The checks as plain functions, without pytest's plugin."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from scipy import stats

from pytest_trust import Outcome, check_directional, check_invariant, check_trustworthy, perturb
from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.errors import ConfigurationError, DataError, ModelError
from pytest_trust.explain import Explanation, LimeExplainer, OmissionExplainer
from pytest_trust.models import as_classifier
from pytest_trust.oracles import Verdict
from pytest_trust.results import WordEvidence


def table_model(answers: dict[str, float], classes: Sequence[str] = ("no", "yes")):
    """A model that gives each text its probability of "yes" by a table."""

    def model(texts: list[str]) -> np.ndarray:
        yes = np.array([answers[text] for text in texts])
        return np.column_stack([1 - yes, yes])

    model.classes_ = classes
    return model


def paired_model(before: Sequence[float], after: Sequence[float]):
    """Texts t0, t1, ...; a change to upper case moves their probability of "yes" from before to after."""
    answers = {f"t{i}": p for i, p in enumerate(before)} | {f"T{i}": p for i, p in enumerate(after)}
    return table_model(answers), [f"t{i}" for i in range(len(before))]


class TestInvariant:
    def test_figures_are_those_of_the_paired_test(self) -> None:
        rng = np.random.default_rng(1)
        before = rng.uniform(0.6, 0.9, 60)
        after = before + rng.normal(0.01, 0.05, 60)
        result = check_invariant(*paired_model(before, after), str.upper, margin=0.1)
        d = after - before
        p = max(
            stats.ttest_1samp(d, -0.1, alternative="greater").pvalue,
            stats.ttest_1samp(d, 0.1, alternative="less").pvalue,
        )
        low, high = stats.t.interval(0.9, 59, d.mean(), stats.sem(d))
        assert result.outcome is Outcome.PASS
        assert (result.estimate, result.low, result.high) == pytest.approx((d.mean(), low, high))
        assert result.details["tost_p_value"] == pytest.approx(p)
        guarded_low = stats.ttest_1samp([*d, -1, -1], -0.1, alternative="greater").pvalue
        guarded_high = stats.ttest_1samp([*d, 1, 1], 0.1, alternative="less").pvalue
        assert result.p_value == pytest.approx(max(guarded_low, guarded_high))
        assert (result.n, result.n_total, result.bound, result.kind) == (60, 60, 0.1, "invariant")

    def test_the_class_predicted_before_is_compared(self) -> None:
        # "no" is predicted for all; its probability rises from .7 to .9: +0.2 although that of "yes" falls.
        result = check_invariant(*paired_model([0.3] * 40, [0.1] * 40), str.upper)
        assert result.estimate == pytest.approx(0.2)
        assert result.outcome is Outcome.FAIL
        assert check_invariant(
            *paired_model([0.3] * 40, [0.1] * 40), str.upper, target="yes"
        ).estimate == pytest.approx(-0.2)

    @pytest.mark.parametrize("n", [1, 2, 10, 100, 1000])
    def test_a_model_whose_label_flips_on_every_row_fails_at_any_n(self, n: int) -> None:
        # Half of the texts go one way, half the other: the mean class index does not move.
        before = [0.9, 0.1] * n
        result = check_invariant(*paired_model(before, [1 - p for p in before]), str.upper)
        assert result.outcome is Outcome.FAIL
        assert result.details["flip_rate"] == 1.0

    @pytest.mark.parametrize("n", [1, 2, 10, 100, 1000])
    def test_labels_that_flip_by_a_hair_fail_too(self, n: int) -> None:
        before = [0.51, 0.49] * n
        result = check_invariant(*paired_model(before, [1 - p for p in before]), str.upper)
        assert abs(result.estimate) < 0.1
        assert result.outcome is Outcome.FAIL
        assert "100.0% of the labels flipped" in result.reason

    def test_flips_can_be_bounded_more_tightly(self) -> None:
        before, after = [0.9] * 190 + [0.51] * 10, [0.9] * 190 + [0.49] * 10
        assert check_invariant(*paired_model(before, after), str.upper).passed
        result = check_invariant(*paired_model(before, after), str.upper, max_flip_rate=0.06)
        assert result.outcome is Outcome.INCONCLUSIVE
        assert "5.0% of the labels flipped, but up to" in result.reason
        assert "n = 200 cannot certify a flip rate below 6.0%" in result.advice
        assert check_invariant(*paired_model(before, after), str.upper, max_flip_rate=0.04).outcome is Outcome.FAIL

    def test_three_changed_rows_of_500_are_tested_alone_and_are_too_few(self) -> None:
        texts = [f"same {i}" for i in range(497)] + ["in paris", "in rome", "in berlin"]
        model = table_model(dict.fromkeys([*texts, "in oslo"], 0.9))
        change = perturb.replace({"paris": "oslo", "rome": "oslo", "berlin": "oslo"})
        result = check_invariant(model, texts, change)
        assert (result.outcome, result.n, result.n_total) == (Outcome.INCONCLUSIVE, 3, 500)
        assert result.p_value > 0.05
        assert result.advice == (
            "more texts could change this: n = 3 cannot certify a margin of 0.1; about 42 are needed"
        )

    def test_nothing_changed_is_inconclusive(self) -> None:
        model, texts = paired_model([0.9] * 500, [0.9] * 500)
        result = check_invariant(model, texts, lambda text: text)
        assert (result.outcome, result.n, result.estimate) == (Outcome.INCONCLUSIVE, 0, None)
        assert result.reason.startswith("nothing changed")

    def test_a_wide_spread_is_inconclusive_and_says_how_many_are_needed(self) -> None:
        after = 0.5 + np.random.default_rng(3).normal(0.03, 0.12, 40)
        settings = {"margin": 0.1, "max_flip_rate": 1.0}
        result = check_invariant(*paired_model([0.5] * 40, after), str.upper, **settings)
        assert result.outcome is Outcome.INCONCLUSIVE
        needed = int(result.advice.split("about ")[1].split()[0])
        assert needed > 40
        again = np.tile(after, needed // 40 + 2)
        assert check_invariant(*paired_model([0.5] * len(again), again), str.upper, **settings).passed

    def test_evidence_shows_the_worst_pairs_first(self) -> None:
        before = [0.9] * 60
        after = [0.9] * 57 + [0.7, 0.2, 0.6]
        result = check_invariant(*paired_model(before, after), str.upper)
        assert [row.text for row in result.evidence[:3]] == ["t58", "t59", "t57"]
        worst = result.evidence[0]
        assert (worst.changed_text, worst.label, worst.changed_label) == ("T58", "yes", "no")
        assert (worst.probability, worst.changed_probability) == pytest.approx((0.9, 0.2))
        assert worst.note == "label flipped"
        assert len(result.evidence) == 5

    def test_the_model_is_asked_about_changed_texts_alone(self, make_word_model) -> None:
        model = make_word_model({"great": 1.0})
        texts = [*(f"plain {i}" for i in range(50)), "great one", "great two"]
        check_invariant(model, texts, perturb.replace({"great": "fine"}))
        assert model.calls[-1] == ["great one", "great two", "fine one", "fine two"]

    def test_order_does_not_matter(self, make_word_model) -> None:
        texts = [f"great film number {i} in paris" for i in range(60)]
        shuffled = random.Random(1).sample(texts, 60)
        model = make_word_model({"great": 2.0, "london": -1.0, "vienna": 1.0})
        first, second = (check_invariant(model, t, perturb.swap_locations(), seed=5) for t in (texts, shuffled))
        assert first.estimate == pytest.approx(second.estimate, abs=1e-15)
        assert first.details == second.details

    def test_a_sample_is_seeded(self) -> None:
        model, texts = paired_model(np.linspace(0.6, 0.9, 100), np.linspace(0.6, 0.95, 100))
        once, again, other = (check_invariant(model, texts, str.upper, n=50, seed=s) for s in (1, 1, 2))
        assert once == again
        assert once.estimate != other.estimate
        assert once.n_total == 50

    def test_opposite_shifts_that_flip_no_label_do_not_pass(self) -> None:
        before, after = [0.99] * 100 + [0.51] * 100, [0.51] * 100 + [0.99] * 100
        result = check_invariant(*paired_model(before, after), str.upper)
        assert result.estimate == pytest.approx(0.0)
        assert result.outcome is Outcome.FAIL
        assert result.reason == "100.0% of the texts shift by more than 0.1, one way or the other"

    def test_one_large_shift_among_few_texts_does_not_pass(self) -> None:
        before, after = [0.99] * 29, [0.99] * 28 + [0.6]
        result = check_invariant(*paired_model(before, after), str.upper)
        assert result.details["tost_p_value"] < 0.05
        assert result.outcome is Outcome.INCONCLUSIVE

    def test_copies_of_a_text_are_no_further_evidence(self) -> None:
        model, texts = paired_model([0.9] * 10, [0.9] * 10)
        assert check_invariant(model, texts * 10, str.upper).n == 10
        assert check_invariant(model, texts * 10, str.upper).outcome is Outcome.INCONCLUSIVE

    def test_a_model_that_answers_differently_each_time_is_refused(self) -> None:
        rng = np.random.default_rng(1)

        def model(texts: list[str]) -> np.ndarray:
            yes = rng.uniform(0.4, 0.6, len(texts))
            return np.column_stack([1 - yes, yes])

        model.classes_ = ("no", "yes")
        with pytest.raises(ModelError, match="answers the same texts differently in two calls"):
            check_invariant(model, ["a", "b"], str.upper)


class TestDirectional:
    @pytest.mark.parametrize(("method", "needed"), [("t", 46), ("auto", 46), ("wilcoxon", 5), ("sign", 5)])
    def test_few_unanimous_texts_show_no_direction(self, method: str, needed: int) -> None:
        settings = {"target": "yes", "expect": "increase", "method": method}
        for n, outcome in ((2, Outcome.INCONCLUSIVE), (needed - 1, Outcome.INCONCLUSIVE), (needed, Outcome.PASS)):
            result = check_directional(*paired_model([0.5] * n, [0.6] * n), str.upper, **settings)
            assert result.outcome is outcome
            assert (f"about {needed} are needed" in result.advice) is (outcome is not Outcome.PASS)

    def test_a_shift_that_rounding_could_make_is_none(self) -> None:
        result = check_directional(
            *paired_model([0.5] * 40, [0.5 + 1e-9] * 40), str.upper, target="yes", expect="increase"
        )
        assert result.outcome is Outcome.FAIL

    def test_large_samples_use_the_t_test(self) -> None:
        rng = np.random.default_rng(2)
        before = rng.uniform(0.4, 0.6, 50)
        after = before - 0.15 + rng.normal(0, 0.1, 50)
        result = check_directional(*paired_model(before, after), str.upper, target="yes", expect="decrease")
        assert result.details["method"] == "t"
        d = after - before
        assert result.details["plain_p_value"] == pytest.approx(stats.ttest_1samp(d, 0, alternative="less").pvalue)
        assert result.p_value == pytest.approx(stats.ttest_1samp([*d, 1, 1], 0, alternative="less").pvalue)
        assert result.passed

    def test_small_samples_use_wilcoxon_and_the_mean(self) -> None:
        rng = np.random.default_rng(2)
        before = rng.uniform(0.3, 0.4, 20)
        after = before + 0.35 + rng.normal(0, 0.1, 20)
        d = after - before
        by_ranks = stats.wilcoxon(d, alternative="greater").pvalue
        by_mean = stats.ttest_1samp([*d, -1, -1], 0, alternative="greater").pvalue
        models = paired_model(before, after)
        result = check_directional(*models, str.upper, target="yes", expect="increase")
        assert result.details["method"] == "wilcoxon"
        assert result.details["plain_p_value"] == pytest.approx(by_ranks)
        assert result.p_value == pytest.approx(max(by_ranks, by_mean))
        assert result.passed
        alone = check_directional(*models, str.upper, target="yes", expect="increase", method="wilcoxon")
        assert alone.p_value == pytest.approx(by_ranks)

    def test_the_wrong_direction_fails(self) -> None:
        result = check_directional(*paired_model([0.5] * 40, [0.6] * 40), str.upper, target="yes", expect="decrease")
        assert result.outcome is Outcome.FAIL
        assert result.reason == "the mean shift +0.100 is no decrease"
        assert result.evidence[0].changed_probability == pytest.approx(0.6)

    def test_no_effect_at_all_fails(self) -> None:
        result = check_directional(*paired_model([0.5] * 40, [0.5] * 40), str.upper, target="yes", expect="decrease")
        assert result.outcome is Outcome.FAIL

    def test_too_little_is_inconclusive(self) -> None:
        result = check_directional(*paired_model([0.5] * 3, [0.4] * 3), str.upper, target="yes", expect="decrease")
        assert result.outcome is Outcome.INCONCLUSIVE
        assert result.advice == (
            "more texts could change this: n = 3 cannot show a shift of this size; about 46 are needed"
        )

    def test_nothing_changed_is_inconclusive(self) -> None:
        model, texts = paired_model([0.9] * 50, [0.9] * 50)
        result = check_directional(model, texts, lambda text: text, target="yes", expect="increase")
        assert result.outcome is Outcome.INCONCLUSIVE


@dataclass
class MarkOracle:
    """Trusts a prediction whose strongest word begins with "r"."""

    name: str = "marks"
    judged: list[Explanation] = field(default_factory=list)

    def judge(self, explanation: Explanation) -> Verdict:
        self.judged.append(explanation)
        words = [word for word in explanation.words if word.score > 1e-9]
        if not words:
            return Verdict(None, 0.0, 0.0, ())
        related = words[0].word.startswith("r")
        score = words[0].score
        shown = tuple(WordEvidence(word.word, word.score, word.word.startswith("r"), "near") for word in words)
        return Verdict(related, score if related else 0.0, 0.0 if related else score, shown)

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        return [self.judge(explanation) for explanation in explanations]


@pytest.fixture
def model(make_word_model):
    return make_word_model({"right": 2.0, "wrong": 2.0, "bad": -3.0, "rotten": -3.0})


class TestTrustworthy:
    def rows(self, right: int, wrong: int) -> list[tuple[str, str]]:
        return [(f"right text {i}", "good") for i in range(right)] + [(f"wrong text {i}", "good") for i in range(wrong)]

    def check(self, model, rows, **settings):
        return check_trustworthy(model, rows, MarkOracle(), explainer=OmissionExplainer(), **settings)

    def test_rate_and_interval(self, model) -> None:
        result = self.check(model, self.rows(180, 20), min_rate=0.8)
        interval = stats.binomtest(180, 200).proportion_ci(0.9, method="wilson")
        assert result.passed
        assert (result.estimate, result.low, result.high) == pytest.approx((0.9, interval.low, interval.high))
        assert (result.n, result.n_total, result.bound) == (200, 200, 0.8)

    @pytest.mark.parametrize(
        ("right", "wrong", "outcome"),
        [(180, 20, Outcome.PASS), (82, 18, Outcome.INCONCLUSIVE), (70, 30, Outcome.FAIL), (3, 0, Outcome.INCONCLUSIVE)],
    )
    def test_outcomes(self, model, right: int, wrong: int, outcome: Outcome) -> None:
        assert self.check(model, self.rows(right, wrong), min_rate=0.8).outcome is outcome

    def test_the_estimate_may_be_compared_instead(self, model) -> None:
        assert self.check(model, self.rows(82, 18), min_rate=0.8, compare="estimate").passed

    def test_advice_is_enough(self, model) -> None:
        result = self.check(model, self.rows(41, 9), min_rate=0.75)
        needed = int(result.advice.split("about ")[1].split()[0])
        assert needed > 50
        enough = -(-needed // 50)
        assert self.check(model, self.rows(41 * enough, 9 * enough), min_rate=0.75).passed

    def test_texts_of_one_source_count_once(self, model) -> None:
        def grouped(sources: int) -> TextDataset:
            rows = [
                {"text": text, "label": label, "doc": i % sources} for i, (text, label) in enumerate(self.rows(200, 0))
            ]
            return load_dataset(rows, columns={"group": "doc"})

        few, many = (self.check(model, grouped(n), min_rate=0.8) for n in (10, 20))
        assert (few.n, few.outcome, few.details["judged"]) == (10, Outcome.INCONCLUSIVE, 200)
        assert (many.n, many.outcome) == (20, Outcome.PASS)

    def test_only_correct_predictions_are_judged(self, model) -> None:
        rows = [*self.rows(40, 0), ("right after all", "bad"), ("rotten", "bad")]
        result = self.check(model, rows, min_rate=0.5)
        assert (result.n, result.n_total, result.details["correct"]) == (41, 42, 41)

    def test_target_restricts_to_a_class(self, model) -> None:
        rows = [*self.rows(10, 10), *[(f"bad text {i}", "bad") for i in range(30)]]
        assert self.check(model, rows, target="bad", min_rate=0.1).estimate == 0.0
        assert self.check(model, rows, target="good", min_rate=0.1).n == 20

    def test_texts_without_words_are_reported_and_never_trusted(self, model) -> None:
        rows = [*self.rows(60, 0), ("", "bad"), ("   ", "bad"), ("!!!", "bad"), ("plain words", "bad")]
        result = self.check(model, rows, min_rate=0.5)
        assert (result.n, result.details["not_explainable"]) == (60, 4)

    @pytest.mark.parametrize("rows", [[("", "bad"), ("!!!", "bad")], [("right", "bad"), ("right too", "bad")]])
    def test_nothing_to_judge_is_inconclusive(self, model, rows) -> None:
        result = self.check(model, rows, min_rate=0.5)
        assert (result.outcome, result.n, result.estimate, result.low) == (Outcome.INCONCLUSIVE, 0, None, None)

    def test_what_cannot_be_judged_does_not_carry_a_gate(self, model) -> None:
        rows = [*self.rows(30, 0), *((f"plain {i}", "bad") for i in range(100))]
        result = self.check(model, rows, min_rate=0.5)
        assert (result.estimate, result.n) == (1.0, 30)
        assert result.outcome is Outcome.INCONCLUSIVE
        assert "100 more could not be explained" in result.reason

    @pytest.mark.parametrize(
        ("oracle", "explainer", "named"), [(None, OmissionExplainer(), "oracle"), (MarkOracle(), "lime", "explainer")]
    )
    def test_wrong_parts_are_named(self, model, oracle, explainer, named: str) -> None:
        with pytest.raises(ConfigurationError, match=named):
            check_trustworthy(model, self.rows(1, 0), oracle, explainer=explainer)

    def test_human_verdicts_are_compared(self, model) -> None:
        rows = [
            *[(f"right a {i}", "good", True) for i in range(6)],
            *[(f"right b {i}", "good", False) for i in range(1)],
            *[(f"wrong c {i}", "good", True) for i in range(2)],
            *[(f"wrong d {i}", "good", False) for i in range(3)],
            ("right e", "good", None),
        ]
        details = self.check(model, rows, min_rate=0.1).details
        assert {key: details[key] for key in ("tp", "fp", "tn", "fn")} == {"tp": 6, "fp": 1, "tn": 3, "fn": 2}

    def test_evidence_shows_words_of_untrusted_predictions(self, model) -> None:
        result = self.check(model, self.rows(5, 7), min_rate=0.9)
        assert len(result.evidence) == 5
        row = result.evidence[0]
        assert row.text.startswith("wrong")
        assert row.label == "good"
        assert row.words[0].word == "wrong"
        assert (row.words[0].related, row.words[0].nearest) == (False, "near")
        assert row.note == "0% of the score on related words"

    def test_the_session_seed_reaches_the_explainer(self, model) -> None:
        oracle = MarkOracle()
        for seed in (1, 1, 2):
            check_trustworthy(
                model, self.rows(1, 0), oracle, explainer=LimeExplainer(samples=50), min_rate=0.1, seed=seed
            )
        assert oracle.judged[0] == oracle.judged[1]
        assert oracle.judged[0] != oracle.judged[2]

    def test_data_without_labels_are_refused(self, model) -> None:
        with pytest.raises(DataError, match="label"):
            self.check(model, ["right text"])

    def test_foreign_labels_are_refused(self, model) -> None:
        with pytest.raises((DataError, ModelError), match="wonderful"):
            self.check(model, [("right text", "wonderful")])


@pytest.mark.parametrize(
    ("check", "settings", "name"),
    [
        (check_invariant, {"margin": 0.0}, "margin"),
        (check_invariant, {"margin": float("nan")}, "margin"),
        (check_invariant, {"margin": True}, "margin"),
        (check_invariant, {"max_flip_rate": 1.5}, "max_flip_rate"),
        (check_invariant, {"alpha": 0.0}, "alpha"),
        (check_invariant, {"n": 0}, "n"),
        (check_invariant, {"target": "odd"}, "target='odd'"),
        (check_invariant, {"seed": 1.5}, "seed"),
        (check_invariant, {"seed": -1}, "seed"),
        (check_invariant, {"seed": None}, "seed"),
        (check_directional, {"expect": "up"}, "expect='up'"),
        (check_directional, {"expect": "increase", "method": "z"}, "method"),
        (check_directional, {"expect": "increase", "alpha": 0.6}, "alpha"),
    ],
)
def test_wrong_settings_are_named(check, settings: dict, name: str) -> None:
    model, texts = paired_model([0.5] * 40, [0.5] * 40)
    with pytest.raises(ConfigurationError, match=name):
        check(model, texts, str.upper, **settings)


def test_results_are_plain_values() -> None:
    model, texts = paired_model([0.9] * 40, [0.8] * 39 + [0.2])
    for result in (
        check_invariant(model, texts, str.upper),
        check_directional(model, texts, str.upper, target="yes", expect="decrease", capability="robustness"),
    ):
        plain = result.to_dict()
        assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_numbers_and_texts_of_numpy_leave_plain_values() -> None:
    model, texts = paired_model([0.9] * 40, [0.8] * 40)
    result = check_invariant(
        model,
        texts,
        lambda text: np.str_(text.upper()),
        margin=np.float32(0.25),
        alpha=np.float64(0.05),
        seed=np.int64(3),
    )
    plain = result.to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert {type(result.bound), type(result.alpha), type(result.seed)} == {float, int}
    assert type(result.evidence[0].changed_text) is str


def test_a_classifier_is_taken_as_it_is() -> None:
    model, texts = paired_model([0.9] * 40, [0.9] * 40)
    assert check_invariant(as_classifier(model), texts, str.upper) == check_invariant(model, texts, str.upper)

"""People's verdicts: which of them count, the threshold they set, and the agreement they tell."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pytest_trust.checks import check_trustworthy
from pytest_trust.checks.human import HumanCases, calibrate_oracle, human_cases
from pytest_trust.data.verdicts import HumanVerdict, append_verdict
from pytest_trust.errors import ConfigurationError, DataError, TrustWarning
from pytest_trust.explain import Explanation, LimeExplainer, OmissionExplainer, WordScore
from pytest_trust.models import TextClassifier, as_classifier
from pytest_trust.oracles import ConfidenceOracle, Verdict
from pytest_trust.stats import Confusion


@pytest.fixture
def model(make_word_model) -> TextClassifier:
    return as_classifier(make_word_model({"fine": 2.0, "great": 1.0, "awful": -2.0}))


def said(model: TextClassifier, text: str, verdict: str, annotator: str = "ann", label: str = "good") -> HumanVerdict:
    return HumanVerdict(text, label, (("fine", 0.4),), annotator, None, verdict, model.fingerprint(), {})


class TestCases:
    def test_explanations_are_those_that_people_saw(self, model) -> None:
        verdict = replace(said(model, "a fine day", "trustworthy"), words=(("fine", 0.4), ("a", -0.1)))
        cases = human_cases([verdict], model)
        (explanation,) = cases.explanations
        assert cases.humans == (True,)
        assert (explanation.text, explanation.label, explanation.class_index) == ("a fine day", "good", 1)
        assert explanation.probability == pytest.approx(model.predict_proba(["a fine day"])[0, 1])
        assert explanation.words == (WordScore("fine", 0.4, ()), WordScore("a", -0.1, ()))

    def test_most_annotators_decide_and_the_unsure_do_not_count(self, model) -> None:
        verdicts = [
            *(said(model, "one", answer, f"a{i}") for i, answer in enumerate(["trustworthy"] * 2 + ["untrustworthy"])),
            said(model, "two", "unsure"),
            said(model, "three", "trustworthy"),
            said(model, "three", "untrustworthy", "bob"),
            said(model, "four", "untrustworthy"),
        ]
        cases = human_cases(verdicts, model)
        assert [item.text for item in cases.explanations] == ["one", "four"]
        assert cases.humans == (True, False)

    def test_a_text_may_be_judged_for_each_class(self, model) -> None:
        cases = human_cases([said(model, "t", "trustworthy"), said(model, "t", "untrustworthy", label="bad")], model)
        assert [item.class_index for item in cases.explanations] == [1, 0]
        assert cases.humans == (True, False)

    def test_verdicts_on_other_models_are_left_out(self, model) -> None:
        own, other = said(model, "one", "trustworthy"), replace(said(model, "two", "trustworthy"), model="other")
        assert human_cases([other, own], model).humans == (True,)
        with pytest.warns(TrustWarning, match="all 1 verdicts of people are on another model than .*; none is used"):
            assert human_cases([other], model).humans == ()

    def test_verdicts_on_classes_that_the_model_has_no_more_are_left_out(self, model) -> None:
        renamed = said(model, "two", "trustworthy", label="pleasant")
        assert human_cases([renamed, said(model, "one", "trustworthy")], model).humans == (True,)

    def test_no_verdicts_are_no_cases(self, model, tmp_path: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for nothing in (None, [], (), tmp_path / "absent.jsonl", str(tmp_path / "absent.jsonl")):
                assert human_cases(nothing, model) == HumanCases((), ())

    def test_verdicts_come_from_a_file_too(self, model, tmp_path: Path) -> None:
        append_verdict(tmp_path / "v.jsonl", said(model, "one", "untrustworthy"))
        assert human_cases(tmp_path / "v.jsonl", model).humans == (False,)
        assert human_cases(str(tmp_path / "v.jsonl"), model).humans == (False,)
        (tmp_path / "v.jsonl").write_text('{"text": 3}\n')
        with pytest.raises(DataError, match="text is"):
            human_cases(tmp_path / "v.jsonl", model)

    @pytest.mark.parametrize("given", [3, ["yes"], {"text": "one"}, [None]])
    def test_what_is_no_verdict_is_refused(self, model, given) -> None:
        with pytest.raises(ConfigurationError, match="expected a path or a list of HumanVerdict"):
            human_cases(given, model)


def explanation(probability: float, *words: str) -> Explanation:
    scores = tuple(WordScore(word, 0.5, ()) for word in words)
    return Explanation("text", "good", 1, probability, scores, "recorded", 0, 0, 0)


def cases_of(trusted: Sequence[float], others: Sequence[float]) -> HumanCases:
    """Predictions with these probabilities, which people called trustworthy and untrustworthy."""
    explanations = tuple(explanation(value, "word") for value in (*trusted, *others))
    return HumanCases(explanations, (True,) * len(trusted) + (False,) * len(others))


class TestCalibration:
    def test_the_threshold_is_drawn_to_the_middle(self) -> None:
        found = calibrate_oracle(ConfidenceOracle(), cases_of([0.8] * 10, [0.4] * 10))
        # The middle is 0.6; 20 verdicts weigh half as much as the 40 that the default counts for.
        assert found.oracle.threshold == pytest.approx((20 * 0.6 + 40 * 0.9) / 60)
        assert found.oracle.calibrated

    def test_the_agreement_is_that_of_the_other_folds(self) -> None:
        # Sixteen of twenty leave (16 * 0.6 + 40 * 0.9) / 56 = 0.814: nothing is called trustworthy.
        found = calibrate_oracle(ConfidenceOracle(), cases_of([0.81] * 10, [0.39] * 10))
        assert found.oracle.threshold == pytest.approx(0.8)
        assert found.agreement == Confusion(tn=10, fn=10)

    @pytest.mark.parametrize(("trusted", "others"), [(17, 3), (3, 17)])
    def test_twenty_are_enough_with_three_of_a_kind(self, trusted: int, others: int) -> None:
        assert calibrate_oracle(ConfidenceOracle(), cases_of([0.8] * trusted, [0.4] * others)).oracle.calibrated

    @pytest.mark.parametrize(("trusted", "others"), [(16, 3), (18, 2), (2, 18), (20, 0), (0, 20)])
    def test_too_few_leave_the_threshold(self, trusted: int, others: int) -> None:
        given = ConfidenceOracle()
        found = calibrate_oracle(given, cases_of([0.95] * trusted, [0.4] * others))
        assert found.oracle is given
        assert found.agreement == Confusion(tp=trusted, tn=others)

    def test_a_threshold_of_the_user_stays(self) -> None:
        given = ConfidenceOracle(0.7)
        found = calibrate_oracle(given, cases_of([0.8] * 15 + [0.6], [0.4] * 13 + [0.75]))
        assert found.oracle is given
        assert found.agreement == Confusion(tp=15, fp=1, tn=13, fn=1)

    def test_no_cases_tell_nothing(self) -> None:
        found = calibrate_oracle(ConfidenceOracle(), HumanCases((), ()))
        assert found.agreement == Confusion()


@dataclass(frozen=True)
class FirstWord:
    """A user's own oracle: no verdict where there are no words, and a score only if ``scored``."""

    threshold: float = 0.5
    calibrated: bool = False
    scored: bool = True
    name: str = "first word"

    def judge(self, explanation: Explanation) -> Verdict:
        if not explanation.words:
            return Verdict(None, 0.0, 0.0, (), "no words")
        value = explanation.probability
        return Verdict(value >= self.threshold, value, 1 - value, (), "", value if self.scored else None)

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        return [self.judge(explanation) for explanation in explanations]

    def with_threshold(self, threshold: float) -> FirstWord:
        return replace(self, threshold=threshold, calibrated=True)


class TestOraclesOfUsers:
    def test_a_threshold_is_calibrated(self) -> None:
        found = calibrate_oracle(FirstWord(), cases_of([0.8] * 10, [0.4] * 10))
        assert (found.oracle.threshold, found.oracle.calibrated) == (pytest.approx((0.6 + 2 * 0.5) / 3), True)

    def test_what_it_does_not_judge_does_not_count(self) -> None:
        cases = cases_of([0.8] * 17, [0.4] * 3)
        wordless = HumanCases((*cases.explanations[:-2], explanation(0.4), explanation(0.4)), cases.humans)
        given = FirstWord()
        # One verdict of the rarer kind is left: too few for folds.
        found = calibrate_oracle(given, wordless)
        assert found.oracle is given
        assert found.agreement == Confusion(tp=17, tn=1)

    def test_verdicts_without_scores_calibrate_nothing(self) -> None:
        given = FirstWord(scored=False)
        found = calibrate_oracle(given, cases_of([0.8] * 10, [0.4] * 10))
        assert found.oracle is given
        assert found.agreement == Confusion(tp=10, tn=10)

    def test_verdicts_of_five_arguments_do(self, model) -> None:
        class Plain:
            name = "plain"

            def judge(self, explanation: Explanation) -> Verdict:
                return Verdict(explanation.probability > 0.6, 1.0, 0.0, (), "as it was")

            def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
                return [self.judge(explanation) for explanation in explanations]

        found = calibrate_oracle(Plain(), cases_of([0.8] * 10, [0.4] * 10))
        assert found.agreement == Confusion(tp=10, tn=10)
        result = check_trustworthy(
            model, DATA, Plain(), explainer=LimeExplainer(100), verdicts=[said(model, "a fine day", "trustworthy")]
        )
        assert (result.details["threshold"], result.details["calibrated"]) == (None, None)
        assert (result.estimate, result.details["tp"]) == (1.0, 1)


DATA = [(f"a fine day {i}", "good") for i in range(10)] + [(f"an awful day {i}", "bad") for i in range(10)]


class TestCheck:
    """By the model "fine" and "awful" alone give 0.88, "great" 0.73."""

    def verdicts(self, model) -> list[HumanVerdict]:
        trusted = [said(model, f"a fine year {i}", "trustworthy") for i in range(10)]
        return trusted + [said(model, f"a great year {i}", "untrustworthy") for i in range(10)]

    def result(self, model, **more):
        return check_trustworthy(
            model, DATA, more.pop("oracle", ConfidenceOracle()), explainer=LimeExplainer(100), faithfulness=0, **more
        )

    def test_verdicts_set_the_threshold_of_the_gate(self, model) -> None:
        before, after = self.result(model), self.result(model, verdicts=self.verdicts(model))
        assert (before.estimate, before.details["threshold"], before.details["calibrated"]) == (0.0, 0.9, False)
        assert after.details["threshold"] == pytest.approx(((0.8808 + 0.7311) / 2 + 2 * 0.9) / 3, abs=1e-4)
        assert (after.estimate, after.details["calibrated"]) == (1.0, True)
        assert sum(after.details[key] for key in ("tp", "fp", "tn", "fn")) == 20

    def test_a_threshold_of_the_user_stays(self, model) -> None:
        found = self.result(model, oracle=ConfidenceOracle(0.7), verdicts=self.verdicts(model))
        assert (found.details["threshold"], found.details["calibrated"]) == (0.7, True)
        assert (found.details["tp"], found.details["fp"]) == (10, 10)

    def test_the_oracle_itself_is_not_changed(self, model) -> None:
        oracle = ConfidenceOracle()
        self.result(model, oracle=oracle, verdicts=self.verdicts(model))
        assert (oracle.threshold, oracle.calibrated) == (0.9, False)

    def test_figures_are_plain_values(self, model) -> None:
        found = self.result(model, verdicts=self.verdicts(model))
        assert {type(value) for value in found.details.values()} <= {int, float, str, bool, type(None)}


def test_verdicts_on_other_words_are_used_with_a_warning(model) -> None:
    verdict = replace(said(model, "one", "trustworthy"), explainer={"explainer": "lime", "features": 10})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert human_cases([verdict], model, LimeExplainer(100, 10)).humans == (True,)
    with pytest.warns(TrustWarning, match="features=10, but this check explains with features=5"):
        assert human_cases([verdict], model, LimeExplainer(100, 5)).humans == (True,)
    with pytest.warns(TrustWarning, match="explainer=lime, but this check explains with explainer=omission"):
        human_cases([verdict], model, OmissionExplainer(10))

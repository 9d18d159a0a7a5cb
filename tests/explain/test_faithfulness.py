"""Faithfulness and stability, by hand on small rules and against chance on a trained model."""

from __future__ import annotations

import json
from dataclasses import astuple, replace

import pytest

from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.explain import (
    Explanation,
    Faithfulness,
    LimeExplainer,
    OmissionExplainer,
    Stability,
    WordScore,
    faithfulness_figures,
    measure_faithfulness,
    stability,
)
from pytest_trust.explain.scoring import MAX_TEXTS
from pytest_trust.text import Span, words

WEIGHTS = {"good": 0.1, "fine": 0.06, "calm": 0.04, "bad": -0.05}
# Twenty words, so that the bins take 1, 1, 2, 4 and 10 of them.
TWENTY = "a good b fine c calm d bad e f g h i j k l m n o p"


@pytest.fixture
def sum_model(rule_model):
    """P(positive) = 0.5 and the weights of the words."""

    def rule(text: str) -> tuple[float, float]:
        positive = 0.5 + sum(WEIGHTS.get(word, 0.0) for word in words(text))
        return 1 - positive, positive

    return rule_model(("negative", "positive"), rule)


def explained(text: str, scores: dict[str, float], class_index: int = 1) -> Explanation:
    """An explanation that scores all occurrences of the given words."""
    found = []
    for word, score in scores.items():
        starts = [i for i in range(len(text)) if text[i:].startswith(word)]
        found.append(WordScore(word, score, tuple(Span(i, i + len(word)) for i in starts)))
    label = ("negative", "positive")[class_index]
    return Explanation(text, label, class_index, 0.5, tuple(found), "by hand", 1, 1, 0)


def measured(model, *explanations: Explanation, seed: int = 0) -> Faithfulness:
    return measure_faithfulness(model, explanations, seed=seed)


class TestByHand:
    def test_bins_of_twenty_words(self, sum_model):
        # Three words speak for the class, so the bins take 1, 1, 2, 3, 3 words; p(text) = 0.65.
        found = measured(sum_model, explained(TWENTY, {"good": 3.0, "fine": 2.0, "bad": -1.5, "calm": 1.0}))
        assert found.comprehensiveness == pytest.approx((0.1 + 0.1 + 0.16 + 0.2 + 0.2) / 5)
        assert found.sufficiency == pytest.approx(((0.65 - 0.6) * 2 + (0.65 - 0.66) + (0.65 - 0.7) * 2) / 5)
        assert (found.n, found.calls) == (1, 1 + 3 * 3)
        assert len(sum_model.texts) == found.calls
        assert type(found.comprehensiveness) is type(found.comprehensiveness_random) is type(found.sufficiency) is float

    def test_the_order_is_that_of_the_scores(self, sum_model):
        upside_down = measured(sum_model, explained(TWENTY, {"good": 1.0, "fine": 2.0, "calm": 3.0}))
        assert upside_down.comprehensiveness == pytest.approx((0.04 + 0.04 + 0.1 + 0.2 + 0.2) / 5)

    def test_another_class(self, sum_model):
        found = measured(sum_model, explained(TWENTY, {"bad": 1.0}, class_index=0))
        assert found.comprehensiveness == pytest.approx(0.05)
        assert found.sufficiency == pytest.approx(0.35 - 0.55)

    def test_means_over_explanations(self, sum_model):
        one, other = explained("good day", {"good": 1.0}), explained("fine day", {"fine": 1.0})
        both = measured(sum_model, one, other)
        assert both.comprehensiveness == pytest.approx((0.1 + 0.06) / 2)
        assert both.n == 2
        assert sum_model.calls == [sum_model.texts]

    def test_all_places_of_a_word_go_and_separators_stay(self, mood):
        found = measured(mood, explained("good, bad good day", {"good": 1.0}))
        whole, without, _, only = mood.texts
        assert (whole, without, only) == ("good, bad good day", ", bad  day", "good,  good ")
        assert found.comprehensiveness == pytest.approx(0.2)
        assert found.sufficiency == pytest.approx(0.5 - 0.7)

    def test_positions_are_taken_apart(self, mood):
        text = "good bad good x"
        first = WordScore("good", 0.2, (Span(0, 4),))
        found = measured(mood, replace(explained(text, {}), words=(first,)))
        assert mood.texts[1] == " bad good x"
        assert mood.texts[3] == "good   "
        assert found.comprehensiveness == pytest.approx(0.1)

    def test_positions_count_as_words(self, sum_model):
        """Of seven occurrences of one word the bins take 1, 1, 1, 2, 4, though only four are scored."""
        text = "fine " * 6 + "fine"
        explainer = OmissionExplainer(features=4, positions=True)
        found = measured(sum_model, explainer.explain(sum_model, text, class_index=1, seed=0))
        assert found.comprehensiveness == pytest.approx(0.06 * (1 + 1 + 1 + 2 + 4) / 5)
        assert found.comprehensiveness_random == pytest.approx(found.comprehensiveness)

    def test_one_word(self, sum_model):
        found = measured(sum_model, explained("good!", {"good": 1.0}))
        assert found.comprehensiveness == pytest.approx(0.1)
        assert found.comprehensiveness_random == pytest.approx(0.1)
        assert found.sufficiency == pytest.approx(0.0)

    def test_a_word_that_the_tokenizer_would_cut_otherwise(self, mood):
        """An explainer of its own may score phrases, and merge what differs by case."""
        phrase = WordScore("good bad", 0.5, (Span(0, 8),))
        merged = WordScore("day", 0.4, (Span(9, 12), Span(13, 16)))
        found = measured(mood, replace(explained("good bad day Day x", {}), words=(phrase, merged)))
        # Three words: the phrase, the days, and "x".
        assert mood.texts[1:3] == [" day Day x", "   x"]
        assert mood.texts[-2:] == ["good bad   ", "good bad day Day "]
        assert found.n == 1


class TestChance:
    def test_words_that_matter_alike_are_at_chance(self, rule_model):
        model = rule_model(("no", "yes"), lambda text: (0.9 - 0.04 * len(words(text)), 0.1 + 0.04 * len(words(text))))
        found = measured(model, explained(TWENTY, {"good": 2.0, "fine": 1.0}))
        assert found.comprehensiveness == pytest.approx(0.04 * (1 + 1 + 2 + 2 + 2) / 5)
        assert found.comprehensiveness_random == pytest.approx(found.comprehensiveness)

    def test_random_words_of_a_larger_bin_hold_those_of_a_smaller(self, sum_model):
        measured(sum_model, explained(TWENTY, {"good": 3.0, "fine": 2.0, "calm": 1.0}))
        one, two, three = (set(TWENTY.split()) - set(text.split()) for text in sum_model.texts[4:7])
        assert one < two < three
        assert len(three) == 3

    def test_seeds_choose_the_random_words_alone(self, two_classes, sentences):
        texts = sentences(3).of_lengths([30] * 5)
        found = list(OmissionExplainer().explain_many(two_classes, texts, seed=0))
        first, again, other = (measured(two_classes, *found, seed=seed) for seed in (0, 0, 1))
        assert first == again
        assert first.comprehensiveness_random != other.comprehensiveness_random
        assert replace(first, comprehensiveness_random=None) == replace(other, comprehensiveness_random=None)

    def test_order_does_not_matter(self, two_classes, sentences):
        texts = sentences(3).of_lengths([5, 12, 30, 1])
        found = list(OmissionExplainer().explain_many(two_classes, texts, seed=0))
        assert measured(two_classes, *found) == measured(two_classes, *found[::-1])

    def test_good_explanations_beat_chance_and_bad_ones_do_not(self, two_classes, sentences):
        texts = sentences(5).of_lengths([20] * 30)
        found = list(LimeExplainer(samples=300).explain_many(two_classes, texts, seed=0))
        upside_down = [replace(e, words=tuple(replace(w, score=-w.score) for w in e.words)) for e in found]
        good, bad = measured(two_classes, *found), measured(two_classes, *upside_down)
        assert good.comprehensiveness > 3 * good.comprehensiveness_random
        assert bad.comprehensiveness < bad.comprehensiveness_random
        assert good.sufficiency < bad.sufficiency


@pytest.mark.parametrize("positions", [False, True])
def test_a_model_that_scores_masks_gives_the_same(two_classes, sentences, positions):
    from pytest_trust.models import EstimatorClassifier

    texts = sentences(4).of_lengths([1, 8, 25])
    found = list(OmissionExplainer(positions=positions).explain_many(two_classes, texts, seed=0))
    by_strings, by_masks = measured(two_classes, *found), measured(EstimatorClassifier(two_classes._pipeline), *found)
    assert astuple(by_masks) == pytest.approx(astuple(by_strings))


class TestNothingToMeasure:
    @pytest.mark.parametrize(
        "words",
        [
            (),
            (WordScore("good", -1.0, (Span(0, 4),)), WordScore("day", 0.0, (Span(5, 8),))),
            (WordScore("x", 1.0, ()),),
        ],
        ids=["no words", "none for the class", "no places"],
    )
    def test_no_word_to_remove(self, mood, words):
        found = measured(mood, replace(explained("good day", {}), words=words))
        assert found == Faithfulness(None, None, None, 0, 0)
        assert mood.calls == []

    def test_no_explanations(self, mood):
        assert measured(mood) == Faithfulness(None, None, None, 0, 0)

    def test_they_are_left_out_of_the_means(self, sum_model):
        found = measured(sum_model, explained("!!!", {}), explained("good day", {"good": 1.0}), explained("day", {}))
        assert (found.comprehensiveness, found.n) == (pytest.approx(0.1), 1)

    def test_places_beyond_the_text_are_refused(self, mood):
        wrong = replace(explained("good", {}), words=(WordScore("good", 1.0, (Span(2, 6),)),))
        with pytest.raises(ConfigurationError, match="within the text of 4 characters"):
            measured(mood, wrong)

    def test_a_class_that_the_model_lacks(self, mood):
        with pytest.raises(ConfigurationError, match=r"2 columns \(0 to 1\), got 2"):
            measured(mood, replace(explained("good", {"good": 1.0}), class_index=2))


def test_calls_are_bounded(mood):
    many = [explained(f"good fine {i}", {"good": 1.0, "fine": 0.5}) for i in range(2000)]
    found = measured(mood, *many)
    assert found.n == 2000
    assert sum(map(len, mood.calls)) == 2000 * 7
    assert max(map(len, mood.calls)) <= MAX_TEXTS


class TestStability:
    def test_by_hand(self):
        first = [explained("a b c d", {"a": 3.0, "b": 2.0, "c": -1.0}), explained("a b", {"a": 2.0, "b": 1.0})]
        second = [explained("a b c d", {"a": 3.0, "d": 1.0, "c": -1.0}), explained("a b", {"b": 2.0, "a": 1.0})]
        # {a, b} and {a, d} share one of three; {a, b} is the same twice, with another word at the top.
        assert stability(first, second) == Stability(overlap=pytest.approx((1 / 3 + 1) / 2), same_top=0.5, n=2)

    def test_the_same_is_wholly_stable(self):
        same = [explained("a b", {"a": 2.0, "b": -1.0})]
        assert stability(same, same) == Stability(1.0, 1.0, 1)

    def test_words_in_one_run_alone(self):
        some, none = [explained("a b", {"a": 1.0})], [explained("a b", {"a": -1.0})]
        assert stability(some, none) == stability(none, some) == Stability(0.0, 0.0, 1)

    def test_nothing_to_compare(self):
        none = [explained("!!!", {}), explained("a", {"a": -1.0})]
        assert stability(none, none) == stability([], []) == Stability(None, None, 0)

    def test_positions_are_told_apart(self):
        one, other = (
            [replace(explained("a a", {}), words=(WordScore("a", 1.0, (span,)),))] for span in (Span(0, 1), Span(2, 3))
        )
        assert stability(one, other).overlap == 0.0

    def test_words_without_places_count(self):
        run = [replace(explained("a", {}), words=(WordScore("a", 1.0, ()),))]
        assert stability(run, run) == Stability(1.0, 1.0, 1)

    @pytest.mark.parametrize("other", [[], [explained("b", {})], [explained("a", {}, class_index=0)]])
    def test_other_texts_or_classes_are_refused(self, other):
        with pytest.raises(DataError, match=f"explanations of 1 and {len(other)} texts; expected the same texts"):
            stability([explained("a", {})], other)


class TestFigures:
    KEYS = (
        "comprehensiveness",
        "comprehensiveness_random",
        "sufficiency",
        "stability",
        "stability_top_word",
        "faithfulness_n",
        "faithfulness_calls",
    )

    def test_an_explainer_that_draws_nothing_is_stable(self, sum_model):
        explainer = OmissionExplainer()
        found = [
            explainer.explain(sum_model, text, class_index=1, seed=0) for text in ("good day", "fine", "!!!", "bad")
        ]
        sum_model.calls.clear()
        figures = faithfulness_figures(explainer, sum_model, found, seed=0, n=10)
        assert tuple(figures) == self.KEYS
        assert figures["comprehensiveness"] == pytest.approx((0.1 + 0.06) / 2)
        assert (figures["stability"], figures["stability_top_word"], figures["faithfulness_n"]) == (1.0, 1.0, 2)
        assert figures["faithfulness_calls"] == len(sum_model.texts)
        assert json.loads(json.dumps(figures)) == figures

    def test_too_few_samples_are_unstable(self, two_classes, sentences):
        texts = sentences(7).of_lengths([40] * 10)

        def overlap(samples: int) -> float:
            explainer = LimeExplainer(samples=samples)
            found = list(explainer.explain_many(two_classes, texts, seed=0))
            return faithfulness_figures(explainer, two_classes, found, seed=0, n=10)["stability"]

        assert overlap(20) < 0.5 < 0.8 < overlap(1000) <= 1.0

    def test_the_given_classes_are_explained_again(self, sum_model):
        found = [OmissionExplainer().explain(sum_model, "a good bad day", class_index=0, seed=0)]
        assert faithfulness_figures(OmissionExplainer(), sum_model, found, seed=0, n=1)["stability"] == 1.0

    def test_a_sample_whatever_the_order_and_the_copies(self, two_classes, sentences):
        texts = sentences(8).of_lengths([6] * 12)
        explainer = LimeExplainer(samples=30)
        found = list(explainer.explain_many(two_classes, texts, seed=0))
        figures = faithfulness_figures(explainer, two_classes, found, seed=5, n=4)
        assert figures["faithfulness_n"] == 4
        assert faithfulness_figures(explainer, two_classes, [*found[::-1], *found], seed=5, n=4) == figures
        assert faithfulness_figures(explainer, two_classes, found, seed=6, n=4) != figures

    def test_texts_without_words_take_no_place_in_the_sample(self, sum_model):
        texts = ["!!!", "", "...", "?", "good"]
        found = [OmissionExplainer().explain(sum_model, text, class_index=1, seed=0) for text in texts]
        assert faithfulness_figures(OmissionExplainer(), sum_model, found, seed=0, n=1)["faithfulness_n"] == 1

    def test_nothing_to_measure(self, mood):
        figures = faithfulness_figures(OmissionExplainer(), mood, [], seed=0, n=5)
        assert figures == dict.fromkeys(self.KEYS[:5]) | {"faithfulness_n": 0, "faithfulness_calls": 0}

    @pytest.mark.parametrize("n", [0, 1.5, True])
    def test_wrong_n(self, mood, n):
        with pytest.raises(ConfigurationError, match=r"n=.*: expected a whole number of at least 1"):
            faithfulness_figures(OmissionExplainer(), mood, [], seed=0, n=n)

"""Explainers as their users meet them: odd texts, repeated texts, many classes, wrong settings."""

from __future__ import annotations

import gc
import json
import math
import pickle
import re
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, MissingExtraError
from pytest_trust.explain import (
    Explainer,
    LimeExplainer,
    LimeReferenceExplainer,
    OmissionExplainer,
    make_explainer,
)
from pytest_trust.explain.scoring import MAX_TEXTS
from pytest_trust.text import Span

EXPLAINERS = {
    "lime": LimeExplainer(samples=60),
    "omission": OmissionExplainer(),
    "positions": OmissionExplainer(positions=True),
}


@pytest.fixture(params=list(EXPLAINERS))
def explainer(request):
    return EXPLAINERS[request.param]


def scores(explanation) -> dict[str, float]:
    return {word.word: word.score for word in explanation.words}


class TestOmission:
    def test_scores_by_hand(self, mood):
        # P(positive) = 0.5: without both "good" 0.3, without "bad" 0.7.
        found = OmissionExplainer().explain(mood, "good, bad good day", class_index=1, seed=0)
        assert scores(found) == pytest.approx({"good": 0.2, "bad": -0.2, "day": 0.0})
        assert [word.word for word in found.words] == ["good", "bad", "day"]
        assert found.words[0].spans == (Span(0, 4), Span(10, 14))
        assert mood.texts == ["good, bad good day", ", bad  day", "good,  good day", "good, bad good "]
        assert (found.calls, found.samples, found.method) == (4, 4, "omission")

    def test_scores_by_position(self, mood):
        found = OmissionExplainer(positions=True).explain(mood, "good bad good", class_index=1, seed=0)
        assert [(word.word, word.spans) for word in found.words] == [
            ("bad", (Span(5, 8),)),
            ("good", (Span(0, 4),)),
            ("good", (Span(9, 13),)),
        ]
        assert [word.score for word in found.words] == pytest.approx([-0.2, 0.1, 0.1])

    def test_the_predicted_class_is_explained_and_the_first_of_equals(self, mood):
        against = OmissionExplainer().explain(mood, "bad day", seed=0)
        assert (against.label, against.class_index, against.probability) == ("negative", 0, pytest.approx(0.7))
        assert scores(against)["bad"] == pytest.approx(0.2)
        assert OmissionExplainer().explain(mood, "a day", seed=0).class_index == 0

    def test_no_more_words_than_asked_for(self, mood):
        found = OmissionExplainer(features=1).explain(mood, "a bad good day", seed=0)
        assert [word.word for word in found.words] == ["bad"]


class TestLime:
    def test_the_weights_of_a_linear_model_point_its_way(self, mood):
        found = LimeExplainer(samples=500).explain(mood, "a good day and a bad night", class_index=1, seed=1)
        assert [word.word for word in found.words][:2] == ["bad", "good"]
        assert scores(found)["bad"] == pytest.approx(-0.2, abs=0.02)
        assert scores(found)["good"] == pytest.approx(0.1, abs=0.02)
        assert max(abs(scores(found)[word]) for word in ("a", "day", "and", "night")) < 0.01
        assert (found.method, found.samples, found.seed, found.note) == ("lime", 500, 1, "")

    def test_each_distinct_neighbour_is_scored_once(self, mood):
        found = LimeExplainer(samples=500).explain(mood, "one bad day", seed=0)
        assert found.calls == len(mood.texts) == len(set(mood.texts)) == 8

    def test_calls_are_the_distinct_draws(self, mood):
        text = "a b c d e f g h i j"
        found = LimeExplainer(samples=700).explain(mood, text, seed=3)
        state = np.random.RandomState(3)
        removed = [frozenset(state.permutation(10)[:size]) for size in state.randint(1, 11, 699)]
        assert found.calls == len(mood.texts) == len(set(mood.texts)) == 1 + len(set(removed))
        assert mood.texts[0] == text

    def test_all_occurrences_go_together(self, mood):
        text = "I'm positive the result was positive"
        found = LimeExplainer(samples=100).explain(mood, text, seed=0)
        places = {word.word: word.spans for word in found.words}
        assert set(places) == {"I'm", "positive", "the", "result", "was"}
        assert places["positive"] == (Span(4, 12), Span(28, 36))
        assert all(text.count("positive") != 1 for text in mood.texts)

    @pytest.mark.parametrize("features", [1, 4, 10])
    def test_no_more_words_than_asked_for_by_falling_size(self, features, two_classes, sentences):
        found = LimeExplainer(samples=200, features=features).explain(
            two_classes, sentences(1).of_lengths([40])[0], seed=0
        )
        sizes = [abs(word.score) for word in found.words]
        assert len(sizes) == features
        assert sizes == sorted(sizes, reverse=True)


class TestRepeats:
    def test_the_same_text_again_and_in_another_order(self, explainer, two_classes, sentences):
        texts = sentences(2).of_lengths([5, 12, 30, 1])
        first = list(explainer.explain_many(two_classes, [*texts, texts[1]], seed=9))
        again = list(explainer.explain_many(two_classes, texts[::-1], seed=9))
        assert first[:4] == again[::-1]
        assert first[4] == first[1]

    def test_alone_and_among_others(self, explainer, two_classes, sentences):
        texts = sentences(4).of_lengths([8, 20])
        for text, found in zip(texts, explainer.explain_many(two_classes, texts, seed=9), strict=True):
            assert explainer.explain(two_classes, text, seed=found.seed) == found

    def test_texts_of_as_many_words_share_their_seed(self, explainer, two_classes):
        texts = ["good film", "a day", "a good film", "good"]
        two, also_two, three, one = (item.seed for item in explainer.explain_many(two_classes, texts, seed=9))
        assert two == also_two
        assert len({one, two, three}) == 3

    def test_a_copy_in_another_process_says_the_same(self, explainer, mood):
        copy = pickle.loads(pickle.dumps(explainer))
        assert copy == explainer
        assert copy.explain(mood, "a good day", seed=1) == explainer.explain(mood, "a good day", seed=1)

    def test_seeds_matter_to_lime(self, two_classes, sentences):
        text = sentences(4).of_lengths([20])[0]
        one, other = (LimeExplainer(samples=50).explain(two_classes, text, seed=seed) for seed in (0, 1))
        assert scores(one) != scores(other)

    def test_texts_are_taken_as_they_are_needed(self, mood):
        def endless():
            while True:
                yield "a good day with a rather long tail of words and words"

        found = LimeExplainer(samples=1000).explain_many(mood, endless(), seed=0)
        assert next(found).label == "positive"


class TestOddTexts:
    @pytest.mark.parametrize("text", ["", "   ", "!!!", "\n", "\u200b", "…—"])
    def test_no_words(self, explainer, text, mood):
        found = explainer.explain(mood, text, seed=0)
        assert (found.words, found.note, found.samples) == ((), "no words to explain", 0)
        assert (found.label, found.probability, found.calls) == ("negative", 0.5, 1)
        assert mood.texts == [text]

    @pytest.mark.parametrize("text", ["thanks", "👍", "👍🏽", " 👩‍🚀!", "7"])
    def test_one_word(self, explainer, text, rule_model):
        model = rule_model(("none", "some"), lambda text: (0.2, 0.8) if re.search(r"\w|👍|👩", text) else (0.6, 0.4))
        (word,) = explainer.explain(model, text, seed=0).words
        assert word.word == text.strip(" !")
        assert word.score > 0
        assert len(model.texts) == 2

    def test_one_word_by_hand(self, rule_model):
        # Two rows, weights 1 and 59 exp(-8), y = 0.8 and 0.4: ridge gives 0.4 S / (S + 1), S the weighted spread.
        model = rule_model(("no", "yes"), lambda text: (0.2, 0.8) if text else (0.6, 0.4))
        (word,) = LimeExplainer(samples=60).explain(model, "thanks", seed=0).words
        weight = 59 * math.exp(-8)
        spread = weight / (1 + weight)
        assert word.score == pytest.approx(0.4 * spread / (spread + 1))

    def test_texts_without_words_among_others(self, explainer, mood):
        found = list(explainer.explain_many(mood, ["", "good", "!!!", "so bad"], seed=0))
        assert [len(explanation.words) for explanation in found] == [0, 1, 0, 2]
        assert [explanation.text for explanation in found] == ["", "good", "!!!", "so bad"]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("मुझे हिन्दी पसंद है", {"मुझे", "हिन्दी", "पसंद", "है"}),
            ("我爱中国", {"我", "爱", "中", "国"}),
            ("cafe\u0301 ole\u0301!", {"cafe\u0301", "ole\u0301"}),
            ("great 👍🏽👍🏽 film", {"great", "👍🏽", "film"}),
            ("I don't, can't", {"I", "don't", "can't"}),
        ],
    )
    def test_scripts(self, explainer, text, expected, mood):
        found = explainer.explain(mood, text, seed=0)
        assert {word.word for word in found.words} == expected
        for word in found.words:
            assert {text[span.start : span.end] for span in word.spans} == {word.word}

    def test_thai_is_cut_and_nothing_is_lost(self, explainer, mood):
        text = "สวัสดี"
        found = explainer.explain(mood, text, seed=0)
        assert sorted("".join(word.word * len(word.spans) for word in found.words)) == sorted(text)


class TestManyClasses:
    def peak(self, model, texts: list[str]) -> int:
        explainer = LimeExplainer(samples=1000)
        gc.collect()
        tracemalloc.start()
        try:
            assert all(found.words for found in explainer.explain_many(model, texts, seed=0))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    def test_calls_and_memory_are_bounded_with_186_classes(self, sentences):
        class Wide:
            classes = tuple(f"c{i}" for i in range(186))
            source = "wide"
            largest = 0

            def predict_proba(self, texts):
                self.largest = max(self.largest, len(texts))
                tilt = np.array([0.01 * text.count("a") for text in texts])
                answers = np.repeat((0.5 - tilt)[:, None] / 185, 186, axis=1)
                answers[:, 7] = 0.5 + tilt
                return answers

            def fingerprint(self):
                return "wide"

        texts = sentences(6).of_lengths([30] * 24)
        model = Wide()
        self.peak(model, texts[:1])
        few, many = self.peak(model, texts[:9]), self.peak(model, texts)
        assert 5000 < model.largest <= MAX_TEXTS
        # One call's answers take 8192 x 186 x 8 = 12 MB; those of all 24 texts would take 35 MB.
        assert many < 1.3 * few
        assert many < 24 * 2**20

    def test_long_texts_go_in_small_calls(self, rule_model):
        model = rule_model(("a", "b"), lambda text: (0.4, 0.6) if "x" in text else (0.5, 0.5))
        text = " ".join(letter * 1_500_000 for letter in "xyz")
        found = OmissionExplainer().explain(model, text, seed=0)
        assert [len(call) for call in model.calls] == [3, 1]
        assert [word.score > 0 for word in found.words] == [True, False, False]

    def test_texts_share_calls(self, mood):
        list(OmissionExplainer().explain_many(mood, ["a good day", "bad", "one more"] * 10, seed=0))
        assert [len(call) for call in mood.calls] == [10 * (4 + 2 + 3)]


class TestReference:
    @pytest.mark.parametrize("features", [4, 10])
    def test_it_agrees_with_our_own(self, features, two_classes, sentences):
        pytest.importorskip("lime", reason="the extra [lime] is not installed")
        texts = sentences(8).of_lengths([1, 4, 12, 25])
        ours = LimeExplainer(samples=150, features=features)
        theirs = LimeReferenceExplainer(samples=150, features=features)
        for mine, other in zip(
            ours.explain_many(two_classes, texts, seed=4),
            theirs.explain_many(two_classes, texts, seed=4),
            strict=True,
        ):
            assert scores(other) == pytest.approx(scores(mine), abs=1e-9)
            assert {w.word: w.spans for w in other.words} == {w.word: w.spans for w in mine.words}
            assert (other.text, other.label, other.seed, other.samples) == (mine.text, mine.label, mine.seed, 150)
            assert (other.method, other.calls) == ("lime-reference", 151)
            assert {type(word.score) for word in other.words} == {float}

    @pytest.mark.parametrize("samples", [2, 3, 5])
    def test_very_few_samples_warn_of_nothing(self, samples, two_classes, sentences):
        pytest.importorskip("lime", reason="the extra [lime] is not installed")
        text = sentences(8).of_lengths([25])[0]
        for features in (4, 10):
            for explainer in (LimeExplainer(samples, features), LimeReferenceExplainer(samples, features)):
                assert len(explainer.explain(two_classes, text, seed=0).words) == features

    def test_no_words(self, mood):
        pytest.importorskip("lime", reason="the extra [lime] is not installed")
        found = LimeReferenceExplainer(samples=20).explain(mood, "!!!", seed=0)
        assert (found.words, found.note, found.calls) == ((), "no words to explain", 1)

    def test_words_that_lime_would_find_elsewhere_are_refused(self, mood):
        pytest.importorskip("lime", reason="the extra [lime] is not installed")
        explainer = LimeReferenceExplainer(samples=20, tokenizer=lambda text: [Span(8, 13)])
        finding = r"finds words at \{'other': \[2\]\}, the tokenizer at \{'other': \[8\]\}; choose the explainer 'lime'"
        with pytest.raises(ConfigurationError, match=finding):
            explainer.explain(mood, "another other", seed=0)

    def test_another_tokenizer(self, mood):
        pytest.importorskip("lime", reason="the extra [lime] is not installed")
        explainer = LimeReferenceExplainer(samples=20, tokenizer=lambda text: [Span(0, 3), Span(4, 7)])
        assert set(scores(explainer.explain(mood, "the cat the", seed=0))) == {"the", "cat"}

    def test_without_the_package(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "lime", None)
        with pytest.raises(MissingExtraError, match=r"'lime-reference' needs the package 'lime'.*pytest-trust\[lime\]"):
            make_explainer("lime-reference", samples=100, features=10)


class TestSettings:
    @pytest.mark.parametrize(
        ("name", "kind"),
        [("lime", LimeExplainer), ("omission", OmissionExplainer), ("lime-reference", LimeReferenceExplainer)],
    )
    def test_by_name(self, name, kind):
        if name == "lime-reference":
            pytest.importorskip("lime", reason="the extra [lime] is not installed")
        made = make_explainer(name, samples=321, features=7)
        assert isinstance(made, kind)
        assert isinstance(made, Explainer)
        assert made.name == made.settings()["explainer"] == name
        assert made.settings()["features"] == 7
        assert made.settings().get("samples", 321) == 321

    def test_settings_name_all_that_matters(self):
        assert LimeExplainer().settings() == {
            "explainer": "lime",
            "samples": 5000,
            "features": 10,
            "kernel_width": 25.0,
            "sampling": "fixed",
            "tokenizer": "pytest_trust.text.word_spans",
        }
        assert OmissionExplainer(positions=True).settings()["positions"] is True

    @pytest.mark.parametrize("kind", [LimeExplainer, LimeReferenceExplainer])
    def test_settings_are_plain_values(self, kind):
        if kind is LimeReferenceExplainer:
            pytest.importorskip("lime", reason="the extra [lime] is not installed")
        made = kind(samples=np.int64(20), features=np.int32(3), kernel_width=np.float32(2.5))
        assert json.loads(json.dumps(made.settings())) == kind(samples=20, features=3, kernel_width=2.5).settings()

    def test_settings_of_omission_are_plain_values(self):
        assert json.loads(json.dumps(OmissionExplainer(features=np.int64(3)).settings()))["features"] == 3

    def test_an_unknown_name(self):
        with pytest.raises(ConfigurationError, match=r"'shap'; choose one of: lime, omission, lime-reference"):
            make_explainer("shap", samples=10, features=10)

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"samples": 1}, "samples=1: expected a whole number of at least 2"),
            ({"samples": 10.0}, "samples=10.0: expected a whole number of at least 2"),
            ({"features": 0}, "features=0: expected a whole number of at least 1"),
            ({"features": True}, "features=True: expected a whole number of at least 1"),
            ({"kernel_width": 0.0}, "kernel_width=0.0: expected a finite number above 0"),
            ({"kernel_width": math.inf}, "kernel_width=inf: expected a finite number above 0"),
            ({"kernel_width": float("nan")}, "kernel_width=nan: expected a finite number above 0"),
        ],
    )
    def test_wrong_settings(self, settings, message):
        with pytest.raises(ConfigurationError, match=re.escape(message)):
            LimeExplainer(**settings)
        with pytest.raises(ConfigurationError, match=re.escape(message)):
            LimeReferenceExplainer(**settings)

    def test_wrong_settings_of_omission(self):
        with pytest.raises(ConfigurationError, match="features=-3: expected a whole number of at least 1"):
            OmissionExplainer(features=-3)

    @pytest.mark.parametrize("class_index", [-1, 2])
    def test_a_class_that_the_model_lacks(self, explainer, class_index, mood):
        message = re.escape(f"one of the model's 2 columns (0 to 1), got {class_index}")
        with pytest.raises(ConfigurationError, match=message):
            explainer.explain(mood, "good", class_index=class_index, seed=0)

    @pytest.mark.parametrize("seed", [-1, 2**32, 1.5, True])
    def test_a_seed_out_of_range(self, explainer, seed, mood):
        with pytest.raises(ConfigurationError, match=r"seed=.*: expected a whole number from 0 to 4294967295"):
            explainer.explain(mood, "good", seed=seed)


def test_nothing_heavy_is_imported():
    code = (
        "import sys, pytest_trust.explain as e; "
        "print(sorted({'sklearn', 'lime', 'pandas', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""TOWER's noise experiment in small: a model that learns from worse data gets a lower trust score."""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from benchmarks.noise.__main__ import rows
from benchmarks.noise.corpus import MOST_WORDS, Corpus, corpus_of, folds, read_corpus
from benchmarks.noise.experiment import Score, Settings, scores
from benchmarks.noise.injection import BIASED_WORDS, NOISES, noises_of
from benchmarks.noise.judges import judges_of
from benchmarks.noise.slopes import Slope, accuracies, estimate, grouped, slopes
from pytest_trust.embeddings.base import WordVectors
from pytest_trust.stats import seed_for

TOPICS = {
    "baking": ("bread", "oven", "flour", "yeast", "dough", "crust", "sugar", "butter", "recipe", "cake"),
    "sailing": ("boat", "anchor", "harbour", "wind", "deck", "mast", "rope", "tide", "captain", "hull"),
}
NEUTRAL = ("monday", "people", "table", "seven", "letter", "green", "town", "paper", "early", "window", "small", "road")
NOISE = {noise.name: noise for noise in NOISES}


class Topical:
    """Words of a topic lie near each other and near its name; all other words lie anywhere."""

    name, threshold, fingerprint = "topical", 0.25, "topical"

    def vectors(self, words: Sequence[str]) -> WordVectors:
        matrix = np.stack([vector_of(word) for word in words])
        return WordVectors(matrix, np.ones(len(words), dtype=np.bool_))


@cache
def vector_of(word: str) -> np.ndarray:
    vector = np.random.default_rng(seed_for(0, word)).normal(size=32) / 6
    for place, (topic, of_topic) in enumerate(TOPICS.items()):
        if word in (topic, *of_topic):
            vector[place] += 3
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def made_corpus(n: int = 160) -> Corpus:
    draw = random.Random(0)
    found = []
    for i in range(n):
        label = sorted(TOPICS)[i % 2]
        words = draw.sample(TOPICS[label], 2) + draw.sample(NEUTRAL, 6)
        found.append((" ".join(draw.sample(words, 8)), label, f"From: writer {i % 7}"))
    return corpus_of(found)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return made_corpus()


def changed(before: Corpus, after: Corpus) -> set[int]:
    pairs = zip(zip(before.texts, before.labels, strict=True), zip(after.texts, after.labels, strict=True), strict=True)
    return {i for i, (old, new) in enumerate(pairs) if old != new}


class TestInjection:
    @pytest.mark.parametrize("name", sorted(NOISE))
    def test_levels_are_shares_and_nested(self, corpus: Corpus, name: str):
        some, more, every = (changed(corpus, NOISE[name].change(corpus, level, 0)) for level in (0.25, 0.75, 1.0))
        assert some < more < every
        assert every == set(range(len(corpus)))
        # Five standard deviations of a share of 160 texts.
        assert abs(len(some) / len(corpus) - 0.25) < 0.17
        assert changed(corpus, NOISE[name].change(corpus, 0.0, 0)) == set()

    @pytest.mark.parametrize("name", sorted(NOISE))
    def test_depends_on_text_and_seed_alone(self, corpus: Corpus, name: str):
        backwards = range(len(corpus) - 1, -1, -1)
        turned = NOISE[name].change(corpus.take(backwards), 0.5, 0)
        assert turned.take(backwards) == NOISE[name].change(corpus, 0.5, 0)
        assert NOISE[name].change(corpus, 0.5, 1) != NOISE[name].change(corpus, 0.5, 0)

    def test_bias_gives_each_class_a_word_of_its_own_in_test_texts_too(self, corpus: Corpus):
        train, test = NOISE["bias"].split(corpus, corpus, 1.0, 0)
        assert train == test
        last = {(label, text.split()[-1]) for text, label in zip(train.texts, train.labels, strict=True)}
        assert last == {("baking", BIASED_WORDS[0]), ("sailing", BIASED_WORDS[1])}

    def test_labels_change_in_training_alone_and_to_any_other(self, corpus: Corpus):
        three = replace(corpus, labels=tuple("abc"[i % 3] for i in range(len(corpus))))
        train, test = NOISE["label"].split(three, three, 1.0, 0)
        assert test == three
        kinds = Counter(zip(three.labels, train.labels, strict=True))
        assert set(kinds) == {(a, b) for a in "abc" for b in "abc" if a != b}

    def test_removal_leaves_about_half_of_the_words_in_order(self, corpus: Corpus):
        train, test = NOISE["removal"].split(corpus, corpus, 1.0, 0)
        assert (test, train.labels) == (corpus, corpus.labels)
        for old, new in zip(corpus.texts, train.texts, strict=True):
            left = iter(old.split())
            assert all(word in left for word in new.split())
        assert sum(len(text.split()) for text in train.texts) / (8 * len(corpus)) == pytest.approx(0.5, abs=0.07)

    def test_natural_noise_is_the_header_where_there_is_one(self, corpus: Corpus):
        train, test = NOISE["natural"].split(corpus, corpus, 1.0, 0)
        assert train == test
        assert train.texts[3] == f"From: writer 3\n{corpus.texts[3]}"
        headless = replace(corpus, headers=("",) * len(corpus))
        assert [noise.name for noise in noises_of(headless)] == ["bias", "label", "removal"]


def test_folds_share_no_text_and_hold_the_classes_alike(corpus: Corpus):
    parts = list(folds(corpus, 5))
    assert sorted(text for _, test in parts for text in test.texts) == sorted(corpus.texts)
    for train, test in parts:
        assert not set(train.texts) & set(test.texts)
        assert Counter(test.labels) == {"baking": 16, "sailing": 16}


class TestReading:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        folder = tmp_path / "text"
        folder.mkdir()
        with gzip.open(folder / "ag_news.csv.gz", "wt", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["split", "label", "text"])
            writer.writerows([["train", "a", f"text {i}"] for i in range(9)] + [["judged", "a", "kept apart"]])
        with gzip.open(folder / "news20_religion.jsonl.gz", "wt", encoding="utf-8") as file:
            body = "word " * (MOST_WORDS + 5)
            file.write(json.dumps({"body": body, "label": "atheism", "header": "From: him"}) + "\n")
            file.write(json.dumps({"body": "...", "label": "atheism", "header": "From: her"}) + "\n")
        return tmp_path

    def test_a_table_without_judged_texts_in_an_order_by_the_seed(self, data: Path):
        found = read_corpus("ag_news", data, 100, 0)
        assert sorted(found.texts) == [f"text {i}" for i in range(9)]
        assert read_corpus("ag_news", data, 4, 0) == found.take(range(4))
        assert read_corpus("ag_news", data, 100, 1).texts != found.texts

    def test_posts_are_cut_and_those_without_words_left_out(self, data: Path):
        found = read_corpus("news20_religion", data, 100, 0)
        assert found == Corpus((" ".join(["word"] * MOST_WORDS),), ("atheism",), ("From: him",))


def score(level: float, fold: int, trustworthy: int, judged: int = 10, **changes: str) -> Score:
    plain = {"corpus": "set", "noise": "bias" if level else "", "model": "m", "oracle": "o", **changes}
    return Score(**plain, level=level, fold=fold, trustworthy=trustworthy, judged=judged, accuracy=0.9)


class TestSlopes:
    def test_by_hand(self):
        shares = {0: (8, 6, 4), 1: (6, 5, 2)}
        (found,) = slopes([score(x, f, n) for f, row in shares.items() for x, n in zip((0, 0.5, 1), row, strict=True)])
        assert found.by_fold == pytest.approx({0: -0.4, 1: -0.4})
        assert found.by_level == pytest.approx({0.0: 0.7, 0.5: 0.55, 1.0: 0.3})
        assert found.adjusted == pytest.approx(-0.4 / 0.7)
        assert (found.to_dict()["slope"], found.to_dict()["standard_error"]) == pytest.approx((-0.4, 0.0))

    def test_level_0_serves_every_kind_of_noise(self):
        found = slopes([score(0, 0, 8), score(1, 0, 2), score(1, 0, 7, noise="label")])
        assert {s.noise: s.by_fold[0] for s in found} == pytest.approx({"bias": -0.6, "label": -0.1})

    def test_levels_at_which_nothing_was_judged_do_not_count(self):
        (found,) = slopes([score(0, 0, 8), score(0.5, 0, 6), score(1, 0, 0, judged=0), score(1, 1, 5)])
        assert found.by_fold == pytest.approx({0: -0.4})
        (none,) = slopes([score(0, 0, 0, judged=0), score(1, 0, 0, judged=0)])
        assert (none.by_fold, none.adjusted, none.to_dict()["slope"]) == ({}, None, None)

    def test_means_are_taken_within_folds_first(self):
        of_models = [Slope("s", "bias", m, "o", {0: -0.2 + d, 1: -0.4 - d, 2: -0.3}, {0.0: 0.5}) for m, d in
                     (("m", 0.1), ("n", -0.1))]  # fmt: skip
        found = estimate(of_models)
        assert found.mean == pytest.approx(-0.3)
        # What the models differ by cancels within a fold: -0.2, -0.4 and -0.3 are left.
        assert found.error == pytest.approx(0.1 / 3**0.5)
        # Student's t of two degrees of freedom at 95 %.
        assert found.upper == pytest.approx(-0.3 + 2.91999 * found.error, abs=1e-5)
        assert estimate([]) is None


def trusting(oracle: str, noise: str, *by_fold: float) -> Slope:
    return Slope("s", noise, "m", oracle, dict(enumerate(by_fold)), {0.0: 0.5})


class TestRows:
    def test_say_what_is_reached(self):
        found = [
            trusting("good", "bias", -0.3, -0.4, -0.35),
            trusting("flat", "bias", -0.04, -0.03, -0.04),
            trusting("noisy", "bias", 0.9, -0.9, -0.6),
            trusting("good", "removal", 0.02, -0.04),
            trusting("bad", "removal", 0.2, 0.3),
        ]
        reached = {row.name: row.reached for row in rows(found) if row.must is not None}
        whole = "all models and sets"
        assert reached == {
            f"bias noise, good, {whole}: slope": True,
            f"bias noise, good, {whole}: upper 95 % bound": True,
            f"bias noise, flat, {whole}: slope": False,
            f"bias noise, flat, {whole}: upper 95 % bound": True,
            f"bias noise, noisy, {whole}: slope": True,
            f"bias noise, noisy, {whole}: upper 95 % bound": False,
            f"removal noise, good, {whole}: size of the slope": True,
            f"removal noise, bad, {whole}: size of the slope": False,
        }

    def test_show_adjusted_slopes_and_leave_out_what_nobody_knows(self):
        known, unknown = trusting("o", "label", -0.2, -0.3), replace(trusting("o", "label"), by_level={0.0: 0.0})
        values = {row.name.rpartition(": ")[2]: row.value for row in rows([known, unknown])}
        assert values["adjusted slope"] == pytest.approx(-0.25 / 0.5)
        assert rows([unknown]) == []


def test_accuracies_are_means_over_folds():
    found = [replace(score(0.5, fold, 1, oracle=o), accuracy=0.6 + fold / 10) for fold in (0, 1) for o in "ab"]
    assert accuracies(found) == [
        {"set": "set", "noise": "bias", "level": 0.5, "model": "m", "accuracy": pytest.approx(0.65)}
    ]


# Headers are not tried: they say nothing of the two topics.
MADE = replace(made_corpus(), headers=("",) * 160)
SMALL = Settings(12, 10, 2, samples=100, models=("MultinomialNB", "SGD"), levels=(0.5, 1.0))


@pytest.fixture(scope="module")
def found() -> list[Slope]:
    return slopes(scores("made", MADE, judges_of([Topical()], SMALL.explainer(), 0), SMALL))


@pytest.fixture(scope="module")
def means(found: list[Slope]) -> dict[tuple[str, ...], float]:
    return {key: estimate(some).mean for key, some in grouped(found, "noise", "oracle")}


class TestExperiment:
    def test_every_oracle_met_every_kind_of_noise(self, found: list[Slope]):
        assert len(found) == len({(s.noise, s.model, s.oracle) for s in found}) == 3 * 2 * 5

    @pytest.mark.parametrize("oracle", ["toki", "direct", "tower", "contrastive"])
    def test_a_worse_model_gets_a_worse_verdict(self, means, oracle: str):
        assert means["bias", oracle] < -0.1
        # The few texts of a fold make the contrastive score of half wrong labels too rough to ask for more.
        assert means["label", oracle] < (0.1 if oracle == "contrastive" else -0.1)
        # Fewer words to learn from make a weaker model, but none that leans on the wrong ones.
        assert abs(means["removal", oracle]) < min(0.15, -means["bias", oracle] / 2)

    def test_confidence_takes_a_biased_model_for_a_good_one(self, means):
        assert means["bias", "confidence"] >= 0

    def test_the_same_again(self, found: list[Slope]):
        judges = judges_of([Topical()], SMALL.explainer(), 0, ["direct"])
        again = slopes(scores("made", MADE, judges, SMALL))
        assert again == [slope for slope in found if slope.oracle == "direct"]

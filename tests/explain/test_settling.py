"""Sequential sampling: verdicts as by all draws, for fewer model calls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import LimeExplainer
from pytest_trust.explain.masks import neighbourhood
from pytest_trust.explain.scoring import Job
from pytest_trust.explain.settling import LOOKS, Settling, _replicates
from pytest_trust.explain.words import word_bag
from pytest_trust.text import word_spans, words

SAMPLES = 2000


class Logistic:
    """Two classes by the summed effects of the words, and of some pairs of them."""

    source = "a logistic model"
    classes = ("no", "yes")

    def __init__(self, seed: int = 0) -> None:
        draw = np.random.default_rng(seed)
        self.effects = dict(zip(VOCABULARY, draw.normal(0.2, 0.7, len(VOCABULARY)).tolist(), strict=True))
        self.rows = 0

    def predict_proba(self, texts: Sequence[str]) -> np.ndarray:
        self.rows += len(texts)
        yes = np.array([1 / (1 + np.exp(-self._logit(text))) for text in texts])
        return np.column_stack([1 - yes, yes])

    def _logit(self, text: str) -> float:
        found = words(text)
        pairs = 0.5 * (found[:1] == ["w0"]) * len(found) ** 0.5
        return sum(self.effects[word] for word in found) / (1 + 0.1 * len(found)) + pairs

    def fingerprint(self) -> str:
        return "logistic"


VOCABULARY = [f"w{i}" for i in range(40)]
TEXTS = [" ".join(np.random.default_rng(i).choice(VOCABULARY, 14 + i % 5, replace=False)) for i in range(30)]


def leaning(class_index: int, found: Sequence[str]) -> np.ndarray:
    return np.array([1.0 if int(word[1:]) % 3 else -1.0 for word in found])


def verdict(explanation) -> bool:
    scores = [(word.word, word.score) for word in explanation.words if word.score > 0]
    return sum(score * leaning(0, [word])[0] for word, score in scores) >= 0


def explained(sampling: str, model, texts=TEXTS, lean=leaning, **more):
    explainer = LimeExplainer(SAMPLES, sampling=sampling, **more)
    return list(explainer.explain_many(model, texts, class_indices=[1] * len(texts), seed=3, leaning=lean))


def test_verdicts_are_those_of_all_draws_for_fewer_calls():
    model = Logistic()
    whole, settled = explained("fixed", model), explained("sequential", model)
    assert [verdict(item) for item in whole] == [verdict(item) for item in settled]
    assert sum(item.calls for item in settled) < sum(item.calls for item in whole) / 5
    assert not any(item.undecided for item in settled)
    assert all(item.samples == SAMPLES for item in whole)
    assert all(LOOKS[0] <= item.calls <= item.samples for item in settled)


def test_calls_are_counted_as_they_are():
    model = Logistic()
    settled = explained("sequential", model)
    assert model.rows == sum(item.calls for item in settled)


def test_what_never_settles_ends_as_lime():
    model = Logistic()
    never = explained("sequential", model, TEXTS[:2], lambda _, found: np.zeros(len(found)))
    assert never == explained("fixed", model, TEXTS[:2])


def test_capped_sampling_says_that_it_is_undecided():
    model = Logistic()
    never = explained("capped", model, TEXTS[:2], lambda _, found: np.zeros(len(found)), cap=300)
    assert [(item.calls, item.undecided) for item in never] == [(300, True)] * 2
    decided = explained("capped", model, cap=300)
    whole = explained("fixed", model)
    assert sum(not item.undecided for item in decided) >= 20
    assert all(verdict(one) == verdict(all_) for one, all_ in zip(decided, whole, strict=True) if not one.undecided)


def test_a_text_is_explained_alike_in_any_company_and_order():
    model = Logistic()
    together = explained("sequential", model, TEXTS[:6])
    assert explained("sequential", model, TEXTS[5::-1]) == together[::-1]
    assert [explained("sequential", model, [text])[0] for text in TEXTS[:3]] == together[:3]


def test_without_a_leaning_all_draws_are_scored():
    explainer = LimeExplainer(SAMPLES, sampling="sequential")
    (found,) = explainer.explain_many(Logistic(), TEXTS[:1], class_indices=[1], seed=3)
    assert found.samples == SAMPLES


def test_few_words_and_more_words_than_samples_take_all():
    model = Logistic()
    few, many = "w1 w2 w3", " ".join(f"w{i % 40}" if i < 40 else f"x{i}" for i in range(90))
    model.effects |= {f"x{i}": 0.0 for i in range(90)}
    (found,) = explained("sequential", model, [few])
    assert found.calls == 8
    explainer = LimeExplainer(60, sampling="sequential")
    (found,) = explainer.explain_many(model, [many], class_indices=[1], seed=3, leaning=leaning)
    assert found.samples == 60
    explainer = LimeExplainer(60, sampling="capped", cap=48)
    (found,) = explainer.explain_many(model, [many], class_indices=[1], seed=3, leaning=leaning)
    assert (found.samples, found.undecided) == (60, False)


@pytest.mark.parametrize("model_seed", [1, 2])
def test_standard_errors_are_those_of_the_error(model_seed):
    model = Logistic(model_seed)
    errors = []
    for text in TEXTS:
        bag = word_bag(text, word_spans)
        job = Job(bag, neighbourhood(len(bag.words), SAMPLES, 1, 25.0), 1, 0)
        column = model.predict_proba(bag.strings(job.neighbours.masks))[:, 1]
        rule = Settling(leaning, 10)
        (true,) = rule._statistic(job, 1, job.neighbours.fit.moments(column)[None])
        values = rule._statistic(job, 1, _replicates(job, column[:96]))
        errors.append((values[0] - true) / np.sqrt(np.mean((values[1:] - values[0]) ** 2)))
    assert 0.6 < np.sqrt(np.mean(np.square(errors))) < 1.5


def test_rounds_ask_for_the_further_draws_alone():
    model = Logistic()
    explainer = LimeExplainer(SAMPLES, sampling="sequential")
    calls = [[item.calls for item in found] for found in explainer.rounds(model, TEXTS[:3], [1, 1, 1], seed=3)]
    assert calls[:3] == [[64] * 3, [128] * 3, [256] * 3]
    assert model.rows == sum(calls[-1])
    *_, last = (list(found) for found in explainer.rounds(model, TEXTS[:3], [1, 1, 1], seed=3))
    assert last == list(LimeExplainer(SAMPLES).explain_many(model, TEXTS[:3], class_indices=[1] * 3, seed=3))


def test_rounds_end_where_nothing_is_left_to_ask():
    rounds = list(map(list, LimeExplainer(SAMPLES, sampling="sequential").rounds(Logistic(), ["w1 w2"], [1], seed=0)))
    assert [[item.calls for item in found] for found in rounds] == [[4]]
    assert len(list(LimeExplainer(SAMPLES).rounds(Logistic(), ["w1 w2"], [1], seed=0))) == 1


@pytest.mark.parametrize(("setting", "problem"), [({"sampling": "some"}, "sampling"), ({"cap": 47}, "cap")])
def test_settings_out_of_range(setting, problem):
    with pytest.raises(ConfigurationError, match=problem):
        LimeExplainer(**setting)


class Saturated(Logistic):
    """The same, so sure of itself that words hardly move it; with ``by`` infinite they move nothing."""

    def __init__(self, by: float) -> None:
        super().__init__()
        self.by = by

    def _logit(self, text: str) -> float:
        return super()._logit(text) + self.by


@pytest.mark.parametrize("by", [13.0, 40.0, -40.0])
def test_saturated_models_get_the_scores_of_all_draws(by):
    model = Saturated(by)
    for one, other in zip(explained("fixed", model, TEXTS[:3]), explained("sequential", model, TEXTS[:3]), strict=True):
        carrying = [[word.word for word in item.words if abs(word.score) > 1e-6] for item in (one, other)]
        assert verdict(one) == verdict(other) or not carrying[0]
        if abs(by) == 40.0:
            assert carrying == [[], []]


@pytest.mark.parametrize("given", [[1.0], np.ones((2, 2)), np.full(99, np.nan), None])
def test_a_leaning_that_is_not_one_number_a_word(given):
    with pytest.raises(ConfigurationError, match="one for each word"):
        explained("sequential", Logistic(), TEXTS[:1], lambda _, found: given)


def test_a_leaning_may_be_a_list():
    model = Logistic()
    as_list = explained("sequential", model, TEXTS[:2], lambda column, found: leaning(column, found).tolist())
    assert as_list == explained("sequential", model, TEXTS[:2])

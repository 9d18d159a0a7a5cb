"""Which predictions are picked for people."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_trust._cli.picking import Prediction, pick_spread, predictions_to_judge
from pytest_trust.data import TextDataset
from pytest_trust.errors import DataError
from pytest_trust.models import as_classifier


def data(*rows: tuple[str, str]) -> TextDataset:
    texts, labels = zip(*rows, strict=True)
    return TextDataset(texts, labels, (None,) * len(texts), "films.csv")


def test_every_tenth_of_the_scores_is_seen() -> None:
    scores = np.random.default_rng(0).beta(8, 1, 1000)
    picked = pick_spread(scores.tolist(), 10, seed=1)
    edges = np.quantile(scores, np.linspace(0, 1, 11))
    tenths = np.searchsorted(edges[1:-1], scores[picked])
    assert sorted(tenths) == list(range(10))


def test_the_order_tells_nothing_of_the_score() -> None:
    scores = [i / 400 for i in range(400)]
    ranks = [np.corrcoef(range(40), pick_spread(scores, 40, seed))[0, 1] for seed in range(30)]
    assert abs(np.mean(ranks)) < 0.1


def test_a_seed_gives_the_same_places_and_another_gives_others() -> None:
    scores = [i / 400 for i in range(400)]
    assert pick_spread(scores, 40, 5) == pick_spread(scores, 40, 5)
    assert pick_spread(scores, 40, 5) != pick_spread(scores, 40, 6)


@pytest.mark.parametrize("n", [7, 8, 100])
def test_places_are_distinct_and_all_where_there_are_no_more(n: int) -> None:
    assert sorted(pick_spread([0.9] * 7, n, seed=0)) == list(range(7))
    assert pick_spread([], n, seed=0) == []


def test_only_correct_predictions_on_distinct_texts_are_asked_about(make_word_model) -> None:
    model = as_classifier(make_word_model({"fine": 2.0}, bias=-1.0))
    rows = data(("fine", "good"), ("fine", "good"), ("dull", "bad"), ("fine film", "bad"))
    found = predictions_to_judge(model, rows, seed=0)
    assert [(item.text, item.label, item.class_index) for item in found] == [("fine", "good", 1), ("dull", "bad", 0)]
    assert [item.probability for item in found] == pytest.approx([1 / (1 + np.exp(-1))] * 2)
    assert isinstance(found[0], Prediction)


def test_no_correct_prediction_is_an_error(make_word_model) -> None:
    with pytest.raises(DataError, match=r"films\.csv: none of the 1 predictions is correct"):
        predictions_to_judge(as_classifier(make_word_model({})), data(("dull", "good")), seed=0)

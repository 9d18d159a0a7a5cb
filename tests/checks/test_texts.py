"""What checks say of each text that they judged."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from pytest_trust import check_directional, check_functional, check_invariant, check_trustworthy
from pytest_trust.explain import Explanation, LimeExplainer
from pytest_trust.oracles import Verdict
from pytest_trust.results import CheckResult, WordEvidence

TEXTS = ["good film", "Good plot, good cast", "fine film", "a bad plot", "no verdict"]


def model(texts: Sequence[str]) -> np.ndarray:
    """Good where a text has the word "good" in lower case, the surer the more often."""
    yes = np.array([0.4 + 0.25 * min(2, text.split().count("good")) for text in texts])
    return np.column_stack([1 - yes, yes])


model.classes_ = ["bad", "good"]  # type: ignore[attr-defined]


class Grumpy:
    """Trusts what rests on "good" for more than half."""

    name = "grumpy"

    def judge(self, explanation: Explanation) -> Verdict:
        words = tuple(WordEvidence(word.word.lower(), abs(word.score)) for word in explanation.words)
        related = sum(word.score for word in words if word.word == "good")
        rest = sum(word.score for word in words) - related
        return Verdict(related > rest if related else None, related, rest, words)

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        return [self.judge(explanation) for explanation in explanations]


def plain(result: CheckResult) -> list[tuple[str, bool | None]]:
    return [(item.row.text, item.holds) for item in result.texts]


def test_trustworthy_tells_of_every_correct_prediction() -> None:
    data = list(zip(TEXTS, ["good", "good", "good", "bad", "bad"], strict=True))
    result = check_trustworthy(model, data, Grumpy(), min_rate=0.1, explainer=LimeExplainer(64))
    assert plain(result) == [("good film", True), (TEXTS[1], True), ("a bad plot", None), ("no verdict", None)]
    first, second = result.texts[:2]
    scores = {word.word: word.score for word in first.row.words}
    assert first.value == pytest.approx(scores["good"] / sum(scores.values()))
    by_word = {word.word: word.spans for word in second.row.words}
    assert by_word["good"] == ((0, 4), (11, 15))
    assert [item.value for item in result.texts[2:]] == [None, None]


def test_rows_of_evidence_are_short_and_texts_are_whole() -> None:
    text = "good " + " ".join(f"w{i}" for i in range(8))
    result = check_trustworthy(model, [(text, "good")], Grumpy(), explainer=LimeExplainer(64))
    assert len(result.texts[0].row.words) == 9
    assert all(len(row.words) <= 6 for row in result.evidence)


def test_invariant_tells_which_labels_were_kept() -> None:
    result = check_invariant(model, TEXTS, str.upper)
    assert [(item.row.text, item.holds, item.row.note) for item in result.texts][:2] == [
        ("good film", False, "label flipped"),
        (TEXTS[1], False, "label flipped"),
    ]
    assert [item.value for item in result.texts] == pytest.approx([-0.25, -0.25, 0.0, 0.0, 0.0])
    assert sum(not item.holds for item in result.texts) == result.details["flips"]


def test_directional_tells_what_moved_as_expected() -> None:
    result = check_directional(model, TEXTS, str.upper, target="good", expect="decrease")
    assert [item.holds for item in result.texts] == [True, True, False, False, False]
    assert [item.value for item in result.texts] == pytest.approx([0.25, 0.25, 0.0, 0.0, 0.0])


def test_functional_tells_what_is_right() -> None:
    cases = [("good film", "good"), ("fine film", "good")]
    result = check_functional(model, cases, accuracy=0.5, augment=[str.upper])
    assert [(item.row.text, item.row.changed_text, item.holds) for item in result.texts] == [
        ("good film", None, True),
        ("fine film", None, False),
        ("good film", "GOOD FILM", False),
        ("fine film", "FINE FILM", False),
    ]
    assert [item.value for item in result.texts] == pytest.approx([0.65, 0.4, 0.4, 0.4])


def test_results_hold_them_apart() -> None:
    result = check_invariant(model, TEXTS, str.upper)
    assert "texts" not in result.to_dict()
    again = json.loads(json.dumps([item.to_dict() for item in result.texts], allow_nan=False))
    assert again[0]["holds"] is False
    assert again[0]["changed_text"] == "GOOD FILM"

"""The smallest edit that flips a label, in the evidence of an invariance check."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pytest

from pytest_trust import Outcome, check_invariant, perturb
from pytest_trust.errors import ConfigurationError, MissingExtraError

TO_CAPITALS = perturb.replace({word: word.upper() for word in ("alpha", "beta", "gamma", "delta", "key")})


class KeyModel:
    """Says "no" to texts that hold KEY; counts the texts it is asked about."""

    classes_ = ("no", "yes")

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += len(texts)
        yes = np.array([0.1 if "KEY" in text else 0.9 for text in texts])
        return np.column_stack([1 - yes, yes])


TEXTS = [f"{n} alpha beta gamma key delta" for n in range(60)]


def test_the_smallest_edit_stands_first() -> None:
    result = check_invariant(KeyModel(), TEXTS, TO_CAPITALS, search=200)
    assert result.outcome is Outcome.FAIL
    row = result.evidence[0]
    assert row.changed_text == "0 alpha beta gamma KEY delta"
    assert (row.label, row.changed_label, row.changed_probability) == ("yes", "no", pytest.approx(0.1))
    assert row.note == "smallest flip found: 1 of 5 edits"
    assert result.details["smallest_flip"] == 1
    assert len(result.evidence) == 6


def test_the_search_is_the_same_each_time_and_keeps_its_budget() -> None:
    without, model = KeyModel(), KeyModel()
    plain = check_invariant(without, TEXTS, TO_CAPITALS)
    found = [check_invariant(model, TEXTS, TO_CAPITALS, search=30) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].evidence[1:] == plain.evidence
    assert model.asked <= 2 * (without.asked + 30)


def test_no_search_after_a_pass() -> None:
    model = KeyModel()
    result = check_invariant(model, TEXTS, perturb.add_suffix("So it goes."), search=200)
    assert result.passed
    assert "smallest_flip" not in result.details


def test_nothing_found() -> None:
    result = check_invariant(KeyModel(), TEXTS[:5], perturb.add_suffix("So it goes."), search=20)
    assert result.outcome is Outcome.INCONCLUSIVE
    assert result.details["smallest_flip"] is None
    nothing = check_invariant(KeyModel(), ["a"], perturb.lowercase(), search=20)
    assert nothing.details["smallest_flip"] is None


@pytest.mark.parametrize("n_words", [50, 800, 3000])
def test_one_word_of_many_is_found_within_the_budget(n_words: int) -> None:
    texts = [" ".join(["word"] * n_words + [f"{n}x", "key"]) for n in range(10)]
    model, plain = KeyModel(), KeyModel()
    check_invariant(plain, texts, perturb.uppercase())
    result = check_invariant(model, texts, perturb.uppercase(), search=200)
    assert result.details["smallest_flip"] == 1
    assert str(result.evidence[0].changed_text).endswith("x KEY")
    assert model.asked <= plain.asked + 200


def test_two_edits_that_flip_only_together() -> None:
    def model(texts: Sequence[str]) -> np.ndarray:
        yes = np.array([0.1 if "KEY" in text and "ALPHA" in text else 0.9 for text in texts])
        return np.column_stack([1 - yes, yes])

    model.classes_ = ["no", "yes"]  # type: ignore[attr-defined]
    result = check_invariant(model, TEXTS, TO_CAPITALS, search=200)
    assert result.evidence[0].changed_text == "0 ALPHA beta gamma KEY delta"
    assert result.details["smallest_flip"] == 2


def test_other_outcomes_are_drawn_where_none_flips() -> None:
    rare = perturb.replace({"key": ["KEY", *(f"word{n}" for n in range(20))]})
    texts = [f"{n} key" for n in range(6)]
    outcomes = [check_invariant(KeyModel(), texts, rare, seed=seed, search=200) for seed in range(6)]
    drawn = [result for result in outcomes if result.details["flips"] == 0]
    assert drawn
    assert all(result.details["smallest_flip"] == 1 for result in drawn)


def test_a_perturbation_that_never_answers_alike_leaves_the_verdict(recwarn: pytest.WarningsRecorder) -> None:
    count = iter(range(10**6))
    result = check_invariant(KeyModel(), TEXTS[:8], lambda text: f"{text} {next(count)}", search=50)
    assert result.details["smallest_flip"] is None
    assert not recwarn.list


def test_without_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(MissingExtraError, match=r"search= needs the package 'hypothesis'.*pytest-trust\[hypothesis\]"):
        check_invariant(KeyModel(), TEXTS[:5], perturb.add_suffix("So it goes."), search=20)
    assert check_invariant(KeyModel(), TEXTS, TO_CAPITALS, search=20).details["smallest_flip"] == 1


@pytest.mark.parametrize("search", [-1, 1.5, "many"])
def test_a_bad_budget_is_refused(search: object) -> None:
    with pytest.raises(ConfigurationError, match="search="):
        check_invariant(KeyModel(), TEXTS, TO_CAPITALS, search=search)  # type: ignore[arg-type]

"""The adversarial check, over attacks whose outcome is given."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pytest_trust import Outcome, check_adversarial
from pytest_trust.attacks import AttackOutcome, AttackResult, WordChange
from pytest_trust.errors import ConfigurationError, DataError, ModelError
from pytest_trust.text import Span


def always_good(texts: Sequence[str]) -> np.ndarray:
    return np.tile([0.2, 0.8], (len(texts), 1))


always_good.classes_ = ["bad", "good"]  # type: ignore[attr-defined]


class Told:
    """Does to a text what its first word says."""

    name = "told"

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Iterator[AttackResult]:
        for text, label in zip(texts, labels, strict=True):
            word = text.split()[0]
            outcome = AttackOutcome[word.upper()]
            won = outcome is AttackOutcome.SUCCESS
            change = WordChange(Span(0, len(word)), Span(0, 3), word, "won")
            yield AttackResult(
                text=text,
                label=label,
                outcome=outcome,
                adversarial=text.replace(word, "won", 1) if won else text,
                changes=(change,) if won else (),
                similarity=0.95 if won else 1.0,
                before=(0.2, 0.8),
                after=(0.7, 0.3) if won else (0.2, 0.8),
                queries=10,
                seconds=0.1,
            )

    def describe(self) -> dict[str, str]:
        return {"tagger": "none"}


def rows(**counts: int) -> list[tuple[str, str]]:
    return [(f"{word} {word}{i}", "good") for word, count in counts.items() for i in range(count)]


def test_a_model_that_is_hard_to_fool_passes() -> None:
    result = check_adversarial(always_good, rows(success=5, failure=95, skipped_wrong=20, skipped_short=3), Told())
    assert (result.outcome, result.kind, result.n, result.n_total) == (Outcome.PASS, "adversarial", 100, 123)
    assert (result.estimate, result.bound, result.name) == (0.05, 0.4, "told attack")
    figures = {"attacked": 100, "successes": 5, "skipped_wrong": 20, "skipped_short": 3, "budget_spent": 0}
    assert figures.items() <= dict(result.details).items()
    assert result.details["mean_changed_words"] == 1.0
    assert (result.details["mean_queries"], result.details["tagger"]) == (10.0, "none")
    assert result.details["mean_similarity"] == pytest.approx(0.95)
    assert result.cases == tuple((f"won success{i}", "good") for i in range(5))
    json.dumps(result.to_dict(), allow_nan=False)


def test_a_model_that_is_easily_fooled_fails_and_shows_how() -> None:
    result = check_adversarial(always_good, rows(success=60, failure=40), Told())
    assert result.outcome is Outcome.FAIL
    assert result.reason == "the attack fooled the model on 60.0% of 100 texts, at most 40.0% may"
    row = result.evidence[0]
    assert (row.text, row.changed_text, row.label, row.changed_label) == (
        "success success0",
        "won success0",
        "good",
        "bad",
    )
    assert (row.probability, row.changed_probability) == (0.8, 0.3)
    assert row.note == "success -> won; similarity 0.95"


def test_too_few_texts_are_inconclusive() -> None:
    result = check_adversarial(always_good, rows(success=3, failure=7), Told())
    assert result.outcome is Outcome.INCONCLUSIVE
    assert result.advice.startswith(
        "more texts could change this: n = 10 cannot certify a success rate of at most 40.0%"
    )
    assert check_adversarial(always_good, rows(success=3, failure=7), Told(), compare="estimate").passed


@pytest.mark.parametrize("counts", [{"skipped_wrong": 9}, {"skipped_short": 9}, {"skipped_fixed": 9}])
def test_nothing_attacked_is_inconclusive_and_no_rate_of_zero(counts: dict[str, int]) -> None:
    result = check_adversarial(always_good, rows(**counts), Told())
    assert (result.outcome, result.estimate, result.n) == (Outcome.INCONCLUSIVE, None, 0)
    assert result.reason.startswith("nothing was attacked")


def test_an_ended_budget_carries_no_gate() -> None:
    result = check_adversarial(always_good, rows(success=1, budget=99), Told())
    assert (result.outcome, result.estimate, result.details["budget_spent"]) == (Outcome.INCONCLUSIVE, 0.01, 99)
    found = "the attack fooled the model on 1.0% of 100 texts"
    assert result.reason == f"{found}, and a budget ended the attack on 99 of them"
    assert "max_queries=" in result.advice
    few = check_adversarial(always_good, rows(success=5, failure=185, budget=10), Told())
    assert few.passed


class Odd(Told):
    """Answers as told, but for what ``change`` makes of it."""

    def __init__(self, change: Callable[[list[AttackResult]], object], described: object = None) -> None:
        self.change, self.described = change, described

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Any:
        return self.change(list(super().run(texts, labels)))

    def describe(self) -> dict[str, Any]:
        return {} if self.described is None else {"it": self.described}


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        (Odd(lambda found: found[:2]), "gave 2 results for 3 texts"),
        (Odd(lambda found: found * 2), "gave 6 results for 3 texts"),
        (Odd(lambda found: found[::-1]), "expected the result for 'success success0'"),
        (Odd(lambda found: ["won"] * 3), "gave str 'won': expected the result"),
        (Odd(lambda found: [replace(item, adversarial=item.text) for item in found]), "claims a success on"),
        (Odd(lambda found: [replace(item, after=item.before) for item in found]), "claims a success on"),
        (Odd(lambda found: [replace(item, label=0) for item in found]), "'success success0' of class 1"),
        (
            Odd(lambda found: [replace(item, before=()) for item in found]),
            "gave 0 and 2 probabilities before",
        ),
        (Odd(lambda found: [replace(item, after=(1.0,)) for item in found]), "expected one for each of the 2 classes"),
        (Odd(lambda found: found, described=float("nan")), "describes 'it' as float nan"),
        (Odd(lambda found: found, described=[1]), "describes 'it' as list"),
    ],
)
def test_what_an_attack_answers_is_checked(attack: Odd, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        check_adversarial(always_good, rows(success=3), attack)


def test_an_attack_cannot_set_the_figures() -> None:
    class Boasting(Told):
        def describe(self) -> dict[str, int]:
            return {"successes": 0}

    assert check_adversarial(always_good, rows(success=3), Boasting()).details["successes"] == 3


def test_a_target_restricts_to_texts_of_a_class() -> None:
    data = rows(success=10) + [(f"failure bad{i}", "bad") for i in range(30)]
    result = check_adversarial(always_good, data, Told(), target="bad")
    assert (result.n, result.estimate, result.name) == (30, 0.0, "told attack on bad")


@pytest.mark.parametrize("attack", [None, "toki", Told])
def test_what_is_no_attack_is_refused(attack: object) -> None:
    with pytest.raises(ConfigurationError, match=r"attack=.*expected an object with name, run and describe"):
        check_adversarial(always_good, rows(failure=3), attack)  # type: ignore[arg-type]


def test_arguments_are_checked() -> None:
    with pytest.raises(ConfigurationError, match="max_success_rate=1: expected"):
        check_adversarial(always_good, rows(failure=3), Told(), max_success_rate=1)
    with pytest.raises(DataError, match="texts without labels"):
        check_adversarial(always_good, ["failure it"], Told())


def test_texts_tell_where_the_model_stood_firm() -> None:
    result = check_adversarial(always_good, rows(success=1, failure=1, budget=1, skipped_wrong=1), Told())
    assert [(item.row.text.split()[0], item.holds) for item in result.texts] == [
        ("success", False),
        ("failure", True),
        ("budget", None),
    ]


class Failing(Told):
    """Tells why it failed where it did."""

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Iterator[AttackResult]:
        for item in super().run(texts, labels):
            failed = item.outcome is AttackOutcome.SKIPPED_FAILED
            yield replace(item, note="IndexError: no such word") if failed else item


def test_a_text_on_which_the_attack_failed_is_not_counted_but_told_of() -> None:
    result = check_adversarial(always_good, rows(success=5, failure=95, skipped_failed=2), Failing())
    assert (result.outcome, result.n, result.n_total, result.estimate) == (Outcome.PASS, 100, 102, 0.05)
    assert result.details["skipped_failed"] == 2
    assert result.reason == (
        "the attack fooled the model on 5.0% of 100 texts, and the attack failed on 2 texts that are not counted "
        "(IndexError: no such word)"
    )
    assert [row.note for row in result.evidence[:5]] == ["success -> won; similarity 0.95"] * 5


def test_texts_on_which_the_attack_failed_carry_no_gate() -> None:
    result = check_adversarial(always_good, rows(failure=50, skipped_failed=50), Failing())
    assert (result.outcome, result.n, result.estimate) == (Outcome.INCONCLUSIVE, 50, 0.0)
    assert "the attack failed on 50 texts that are not counted" in result.reason
    assert result.advice == "an attack that does not fail on these texts could change this"
    assert result.evidence[0].note == "not attacked: IndexError: no such word"
    assert (result.evidence[0].text, result.evidence[0].changed_text) == ("skipped_failed skipped_failed0", None)
    json.dumps(result.to_dict(), allow_nan=False)


def test_an_attack_that_fails_on_all_texts_has_attacked_nothing() -> None:
    result = check_adversarial(always_good, rows(skipped_failed=9), Failing())
    assert (result.outcome, result.estimate, result.n) == (Outcome.INCONCLUSIVE, None, 0)
    assert result.reason == "nothing was attacked: of 9 texts 9 made the attack fail (IndexError: no such word)"


def test_why_nothing_was_attacked_is_told() -> None:
    result = check_adversarial(always_good, rows(skipped_wrong=3, skipped_short=2, skipped_fixed=1), Told())
    assert result.reason == (
        "nothing was attacked: of 6 texts 3 got a wrong answer at the start, 2 have fewer than two words, "
        "1 hold nothing to replace"
    )
    assert check_adversarial(always_good, rows(success=3), Told(), target="bad").reason == (
        "nothing was attacked: there are no texts"
    )


def test_an_attack_on_another_model_is_refused() -> None:
    def unsure(texts: Sequence[str]) -> np.ndarray:
        return np.tile([0.4, 0.6], (len(texts), 1))

    unsure.classes_ = ["bad", "good"]  # type: ignore[attr-defined]
    with pytest.raises(
        ModelError, match=r"found the probability 0\.800 of the class good .* gives 0\.600 to that text"
    ):
        check_adversarial(unsure, rows(success=3), Told())


def test_a_model_whose_answers_depend_on_the_batch_is_refused() -> None:
    def by_company(texts: Sequence[str]) -> np.ndarray:
        return np.tile([0.2, 0.8] if len(texts) > 1 else [0.7, 0.3], (len(texts), 1))

    by_company.classes_ = ["bad", "good"]  # type: ignore[attr-defined]
    with pytest.raises(ModelError, match="whose answers do not depend on the batch"):
        check_adversarial(by_company, rows(failure=30), Told())

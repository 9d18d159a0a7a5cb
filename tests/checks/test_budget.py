"""A budget of time: a clock that only a slow model moves, and checks that it cuts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pytest

from pytest_trust import (
    CheckResult,
    Outcome,
    check_adversarial,
    check_directional,
    check_functional,
    check_invariant,
    check_trustworthy,
)
from pytest_trust.attacks import AttackOutcome, AttackResult
from pytest_trust.checks.budget import Deadline, Finished
from pytest_trust.checks.common import Decision
from pytest_trust.errors import BudgetSpentError, ConfigurationError
from pytest_trust.explain import Explanation, LimeExplainer
from pytest_trust.oracles import Verdict


class Clock:
    """Seconds that pass where something says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


class SlowModel:
    """Takes a while for each text; right on all of them, and 0.9 sure."""

    classes_ = ("no", "yes")

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        self._clock.now += self._seconds * len(texts)
        return np.tile([0.1, 0.9], (len(texts), 1))


class TrustsAll:
    name = "trusts all"

    def judge(self, explanation: Explanation) -> Verdict:
        return Verdict(True, 1.0, 0.0, ())

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        return [self.judge(item) for item in explanations]


class Firm:
    """An attack that never succeeds, and takes a second for each text."""

    name = "firm"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Iterator[AttackResult]:
        for text, label in zip(texts, labels, strict=True):
            self._clock.now += 1.0
            yield AttackResult(text, label, AttackOutcome.FAILURE, text, (), 1.0, (0.1, 0.9), (0.1, 0.9), 3, 1.0)

    def describe(self) -> dict[str, str]:
        return {}


ROWS = [(f"text {i}", "yes") for i in range(400)]
TEXTS = [text for text, _ in ROWS]


def trustworthy(clock: Clock, seconds: float, budget: float | None) -> CheckResult:
    deadline = None if budget is None else Deadline(budget, clock)
    explainer = LimeExplainer(samples=2, features=2)
    return check_trustworthy(
        SlowModel(clock, seconds), ROWS, TrustsAll(), explainer=explainer, budget=deadline, faithfulness=0
    )


def invariant(clock: Clock, seconds: float, budget: float | None) -> CheckResult:
    deadline = None if budget is None else Deadline(budget, clock)
    return check_invariant(SlowModel(clock, seconds), TEXTS, str.upper, budget=deadline, search=5)


def directional(clock: Clock, seconds: float, budget: float | None) -> CheckResult:
    deadline = None if budget is None else Deadline(budget, clock)
    return check_directional(SlowModel(clock, seconds), TEXTS, str.upper, expect="increase", budget=deadline)


def functional(clock: Clock, seconds: float, budget: float | None) -> CheckResult:
    deadline = None if budget is None else Deadline(budget, clock)
    return check_functional(SlowModel(clock, 2 * seconds), ROWS, accuracy=0.9, budget=deadline)


def adversarial(clock: Clock, seconds: float, budget: float | None) -> CheckResult:
    deadline = None if budget is None else Deadline(budget, clock)
    return check_adversarial(SlowModel(clock, 0.0), ROWS, Firm(clock), budget=deadline)


CHECKS = [trustworthy, invariant, directional, functional, adversarial]


@pytest.mark.parametrize("check", CHECKS)
def test_what_the_budget_cuts_is_inconclusive_and_counted(check, clock: Clock) -> None:
    result = check(clock, 0.1, 60.0)
    assert result.outcome is Outcome.INCONCLUSIVE
    assert not result.passed
    unfinished = result.details["unfinished"]
    assert 0 < unfinished <= 400
    assert result.reason.startswith("the budget of 60 s is spent: ")
    if check is not functional:  # which shows no figures of some of its cases
        assert 0 < unfinished < 400
        assert f"{400 - unfinished} of 400 " in result.reason
    assert "--trust-budget" in result.advice
    assert clock.now < 100 + 60 * 1.25, "little is done after the end"


@pytest.mark.parametrize("check", CHECKS)
def test_a_budget_that_is_not_spent_changes_nothing(check) -> None:
    free, bounded = check(Clock(), 0.0, None), check(Clock(), 0.0, 1e6)
    assert bounded.details.pop("unfinished") == 0
    assert bounded.details.pop("budget") == 1e6
    assert bounded == free
    assert "unfinished" not in free.details


@pytest.mark.parametrize("check", CHECKS)
def test_a_budget_that_is_spent_already_leaves_nothing_to_estimate(check, clock: Clock) -> None:
    result = check(clock, 1e4, 60.0)  # the first question of all takes too long
    if check is adversarial:
        deadline = Deadline(60.0, clock)
        clock.now += 60
        result = check_adversarial(SlowModel(clock, 0.0), ROWS, Firm(clock), budget=deadline)
    assert (result.outcome, result.n, result.estimate) == (Outcome.INCONCLUSIVE, 0, None)
    assert result.details["unfinished"] == 400
    assert "of 400 " in result.reason


def test_a_rate_that_is_too_low_so_far_is_no_fail(clock: Clock) -> None:
    result = check_adversarial(SlowModel(clock, 0.0), ROWS, Won(clock), budget=Deadline(30.0, clock))
    assert result.outcome is Outcome.INCONCLUSIVE
    assert "so far: " in result.reason


class Won(Firm):
    """Succeeds on every text."""

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Iterator[AttackResult]:
        for item in super().run(texts, labels):
            yield AttackResult(
                item.text, item.label, AttackOutcome.SUCCESS, "won", (), 1.0, (0.1, 0.9), (0.9, 0.1), 3, 1.0
            )


def test_checks_may_share_a_deadline(clock: Clock) -> None:
    deadline = Deadline(60.0, clock)
    model = SlowModel(clock, 0.1)
    first = check_invariant(model, TEXTS[:50], str.upper, budget=deadline)
    second = check_invariant(model, TEXTS, str.upper, budget=deadline)
    assert (first.outcome, second.outcome) == (Outcome.PASS, Outcome.INCONCLUSIVE)


def test_slices_adapt_to_how_long_one_takes(clock: Clock) -> None:
    deadline = Deadline(1000.0, clock)
    sizes = []
    for some in deadline.slices(3000):
        sizes.append(some.stop - some.start)
        clock.now += 1.0 if len(sizes) < 5 else 150.0
    assert sizes[:6] == [8, 16, 32, 64, 128, 64]
    assert sum(sizes) < 3000


def test_no_slice_begins_after_the_end(clock: Clock) -> None:
    deadline = Deadline(10.0, clock)
    clock.now += 10
    assert list(deadline.slices(5)) == []
    with pytest.raises(BudgetSpentError, match=r"^the budget of 10 s is spent: no tea$"):
        deadline.require_left("no tea")


def test_what_is_finished_stands_as_it_is() -> None:
    passed = Decision(Outcome.PASS, "fine")
    assert Finished(Deadline(1.0), 5, 5, "texts").decide(passed) is passed
    assert Finished(None, 4, 5, "texts").decide(passed) is passed
    assert Finished(Deadline(1.0), 1, 1066, "texts").decide(passed).reason == (
        "the budget of 1 s is spent: 1 of 1,066 texts (so far: fine)"
    )


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "60", True])
def test_budgets_are_positive_numbers(seconds) -> None:
    with pytest.raises(ConfigurationError, match="budget="):
        check_invariant(lambda texts: None, ["a"], str.upper, budget=seconds)

"""Batches in several threads: who asks for it, in which order results stand, and what happens after an error."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.errors import ModelError
from pytest_trust.models import as_classifier
from pytest_trust.models.threads import for_each

# A barrier that is never full fails the test instead of hanging it.
PATIENCE = 30


class Noting:
    """The first probability is the number that the text is; notes in which thread each call was made."""

    classes_ = ("a", "b")

    def __init__(self, before: Callable[[list[str]], object] = lambda texts: None, **attributes: object) -> None:
        self.before = before
        self.callers: list[threading.Thread] = []
        self.calls: list[list[str]] = []
        vars(self).update(attributes)

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.callers.append(threading.current_thread())
        self.calls.append(texts)
        self.before(texts)
        first = np.array([float(text) for text in texts])
        return np.column_stack([first, 1 - first])


def numbers(n: int) -> list[str]:
    return [str(i / n) for i in range(n)]


@pytest.mark.parametrize("attributes", [{}, {"thread_safe": False}, {"thread_safe": "yes"}, {"thread_safe": None}])
def test_a_callable_stays_in_the_caller_s_thread_unless_it_says_it_is_safe(attributes: dict[str, Any]) -> None:
    model = Noting(**attributes)
    answer = as_classifier(model, batch_size=2).predict_proba(numbers(20))
    assert set(model.callers) == {threading.current_thread()}
    assert answer[:, 0].tolist() == [i / 20 for i in range(20)]


def test_a_safe_callable_is_called_eight_times_at_once_and_no_more() -> None:
    all_there, under_way, most = threading.Barrier(8), threading.Semaphore(8), []

    def meet(texts: list[str]) -> None:
        most.append(under_way.acquire(blocking=False))
        all_there.wait(PATIENCE)
        under_way.release()

    model = Noting(meet, thread_safe=True)
    answer = as_classifier(model, batch_size=3).predict_proba(numbers(16 * 3))
    assert most == [True] * 16
    assert answer[:, 0].tolist() == [i / 48 for i in range(48)]


def test_the_order_is_kept_when_later_batches_are_answered_first() -> None:
    last_answered = threading.Event()

    def first_waits_for_last(texts: list[str]) -> None:
        if texts == ["0.0"]:
            assert last_answered.wait(PATIENCE)
        if texts == ["0.75"]:
            last_answered.set()

    answer = as_classifier(Noting(first_waits_for_last, thread_safe=True), batch_size=1).predict_proba(numbers(4))
    assert answer[:, 0].tolist() == [0.0, 0.25, 0.5, 0.75]


def test_a_function_says_so_by_an_attribute() -> None:
    both = threading.Barrier(2)

    def score(texts: list[str]) -> list[list[float]]:
        both.wait(PATIENCE)
        return [[0.5, 0.5]] * len(texts)

    score.thread_safe = True  # type: ignore[attr-defined]
    assert as_classifier(score, classes="x,y", batch_size=1).predict_proba(["a", "b"]).shape == (2, 2)


def test_the_rows_of_an_error_are_counted_over_all_batches() -> None:
    model = as_classifier(Noting(thread_safe=True), batch_size=2)
    with pytest.raises(ModelError, match=r"returned -0\.5 in row 5, column 1 \(b\)"):
        model.predict_proba([*numbers(5), "1.5"])


def test_after_an_error_no_call_is_begun() -> None:
    def fail(texts: list[str]) -> None:
        raise ZeroDivisionError(texts[0])

    model = Noting(fail, thread_safe=True)
    with pytest.raises(ModelError, match=r"ZeroDivisionError: 0\.0"):
        as_classifier(model, batch_size=1).predict_proba(numbers(500))
    assert len(model.calls) <= 8


def test_the_earliest_of_several_errors_is_raised() -> None:
    second_failed = threading.Event()

    def fail(item: int) -> None:
        if item == 0:
            assert second_failed.wait(PATIENCE)
        else:
            second_failed.set()
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        for_each(fail, range(2), threads=2)


def test_an_interruption_of_the_model_reaches_the_caller_and_ends_the_work() -> None:
    begun = []

    def interrupted(item: int) -> None:
        begun.append(item)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        for_each(interrupted, range(500), threads=4)
    assert len(begun) <= 4


@given(n=st.integers(0, 40), threads=st.integers(1, 6), failing=st.sets(st.integers(0, 39)))
def test_every_item_is_worked_on_once_unless_one_fails(n: int, threads: int, failing: set[int]) -> None:
    done: list[int] = []

    def work(item: int) -> None:
        if item in failing:
            raise ValueError(item)
        done.append(item)

    if not failing.intersection(range(n)):
        for_each(work, range(n), threads)
        assert sorted(done) == list(range(n))
        return
    with pytest.raises(ValueError, match=r"^\d+$") as caught:
        for_each(work, range(n), threads)
    assert caught.value.args[0] in failing
    assert len(done) == len(set(done))

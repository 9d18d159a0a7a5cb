"""Answers are computed once, in bounded memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.remembered import Remembered


class Squares:
    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def __call__(self, keys) -> list[int]:
        self.asked.append(list(keys))
        return [key * key for key in keys]


def test_each_is_computed_once_and_together() -> None:
    squares = Squares()
    known = Remembered(squares)
    assert known.of([2, 3, 2]) == [4, 9, 4]
    assert known.of([3, 4]) == [9, 16]
    assert known.of([]) == []
    assert squares.asked == [[2, 3], [4]]


def test_all_is_forgotten_before_it_is_too_much() -> None:
    squares = Squares()
    known = Remembered(squares, most=2)
    known.of([1, 2])
    assert known.of([2, 3]) == [4, 9]
    assert len(known) == 2
    assert known.of([1, 2, 3, 4]) == [1, 4, 9, 16]
    assert squares.asked == [[1, 2], [2, 3], [1, 2, 3, 4]]
    known.clear()
    assert len(known) == 0


@given(st.lists(st.lists(st.integers(0, 9), max_size=6)), st.integers(0, 5))
def test_answers_do_not_depend_on_what_is_remembered(calls, most) -> None:
    known = Remembered(Squares(), most=most)
    bound = max(most, *(len(set(keys)) for keys in calls), 0)
    for keys in calls:
        assert known.of(keys) == [key * key for key in keys]
        assert len(known) <= bound

from __future__ import annotations

import hashlib
import operator
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.data import TextDataset
from pytest_trust.errors import DataError


@pytest.fixture
def films() -> TextDataset:
    return TextDataset(
        texts=("good film", "bad film", "a film"),
        labels=("pos", "neg", None),
        trustworthy=(True, False, None),
        name="films.csv",
    )


def test_length_is_the_number_of_texts(films: TextDataset) -> None:
    assert len(films) == 3


def test_cannot_be_changed(films: TextDataset) -> None:
    with pytest.raises(FrozenInstanceError):
        films.name = "other"  # type: ignore[misc]


def test_take_keeps_the_columns_aligned_in_the_order_asked_for(films: TextDataset) -> None:
    taken = films.take([2, 0, 0])

    assert taken.texts == ("a film", "good film", "good film")
    assert taken.labels == (None, "pos", "pos")
    assert taken.trustworthy == (None, True, True)
    assert taken.name == "films.csv"


def test_take_accepts_numpy_indices(films: TextDataset) -> None:
    assert films.take(np.array([1])).texts == ("bad film",)


def test_take_of_nothing_is_empty(films: TextDataset) -> None:
    assert len(films.take([])) == 0


def test_take_refuses_an_index_outside(films: TextDataset) -> None:
    with pytest.raises(IndexError):
        films.take([3])


@pytest.mark.parametrize("mask", [[True, False, True], np.array([True, False, True]), [1.0]])
def test_take_does_not_take_masks_or_floats_for_indices(films: TextDataset, mask: Any) -> None:
    with pytest.raises(TypeError):
        films.take(mask)


def test_unequal_lengths_are_refused_with_all_three() -> None:
    with pytest.raises(DataError, match="found 2 texts, 1 labels, 3 verdicts and 2 groups"):
        TextDataset(("a", "b"), ("x",), (None, None, None), "t")


@pytest.mark.parametrize(
    ("texts", "labels", "trustworthy", "message"),
    [
        (["a"], ("x",), (None,), "texts must be a tuple, found list"),
        (("a",), ["x"], (None,), "labels must be a tuple, found list"),
        (("a", None), ("x", "y"), (None, None), "texts: row 2 is of type NoneType, expected str"),
        (("a",), (1,), (None,), "labels: row 1 is of type int, expected str or None"),
        (("a",), ("x",), (1,), "trustworthy: row 1 is of type int, expected bool or None"),
    ],
)
def test_wrong_types_are_refused(texts: Any, labels: Any, trustworthy: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        TextDataset(texts, labels, trustworthy, "t")


def test_fingerprint_is_sha256_over_one_json_row_a_line(films: TextDataset) -> None:
    by_hand = b'["good film", "pos", true]\n["bad film", "neg", false]\n["a film", null, null]\n'

    assert films.fingerprint == hashlib.sha256(by_hand).hexdigest()


def test_fingerprint_is_made_once(films: TextDataset) -> None:
    assert films.fingerprint is films.fingerprint


def test_fingerprint_does_not_depend_on_the_name(films: TextDataset) -> None:
    assert TextDataset(films.texts, films.labels, films.trustworthy, "x").fingerprint == films.fingerprint


@pytest.mark.parametrize(
    "other",
    [
        TextDataset(("bad film", "good film", "a film"), ("pos", "neg", None), (True, False, None), "t"),
        TextDataset(("good film", "bad film", "a film"), ("pos", "neg", "None"), (True, False, None), "t"),
        TextDataset(("good film", "bad film", "a film"), ("pos", "neg", None), (True, None, False), "t"),
        TextDataset(("good film", "bad film"), ("pos", "neg"), (True, False), "t"),
    ],
    ids=["text order", "label", "verdict order", "a row less"],
)
def test_fingerprint_depends_on_everything_else(films: TextDataset, other: TextDataset) -> None:
    assert other.fingerprint != films.fingerprint


@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), min_size=2, max_size=2, unique=True))
def test_rows_never_run_into_one_another_in_the_fingerprint(rows: list[tuple[str, str]]) -> None:
    def fingerprint(order: list[int]) -> str:
        texts, labels = zip(*operator.itemgetter(*order)(rows), strict=True)
        return TextDataset(texts, labels, (None, None), "t").fingerprint

    assert fingerprint([0, 1]) != fingerprint([1, 0])


def test_groups_go_with_their_texts(films: TextDataset) -> None:
    grouped = TextDataset(films.texts, films.labels, films.trustworthy, "films.csv", groups=("a", None, "a"))
    assert grouped.take([2, 1]).groups == ("a", None)
    assert grouped.take([1]).groups == ()
    assert grouped.fingerprint != films.fingerprint
    assert TextDataset(films.texts, films.labels, films.trustworthy, "x", (None,) * 3) == TextDataset(
        films.texts, films.labels, films.trustworthy, "x"
    )

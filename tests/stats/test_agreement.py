"""Figures of agreement by hand, and against scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics

from pytest_trust.errors import DataError
from pytest_trust.stats import Confusion

FIGURES = ("sensitivity", "specificity", "g_mean", "accuracy", "precision", "f1")
verdict_pairs = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60)


def confusion(pairs: list[tuple[bool, bool]]) -> Confusion:
    return Confusion.from_pairs([p for p, _ in pairs], [a for _, a in pairs])


def test_by_hand():
    found = Confusion(tp=6, fp=1, tn=4, fn=2)
    assert found.n == 13
    assert found.sensitivity == 6 / 8
    assert found.specificity == 4 / 5
    assert found.g_mean == pytest.approx(math.sqrt(0.75 * 0.8))
    assert found.accuracy == 10 / 13
    assert found.precision == 6 / 7
    assert found.f1 == pytest.approx(12 / 15)


def test_counts_with_trustworthy_as_the_positive_class():
    found = Confusion.from_pairs([True, True, True, False, False], [True, True, False, False, True])
    assert found == Confusion(tp=2, fp=1, tn=1, fn=1)


@pytest.mark.parametrize(
    ("found", "undefined"),
    [
        (Confusion(), set(FIGURES)),
        (Confusion(tp=3), {"specificity", "g_mean"}),
        (Confusion(fn=3), {"specificity", "g_mean", "precision"}),
        (Confusion(tn=3), {"sensitivity", "g_mean", "precision", "f1"}),
        (Confusion(fp=3), {"sensitivity", "g_mean"}),
        (Confusion(tp=1, tn=1), set()),
    ],
)
def test_undefined_is_none(found: Confusion, undefined: set[str]):
    assert {name for name in FIGURES if getattr(found, name) is None} == undefined


def test_nothing_right_is_zero_not_undefined():
    found = Confusion(fp=2, fn=3)
    assert [getattr(found, name) for name in FIGURES] == [0.0] * 6


@given(verdict_pairs)
@settings(deadline=None, max_examples=40)
def test_agrees_with_scikit_learn(pairs: list[tuple[bool, bool]]):
    found = confusion(pairs)
    assume(None not in [getattr(found, name) for name in FIGURES])
    predicted, actual = [p for p, _ in pairs], [a for _, a in pairs]
    sensitivity = metrics.recall_score(actual, predicted)
    specificity = metrics.recall_score(actual, predicted, pos_label=False)
    assert found.sensitivity == pytest.approx(sensitivity)
    assert found.specificity == pytest.approx(specificity)
    assert found.g_mean == pytest.approx(math.sqrt(sensitivity * specificity))
    assert found.accuracy == pytest.approx(metrics.accuracy_score(actual, predicted))
    assert found.precision == pytest.approx(metrics.precision_score(actual, predicted))
    assert found.f1 == pytest.approx(metrics.f1_score(actual, predicted))


@given(verdict_pairs, verdict_pairs)
@settings(deadline=None)
def test_parts_add_up_to_the_whole(first: list[tuple[bool, bool]], second: list[tuple[bool, bool]]):
    assert confusion(first) + confusion(second) == confusion(first + second)
    assert sum([confusion(first), confusion(second)], Confusion()) == confusion(first + second)


def test_adds_to_nothing_else():
    with pytest.raises(TypeError):
        Confusion(tp=1) + 1


def test_takes_arrays_and_keeps_plain_counts():
    found = Confusion.from_pairs(np.array([True, False]), iter([True, True]))
    assert found == Confusion(tp=1, fn=1)
    assert type(found.tp) is int
    assert type(found.sensitivity) is float


def test_rejects_unequal_lengths():
    with pytest.raises(DataError, match="2 predicted verdicts, 1 actual; expected equally many"):
        Confusion.from_pairs([True, False], [True])


@pytest.mark.parametrize("bad", [None, "false", 1, 0.0, math.nan])
def test_rejects_what_is_no_verdict(bad: object):
    with pytest.raises(DataError, match=r"actual\[1\] is .*expected True or False"):
        Confusion.from_pairs([True, False], [True, bad])
    with pytest.raises(DataError, match=r"predicted\[0\]"):
        Confusion.from_pairs([bad], [True])

"""Figures of agreement by hand, and against scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from pytest_trust.errors import ConfigurationError, DataError
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


class TestIntervals:
    def test_shares_have_wilson_s(self):
        found = Confusion(tp=6, fp=1, tn=4, fn=2).intervals()
        for name, part, whole in [
            ("sensitivity", 6, 8),
            ("specificity", 4, 5),
            ("accuracy", 10, 13),
            ("precision", 6, 7),
        ]:
            reference = stats.binomtest(part, whole).proportion_ci(0.95, method="wilson")
            assert found[name] == pytest.approx((reference.low, reference.high))

    def test_f1_follows_the_one_share_that_it_is_made_of(self):
        reference = stats.binomtest(6, 9).proportion_ci(0.9, method="wilson")
        low, high = Confusion(tp=6, fp=1, tn=4, fn=2).intervals(alpha=0.1)["f1"]
        assert (low / (2 - low), high / (2 - high)) == pytest.approx((reference.low, reference.high))

    def test_of_many_the_g_mean_s_is_that_of_the_normal_approximation(self):
        found = Confusion(tp=8000, fn=2000, tn=6000, fp=4000)
        # By the delta method var(log G) = (var(sens) / sens^2 + var(spec) / spec^2) / 4.
        spread = found.g_mean / 2 * math.sqrt(0.2 / 0.8 / 10_000 + 0.4 / 0.6 / 10_000)
        expected = (found.g_mean - 1.96 * spread, found.g_mean + 1.96 * spread)
        assert found.intervals()["g_mean"] == pytest.approx(expected, abs=0.1 * spread)

    def test_are_none_where_the_figure_is(self):
        found = Confusion(tp=3).intervals()
        assert {name for name in found if found[name] is None} == {"specificity", "g_mean"}
        assert set(Confusion().intervals().values()) == {None}
        assert set(found) == set(FIGURES)

    @given(verdict_pairs, st.floats(1e-6, 0.49))
    @settings(deadline=None, max_examples=60)
    def test_hold_their_figure_and_lie_within_0_and_1(self, pairs: list[tuple[bool, bool]], alpha: float):
        found = confusion(pairs)
        for name, interval in found.intervals(alpha).items():
            if interval is not None:
                low, high = interval
                assert 0 <= low <= getattr(found, name) + 1e-12
                assert getattr(found, name) - 1e-12 <= high <= 1
                assert low < high
                assert (type(low), type(high)) == (float, float)

    def test_reach_the_ends_where_the_figure_does(self):
        assert Confusion(tp=5, tn=5).intervals()["g_mean"][1] == 1.0
        low, high = Confusion(fn=77, tn=22).intervals()["g_mean"]
        assert low == 0.0
        assert 0.1 < high < 0.3

    def test_depend_on_the_seed_alone(self):
        found = Confusion(tp=6, fp=1, tn=4, fn=2)
        assert found.intervals(seed=1) == found.intervals(seed=1)
        assert found.intervals(seed=1)["g_mean"] != found.intervals(seed=2)["g_mean"]
        assert found.intervals(seed=1)["g_mean"] == pytest.approx(found.intervals(seed=2)["g_mean"], abs=0.03)

    @pytest.mark.parametrize("alpha", [0, 0.5, math.nan, None])
    def test_rejects_alpha(self, alpha: object):
        with pytest.raises(ConfigurationError, match="alpha="):
            Confusion(tp=1).intervals(alpha)

    @pytest.mark.parametrize(
        ("n", "sensitivity", "specificity"), [(40, 0.8, 0.6), (40, 0.95, 0.3), (100, 0.7, 0.7), (300, 0.9, 0.5)]
    )
    def test_hold_the_true_figures_about_as_often_as_they_say(self, n: int, sensitivity: float, specificity: float):
        draw, runs = np.random.default_rng(n), 400
        # A share of 0.6 is actually trustworthy.
        right, wrong = (0.6 * sensitivity, 0.4 * specificity), (0.6 * (1 - sensitivity), 0.4 * (1 - specificity))
        cells = dict(zip(("tp", "tn", "fn", "fp"), right + wrong, strict=True))
        f1 = 2 * cells["tp"] / (2 * cells["tp"] + cells["fp"] + cells["fn"])
        truth = {"sensitivity": sensitivity, "g_mean": math.sqrt(sensitivity * specificity), "f1": f1}
        held = dict.fromkeys(truth, 0)
        for counts in draw.multinomial(n, list(cells.values()), size=runs):
            found = Confusion(**dict(zip(cells, map(int, counts), strict=True))).intervals()
            for name, value in truth.items():
                held[name] += found[name][0] <= value <= found[name][1]
        # The standard error of a share of 400 at 0.95 is 0.011.
        assert all(0.91 <= count / runs <= 0.99 for count in held.values()), held

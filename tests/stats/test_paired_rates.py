"""McNemar's exact test and Holm's procedure against statsmodels, and what counts as turned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.stats import holm, mcnemar_exact, turned

counts = st.integers(0, 2000)
p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(counts, counts)
def test_mcnemar_is_the_binomial_test(worse: int, better: int) -> None:
    reference = stats.binomtest(worse, worse + better, alternative="greater").pvalue if worse + better else 1.0
    assert mcnemar_exact(worse, better) == pytest.approx(reference, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("worse", "better"), [(8, 1), (30, 11), (5, 0), (200, 150)])
def test_two_sided_it_is_that_of_statsmodels(worse: int, better: int) -> None:
    reference = mcnemar([[50, worse], [better, 20]], exact=True).pvalue
    assert min(1.0, 2 * mcnemar_exact(worse, better)) == pytest.approx(reference)


def test_mcnemar_by_hand() -> None:
    assert mcnemar_exact(0, 0) == 1.0
    assert mcnemar_exact(0, 7) == 1.0
    assert mcnemar_exact(5, 0) == pytest.approx(1 / 32)
    assert mcnemar_exact(3, 1) == pytest.approx(5 / 16)


@pytest.mark.parametrize("wrong", [(-1, 0), (0, 1.5), (True, 1), (1, "2")])
def test_counts_are_whole_numbers(wrong: tuple[object, object]) -> None:
    with pytest.raises(ConfigurationError, match=r"expected a whole number of at least 0"):
        mcnemar_exact(*wrong)


@pytest.mark.parametrize("seed", range(6))
def test_holm_is_that_of_statsmodels(seed: int) -> None:
    draw = np.random.default_rng(seed)
    p_values = (draw.random(int(draw.integers(1, 30))) ** 4).round(3).tolist()  # small ones, and ties
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], rel=1e-12)


@given(p_lists, st.randoms())
def test_the_order_of_hypotheses_does_not_matter(p_values: list[float], random) -> None:
    places = list(range(len(p_values)))
    random.shuffle(places)
    shuffled = holm([p_values[place] for place in places])
    adjusted = holm(p_values)
    assert [adjusted[place] for place in places] == list(shuffled)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))


def test_holm_of_none_is_none() -> None:
    assert holm([]) == ()
    with pytest.raises(DataError, match=r"p_values\[1\] is nan"):
        holm([0.1, float("nan")])


def test_turned_counts_either_way() -> None:
    assert turned([True, True, False, False, True], [True, False, True, False, False]) == (2, 1)
    assert turned([], []) == (0, 0)


def test_a_source_counts_once_by_what_most_of_its_texts_did() -> None:
    before, after = [True, True, True, False, True, False], [False, False, True, True, False, True]
    groups = [7, 7, 7, 7, 3, 3]
    # Of group 7 two turned worse and one better; of group 3 one each.
    assert turned(before, after, groups) == (1, 0)
    assert turned(before, after) == (3, 2)


@pytest.mark.parametrize("wrong", [[0, 1], [[True]], ["a"]])
def test_outcomes_are_booleans(wrong: list[object]) -> None:
    with pytest.raises(DataError, match=r"before is an array of .*; expected booleans, shape \(n,\)"):
        turned(wrong, [True])
    with pytest.raises(DataError, match=r"before has the shape \(1,\), after \(2,\)"):
        turned([True], [True, False])


def test_false_alarms_of_mcnemar_stay_below_alpha_for_models_that_differ_and_are_as_good() -> None:
    draw = np.random.default_rng(0)
    runs, alarms = 4000, 0
    for _ in range(runs):
        kinds = draw.choice(3, p=[0.8, 0.1, 0.1], size=100)
        alarms += mcnemar_exact(int((kinds == 1).sum()), int((kinds == 2).sum())) <= 0.05
    assert alarms / runs <= 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5

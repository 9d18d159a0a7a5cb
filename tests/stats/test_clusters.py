"""Rates and means of clustered values, by hand and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.errors import ConfigurationError, DataError
from pytest_trust.stats import cluster_means, clustered_rate, stays_within, wilson

rows = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=1, max_size=40)


def test_means_by_hand() -> None:
    assert cluster_means([1.0, 3.0, 5.0, 0.5], [4, 4, -2, 0]).tolist() == [0.5, 2.0, 5.0]
    assert cluster_means([3.0, 1.0]).tolist() == [1.0, 3.0]
    assert cluster_means([], []).tolist() == []


def test_rate_by_hand() -> None:
    # Shares 1, 1/2 and 0: half of three sources, whatever their sizes.
    rate = clustered_rate([True, True, False, False, False, False], [0, 1, 1, 2, 2, 2])
    assert (rate.estimate, rate.n) == (0.5, 3)
    assert (rate.low, rate.high) == pytest.approx((1 - rate.high, rate.high))


@given(rows)
@settings(deadline=None)
def test_without_groups_it_is_wilsons_rate(found) -> None:
    successes = [success for success, _ in found]
    assert clustered_rate(successes) == wilson(sum(successes), len(successes))
    assert clustered_rate(successes, range(len(successes))) == clustered_rate(successes)


@given(rows, st.randoms())
@settings(deadline=None)
def test_order_does_not_matter_to_the_last_digit(found, random) -> None:
    other = random.sample(found, len(found))
    one, again = (clustered_rate([s for s, _ in item], [g for _, g in item]) for item in (found, other))
    assert one == again
    assert 0.0 <= one.low <= one.estimate <= one.high <= 1.0


def test_nothing_seen_is_nothing_known() -> None:
    assert clustered_rate([], []) == wilson(0, 0)


@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_the_gate_holds_for_sources_of_unequal_sizes(alike: float) -> None:
    """A share ``alike`` of 40 sources answers alike throughout, those of the others one by one; a tenth is wrong."""
    rng = np.random.default_rng(3)
    passed = 0
    for _ in range(1500):
        sizes = rng.geometric(0.2, 40)
        wrong_source, is_alike = rng.random(40) < 0.1, rng.random(40) < alike
        groups = np.repeat(np.arange(40), sizes)
        wrong = np.where(is_alike[groups], wrong_source[groups], rng.random(groups.size) < 0.1)
        passed += stays_within(clustered_rate(wrong, groups), 0.1)
    assert passed / 1500 <= 0.05 + 0.017


def test_texts_counted_one_by_one_would_not_hold() -> None:
    rng = np.random.default_rng(3)
    wrong = rng.random((1500, 40)) < 0.1
    ignored = [stays_within(clustered_rate(np.repeat(row, 10)), 0.1) for row in wrong]
    assert np.mean(ignored) > 0.2


@pytest.mark.parametrize("groups", [[1], [[1, 2]], [1.5, 2.0], ["a", "b"]])
def test_groups_that_do_not_fit(groups: list) -> None:
    with pytest.raises(DataError, match="groups"):
        clustered_rate([True, False], groups)


def test_alpha() -> None:
    with pytest.raises(ConfigurationError, match="alpha"):
        clustered_rate([True], alpha=0.5)

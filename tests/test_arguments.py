"""The checks of arguments that all packages share."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pytest_trust.arguments import require_alpha, require_between, require_choice, require_count
from pytest_trust.errors import ConfigurationError


@pytest.mark.parametrize("value", [1, 0.5, Fraction(1, 2), np.float32(0.5), np.int64(1)])
def test_a_number_comes_back_as_a_float(value: Any) -> None:
    found = require_between("share", value, 0, 1, high_included=True)
    assert type(found) is float
    assert found == value


@pytest.mark.parametrize(
    ("included", "accepted"),
    [((False, False), []), ((True, False), [0.0]), ((False, True), [1.0]), ((True, True), [0.0, 1.0])],
)
def test_an_end_counts_where_it_is_included(included: tuple[bool, bool], accepted: list[float]) -> None:
    def passes(value: float) -> bool:
        try:
            require_between("share", value, 0.0, 1.0, low_included=included[0], high_included=included[1])
        except ConfigurationError:
            return False
        return True

    assert [value for value in (-0.1, 0.0, 1.0, 1.1) if passes(value)] == accepted


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, True, np.True_, "1", None, 1j, [0.5]])
def test_what_is_no_finite_number(value: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"x=.*: expected a finite number$"):
        require_between("x", value, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("low", "high", "included", "message"),
    [
        (0, 1, (False, True), "x='a': expected a number above 0 and at most 1"),
        (0, 0.5, (False, False), "x='a': expected a number above 0 and below 0.5"),
        (0, 1, (True, False), "x='a': expected a number of at least 0 and below 1"),
        (-1, 1, (True, True), "x='a': expected a number from -1 to 1"),
        (0, math.inf, (False, False), "x='a': expected a finite number above 0"),
        (-math.inf, 0, (False, True), "x='a': expected a finite number at most 0"),
    ],
)
def test_the_range_is_told(low: float, high: float, included: tuple[bool, bool], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        require_between("x", "a", low, high, low_included=included[0], high_included=included[1])
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_a_count_comes_back_as_an_int(value: Any) -> None:
    assert type(require_count("n", value, most=3)) is int


@pytest.mark.parametrize("value", [0, 5, 2.0, True, "2", None, np.float64(2)])
def test_what_is_no_count(value: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"n=.*: expected a whole number from 1 to 4$"):
        require_count("n", value, most=4)


def test_a_whole_number_of_any_size() -> None:
    assert require_count("n", -(10**400), least=-math.inf) == -(10**400)
    with pytest.raises(ConfigurationError, match=r"n=1\.5: expected a whole number$"):
        require_count("n", 1.5, least=-math.inf)


def test_alpha() -> None:
    assert require_alpha(0.05) == 0.05
    with pytest.raises(ConfigurationError, match=r"alpha=0\.5: expected a number above 0 and below 0\.5"):
        require_alpha(0.5)


@pytest.mark.parametrize(
    ("choices", "expected"), [(("a",), "'a'"), (("a", "b"), "'a' or 'b'"), (("a", "b", "c"), "'a', 'b' or 'c'")]
)
def test_choices(choices: tuple[str, ...], expected: str) -> None:
    require_choice("mode", "a", choices)
    with pytest.raises(ConfigurationError) as caught:
        require_choice("mode", "d", choices)
    assert str(caught.value) == f"mode='d': expected {expected}"

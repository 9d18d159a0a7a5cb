"""Checks of arguments; those of numbers give the plain Python value back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from pytest_trust.errors import ConfigurationError


def require_between(
    name: str, value: Any, low: float, high: float, *, low_included: bool = False, high_included: bool = False
) -> float:
    """``value`` as a float where it is a finite number between ``low`` and ``high``; an end counts where included.

    Raises:
        ConfigurationError: it is none, or is a bool.
    """
    number = _finite_or_nan(value)
    above = low <= number if low_included else low < number
    below = number <= high if high_included else number < high
    if above and below:
        return number
    kind = "a number" if math.isfinite(low) and math.isfinite(high) else "a finite number"
    raise _refusal(name, value, kind + _range(low, high, low_included, high_included))


def require_alpha(value: Any) -> float:
    """``value`` as a float where it is an alpha; one half or more would make an interval of 1 - 2 alpha empty.

    Raises:
        ConfigurationError: it is not strictly within 0 and 0.5.
    """
    return require_between("alpha", value, 0.0, 0.5)


def require_count(name: str, value: Any, least: float = 1, most: float = math.inf) -> int:
    """``value`` as an int where it is a whole number from ``least`` to ``most``.

    Raises:
        ConfigurationError: it is none, or is a bool.
    """
    if isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most:
        return int(value)
    raise _refusal(name, value, "a whole number" + _range(least, most, True, True))


def require_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Accept one of ``choices``.

    Raises:
        ConfigurationError: ``value`` is none of them.
    """
    if value not in choices:
        *others, last = map(repr, choices)
        raise _refusal(name, value, f"{', '.join(others)} or {last}" if others else last)


def _finite_or_nan(value: Any) -> float:
    """``value`` as a float; NaN, which lies in no range, where it is no number that a float can hold."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return math.nan
    try:
        number = float(value)
    except OverflowError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def _range(low: float, high: float, low_included: bool, high_included: bool) -> str:
    """As in " from 0 to 1" or " above 0 and at most 1"; an infinite end goes without saying."""
    ends = []
    if math.isfinite(low):
        ends.append(f"{'of at least' if low_included else 'above'} {low:.12g}")
    if math.isfinite(high):
        ends.append(f"{'at most' if high_included else 'below'} {high:.12g}")
    if low_included and high_included and len(ends) == 2:
        return f" from {low:.12g} to {high:.12g}"
    return f" {' and '.join(ends)}" if ends else ""


def _refusal(name: str, value: Any, expected: str) -> ConfigurationError:
    return ConfigurationError(f"{name}={value!r}: expected {expected}")

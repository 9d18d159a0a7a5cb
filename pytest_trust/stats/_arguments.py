"""Checks of arguments; each returns the plain Python value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

from pytest_trust.errors import ConfigurationError

LARGEST = 1e120
"""Numbers beyond it would overflow where they are squared and summed."""


def require_between(name: str, value: Any, low: float, high: float, *, closed: bool = False) -> float:
    """``value`` as a float where it lies within ``low`` and ``high`` (the ends count where ``closed``).

    Raises:
        ConfigurationError: it does not, or is no number.
    """
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if is_number and (low < value < high or (closed and value in (low, high))):
        return float(value)
    span = f"from {low:g} to {high:g}" if closed else f"above {low:g} and below {high:g}"
    raise ConfigurationError(f"{name} is {value!r}; expected a number {span}")


def require_alpha(alpha: Any) -> float:
    """``alpha`` as a float; one half or more would make the interval of confidence 1 - 2 alpha empty.

    Raises:
        ConfigurationError: it is not strictly within 0 and 0.5.
    """
    return require_between("alpha", alpha, 0.0, 0.5)


def require_count(name: str, value: Any, low: int, high: float = math.inf) -> int:
    """``value`` as an int where it is a whole number from ``low`` to ``high``.

    Raises:
        ConfigurationError: it is not.
    """
    if isinstance(value, Integral) and not isinstance(value, bool) and low <= int(value) <= high:
        return int(value)
    span = f"of at least {low}" if high == math.inf else f"from {low} to {high}"
    raise ConfigurationError(f"{name} is {value!r}; expected a whole number {span}")


def require_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Accept one of ``choices``.

    Raises:
        ConfigurationError: ``value`` is none of them.
    """
    if value not in choices:
        raise ConfigurationError(f"{name} is {value!r}; expected one of {', '.join(map(repr, choices))}")

"""Blanks between words, made wider or replaced by line breaks and tabs.

All leave blanks within code and markup as they are, and all preserve the label. None is idempotent.
"""

from __future__ import annotations

import regex

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.form.scatter import Places, scatter

_DEFAULT_RATE = 0.1
_SPACE = regex.compile(r"(?<=\S) (?=\S)")


def extra_whitespace(rate: float = _DEFAULT_RATE) -> Rewriting:
    """Makes single spaces between words two or three spaces wide.

    Args:
        rate: the chance of each space, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return scatter(extra_whitespace, rate, _widened)


def line_breaks(rate: float = _DEFAULT_RATE) -> Rewriting:
    """Replaces single spaces between words by line breaks.

    Args:
        rate: the chance of each space, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return scatter(line_breaks, rate, _broken)


def tabs(rate: float = _DEFAULT_RATE) -> Rewriting:
    """Replaces single spaces between words by tabs.

    Args:
        rate: the chance of each space, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return scatter(tabs, rate, _tabbed)


def _widened() -> Places:
    return Places(_SPACE, lambda _: ("  ", "   "))


def _broken() -> Places:
    return Places(_SPACE, lambda _: ("\n",))


def _tabbed() -> Places:
    return Places(_SPACE, lambda _: ("\t",))

"""Blanks between words, made wider or replaced by line breaks and tabs.

All leave blanks within code and markup as they are, and all preserve the label. None is idempotent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import regex

from pytest_trust.perturb.form.scatter import Places, Scatter, called, require_rate

_DEFAULT_RATE = 0.1
_SPACE = regex.compile(r"(?<=\S) (?=\S)")
_WIDER = ("  ", "   ")
_LINE_BREAK = ("\n",)
_TAB = ("\t",)


def extra_whitespace(rate: float = _DEFAULT_RATE) -> Scatter:
    """Makes single spaces between words two or three spaces wide.

    Args:
        rate: the chance of each space, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return _scatter("extra_whitespace", rate, _WIDER)


def line_breaks(rate: float = _DEFAULT_RATE) -> Scatter:
    """Replaces single spaces between words by line breaks.

    Args:
        rate: the chance of each space, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return _scatter("line_breaks", rate, _LINE_BREAK)


def tabs(rate: float = _DEFAULT_RATE) -> Scatter:
    """Replaces single spaces between words by tabs.

    Args:
        rate: the chance of each space, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return _scatter("tabs", rate, _TAB)


def _scatter(factory: str, rate: float, blanks: Sequence[str]) -> Scatter:
    rate = require_rate(rate)
    return Scatter(called(factory, (rate, _DEFAULT_RATE)), rate, partial(_spaces, blanks))


def _spaces(blanks: Sequence[str]) -> Places:
    return Places(_SPACE, partial(_always, blanks))


def _always(blanks: Sequence[str], found: str) -> Sequence[str]:
    return blanks

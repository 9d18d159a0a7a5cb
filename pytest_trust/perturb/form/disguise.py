"""Letters in disguise: a reader sees the same word, a program another.

All leave URLs, e-mail addresses, @handles, #hashtags, `code` and markup as they are, and all preserve the label.
None is idempotent.
"""

from __future__ import annotations

from functools import cache

import regex

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.form.scatter import Places, letter_places, scatter

_HOMOGLYPH_RATE = 0.1
_INVISIBLE_RATE = 0.05
_WITHIN_WORD = regex.compile(r"(?<=[A-Za-z])(?=[A-Za-z])")
# Zero width space, zero width joiner, word joiner, soft hyphen: none is seen, and none changes a Latin letter's shape.
_INVISIBLE = ("\u200b", "\u200d", "\u2060", "\u00ad")


def homoglyphs(rate: float = _HOMOGLYPH_RATE) -> Rewriting:
    """Replaces Latin letters by Greek and Cyrillic ones that look the same (Unicode's confusables).

    Args:
        rate: the chance of each letter that has a look-alike, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return scatter(homoglyphs, rate, _look_alikes)


def invisible_characters(rate: float = _INVISIBLE_RATE) -> Rewriting:
    """Puts characters that are not seen between Latin letters: zero width space and joiners, soft hyphen.

    Args:
        rate: the chance of each gap between two letters of a word, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return scatter(invisible_characters, rate, _gaps_of_words)


@cache
def _look_alikes() -> Places:
    return letter_places("homoglyphs")


def _gaps_of_words() -> Places:
    return Places(_WITHIN_WORD, lambda _: _INVISIBLE)

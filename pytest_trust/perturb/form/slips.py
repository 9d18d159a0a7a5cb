"""Slips of the one who types, and of a scanner that reads.

All leave URLs, e-mail addresses, @handles, #hashtags, `code` and markup as they are, and all preserve the label.
None is idempotent.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

import regex

from pytest_trust.arguments import require_choice
from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.form.scatter import Places, letter_places, scatter
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.parameters import called, require_rate
from pytest_trust.text import Span, word_spans

KINDS = ("neighbour", "swap", "drop", "insert")

_DEFAULT_RATE = 0.02
_FEWEST_LETTERS = 4
_MARK = regex.compile(r"[\p{M}\u200c\u200d]")
_LETTERS = regex.compile(r"\p{L}[\p{L}\p{M}\u200c\u200d]*")

# The rows of a QWERTY keyboard, and how far each is set off to the right, in widths of a key (ISO/IEC 9995).
_ROWS = (("qwertyuiop", 0.0), ("asdfghjkl", 0.25), ("zxcvbnm", 0.75))
_REACH = 1.3  # past the keys beside, above and below, short of the next ones


def typos(rate: float = _DEFAULT_RATE, kinds: str | Sequence[str] = KINDS) -> Rewriting:
    """Slips of the fingers within words, one kind drawn for each.

    The first letter of a word stays, no letter is changed twice, and words of fewer than four letters are left alone.
    Letters without a key (and those of other scripts) are swapped and dropped, but never put in.

    Args:
        rate: the chance of each letter, in [0, 1].
        kinds: one or more of "neighbour" (the key beside), "swap" (with the letter behind), "drop" and "insert" (the
            key beside is hit too, or the letter twice).

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1], or ``kinds`` is empty or holds another word.
    """
    rate, kinds = require_rate(rate), _checked(kinds)
    return Rewriting(called(typos, rate, kinds), partial(_slips, rate, kinds))


def ocr_slips(rate: float = _DEFAULT_RATE) -> Rewriting:
    """Letters and digits as a scanner misreads them: "rn" for "m", "l" for "1", "0" for "O".

    Args:
        rate: the chance of each place that is misread at times, in [0, 1].

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    return scatter(ocr_slips, rate, _misread)


def _slips(rate: float, kinds: Sequence[str], text: str, rng: random.Random) -> Iterator[Edit]:
    for run in _letter_runs(text):
        at = run.start + 1
        while at < run.end:
            possible = _possible(text, at, kinds)
            if possible and rng.random() < rate:
                edit = _SLIPS[rng.choice(possible)](text, at, rng)
                yield edit
                at = max(edit.end, at + 1)
            else:
                at += 1


def _checked(kinds: str | Sequence[str]) -> tuple[str, ...]:
    given = (kinds,) if isinstance(kinds, str) else kinds
    if not isinstance(given, Sequence) or not given:
        raise ConfigurationError(f"kinds={kinds!r}: expected one or more of {', '.join(map(repr, KINDS))}")
    for kind in given:
        require_choice("kinds", kind, KINDS)
    return tuple(dict.fromkeys(given))


def _letter_runs(text: str) -> Iterator[Span]:
    """Runs of four or more letters within words: "couldn" in "couldn't"."""
    shielded = protected_spans(text)
    for word in word_spans(text):
        if not overlaps(shielded, word.start, word.end):
            for run in _LETTERS.finditer(text, word.start, word.end):
                if sum(map(str.isalpha, run[0])) >= _FEWEST_LETTERS:
                    yield Span(*run.span())


def _possible(text: str, at: int, kinds: Sequence[str]) -> list[str]:
    """Which of ``kinds`` the letter at ``at`` can suffer: none where it bears a mark, which another would take over."""
    if not _is_bare_letter(text, at):
        return []
    return [kind for kind in kinds if kind == "drop" or (_can_swap(text, at) if kind == "swap" else _has_key(text[at]))]


def _is_bare_letter(text: str, at: int) -> bool:
    return text[at].isalpha() and not _MARK.match(text, at + 1)


def _can_swap(text: str, at: int) -> bool:
    return at + 1 < len(text) and text[at] != text[at + 1] and _is_bare_letter(text, at + 1)


def _has_key(letter: str) -> bool:
    return letter.lower() in _neighbours()


def _swapped(text: str, at: int, rng: random.Random) -> Edit:
    return Edit(at, at + 2, text[at + 1] + text[at])


def _dropped(text: str, at: int, rng: random.Random) -> Edit:
    return Edit(at, at + 1, "")


def _replaced(text: str, at: int, rng: random.Random) -> Edit:
    return Edit(at, at + 1, _like(text[at], rng.choice(_neighbours()[text[at].lower()])))


def _inserted(text: str, at: int, rng: random.Random) -> Edit:
    letter = text[at].lower()
    return Edit(at + 1, at + 1, _like(text[at], rng.choice((letter, *_neighbours()[letter]))))


_SLIPS: dict[str, Callable[[str, int, random.Random], Edit]] = {
    "neighbour": _replaced,
    "swap": _swapped,
    "drop": _dropped,
    "insert": _inserted,
}


def _like(letter: str, other: str) -> str:
    """``other`` in the case of ``letter``."""
    return other.upper() if letter.isupper() else other


@cache
def _neighbours() -> dict[str, tuple[str, ...]]:
    """The letters within reach of each letter's key."""
    keys = {key: (x + shift, y) for y, (row, shift) in enumerate(_ROWS) for x, key in enumerate(row)}
    return {
        key: tuple(other for other in keys if other != key and math.dist(keys[key], keys[other]) < _REACH)
        for key in keys
    }


@cache
def _misread() -> Places:
    return letter_places("ocr_slips")

"""Changes of form that a person reads over: letter case, typing errors, punctuation.

All leave URLs, e-mail addresses, @handles, #hashtags, `code` and markup as they are, and all preserve the label.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import regex

from pytest_trust.arguments import require_between
from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.protect import free_spans, gaps, overlaps, protected_spans
from pytest_trust.text import Span, word_spans

_DEFAULT_TYPO_RATE = 0.02
_CHUNK = regex.compile(r"\S+")
_MARK = regex.compile(r"[\p{M}\u200c\u200d]")
_EMOTICON = regex.compile(r"(?<!\w)[:;=][\-o']?[()\[\]DPp/\\|](?!\w)")
# Signs that are part of what is said (50%, R&D, 5 * 3) are no punctuation here.
_PUNCTUATION = regex.compile(r"[\p{P}--[%&@#*§]]+", regex.VERSION1)


def lowercase() -> Form:
    """All letters small. Idempotent."""
    return Form(name="lowercase", change=_lower)


def uppercase() -> Form:
    """All letters capital ("ß" becomes "SS"). Idempotent."""
    return Form(name="uppercase", change=_upper)


def strip_punctuation() -> Form:
    """Without punctuation outside of words. Idempotent.

    Words by the Unicode rules ("don't", "3.14") and emoticons stay whole; between two words without a space
    ("well-known") a space takes its place. A text that holds no word stays as it is.
    """
    return Form(name="strip_punctuation", change=_without_punctuation)


def typos(rate: float = _DEFAULT_TYPO_RATE) -> Typos:
    """Swaps neighbouring letters within words.

    Args:
        rate: the chance of each pair of neighbours to be swapped, in [0, 1]. The first letter of a word stays, and no
            letter is moved twice.

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    rate = require_between("rate", rate, 0.0, 1.0, low_included=True, high_included=True)
    name = "typos" if rate == _DEFAULT_TYPO_RATE else f"typos({rate:g})"
    return Typos(name=name, rate=rate)


@dataclass(frozen=True, slots=True, repr=False)
class Form(Named):
    """A change of form without chance."""

    name: str
    change: Callable[[str], Iterable[Edit]]
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """The changed ``text``; ``rng`` is not drawn from."""
        return edited(text, self.change(text))


@dataclass(frozen=True, slots=True, repr=False)
class Typos(Named):
    """What :func:`typos` makes."""

    name: str
    rate: float
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with some neighbouring letters swapped."""
        shielded = protected_spans(text)
        words = [word for word in word_spans(text) if not overlaps(shielded, word.start, word.end)]
        return edited(text, [edit for word in words for edit in _swaps(text, word, self.rate, rng)])


def _lower(text: str) -> Iterator[Edit]:
    return _by_chunk(text, str.lower)


def _upper(text: str) -> Iterator[Edit]:
    return _by_chunk(text, str.upper)


def _by_chunk(text: str, change: Callable[[str], str]) -> Iterator[Edit]:
    for span in free_spans(text):
        for chunk in _CHUNK.finditer(text, span.start, span.end):
            yield Edit(chunk.start(), chunk.end(), change(chunk[0]))


def _swaps(text: str, word: Span, rate: float, rng: random.Random) -> Iterator[Edit]:
    at = word.start + 1
    while at + 1 < word.end:
        if _can_swap(text, at) and rng.random() < rate:
            yield Edit(at, at + 2, text[at + 1] + text[at])
            at += 2
        else:
            at += 1


def _can_swap(text: str, at: int) -> bool:
    """Whether two different letters stand at ``at``, with no mark on the second (the first would take it over)."""
    one, other, behind = text[at], text[at + 1], text[at + 2 : at + 3]
    return one != other and one.isalpha() and other.isalpha() and not _MARK.match(behind)


def _without_punctuation(text: str) -> Iterator[Edit]:
    words = word_spans(text)
    if not words:
        return
    emoticons = [Span(*match.span()) for match in _EMOTICON.finditer(text)]
    for gap in gaps([*words, *emoticons, *protected_spans(text)], len(text)):
        for run in _PUNCTUATION.finditer(text, gap.start, gap.end):
            yield _removal(text, run.start(), run.end())


def _removal(text: str, start: int, end: int) -> Edit:
    """Takes ``[start, end)`` out, so that neither two words run together nor two spaces stay."""
    open_before = start == 0 or text[start - 1].isspace()
    open_after = end == len(text) or text[end].isspace()
    if open_before and open_after:
        return Edit(start, min(end + 1, len(text)), "")
    return Edit(start, end, "" if open_before or open_after else " ")

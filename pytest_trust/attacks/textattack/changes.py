"""The words by which one text differs from another."""

from __future__ import annotations

from difflib import SequenceMatcher

from pytest_trust.attacks.base import WordChange
from pytest_trust.text import Span, word_spans


def word_changes(text: str, other: str) -> tuple[WordChange, ...]:
    """The words that are others in ``other``, each counted once; a word put in or taken out has an empty partner.

    A replaced stretch is paired word by word from its start.
    """
    here, there = word_spans(text), word_spans(other)
    before = [text[span.start : span.end] for span in here]
    after = [other[span.start : span.end] for span in there]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    changes: list[WordChange] = []
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        if kind != "equal":
            changes += _paired((text, here, a, a_end), (other, there, b, b_end))
    return tuple(changes)


_Stretch = tuple[str, list[Span], int, int]


def _paired(old: _Stretch, new: _Stretch) -> list[WordChange]:
    pairs = range(max(old[3] - old[2], new[3] - new[2]))
    sides = [(_span_at(old, i), _span_at(new, i)) for i in pairs]
    return [WordChange(a, b, old[0][a.start : a.end], new[0][b.start : b.end]) for a, b in sides]


def _span_at(stretch: _Stretch, i: int) -> Span:
    """The span of the word ``i`` of a stretch; an empty one after the last."""
    _, spans, start, end = stretch
    if start + i < end:
        return spans[start + i]
    place = spans[end - 1].end if end else 0
    return Span(place, place)

"""Edits: what a perturbation changed, told in positions of the original text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from pytest_trust.errors import ConfigurationError

_PIECE = re.compile(r"\s*(?:\w+|[^\w\s])|\s+")
# difflib takes quadratic time; past this product of lengths the differing middle becomes one edit.
_DIFF_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters ``[start, end)`` of the original text become ``replacement``; start == end inserts."""

    start: int
    end: int
    replacement: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text that ``edits`` make of ``text``.

    Raises:
        ConfigurationError: the edits are out of order, overlap, or reach past the text.
    """
    ordered = list(edits)
    _check_order(ordered, len(text))
    parts: list[str] = []
    at = 0
    for edit in ordered:
        parts += (text[at : edit.start], edit.replacement)
        at = edit.end
    return "".join([*parts, text[at:]])


def _check_order(edits: Sequence[Edit], length: int) -> None:
    for edit in edits:
        if not 0 <= edit.start <= edit.end <= length:
            raise ConfigurationError(f"{edit} does not lie within a text of {length} characters")
    for one, other in pairwise(edits):
        if other.start < one.end:
            raise ConfigurationError(f"{one} and {other} overlap or are out of order")


def real_edits(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """``edits`` without those that put back what stands in ``text``."""
    return tuple(edit for edit in edits if text[edit.start : edit.end] != edit.replacement)


def diff_edits(old: str, new: str) -> tuple[Edit, ...]:
    """Edits, by whole words where possible, that make ``new`` of ``old``."""
    if old == new:
        return ()
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    head = _common_prefix(before, after)
    tail = _common_prefix(before[head:][::-1], after[head:][::-1])
    offset = sum(map(len, before[:head]))
    return tuple(_diff_pieces(before[head : len(before) - tail], after[head : len(after) - tail], offset))


def _common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length


def _diff_pieces(before: Sequence[str], after: Sequence[str], offset: int) -> list[Edit]:
    if len(before) * len(after) > _DIFF_LIMIT:
        return [Edit(offset, offset + sum(map(len, before)), "".join(after))]
    from difflib import SequenceMatcher

    starts = [offset]
    for piece in before:
        starts.append(starts[-1] + len(piece))
    return [
        _without_shared_blank("".join(before[a:b]), "".join(after[c:d]), starts[a])
        for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


def _without_shared_blank(old: str, new: str, start: int) -> Edit:
    blank = _common_prefix(old[: len(old) - len(old.lstrip())], new)
    return Edit(start + blank, start + len(old), new[blank:])


def compose_edits(text: str, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits of ``text`` that do what ``first`` does, and then ``second`` to its outcome.

    Edits that overlap or touch in the text between become one edit.
    """
    middle = apply_edits(text, first)
    final = apply_edits(middle, second)
    back = _Offsets([(start, end, edit.end - edit.start) for edit, (start, end) in _outcomes(first)])
    forward = _Offsets([(edit.start, edit.end, len(edit.replacement)) for edit in second])
    ranges = _merged([*(span for _, span in _outcomes(first)), *((edit.start, edit.end) for edit in second)])
    composed = (
        Edit(back.before(start), back.after(end), final[forward.before(start) : forward.after(end)])
        for start, end in ranges
    )
    return real_edits(text, composed)


def _outcomes(edits: Sequence[Edit]) -> list[tuple[Edit, tuple[int, int]]]:
    """Each edit with the range that its replacement fills in the new text."""
    shift = 0
    placed = []
    for edit in edits:
        start = edit.start + shift
        placed.append((edit, (start, start + len(edit.replacement))))
        shift += len(edit.replacement) - (edit.end - edit.start)
    return placed


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


class _Offsets:
    """Where positions go when each range ``[start, end)`` takes a new length.

    Only asked for positions at the bounds of merged ranges, which lie within no range.
    """

    def __init__(self, ranges: Sequence[tuple[int, int, int]]) -> None:
        self._starts = [start for start, _, _ in ranges]
        self._ends = [end for _, end, _ in ranges]
        self._shifts = [0, *accumulate(length - (end - start) for start, end, length in ranges)]

    def before(self, position: int) -> int:
        """The new position of ``position``, in front of what is put there."""
        return position + self._shifts[bisect_left(self._starts, position)]

    def after(self, position: int) -> int:
        """The new position of ``position``, behind what is put there."""
        return position + self._shifts[bisect_right(self._ends, position)]

"""Where the sentences of a text begin, and whether its last one is closed."""

from __future__ import annotations

import regex

from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.protect import overlaps, protected_spans

_BOUNDARY = regex.compile(
    r"(?<=\w[.!?…][\"'”’)\]]?)(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|[A-Z])\.)\s+(?=[\"'“‘(\[]?[\p{Lu}\d])"
)
_OPEN_END = regex.compile(r"\w[\"'”’)\]]{0,2}\Z")


def sentence_boundaries(text: str) -> list[int]:
    """Where sentences of ``text`` begin, but for the first."""
    shielded = protected_spans(text)
    return [found.end() for found in _BOUNDARY.finditer(text) if not overlaps(shielded, *found.span())]


def full_stop(text: str) -> list[Edit]:
    """A full stop behind the last word where the text ends with one, outside of what is left alone."""
    end = len(text.rstrip())
    if not _OPEN_END.search(text, 0, end) or overlaps(protected_spans(text), end - 1, end):
        return []
    return [Edit(end, end, ".")]

"""What verdicts and values of each kind of check are called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """How a prediction's ``holds`` (True, False, None) and its ``value`` are called, and what its probability is of."""

    holds: str
    fails: str
    open: str
    value: str = ""

    @property
    def verdicts(self) -> tuple[str, str, str]:
        """By code: 0 does not hold, 1 holds, 2 open."""
        return self.fails, self.holds, self.open


WORDS = {
    "trustworthy": Words("trustworthy", "not trustworthy", "not judged", "score on related words"),
    "functional": Words("right", "wrong", "open", "probability of the label"),
    "invariant": Words("label kept", "label flipped", "open", "size of the shift"),
    "directional": Words("moved as expected", "moved the other way", "open", "shift as expected"),
    "adversarial": Words("stood firm", "fooled", "search not finished"),
}
OTHER = Words("holds", "does not hold", "open", "value")


def words_of(kind: str) -> Words:
    """The words for a ``kind`` of check."""
    return WORDS.get(kind, OTHER)

"""What a check found, as plain frozen values: no numpy scalar may enter (they break xdist and JSON)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """The three outcomes of a gate; only PASS lets a test pass."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """One word of an explanation: its score for the class, and why it counts as related or not.

    ``nearest`` is the pool word nearest to it, ``keyword`` the nearest keyword of the class. ``spans`` are where it
    stands in the text (start and end of each occurrence), where that was asked for.
    """

    word: str
    score: float
    related: bool | None = None
    nearest: str | None = None
    keyword: str | None = None
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One text that speaks for the outcome, worst first.

    ``probability`` is that of ``label`` on ``text``; ``changed_text`` and ``changed_probability``
    are set where a perturbation made a second text.
    """

    text: str
    label: str
    probability: float
    words: tuple[WordEvidence, ...] = ()
    changed_text: str | None = None
    changed_label: str | None = None
    changed_probability: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextResult:
    """What a check found on one text: the row, with all its words, and what a comparison with another run pairs.

    ``holds`` says whether the text bears out what the check claims: trustworthy, its label kept, moved as expected,
    right, not fooled; None where that was not decided. ``value`` is the number behind it, such that more of it is
    better: the share of the score on related words, minus the size of the shift, the shift the expected way, the
    probability of the label. Texts of one ``source`` count as one piece of evidence; it numbers them within the check.
    """

    row: EvidenceRow
    holds: bool | None
    value: float | None
    source: int

    def to_dict(self) -> dict[str, Any]:
        """Plain values only."""
        return {"holds": self.holds, "value": self.value, "source": self.source, **_plain_row(asdict(self.row))}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check.

    ``estimate`` with its interval ``[low, high]`` is compared with ``bound``. ``n`` is the number
    of texts that the decision rests on, ``n_total`` the number looked at. ``details`` holds the further
    figures of the kind of check (counts, flip rate, ...), all plain values. ``cases`` are texts with their labels that
    the check found the model to get wrong, for a functional check to keep. ``texts`` are all that the check judged, in
    order of the data, with what it found on each.
    """

    kind: str
    name: str
    outcome: Outcome
    n: int
    n_total: int
    estimate: float | None
    low: float | None
    high: float | None
    bound: float | None
    p_value: float | None
    alpha: float
    seed: int
    reason: str
    advice: str = ""
    capability: str | None = None
    evidence: tuple[EvidenceRow, ...] = ()
    details: Mapping[str, float | int | str | bool | None] = field(default_factory=dict)
    cases: tuple[tuple[str, str], ...] = ()
    texts: tuple[TextResult, ...] = field(default=(), repr=False)

    @property
    def passed(self) -> bool:
        """True for PASS alone: an inconclusive gate does not pass."""
        return self.outcome is Outcome.PASS

    def to_dict(self) -> dict[str, Any]:
        """Plain values only: str, int, float, bool, None, list and dict; without ``texts``, which may be many."""
        plain = asdict(replace(self, texts=()))
        del plain["texts"]
        plain["outcome"] = self.outcome.value
        plain["details"] = dict(self.details)
        plain["cases"] = [list(case) for case in self.cases]
        plain["evidence"] = [_plain_row(row) for row in plain["evidence"]]
        return plain


def _plain_row(row: dict[str, Any]) -> dict[str, Any]:
    words = [{**word, "spans": [list(span) for span in word["spans"]]} for word in row["words"]]
    return {**row, "words": words}

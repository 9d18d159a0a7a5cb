"""The contract of a trustworthiness oracle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pytest_trust.explain import Explanation
from pytest_trust.explain.settling import Leaning
from pytest_trust.results import WordEvidence


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an oracle says of one prediction.

    ``trustworthy`` is None where the explanation gives nothing to judge; ``note`` then says why. ``related`` and
    ``unrelated`` are the summed scores of the words of each kind (IS_rel, IS_unr), or what the oracle weighs in their
    place. ``score`` is what the oracle compares with its threshold, higher for more trust; None where there is none.
    """

    trustworthy: bool | None
    related: float
    unrelated: float
    words: tuple[WordEvidence, ...]
    note: str = ""
    score: float | None = None


@runtime_checkable
class Oracle(Protocol):
    """Judges explanations of predictions that are known to be correct."""

    @property
    def name(self) -> str:
        """Short name, as shown in summaries."""

    def judge(self, explanation: Explanation) -> Verdict:
        """The verdict on one prediction."""

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        """The verdicts on many predictions, in order; the same as from :meth:`judge`, in fewer matrix products."""


@runtime_checkable
class LeaningOracle(Oracle, Protocol):
    """An oracle whose verdict is the sign of the summed scores of an explanation's words that speak for the class."""

    @property
    def leaning(self) -> Leaning:
        """With which sign each word enters that sum."""


@runtime_checkable
class ThresholdOracle(Oracle, Protocol):
    """An oracle that finds a prediction trustworthy where its ``score`` reaches a threshold."""

    @property
    def threshold(self) -> float:
        """The least score of a trustworthy prediction."""

    @property
    def calibrated(self) -> bool:
        """Whether the threshold comes from people's verdicts or the user, rather than from other data."""

    def with_threshold(self, threshold: float) -> ThresholdOracle:
        """The same oracle with another threshold, which counts as calibrated."""

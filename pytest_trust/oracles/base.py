"""The contract of a trustworthiness oracle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain import Explanation
from pytest_trust.results import WordEvidence


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an oracle says of one prediction.

    ``trustworthy`` is None where the explanation gives nothing to judge; ``note`` then says why. ``related`` and
    ``unrelated`` are the summed scores of the words of each kind (IS_rel, IS_unr).
    """

    trustworthy: bool | None
    related: float
    unrelated: float
    words: tuple[WordEvidence, ...]
    note: str = ""


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

    def leaning(self, class_index: int, words: Sequence[str]) -> NDArray[np.float64]:
        """With which sign each of the n ``words`` enters that sum for the class of a column, shape (n,)."""

"""The ability to score texts from which words were removed, without making their strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.models.base import Probabilities, TextClassifier

MaskScorer = Callable[[NDArray[np.bool_]], Probabilities]
"""From masks of shape (m, d), True where a word is kept, to checked probabilities of shape (m, k)."""


@dataclass(frozen=True, slots=True, eq=False)
class MaskedText:
    """A text as t occurrences of its d removable words, with what stands between them.

    ``occurrences`` are t strings, ``separators`` t + 1 (before, between and after them); ``ids`` has shape (t,): the
    word that each occurrence belongs to. Removing a word removes its occurrences and leaves all separators.
    """

    occurrences: tuple[str, ...]
    separators: tuple[str, ...]
    ids: NDArray[np.intp]

    @property
    def n_words(self) -> int:
        """d, the number of removable words."""
        return int(self.ids.max(initial=-1)) + 1

    @property
    def whole(self) -> str:
        """The text with all its words."""
        return self.strings(np.ones((1, self.n_words), dtype=np.bool_))[0]

    def strings(self, masks: NDArray[np.bool_]) -> list[str]:
        """The text under each mask, by plain joining: the meaning of a mask, for checks on a few of them."""
        return ["".join(self._pieces(mask)) for mask in masks]

    def _pieces(self, mask: NDArray[np.bool_]) -> Sequence[str]:
        pieces = [self.separators[0]]
        for occurrence, separator, word in zip(self.occurrences, self.separators[1:], self.ids, strict=True):
            pieces += [occurrence, separator] if mask[word] else [separator]
        return pieces


@runtime_checkable
class MaskScoring(TextClassifier, Protocol):
    """A classifier that may know a faster way from masks to probabilities than through strings."""

    def mask_scorer(self, text: MaskedText) -> MaskScorer | None:
        """A scorer for the masks of ``text`` that gives what ``predict_proba`` gives on the strings; None for none."""

"""What an oracle holds of the words of texts, as digests: where it ends sampling, it shapes explanations."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from pytest_trust.explain.engine import EngineExplainer
from pytest_trust.explain.settling import Leaning, WeighingLeaning
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.fingerprints import qualified_name
from pytest_trust.models.masked import MaskScoring

_DECIMALS = 9
# Scores whose weights tell one way of weighing from another.
_PROBE = np.array([[0.5, 0.3, 0.2, 0.1, 0.1, 0.0], [0.9, 0.01, 0.005, 0.0, 0.0, 0.0]])


class Signatures:
    """Digests of what ``leaning`` answers on all the words that ``explainer`` may ask it about.

    Words are asked about once a class, for many texts together.
    """

    def __init__(self, explainer: EngineExplainer, model: TextClassifier, leaning: Leaning) -> None:
        self._explainer = explainer
        self._model = model
        self._leaning = leaning
        self._weighing = _weighing(leaning)
        self._masking = False
        self._values: dict[int, dict[str, float]] = {}

    def of(self, texts: Sequence[str], class_indices: Sequence[int]) -> list[str]:
        """A digest for each text; "" for texts of which no word is asked about."""
        words = [self._words(text) for text in texts]
        self._ask(words, class_indices)
        return [self._digest(found, column) for found, column in zip(words, class_indices, strict=True)]

    def _words(self, text: str) -> tuple[str, ...]:
        """The words of ``text`` that the oracle may be asked about.

        Where one text is scored from its masks, and needs none of them, the others are taken to be: to ask costs as
        much as to score them.
        """
        if self._masking:
            return ()
        words = self._explainer.weighed_words(self._model, text, self._leaning)
        self._masking = not words and isinstance(self._model, MaskScoring) and any(map(str.isalnum, text))
        return words

    def _ask(self, words: Sequence[tuple[str, ...]], class_indices: Sequence[int]) -> None:
        new: dict[int, dict[str, None]] = {}
        for found, column in zip(words, class_indices, strict=True):
            known = self._values.setdefault(column, {})
            new.setdefault(column, {}).update((word, None) for word in found if word not in known)
        for column, wanted in new.items():
            if wanted:
                answers = np.asarray(self._leaning(column, list(wanted)), dtype=np.float64)
                # A leaning that answers something else is refused where it is used.
                self._values[column].update(zip(wanted, answers.ravel().tolist(), strict=False))

    def _digest(self, words: tuple[str, ...], column: int) -> str:
        if not words:
            return ""
        values = np.array([self._values[column].get(word, np.nan) for word in words])
        return hashlib.sha256(self._weighing + _rounded(values)).hexdigest()


def _weighing(leaning: Leaning) -> bytes:
    weights = _rounded(leaning.weights(_PROBE)) if isinstance(leaning, WeighingLeaning) else b""
    return qualified_name(leaning).encode() + weights


def _rounded(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bytes:
    unsigned_zero = np.round(values, _DECIMALS) + 0.0
    return unsigned_zero.astype("<f8").tobytes()

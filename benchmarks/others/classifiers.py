"""The classifiers, for ``--trust-model``: VADER (``vaderSentiment``) and profanity-check (``alt-profanity-check``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Vader:
    """VADER's rules; its compound score of -1 to 1 is taken for a probability of "positive" from 0 to 1."""

    classes_ = ("negative", "positive")

    def __init__(self) -> None:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        self._analyzer = SentimentIntensityAnalyzer()

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities, shape (n, 2)."""
        positive = np.array([(self._analyzer.polarity_scores(text)["compound"] + 1) / 2 for text in texts])
        return np.column_stack([1 - positive, positive])


class ProfanityCheck:
    """The linear model of profanity-check, trained by its authors on some 200,000 comments."""

    classes_ = ("non-toxic", "toxic")

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities, shape (n, 2)."""
        from profanity_check import predict_prob

        toxic = np.asarray(predict_prob(list(texts)), dtype=np.float64)
        return np.column_stack([1 - toxic, toxic])


def vader() -> Any:
    """A fresh VADER."""
    return Vader()


def profanity() -> Any:
    """A fresh profanity-check."""
    return ProfanityCheck()

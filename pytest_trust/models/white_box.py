"""Scikit-learn pipelines that begin with a vectorizer of words, scored from masks without making strings."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.models.counts import GramCounter, MaskedCounts
from pytest_trust.models.masked import MaskedText


class WhiteBox:
    """A fitted pipeline of a vectorizer of words and what follows it.

    The vectorizer is a CountVectorizer or TfidfVectorizer itself, not a subclass, which might count otherwise.
    """

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator
        self._vectorizer = estimator.steps[0][1]
        self._vocabulary = getattr(self._vectorizer, "vocabulary_", None)
        self._counter = GramCounter.of(self._vectorizer)

    @classmethod
    def of(cls, estimator: Any) -> WhiteBox | None:
        """The white box of ``estimator``; None where it is something else than such a pipeline."""
        steps = getattr(estimator, "steps", None)
        if not isinstance(steps, list) or len(steps) < 2 or not _counts_words(steps[0][1]):
            return None
        return cls(estimator)

    @property
    def is_current(self) -> bool:
        """False where the pipeline was fitted anew, or got another vectorizer."""
        vectorizer = self._estimator.steps[0][1]
        return vectorizer is self._vectorizer and getattr(vectorizer, "vocabulary_", None) is self._vocabulary

    def counts(self, text: MaskedText) -> MaskedCounts | None:
        """The counts of ``text`` under masks; None where they cannot be made without its strings."""
        return None if self._counter is None else self._counter.masked(text)

    def probabilities(self, counts: MaskedCounts, masks: NDArray[np.bool_]) -> NDArray[Any]:
        """The pipeline's answer, shape (m, k), for masks of shape (m, d)."""
        rest = self._estimator[1:]
        return np.concatenate([rest.predict_proba(self._weighted(part)) for part in counts(masks)])

    def _weighted(self, counts: Any) -> Any:
        """What the vectorizer makes of its counts."""
        counts = counts.astype(self._vectorizer.dtype)
        transformer = getattr(self._vectorizer, "_tfidf", None)
        return counts if transformer is None else transformer.transform(counts, copy=False)


def _counts_words(step: Any) -> bool:
    if not type(step).__module__.startswith("sklearn."):
        return False
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    return type(step) in (CountVectorizer, TfidfVectorizer)

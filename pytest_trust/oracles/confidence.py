"""The naive oracle: a prediction is trustworthy where the model is sure of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_between
from pytest_trust.explain import Explanation
from pytest_trust.explain.settling import Leaning
from pytest_trust.keywords.pool import supporting_words
from pytest_trust.oracles.base import Verdict
from pytest_trust.oracles.related import no_words
from pytest_trust.results import WordEvidence

DEFAULT_THRESHOLD = 0.9


class ConfidenceOracle:
    """The naive oracle that TOKI is compared with: the probability of the class is at least ``threshold`` (theta_conf).

    Explanations serve as evidence alone; the words' relatedness is not known.

    Raises:
        ConfigurationError: the threshold is not between 0 and 1.
    """

    def __init__(self, threshold: float | None = None) -> None:
        given = DEFAULT_THRESHOLD if threshold is None else threshold
        self.threshold = require_between("threshold", given, 0, 1, high_included=True)
        self.calibrated = threshold is not None
        self.name = "confidence" if threshold is None else f"confidence:threshold={self.threshold:g}"

    def with_threshold(self, threshold: float) -> ConfidenceOracle:
        """The same with another threshold, under the same name."""
        other = ConfidenceOracle(threshold)
        other.name = self.name
        return other

    def judge(self, explanation: Explanation) -> Verdict:
        """The verdict on one prediction; None where the explanation has no words, as of a text without any."""
        if not explanation.words:
            return no_words(explanation)
        words = tuple(WordEvidence(word, score) for word, score in supporting_words(explanation).items())
        sure = explanation.probability
        return Verdict(sure >= self.threshold, sure, 1 - sure, words, f"probability {sure:.3f}", sure)

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        """The verdicts on ``explanations``, in order."""
        return [self.judge(explanation) for explanation in explanations]

    @property
    def leaning(self) -> Leaning:
        """1 for every word: the verdict does not rest on words, so that the least sampling does."""
        return _all_alike


def _all_alike(class_index: int, words: Sequence[str]) -> NDArray[np.float64]:
    return np.ones(len(words))

"""This project's own oracle: do the words point to their class rather than to another, as far as a person would say?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_between
from pytest_trust.explain import Explanation
from pytest_trust.keywords.pool import supporting_words, word_form
from pytest_trust.oracles.base import Verdict
from pytest_trust.oracles.concepts import Concepts
from pytest_trust.oracles.related import no_words, settled, unknown_class
from pytest_trust.results import WordEvidence

# Chosen on training texts alone (docs/explanation/oracles.md).
DEFAULT_THRESHOLD = 0.39
_TIE = 1e-9

Array = NDArray[np.float64]


class ContrastiveOracle:
    """A prediction is trustworthy where its words point to its class more than chance would have it.

    Each word has a soft relatedness to the class between 0 and 1 (:class:`~pytest_trust.oracles.concepts.Concepts`).
    The score is their mean, in which a word counts by its rank among the explanation's words as in the discounted
    cumulative gain (Jarvelin and Kekalainen, 2002): people look at the first words most. It is corrected for chance as
    Cohen's kappa is, (mean - chance) / (1 - chance), where chance is the mean relatedness of common words.

    Args:
        labels: the k classes in the order of the model's columns.
        concepts: what the classes are about.
        threshold: the least score of a trustworthy prediction; a fixed one by default, which no verdict of a person on
            this model supports.
        weigh: how words weigh by their scores, both of shape (r, k); a score of 0 does not.

    Raises:
        ConfigurationError: the threshold is not between -1 and 1.
    """

    def __init__(
        self,
        labels: Sequence[str],
        concepts: Concepts,
        threshold: float | None = None,
        *,
        weigh: Callable[[Array], Array] | None = None,
    ) -> None:
        self.threshold = require_threshold(threshold)
        self.calibrated = threshold is not None
        self.name = "contrastive" if threshold is None else f"contrastive:threshold={self.threshold:g}"
        self._labels, self._concepts = tuple(labels), concepts
        self.weigh = weigh or rank_weights

    def with_threshold(self, threshold: float) -> ContrastiveOracle:
        """The same with another threshold, under the same name."""
        other = ContrastiveOracle(self._labels, self._concepts, threshold, weigh=self.weigh)
        other.name = self.name
        return other

    @property
    def leaning(self) -> RankedLeaning:
        """What each word adds to the verdict, and how its rank weighs."""
        return RankedLeaning(self)

    def judge(self, explanation: Explanation) -> Verdict:
        """The verdict on one prediction; None where no word speaks for the class."""
        return self.judge_many([explanation])[0]

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        """The verdicts on ``explanations``, in order.

        Raises:
            ConfigurationError: an explanation is of a class that the oracle does not know.
        """
        supports = [supporting_words(explanation) for explanation in explanations]
        self._concepts.relate(sorted({word for scores in supports for word in scores}))
        return [self._verdict(e, scores) for e, scores in zip(explanations, supports, strict=True)]

    def chance(self, column: int) -> float:
        """The mean relatedness of common words to the class of ``column``."""
        return float(self._concepts.chance[column])

    def relatedness(self, column: int, words: Sequence[str]) -> Array:
        """Relatedness of n pool forms of words to the class of ``column``, shape (n,); 0 where nobody knows one."""
        return self._concepts.relate(words)[:, column]

    def _column(self, label: str) -> int:
        if label not in self._labels:
            raise unknown_class(label, self._labels)
        return self._labels.index(label)

    def _verdict(self, explanation: Explanation, scores: dict[str, float]) -> Verdict:
        if not scores:
            return no_words(explanation)
        column, words = self._column(explanation.label), list(scores)
        related = self.relatedness(column, words)
        weights = self.weigh(np.array([list(scores.values())]))[0]
        mean, chance = float(weights @ related / weights.sum()), self.chance(column)
        score = (mean - chance) / (1.0 - chance)
        evidence = tuple(map(self._evidence, [column] * len(words), words, scores.values(), related))
        note = f"score {score:.2f}, least {self.threshold:.2f}"
        return settled(explanation, Verdict(score >= self.threshold - _TIE, mean, 1 - mean, evidence, note, score))

    def _evidence(self, column: int, word: str, score: float, related: float) -> WordEvidence:
        own, nearest = self._concepts.nearest(column, word)
        return WordEvidence(word, score, bool(related >= 0.5), nearest, own)


@dataclass(frozen=True, slots=True)
class RankedLeaning:
    """The contrastive verdict as the sign of a sum over words, for sequential sampling."""

    oracle: ContrastiveOracle

    def __call__(self, class_index: int, words: Sequence[str]) -> Array:
        """What each of n words adds beyond the threshold, shape (n,)."""
        chance = self.oracle.chance(class_index)
        least = chance + self.oracle.threshold * (1.0 - chance)
        return self.oracle.relatedness(class_index, [word_form(word) for word in words]) - least

    @property
    def weights(self) -> Callable[[Array], Array]:
        """How words weigh by their scores, both of shape (r, k); a score of 0 does not."""
        return self.oracle.weigh


def require_threshold(threshold: float | None = None) -> float:
    """``threshold`` where it can be one of this oracle, the fixed one where it is None.

    Raises:
        ConfigurationError: it is not between -1 and 1.
    """
    return require_between("threshold", DEFAULT_THRESHOLD if threshold is None else threshold, -1, 1)


def rank_weights(scores: Array) -> Array:
    """1 / log2(1 + rank) of each positive score in its row, shape (r, k); equal scores share their mean, 0 has none."""
    n, k = scores.shape
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(scores, order, axis=1)
    # Scores that differ by rounding alone are equal: else the order of words in a text would decide.
    new = np.ones((n, k), dtype=np.bool_)
    new[:, 1:] = ranked[:, :-1] - ranked[:, 1:] > _TIE * np.abs(ranked[:, :1])
    group = np.cumsum(new.ravel()) - 1
    discounts = np.tile(1.0 / np.log2(np.arange(2, k + 2)), n)
    means = np.bincount(group, discounts) / np.bincount(group)
    weights = np.empty_like(scores)
    np.put_along_axis(weights, order, np.where(ranked > 0, means[group].reshape(n, k), 0.0), axis=1)
    return weights

"""What oracles share that call each word related to the class or not, and weigh the two kinds (TOKI, Eq. 6)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explanation
from pytest_trust.explain.settling import Leaning
from pytest_trust.keywords import Relation
from pytest_trust.keywords.pool import supporting_words, word_form
from pytest_trust.oracles.base import Verdict
from pytest_trust.results import WordEvidence

# Sums of scores that differ by less than this share differ by rounding alone.
_TIE = 1e-9


class RelatedWordsOracle(ABC):
    """A prediction is trustworthy where its related words weigh at least as much as the others (Eq. 6)."""

    name: str

    def judge(self, explanation: Explanation) -> Verdict:
        """The verdict on one prediction; None where no word speaks for the class."""
        return self.judge_many([explanation])[0]

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        """The verdicts on ``explanations``, in order.

        Raises:
            ConfigurationError: an explanation is of a class that the oracle does not know.
        """
        supports = [supporting_words(explanation) for explanation in explanations]
        self._relate_all(explanations, supports)
        return [self._verdict(e, scores) for e, scores in zip(explanations, supports, strict=True)]

    @property
    def leaning(self) -> Leaning:
        """1 for each word that is related to the class of a column, -1 for the others."""
        return self._leaning

    def _leaning(self, class_index: int, words: Sequence[str]) -> NDArray[np.float64]:
        relations = self._relate(self._label(class_index), [word_form(word) for word in words])
        return np.array([1.0 if relation.related else -1.0 for relation in relations])

    @abstractmethod
    def _label(self, class_index: int) -> str:
        """The class of a column."""

    @abstractmethod
    def _relate(self, label: str, words: Sequence[str]) -> list[Relation]:
        """The relations of pool forms of words to a class, in order; answers are remembered."""

    def _relate_all(self, explanations: Sequence[Explanation], supports: Sequence[dict[str, float]]) -> None:
        """Relates the words of each class in one matrix product; single verdicts then find them remembered."""
        by_class: dict[str, set[str]] = {}
        for explanation, scores in zip(explanations, supports, strict=True):
            by_class.setdefault(explanation.label, set()).update(scores)
        for label, found in by_class.items():
            self._relate(label, sorted(found))

    def _verdict(self, explanation: Explanation, scores: dict[str, float]) -> Verdict:
        if not scores:
            return no_words(explanation)
        relations = self._relate(explanation.label, list(scores))
        words = tuple(_evidence(w, s, r) for (w, s), r in zip(scores.items(), relations, strict=True))
        related = sum(word.score for word in words if word.related)
        unrelated = sum(word.score for word in words if not word.related)
        trusted = related >= unrelated - _TIE * (related + unrelated)
        return settled(explanation, Verdict(trusted, related, unrelated, words, score=related / (related + unrelated)))


def unknown_class(label: str, known: Iterable[str]) -> ConfigurationError:
    """The error for an explanation of a class that is none of those ``known`` to the oracle."""
    return ConfigurationError(f"the oracle knows no class {label!r}; it was made for {list(known)}")


def no_words(explanation: Explanation) -> Verdict:
    """The verdict on an explanation in which no word speaks for the class."""
    return Verdict(None, 0.0, 0.0, (), explanation.note or "no word speaks for the class")


def settled(explanation: Explanation, verdict: Verdict) -> Verdict:
    """``verdict``, but for an explanation that a cap on samples left open."""
    if not explanation.undecided:
        return verdict
    note = f"undecided after {explanation.calls} model calls"
    return Verdict(None, verdict.related, verdict.unrelated, verdict.words, note)


def _evidence(word: str, score: float, relation: Relation) -> WordEvidence:
    return WordEvidence(word, score, relation.related, relation.nearest, relation.keyword)

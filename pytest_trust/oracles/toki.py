"""TOKI: do the words that carry a prediction belong to the predicted class? (Tung et al., FSE 2025)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import Embedding
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explanation
from pytest_trust.keywords import ClassRelatedness, KeywordIndex, Relation
from pytest_trust.keywords.pool import supporting_words, word_form
from pytest_trust.oracles.base import Verdict
from pytest_trust.results import WordEvidence

# Sums of scores that differ by less than this share differ by rounding alone.
_TIE = 1e-9


class TokiOracle:
    """A prediction is trustworthy where its related words weigh at least as much as the others (Eq. 6).

    ``members`` are the embeddings that ``index`` was built with, in the same order.

    Raises:
        ConfigurationError: the members are not those of the index.
    """

    name = "toki"

    def __init__(self, index: KeywordIndex, members: Sequence[Embedding]) -> None:
        expected = [(m.name, m.fingerprint, m.threshold) for m in index.origin.settings.members]
        found = [(m.name, m.fingerprint, m.threshold) for m in members]
        if found != expected:
            raise ConfigurationError(
                f"the index was built with the embeddings {_names(expected)}, but {_names(found)} "
                "(or other versions of them) are given"
            )
        self.index = index
        self._classes = {item.label: ClassRelatedness(index, item, members) for item in index.classes}

    def judge(self, explanation: Explanation) -> Verdict:
        """The verdict on one prediction; None where no word speaks for the class."""
        return self.judge_many([explanation])[0]

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        """The verdicts on ``explanations``, in order.

        Raises:
            ConfigurationError: an explanation is of a class that the index does not have.
        """
        supports = [supporting_words(explanation) for explanation in explanations]
        self._relate_all(explanations, supports)
        return [self._verdict(e, scores) for e, scores in zip(explanations, supports, strict=True)]

    def leaning(self, class_index: int, words: Sequence[str]) -> NDArray[np.float64]:
        """1 for each of the n ``words`` that is related to the class, -1 for the others, shape (n,)."""
        relatedness = self._relatedness(self.index.classes[class_index].label)
        relations = relatedness.relate([word_form(word) for word in words])
        return np.array([1.0 if relation.related else -1.0 for relation in relations])

    def _relate_all(self, explanations: Sequence[Explanation], supports: Sequence[dict[str, float]]) -> None:
        """Relates the words of each class in one matrix product; single verdicts then find them remembered."""
        by_class: dict[str, set[str]] = {}
        for explanation, scores in zip(explanations, supports, strict=True):
            by_class.setdefault(explanation.label, set()).update(scores)
        for label, found in by_class.items():
            self._relatedness(label).relate(sorted(found))

    def _relatedness(self, label: str) -> ClassRelatedness:
        if label not in self._classes:
            raise ConfigurationError(
                f"the index has no class {label!r}; it was built for the classes {sorted(self._classes)}"
            )
        return self._classes[label]

    def _verdict(self, explanation: Explanation, scores: dict[str, float]) -> Verdict:
        if not scores:
            return Verdict(None, 0.0, 0.0, (), explanation.note or "no word speaks for the class")
        relations = self._relatedness(explanation.label).relate(list(scores))
        words = tuple(_evidence(w, s, r) for (w, s), r in zip(scores.items(), relations, strict=True))
        related = sum(word.score for word in words if word.related)
        unrelated = sum(word.score for word in words if not word.related)
        if explanation.undecided:
            return Verdict(None, related, unrelated, words, f"undecided after {explanation.calls} model calls")
        return Verdict(related >= unrelated - _TIE * (related + unrelated), related, unrelated, words)


def _evidence(word: str, score: float, relation: Relation) -> WordEvidence:
    return WordEvidence(word, score, relation.related, relation.nearest, relation.keyword)


def _names(members: Sequence[tuple[str, str, float]]) -> str:
    return ", ".join(name for name, *_ in members) or "none"

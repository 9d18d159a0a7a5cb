"""TOWER: word embeddings decide whether an explanation's words belong to the class (Cho et al., 2024)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import Embedding
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explanation
from pytest_trust.keywords.pool import supporting_words
from pytest_trust.oracles.base import Verdict
from pytest_trust.oracles.direct import name_cosines, nearest_name
from pytest_trust.oracles.related import no_words, settled, unknown_class
from pytest_trust.oracles.tower_settings import TowerSettings
from pytest_trust.results import WordEvidence

_UNDEFINED = "undefined: no word is clearly related or unrelated, or as many are as are not"
_TIE = 1e-9


class TowerOracle:
    """TOWER with all its settings: trustworthy, untrustworthy, or undefined (None).

    Similarity to a class is the largest over its names. Similarities of different members are never compared; what is
    averaged is how far each lies above or below its member's threshold.

    Args:
        labels: the k classes.
        names: the names of each class as lower-cased words or phrases.
        members: the ensemble.
        aucs: the area under the ROC curve of each member, where they are to weigh by it.
        settings: of TOWER.

    Raises:
        ConfigurationError: there is no ``aucs`` of each member where the settings weigh by them.
    """

    def __init__(
        self,
        labels: Sequence[str],
        names: Sequence[Sequence[str]],
        members: Sequence[Embedding],
        aucs: Sequence[float] | None = None,
        settings: TowerSettings | None = None,
    ) -> None:
        self.settings = settings or TowerSettings()
        self.name = self.settings.named("tower")
        if self.settings.auc_weighting and (aucs is None or len(aucs) != len(members)):
            raise ConfigurationError("auc_weighting needs the AUC of each embedding; calibrate() computes it")
        self._weights = np.array(aucs if self.settings.auc_weighting else np.ones(len(members)), dtype=np.float64)
        self._names = dict(zip(labels, map(tuple, names), strict=True))
        self._members = tuple(members)

    def judge(self, explanation: Explanation) -> Verdict:
        """The verdict on one prediction; None where it is undefined or no word speaks for the class.

        Raises:
            ConfigurationError: the explanation is of a class that the oracle does not know.
        """
        scores = self._leading(explanation)
        if not scores:
            return no_words(explanation)
        names = self._names_of(explanation.label)
        cosines = [name_cosines(member, list(scores), names) for member in self._members]
        relatedness = self._relatedness(cosines)
        nearest = [nearest_name(cosines, names, row) for row in range(len(scores))]
        words = tuple(
            WordEvidence(word, score, _kind(value), name, name)
            for (word, score), value, name in zip(scores.items(), relatedness, nearest, strict=True)
        )
        return settled(explanation, self._decide(relatedness[np.isfinite(relatedness)], words))

    def judge_many(self, explanations: Sequence[Explanation]) -> list[Verdict]:
        """The verdicts on ``explanations``, in order."""
        return [self.judge(explanation) for explanation in explanations]

    def _leading(self, explanation: Explanation) -> dict[str, float]:
        """The words that are looked at, by falling score."""
        scores = supporting_words(explanation)
        # Spellings of a word were merged by their mean, which may stand elsewhere than the first of them.
        ranked = sorted(scores, key=lambda word: -scores[word])[: self.settings.top]
        return {word: scores[word] for word in ranked if scores[word] >= self.settings.min_score}

    def _names_of(self, label: str) -> tuple[str, ...]:
        if label not in self._names:
            raise unknown_class(label, self._names)
        return self._names[label]

    def _relatedness(self, cosines: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """How far n words are related (above 0) or unrelated (below), NaN where undefined, shape (n,).

        ``cosines`` are those of the words and the k names of the class by each member, shape (n, k).
        """
        above = np.stack([c.max(axis=1) - m.threshold for c, m in zip(cosines, self._members, strict=True)])
        known = np.isfinite(above)
        weights = np.where(known, self._weights[:, None], 0.0)
        if self.settings.combination == "voting":
            return self._votes(np.where(known, above, 0.0), weights)
        total = weights.sum(axis=0)
        mean = np.sum(weights * np.where(known, above, 0.0), axis=0) / np.where(total > 0, total, 1.0)
        return np.where((total > 0) & self._is_clear(mean), mean, np.nan)

    def _votes(self, above: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The balance of the members' votes between -1 and 1, where it is clear."""
        votes = np.where(self._is_clear(above), np.where(above >= 0, 1.0, -1.0), 0.0) * weights
        total = np.abs(votes).sum(axis=0)
        balance = votes.sum(axis=0) / np.where(total > 0, total, 1.0)
        return np.where(np.abs(balance) > _TIE, balance, np.nan)

    def _is_clear(self, above: NDArray[np.float64]) -> NDArray[np.bool_]:
        clear: NDArray[np.bool_] = np.abs(above) >= self.settings.exclusion
        return clear

    def _decide(self, defined: NDArray[np.float64], words: tuple[WordEvidence, ...]) -> Verdict:
        related, unrelated = int((defined >= 0).sum()), int((defined < 0).sum())
        balance = self._balance(defined, related, unrelated)
        if balance is None:
            return Verdict(None, related, unrelated, words, _UNDEFINED)
        return Verdict(balance >= 0, related, unrelated, words, score=balance)

    def _balance(self, defined: NDArray[np.float64], related: int, unrelated: int) -> float | None:
        """Above 0 for trust, None where it is undefined."""
        if not len(defined):
            return None
        if self.settings.decision == "average":
            return float(defined.mean())
        if self.settings.decision == "sufficiency":
            return 1.0 if related else -1.0
        return None if related == unrelated else (related - unrelated) / len(defined)


def _kind(value: float) -> bool | None:
    return None if np.isnan(value) else bool(value >= 0)

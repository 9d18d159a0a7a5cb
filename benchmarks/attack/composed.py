"""An attack composed of TextAttack's own parts that means what our own attack means.

TextAttack is imported with this module: :func:`~pytest_trust.attacks.textattack.parts.give_stop_words` comes before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from textattack import Attack as ComposedAttack
from textattack.constraints import Constraint, PreTransformationConstraint
from textattack.constraints.pre_transformation import MaxModificationRate, RepeatModification, StopwordModification
from textattack.constraints.semantics.sentence_encoders import SentenceEncoder as EncodedWindows
from textattack.goal_functions import UntargetedClassification
from textattack.models.wrappers import ModelWrapper
from textattack.search_methods import GreedyWordSwapWIR
from textattack.transformations import Transformation

from pytest_trust.attacks import Attack, SentenceEncoder, Substitution, Tagger
from pytest_trust.attacks.lockstep import MAX_TEXTS
from pytest_trust.attacks.textattack.transformation import as_transformation
from pytest_trust.attacks.words import is_replacement
from pytest_trust.models import TextClassifier

# The part of speech is told from so many words on either side, as TextAttack's own constraint tells it.
_REACH = 4
# Cosines are of float32: closer than this is equal.
_ROUNDING = 1e-6


class Victim(ModelWrapper):  # type: ignore[misc] # no types
    """A classifier as TextAttack asks it."""

    def __init__(self, model: TextClassifier) -> None:
        self.model = model

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Probabilities, shape (n, k)."""
        return self.model.predict_proba(texts)


@dataclass(frozen=True, slots=True)
class Admitted:
    """What a substitution offers without the ``fixed`` words, which ours never puts in."""

    substitution: Substitution
    fixed: frozenset[str]

    @property
    def name(self) -> str:
        """That of the substitution."""
        return self.substitution.name

    def candidates(self, word: str, label: int) -> list[str]:
        """See :class:`~pytest_trust.attacks.Substitution`."""
        return [offered for offered in self.substitution.candidates(word, label) if offered not in self.fixed]


class LettersOnly(PreTransformationConstraint):  # type: ignore[misc] # no types
    """Only words of letters change, as in ours; addresses and handles, which ours leaves alone too, are not told."""

    def _get_modifiable_indices(self, text: Any) -> set[int]:
        return {place for place, word in enumerate(text.words) if is_replacement(word.lower())}


class SamePartOfSpeech(Constraint):  # type: ignore[misc] # no types
    """A replacement is of the same part of speech as the word that it replaces."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__(compare_against_original=False)
        self._tagger = tagger

    def _check_constraint(self, changed: Any, before: Any) -> bool:
        return all(
            self._class(changed, place) == self._class(before, place)
            for place in changed.attack_attrs["newly_modified_indices"]
        )

    def _class(self, text: Any, place: int) -> str:
        start = max(0, place - _REACH)
        return self._tagger.tags(text.words[start : place + _REACH + 1])[place - start]


class SimilarSentence(Constraint):  # type: ignore[misc] # no types
    """The changed text is as near to the original as the settings ask; the vector of the original is made once."""

    def __init__(self, encoder: SentenceEncoder, least: float) -> None:
        super().__init__(compare_against_original=True)
        self._encoder, self._least = encoder, least
        self._original: tuple[str, NDArray[np.float64]] | None = None

    def _check_constraint(self, changed: Any, original: Any) -> bool:
        return bool(self._check_constraint_many([changed], original))

    def _check_constraint_many(self, changed: Sequence[Any], original: Any) -> list[Any]:
        if not changed:
            return []
        cosines = self._encoder.encode([text.text for text in changed]).astype(np.float64) @ self._vector(original.text)
        for text, cosine in zip(changed, cosines.tolist(), strict=True):
            # By this name the search chooses among flips.
            text.attack_attrs["similarity_score"] = cosine
        return [text for text in changed if text.attack_attrs["similarity_score"] >= self._least - _ROUNDING]

    def _vector(self, text: str) -> NDArray[np.float64]:
        if self._original is None or self._original[0] != text:
            self._original = text, self._encoder.encode([text])[0].astype(np.float64)
        return self._original[1]


class SimilarWindows(EncodedWindows):  # type: ignore[misc] # no types
    """The same as TextAttack's own base class has it.

    It encodes the original once for each changed text, and both without the punctuation at their ends.
    """

    def __init__(self, encoder: SentenceEncoder, least: float) -> None:
        super().__init__(threshold=least - _ROUNDING)
        self._encoder = encoder

    def encode(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows."""
        return self._encoder.encode(sentences)


def composed(ours: Attack, similar: type[Constraint] = SimilarSentence) -> ComposedAttack:
    """TextAttack's search with the model, replacements and constraints of ``ours``, without its budgets."""
    settings = ours.settings
    constraints = [
        RepeatModification(),
        StopwordModification([form for word in sorted(ours.fixed) for form in _forms(word)]),
        LettersOnly(),
        MaxModificationRate(settings.max_share, settings.least_words),
        SamePartOfSpeech(ours.tagger),
        similar(ours.encoder, settings.min_similarity),
    ]
    goal = UntargetedClassification(Victim(ours.model), model_batch_size=MAX_TEXTS)
    return ComposedAttack(goal, constraints, _replacements(ours), GreedyWordSwapWIR(wir_method="delete"))


def _forms(word: str) -> tuple[str, str, str]:
    """TextAttack compares words as they stand."""
    return word, word.capitalize(), word.upper()


def _replacements(ours: Attack) -> Transformation:
    """What the substitution of ``ours`` offers, which asks for no label."""
    return as_transformation(Admitted(ours.substitution, ours.fixed), lambda text: 0, ours.settings.max_candidates)

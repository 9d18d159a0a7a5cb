"""Texts in chunks, with all that is needed to explain them in another process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain.base import Explainer, explain_for_verdicts
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.rounds import Resumable, ResumableExplainer
from pytest_trust.explain.settling import Leaning
from pytest_trust.models.base import TextClassifier

Vector = NDArray[np.float64]


class Chunk(Protocol):
    """Texts that are explained together."""

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Any]:
        """What comes of each text, in order."""


@dataclass(frozen=True, slots=True)
class PlainChunk:
    """Texts to be explained for their classes (None: the predicted ones)."""

    texts: tuple[str, ...]
    class_indices: tuple[int, ...] | None
    seed: int

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Explanation]:
        """See :class:`Chunk`."""
        return explainer.explain_many(model, self.texts, class_indices=self.class_indices, seed=self.seed)


@dataclass(frozen=True, slots=True)
class SettlingChunk:
    """Texts to be explained until the verdict by ``leaning`` is settled."""

    texts: tuple[str, ...]
    class_indices: tuple[int, ...]
    seed: int
    leaning: Leaning | None

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Explanation]:
        """See :class:`Chunk`."""
        return explain_for_verdicts(
            explainer, model, self.texts, self.class_indices, seed=self.seed, leaning=self.leaning
        )


@dataclass(frozen=True, slots=True)
class RoundChunk:
    """Texts to be explained by their first ``count`` neighbours, with the answers that are ``known``."""

    texts: tuple[str, ...]
    class_indices: tuple[int, ...]
    known: tuple[Vector, ...]
    seed: int
    count: int | None

    def explained(self, explainer: Explainer, model: TextClassifier) -> Iterator[Resumable]:
        """See :class:`Chunk`."""
        assert isinstance(explainer, ResumableExplainer), "only made for such"
        return explainer.resumed(model, self.texts, self.class_indices, self.known, seed=self.seed, count=self.count)


class SignsMissingError(Exception):
    """A leaning is asked about a word whose sign did not come along."""


@dataclass(frozen=True, slots=True)
class KnownLeaning:
    """What a leaning answers on the words of a chunk, by class and word: an oracle itself may be large."""

    signs: Mapping[tuple[int, str], float]

    def __call__(self, class_index: int, words: Sequence[str]) -> Vector:
        """See :data:`~pytest_trust.explain.settling.Leaning`.

        Raises:
            SignsMissingError: a word is none of the chunk's.
        """
        try:
            return np.array([self.signs[class_index, word] for word in words], dtype=np.float64)
        except KeyError as error:
            raise SignsMissingError from error


@dataclass(frozen=True, slots=True)
class KnownWeighingLeaning(KnownLeaning):
    """The same for a :class:`~pytest_trust.explain.settling.WeighingLeaning`."""

    weights: Any

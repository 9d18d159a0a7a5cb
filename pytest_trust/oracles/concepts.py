"""What classes are about, and how far words point to one class rather than to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.errors import ConfigurationError
from pytest_trust.remembered import Remembered

Array = NDArray[np.float64]

# A word is as related as not half a standard deviation above common words, and a deviation on either side decides.
_MIDDLE = 0.5
_SLOPE = 4.0
# Fewer common words give no scale.
_LEAST_COMMON = 50


@dataclass(frozen=True, slots=True)
class _Scale:
    """Mean and standard deviation over common words, each of shape (k,)."""

    mean: Array
    deviation: Array

    @classmethod
    def of(cls, values: Array) -> _Scale:
        deviation = np.nanstd(values, axis=0)
        return cls(np.nanmean(values, axis=0), np.where(deviation > 0, deviation, 1.0))

    def __call__(self, values: Array) -> Array:
        return (values - self.mean) / self.deviation


class Concepts:
    """The concepts of k classes, each the mean direction of the words that describe it, by every member.

    By each member, the similarity of a word to a class less that to the best other class is measured in standard
    deviations above its mean over common words; the mean over the members that know the word is z. Relatedness is
    1 / (1 + exp(-4 (z - 1/2))).

    Args:
        words: the words and phrases that describe each class.
        members: the ensemble.
        common: the vectors of common words by each member.

    Raises:
        ConfigurationError: two classes have the same words; or a member knows too few of the common words or none of
            the words of a class, so that it cannot tell what is related.
    """

    def __init__(
        self, words: Sequence[Sequence[str]], members: Sequence[Embedding], common: Sequence[WordVectors]
    ) -> None:
        self.words = tuple(map(tuple, words))
        self._members = tuple(members)
        if len(set(map(frozenset, self.words))) < len(self.words):
            raise ConfigurationError("two classes are described by the same words; expected words that tell them apart")
        self._described = [[member.vectors(of_class) for of_class in self.words] for member in members]
        for member, described, vectors in zip(members, self._described, common, strict=True):
            self._check(member, described, vectors)
        self._directions = [_directions(described) for described in self._described]
        contrasts = [_contrast(v.matrix[v.known], d) for v, d in zip(common, self._directions, strict=True)]
        self._scales = [_Scale.of(values) for values in contrasts]
        self.chance: Array = np.nanmean(_soft(self._z(common)), axis=0)
        self._known = Remembered(self._related)
        self._nearest = Remembered(self._find_nearest)

    def relate(self, words: Sequence[str]) -> Array:
        """Relatedness of n words to each of the k classes, shape (n, k); 0 where no member knows the word."""
        return np.array(self._known.of(words)).reshape(len(words), len(self.words))

    def contrast(self, words: Sequence[str]) -> Array:
        """z of n words for each of the k classes, shape (n, k); NaN where no member knows the word."""
        return self._z([member.vectors(words) for member in self._members])

    def nearest(self, column: int, word: str) -> tuple[str | None, str | None]:
        """The describing word of the class of ``column`` nearest to ``word``, and that of any class.

        As the first member that knows the word sees it; None where nobody does.
        """
        return self._nearest.of([(column, word)])[0]

    def _related(self, words: Sequence[str]) -> Array:
        return np.nan_to_num(_soft(self.contrast(words)))

    def _find_nearest(self, asked: Sequence[tuple[int, str]]) -> list[tuple[str | None, str | None]]:
        return [self._nearest_to(column, word) for column, word in asked]

    def _nearest_to(self, column: int, word: str) -> tuple[str | None, str | None]:
        for member, described in zip(self._members, self._described, strict=True):
            found = member.vectors([word])
            if found.known[0]:
                best = [_nearest_of(*of, found.matrix[0]) for of in zip(self.words, described, strict=True)]
                return best[column][1], max(best)[1]
        return None, None

    def _check(self, member: Embedding, described: Sequence[WordVectors], common: WordVectors) -> None:
        known = int(common.known.sum())
        if known < _LEAST_COMMON:
            raise ConfigurationError(
                f"embedding {member.name!r} knows {known} of {len(common.known)} common English words, expected "
                f"{_LEAST_COMMON} or more: the contrastive oracle measures relatedness against them"
            )
        for words, vectors in zip(self.words, described, strict=True):
            if not vectors.known.any():
                raise ConfigurationError(
                    f"embedding {member.name!r} knows none of the words that describe a class: {', '.join(words)}"
                )

    def _z(self, vectors: Sequence[WordVectors]) -> Array:
        """z of n words, given by the vectors of each member, for each class, shape (n, k); NaN where unknown."""
        total, count = np.zeros((len(vectors[0].known), len(self.words))), np.zeros((len(vectors[0].known), 1))
        for found, directions, scale in zip(vectors, self._directions, self._scales, strict=True):
            scaled = scale(_contrast(found.matrix, directions))
            total += np.where(found.known[:, None], scaled, 0.0)
            count += found.known[:, None]
        return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def _directions(described: Sequence[WordVectors]) -> Array:
    """Unit directions of the classes, shape (d, k), each given by the vectors of its words."""
    columns = []
    for vectors in described:
        mean = vectors.matrix.astype(np.float64).sum(axis=0)
        length = np.linalg.norm(mean)
        columns.append(mean / length if length > 0 else mean)
    return np.stack(columns, axis=1)


def _nearest_of(words: Sequence[str], described: WordVectors, vector: NDArray[np.float32]) -> tuple[float, str]:
    """The cosine of the one of ``words`` that is nearest to ``vector``, and that word."""
    cosines = np.where(described.known, described.matrix.astype(np.float64) @ vector.astype(np.float64), -np.inf)
    place = int(cosines.argmax())
    return float(cosines[place]), words[place]


def _soft(z: Array) -> Array:
    soft: Array = 1.0 / (1.0 + np.exp(-_SLOPE * (z - _MIDDLE)))
    return soft


def _contrast(matrix: NDArray[np.float32], directions: Array) -> Array:
    """Cosines of n words to each of k > 1 classes, less the largest of the others, shape (n, k)."""
    # float64, so that a verdict does not depend on which words share a matrix product.
    values = matrix.astype(np.float64) @ directions
    others = [np.delete(values, column, axis=1).max(axis=1) for column in range(values.shape[1])]
    contrast: Array = values - np.stack(others, axis=1)
    return contrast

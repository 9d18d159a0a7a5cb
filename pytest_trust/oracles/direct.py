"""TOKI without keyword identification: are the words that carry a prediction similar to the name of the class?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.base import Embedding
from pytest_trust.keywords import Relation
from pytest_trust.keywords.votes import plurality
from pytest_trust.oracles.related import RelatedWordsOracle, unknown_class
from pytest_trust.remembered import Remembered


class DirectOracle(RelatedWordsOracle):
    """A word is related where its similarity to the nearest name of the class reaches theta_relate.

    The variant without keyword identification that TOKI is compared with (Tung et al., 2025). The members of the
    ensemble vote as they do in TOKI; one that knows neither the word nor any name of the class abstains.

    Args:
        labels: the k classes in the order of the model's columns.
        names: the names of each class as lower-cased words or phrases.
        members: the ensemble.
    """

    name = "direct"

    def __init__(self, labels: Sequence[str], names: Sequence[Sequence[str]], members: Sequence[Embedding]) -> None:
        self._labels = tuple(labels)
        self._names = dict(zip(labels, map(tuple, names), strict=True))
        self._members = tuple(members)
        self._known = {label: Remembered(partial(self._compute, label)) for label in labels}

    def _label(self, class_index: int) -> str:
        return self._labels[class_index]

    def _relate(self, label: str, words: Sequence[str]) -> list[Relation]:
        if label not in self._known:
            raise unknown_class(label, self._known)
        return self._known[label].of(words)

    def _compute(self, label: str, words: Sequence[str]) -> list[Relation]:
        names = self._names[label]
        cosines = [name_cosines(member, words, names) for member in self._members]
        votes = np.stack([c.max(axis=1) >= m.threshold for m, c in zip(self._members, cosines, strict=True)])
        present = np.stack([np.isfinite(c).any(axis=1) for c in cosines])
        elected = plurality(votes & present, present)
        nearest = [nearest_name(cosines, names, i) for i in range(len(words))]
        return [Relation(bool(e), name, name) for e, name in zip(elected, nearest, strict=True)]


def name_cosines(member: Embedding, words: Sequence[str], names: Sequence[str]) -> NDArray[np.float64]:
    """Cosines of n words and k names by one member, shape (n, k); -inf where it does not know either."""
    of_words, of_names = member.vectors(words), member.vectors(names)
    # float64, so that a verdict does not depend on which words share a matrix product.
    cosines = of_words.matrix.astype(np.float64) @ of_names.matrix.astype(np.float64).T
    known = of_words.known[:, None] & of_names.known[None, :]
    return np.where(known, cosines, -np.inf)


def nearest_name(cosines: Sequence[NDArray[np.float64]], names: Sequence[str], row: int) -> str | None:
    """The name nearest to a word by the first member that knows both, of :func:`name_cosines` by each member."""
    for matrix in cosines:
        if np.isfinite(matrix[row]).any():
            return names[int(matrix[row].argmax())]
    return None

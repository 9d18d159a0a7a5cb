"""Counter-fitting: synonyms are drawn together and antonyms driven apart (Mrksic et al., NAACL 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pytest_trust.arguments import require_between, require_count

Pairs = NDArray[np.intp]
Floats = NDArray[np.float32]

_ROWS = 512
_PAIRS = 1 << 18


@dataclass(frozen=True, slots=True)
class CounterFitting:
    """Settings, with the defaults of the paper; distances are 1 - cosine.

    Args:
        antonym_distance: delta, below which antonyms are driven apart.
        synonym_distance: gamma, above which synonyms are drawn together.
        neighbourhood: rho; words that were nearer than this are kept as near as they were.
        epochs: steps taken by all words together.
        learning_rate: of a step along the mean of a word's gradients.

    Raises:
        ConfigurationError: a setting is out of its range.
    """

    antonym_distance: float = 1.0
    synonym_distance: float = 0.0
    neighbourhood: float = 0.2
    epochs: int = 20
    learning_rate: float = 0.1

    def __post_init__(self) -> None:
        for name in ("antonym_distance", "synonym_distance", "neighbourhood"):
            object.__setattr__(self, name, require_between(name, getattr(self, name), 0.0, 2.0, low_included=True))
        object.__setattr__(self, "epochs", require_count("epochs", self.epochs))
        rate = require_between("learning_rate", self.learning_rate, 0.0, 1.0, high_included=True)
        object.__setattr__(self, "learning_rate", rate)


@dataclass(frozen=True, slots=True)
class _Force:
    """What acts on m ``pairs``, shape (m, 2): towards each other below the cosines ``bound``, or apart above them."""

    pairs: Pairs
    bound: NDArray[np.float32]
    sign: float

    def acting(self, vectors: Floats) -> tuple[Pairs, Floats]:
        """The pairs on which it acts now, and sign times their cosine."""
        cosine = _cosines(vectors, self.pairs)
        acts = (self.bound - cosine) * self.sign > 0
        return self.pairs[acts], np.float32(self.sign) * cosine[acts]


def counter_fit(
    vectors: Floats, synonyms: Pairs, antonyms: Pairs, settings: CounterFitting = CounterFitting()
) -> Floats:
    """Unit rows made of the unit rows ``vectors``, shape (n, d), by pairs of rows, each of shape (m, 2).

    All words take their step at once, along the mean of the gradients of all terms that concern them. A pair that is
    both counts as antonyms.
    """
    antonyms = _distinct(antonyms, len(vectors))
    synonyms = np.array(sorted({*map(tuple, _distinct(synonyms, len(vectors)))} - {*map(tuple, antonyms)}), np.intp)
    near = _near_pairs(vectors, 1.0 - settings.neighbourhood)
    forces = [
        _Force(antonyms, _constant(1.0 - settings.antonym_distance, antonyms), -1.0),
        _Force(synonyms.reshape(-1, 2), _constant(1.0 - settings.synonym_distance, synonyms), 1.0),
        _Force(near, _cosines(vectors, near), 1.0),
    ]
    fitted = vectors.copy()
    for _ in range(settings.epochs):
        fitted += np.float32(settings.learning_rate) * _mean_gradients(fitted, forces)
        fitted /= np.linalg.norm(fitted, axis=1, keepdims=True)
    return fitted


def _distinct(pairs: Pairs, n: int) -> Pairs:
    """Each pair of different rows once, the lower first."""
    ordered = np.sort(pairs.reshape(-1, 2), axis=1)
    kept: Pairs = np.unique(ordered[ordered[:, 0] != ordered[:, 1]], axis=0)
    return kept


def _constant(cosine: float, pairs: Pairs) -> NDArray[np.float32]:
    return np.full(len(pairs), cosine, dtype=np.float32)


def _cosines(vectors: Floats, pairs: Pairs) -> NDArray[np.float32]:
    cosines = np.empty(len(pairs), dtype=np.float32)
    for start in range(0, len(pairs), _PAIRS):
        some = slice(start, start + _PAIRS)
        cosines[some] = np.einsum("ij,ij->i", vectors[pairs[some, 0]], vectors[pairs[some, 1]])
    return cosines


def _near_pairs(vectors: Floats, least: float) -> Pairs:
    """All pairs of rows whose cosine is above ``least``, the lower row first."""
    found = []
    for start in range(0, len(vectors), _ROWS):
        cosine = vectors[start : start + _ROWS] @ vectors[start:].T
        first, second = np.nonzero(np.triu(cosine > least, 1))
        found.append(np.column_stack([first, second]) + start)
    return np.concatenate(found) if found else np.empty((0, 2), dtype=np.intp)


def _mean_gradients(vectors: Floats, forces: list[_Force]) -> Floats:
    """Of each word the mean of sign * (w - u cos(u, w)) over the pairs (u, w) that act on it; zero where none does."""
    total = np.zeros_like(vectors)
    count = np.zeros((len(vectors), 1), dtype=np.float32)
    for force in forces:
        pairs, cosine = force.acting(vectors)
        first, second = np.concatenate([pairs, pairs[:, ::-1]]).T
        pull = csr_array((np.full(len(first), force.sign, np.float32), (first, second)), shape=(len(vectors),) * 2)
        along = np.bincount(first, np.tile(cosine, 2), len(vectors)).astype(np.float32)
        total += pull @ vectors - along[:, None] * vectors
        count[:, 0] += np.bincount(first, minlength=len(vectors))
    total /= np.maximum(count, np.float32(1.0))
    return total

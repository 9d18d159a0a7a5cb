"""The relatedness threshold theta_relate of an embedding, from pairs of related and of unrelated words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.pairs import Pair, Pairs
from pytest_trust.errors import EmbeddingError

_TOLERANCE = 1e-9
# Cosines of float32 unit vectors pass one by rounding.
_ROUNDING = 1e-5
# Digits of a threshold that are written down; it is judged as written.
_DIGITS = 4
# Standard errors above chance that an embedding has to be.
_CLEARLY = 2.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """An embedding's threshold, and how well it tells the ``related`` from the ``unrelated`` pairs that it knows.

    ``auc`` is the area under the ROC curve: how often a related pair is more similar than an unrelated one.
    """

    name: str
    threshold: float
    related: int
    unrelated: int
    precision: float
    recall: float
    auc: float


def calibrate(member: Embedding, pairs: Pairs) -> Calibration:
    """The threshold of ``member``, to four digits, over those of ``pairs`` of which it knows both words.

    Raises:
        EmbeddingError: it knows none of the related or of the unrelated pairs, or cannot tell them apart.
    """
    related, unrelated = pair_cosines(member, pairs.related), pair_cosines(member, pairs.unrelated)
    try:
        threshold = round(calibrate_threshold(related, unrelated), _DIGITS)
    except EmbeddingError as error:
        raise EmbeddingError(f"{member.name}: {error}") from None
    precision, recall = precision_and_recall(related, unrelated, threshold)
    auc = area_under_curve(related, unrelated)
    if auc < 1 and auc - 0.5 <= _CLEARLY * _error_of_chance(len(related), len(unrelated)):
        raise EmbeddingError(
            f"{member.name}: does not tell {len(related)} related from {len(unrelated)} unrelated pairs better than "
            f"chance: a related pair is the more similar one {auc:.1%} of the time"
        )
    return Calibration(member.name, threshold, len(related), len(unrelated), precision, recall, auc)


def _error_of_chance(n: int, m: int) -> float:
    """The standard error of the area under the curve where nothing is told apart (Mann and Whitney, 1947)."""
    return float(np.sqrt((n + m + 1) / (12 * n * m)))


def area_under_curve(related: NDArray[np.float64], unrelated: NDArray[np.float64]) -> float:
    """How often a related pair has the higher cosine of n x m, ties counting half."""
    ordered = np.sort(unrelated)
    below = np.searchsorted(ordered, related, "left") + np.searchsorted(ordered, related, "right")
    return float(below.sum() / (2 * len(related) * len(unrelated)))


def pair_cosines(member: Embedding, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Cosines of those of ``pairs`` whose two words ``member`` knows, shape (n,)."""
    first, second = (member.vectors([pair[side] for pair in pairs]) for side in (0, 1))
    both = first.known & second.known
    products = first.matrix[both].astype(np.float64) * second.matrix[both]
    return np.asarray(products.sum(axis=1))


def calibrate_threshold(related: ArrayLike, unrelated: ArrayLike) -> float:
    """The cosine at which precision and recall are equal over related against unrelated pairs.

    This is how TOKI chooses theta_relate (over synonym pairs against random pairs, by bisection). Both sets weigh the
    same, whatever their sizes n and m. With r and f the shares of related and unrelated pairs at or above the
    threshold, recall is r and precision r / (r + f): they are equal where r + f = 1. r + f falls from 2 to 0 as
    the threshold rises, so bisection over [-1, 1] finds the place.

    Args:
        related: cosines of related pairs, shape (n,).
        unrelated: cosines of unrelated pairs, shape (m,).

    Raises:
        EmbeddingError: a set is empty, not one-dimensional or holds something other than cosines; or the related
            pairs are no more similar than the unrelated ones, so that no threshold tells them apart.
    """
    positive, negative = _cosines(related, "related"), _cosines(unrelated, "unrelated")
    threshold = _bisect(positive, negative)
    precision, _ = precision_and_recall(positive, negative, threshold)
    if precision <= 0.5:
        raise EmbeddingError(
            f"no threshold tells related pairs (mean cosine {positive.mean():.3f}) from unrelated ones "
            f"(mean cosine {negative.mean():.3f}): in balance with recall, precision is {precision:.3f}"
        )
    return threshold


def precision_and_recall(related: ArrayLike, unrelated: ArrayLike, threshold: float) -> tuple[float, float]:
    """Precision and recall of "cosine >= ``threshold``", the two sets weighing the same; precision is 0 of nothing."""
    recall, false = _share_above(related, threshold), _share_above(unrelated, threshold)
    return (recall / (recall + false) if recall else 0.0), recall


def _bisect(related: NDArray[np.float64], unrelated: NDArray[np.float64]) -> float:
    low, high = -1.0, 1.0
    while high - low > _TOLERANCE:
        middle = (low + high) / 2
        surplus = _surplus(related, unrelated, middle)
        if surplus == 0:
            return middle
        low, high = (middle, high) if surplus > 0 else (low, middle)
    return low


def _surplus(related: NDArray[np.float64], unrelated: NDArray[np.float64], threshold: float) -> int:
    """(r + f - 1) n m: in integers, so that balance is exact."""
    n, m = len(related), len(unrelated)
    return int((related >= threshold).sum()) * m + int((unrelated >= threshold).sum()) * n - n * m


def _share_above(cosines: ArrayLike, threshold: float) -> float:
    return float(np.mean(np.asarray(cosines) >= threshold))


def _cosines(values: ArrayLike, kind: str) -> NDArray[np.float64]:
    cosines = np.asarray(values, dtype=np.float64)
    if cosines.shape == (0,):
        raise EmbeddingError(f"no {kind} pair is known, expected at least one")
    if cosines.ndim != 1:
        raise EmbeddingError(f"{kind} cosines: found the shape {cosines.shape}, expected (n,) with n > 0")
    if not (np.abs(cosines) <= 1.0 + _ROUNDING).all():
        raise EmbeddingError(f"{kind} cosines: found values outside [-1, 1] or NaN, expected cosines")
    return cosines

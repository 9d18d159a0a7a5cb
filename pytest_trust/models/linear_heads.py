"""Classifiers that see their features only through linear scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_BY_COEFFICIENT = frozenset(
    ["LogisticRegression", "LogisticRegressionCV", "SGDClassifier", "LinearSVC", "RidgeClassifier", "Perceptron"]
)
_BY_LIKELIHOOD = frozenset(["MultinomialNB", "ComplementNB"])
_OF_ESTIMATORS = frozenset(["OneVsRestClassifier", "VotingClassifier"])
_CALIBRATED = "CalibratedClassifierCV"


@dataclass(frozen=True, slots=True)
class LinearHead:
    """A classifier as r linear scores and what makes probabilities of them.

    ``coefficients`` are arrays of shape (rows, features), r rows together; ``intercepts`` has shape (r,);
    ``of_scores`` is a copy of the classifier that takes the scores, shape (m, r), as its features. ``is_composed`` of
    several classifiers, it has no score of a class.
    """

    coefficients: tuple[Vector, ...]
    intercepts: Vector
    of_scores: Any
    is_composed: bool

    @classmethod
    def of(cls, classifier: Any) -> LinearHead | None:
        """The head of a fitted scikit-learn classifier; None where it is not known to be linear in float64."""
        leaves = _leaves(classifier)
        if leaves is None:
            return None
        coefficients = tuple(_coefficients(leaf) for leaf in leaves)
        if not all(isinstance(rows, np.ndarray) and rows.dtype == np.float64 for rows in coefficients):
            return None
        sizes = [len(rows) for rows in coefficients]
        intercepts = [np.broadcast_to(_intercepts(leaf), size) for leaf, size in zip(leaves, sizes, strict=True)]
        ends = [0, *accumulate(sizes)]
        of_scores = _of_scores(classifier, map(slice, ends, ends[1:]), ends[-1])
        return cls(coefficients, np.concatenate(intercepts), of_scores, not _is_leaf(classifier))

    def selected(self, columns: NDArray[np.intp]) -> Vector:
        """The coefficients of ``columns``, shape (len(columns), r)."""
        rows = [rows[:, columns] for rows in self.coefficients]
        return (rows[0] if len(rows) == 1 else np.concatenate(rows)).T

    def probabilities(self, scores: Vector) -> Any:
        """The classifier's answer to ``scores`` without intercepts, shape (m, r)."""
        return self.of_scores.predict_proba(scores + self.intercepts)

    def class_weights(self, class_index: int) -> Vector | None:
        """The weights of all features in the score of a class; None where it has no such score.

        Of two classes with one score, the first has its negative.
        """
        if self.is_composed:
            return None
        rows = self.coefficients[0]
        weights: Vector = (2 * class_index - 1) * rows[0] if len(rows) == 1 else rows[class_index]
        return weights


def _leaves(classifier: Any) -> list[Any] | None:
    """The linear classifiers that ``classifier`` is made of; None where it is made of others."""
    if _is_leaf(classifier):
        return [classifier]
    leaves: list[Any] = []
    for part in _parts(classifier) or [None]:
        inner = None if part is None else _leaves(part)
        if inner is None:
            return None
        leaves += inner
    return leaves


class _TakesScores:
    """A linear classifier that is given its scores, and those of others, in place of features."""

    scores_: slice

    def decision_function(self, scores: Vector) -> Vector:
        """Its own scores; scikit-learn may write into them."""
        own = scores[:, self.scores_].copy()
        return own[:, 0] if own.shape[1] == 1 else own


@cache
def _taking_scores(kind: type) -> type:
    return type(f"{kind.__name__}OfScores", (_TakesScores, kind), {})


def _of_scores(classifier: Any, own: Iterator[slice], total: int) -> Any:
    """A copy of ``classifier`` each of whose leaves takes its ``own`` scores out of ``total``."""
    changed = copy(classifier)
    if sklearn_name(classifier) in _BY_COEFFICIENT:
        changed.__class__ = _taking_scores(type(classifier))  # type: ignore[arg-type]  # a class is hashable
        changed.scores_ = next(own)
    elif sklearn_name(classifier) in _BY_LIKELIHOOD:
        changed.n_features_in_, changed.feature_log_prob_ = total, np.eye(total)[next(own)]
        changed.class_log_prior_ = np.zeros(len(changed.feature_log_prob_))
    else:
        _set_parts(changed, [_of_scores(part, own, total) for part in _parts(classifier)])
    return changed


def _coefficients(leaf: Any) -> Any:
    return leaf.feature_log_prob_ if sklearn_name(leaf) in _BY_LIKELIHOOD else leaf.coef_


def _intercepts(leaf: Any) -> Any:
    if sklearn_name(leaf) in _BY_LIKELIHOOD:
        # The complement classes' prior is no part of their score.
        return leaf.class_log_prior_ if sklearn_name(leaf) == "MultinomialNB" else 0.0
    return leaf.intercept_


def _parts(classifier: Any) -> Sequence[Any]:
    """The fitted estimators within; none where it is not a known composition."""
    if sklearn_name(classifier) in _OF_ESTIMATORS:
        return list(classifier.estimators_)
    if sklearn_name(classifier) == _CALIBRATED:
        return [calibrated.estimator for calibrated in classifier.calibrated_classifiers_]
    return []


def _set_parts(classifier: Any, parts: Sequence[Any]) -> None:
    if sklearn_name(classifier) in _OF_ESTIMATORS:
        classifier.estimators_ = list(parts)
        return
    classifier.calibrated_classifiers_ = [copy(calibrated) for calibrated in classifier.calibrated_classifiers_]
    for calibrated, part in zip(classifier.calibrated_classifiers_, parts, strict=True):
        calibrated.estimator = part


def _is_leaf(classifier: Any) -> bool:
    return sklearn_name(classifier) in _BY_COEFFICIENT | _BY_LIKELIHOOD


def sklearn_name(obj: object) -> str:
    """The name of the object's class, "" where it is not scikit-learn's own: a subclass may do otherwise."""
    kind = type(obj)
    return kind.__name__ if kind.__module__.startswith("sklearn.") else ""

"""Scikit-learn pipelines that begin with vectorizers, scored from masks without making strings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from pytest_trust.models.counts import GramCounter, MaskedCounts
from pytest_trust.models.linear import LinearScores, Weighting
from pytest_trust.models.linear_heads import LinearHead, Vector, sklearn_name
from pytest_trust.models.masked import MaskedText, MaskScorer

Bools = NDArray[np.bool_]
T = TypeVar("T")

_VECTORIZERS = frozenset(["CountVectorizer", "TfidfVectorizer", "HashingVectorizer"])
# Sums of other numbers than these round otherwise than ours.
_EXACT_TYPES = frozenset(["int64", "float64"])


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A vectorizer, the fitted ``transformers`` behind it alone, and the ``factor`` of its features in a union."""

    vectorizer: Any
    transformers: tuple[Any, ...] = ()
    factor: float = 1.0

    @property
    def vocabulary(self) -> object:
        return getattr(self.vectorizer, "vocabulary_", None)

    def features(self, counts: csr_matrix) -> Any:
        """What the part makes of its vectorizer's counts."""
        features = _finished(self.vectorizer, counts.astype(self.vectorizer.dtype))
        for transformer in self.transformers:
            features = transformer.transform(features)
        return features if self.factor == 1.0 else features * self.factor

    def weighting(self) -> Weighting | None:
        """The same as a weighting of counts, where it is one."""
        if np.dtype(self.vectorizer.dtype).name not in _EXACT_TYPES:
            return None
        counts = Weighting(binary=self.vectorizer.binary)
        if sklearn_name(self.vectorizer) == "TfidfVectorizer":
            return _weighted(counts, (self.vectorizer._tfidf, *self.transformers))
        if sklearn_name(self.vectorizer) == "HashingVectorizer":
            counts = counts.normed(self.vectorizer.norm)
        return _weighted(counts, self.transformers)


class WhiteBox:
    """A fitted pipeline of a vectorizer (or a FeatureUnion of some) and what follows it.

    The vectorizers are scikit-learn's own classes, not subclasses, which might count otherwise.
    """

    def __init__(self, estimator: Any, parts: Sequence[_Part], counters: Sequence[GramCounter]) -> None:
        self._estimator, self._parts, self._counters = estimator, parts, counters
        self._vocabularies = [part.vocabulary for part in parts]
        self._starts = [0, *accumulate(counter.columns.width for counter in counters)]

    @classmethod
    def of(cls, estimator: Any) -> WhiteBox | None:
        """The white box of ``estimator``; None where it is something else than such a pipeline."""
        steps = getattr(estimator, "steps", None)
        if not isinstance(steps, list) or len(steps) < 2:
            return None
        parts = _parts(steps[0][1])
        counters = _all_known(GramCounter.of(part.vectorizer) for part in parts)
        return cls(estimator, parts, counters) if counters else None

    @property
    def is_current(self) -> bool:
        """False where the pipeline was fitted anew, or got other vectorizers."""
        now = _parts(self._estimator.steps[0][1])
        return len(now) == len(self._parts) and all(
            new.vectorizer is old.vectorizer and new.vocabulary is vocabulary
            for new, old, vocabulary in zip(now, self._parts, self._vocabularies, strict=True)
        )

    def scorer(self, text: MaskedText) -> MaskScorer | None:
        """The pipeline's answers for masks of ``text``; None where its strings are needed for them."""
        counts = self._counts(text)
        return None if counts is None else self._linear_scorer(counts) or partial(self._by_matrix, counts)

    def word_gradients(self, text: MaskedText, class_index: int) -> NDArray[np.float64] | None:
        """What each occurrence of ``text`` adds to a class's linear score, shape (t,); None where there is none."""
        linear, counts = self._linear(), self._counts(text)
        weights = None if linear is None else linear[0].class_weights(class_index)
        if counts is None or weights is None:
            return None
        features = csr_matrix(self._estimator[:-1].transform([text.whole]))
        amounts = features.multiply(weights).toarray()[0]
        spans = zip(counts, pairwise(self._starts), strict=True)
        dealt = [own.attributed(amounts[start:stop]) for own, (start, stop) in spans]
        return np.asarray(np.sum(dealt, axis=0))

    def _counts(self, text: MaskedText) -> list[MaskedCounts] | None:
        return _all_known(counter.masked(text) for counter in self._counters)

    def _by_matrix(self, counts: Sequence[MaskedCounts], masks: Bools) -> NDArray[Any]:
        rest, step = self._estimator[1:], min(own.rows_at_once for own in counts)
        answers = []
        for start in range(0, len(masks), step):
            some = masks[start : start + step]
            blocks = [part.features(own.features(some)) for part, own in zip(self._parts, counts, strict=True)]
            answers.append(rest.predict_proba(blocks[0] if len(blocks) == 1 else hstack(blocks, format="csr")))
        return np.concatenate(answers)

    def _linear(self) -> tuple[LinearHead, list[Weighting]] | None:
        """The classifier as one of linear scores, and each part's weighting of its counts."""
        *between, classifier = (step for _, step in self._estimator.steps[1:])
        head, weightings = LinearHead.of(classifier), [part.weighting() for part in self._parts]
        between = [step for step in between if step not in (None, "passthrough")]
        if between:  # a norm over several parts is not one of each
            weightings = [_weighted(weightings[0], between)] if len(weightings) == 1 else [None]
        known = _all_known(weightings)
        return None if head is None or known is None else (head, known)

    def _linear_scorer(self, counts: Sequence[MaskedCounts]) -> MaskScorer | None:
        linear = self._linear()
        if linear is None:
            return None
        head, weightings = linear
        scores = [
            LinearScores(own, weighting, partial(_coefficients, head, start, part.factor))
            for own, weighting, start, part in zip(counts, weightings, self._starts, self._parts, strict=False)
        ]
        return lambda masks: head.probabilities(np.sum([own(masks) for own in scores], axis=0))


def _coefficients(head: LinearHead, start: int, factor: float, columns: NDArray[np.intp]) -> Vector:
    return factor * head.selected(start + columns)


def _all_known(found: Iterable[T | None]) -> list[T] | None:
    """The same, None where one of them is."""
    known: list[T] = []
    for item in found:
        if item is None:
            return None
        known.append(item)
    return known


def _weighted(weighting: Weighting | None, transformers: Sequence[Any]) -> Weighting | None:
    for transformer in transformers:
        if weighting is None or sklearn_name(transformer) != "TfidfTransformer":
            return None
        weighting = weighting.then(transformer)
    return weighting


def _parts(step: Any) -> list[_Part]:
    """The vectorizers of a pipeline's first step; none where it holds something else."""
    kind = sklearn_name(step)
    if kind in _VECTORIZERS:
        return [_Part(step)]
    if kind == "Pipeline":
        first, *others = (inner for _, inner in step.steps if inner not in (None, "passthrough"))
        return [_Part(first, tuple(others))] if sklearn_name(first) in _VECTORIZERS else []
    if kind != "FeatureUnion":
        return []
    factors = step.transformer_weights or {}
    parts = [(_parts(inner), factors.get(name, 1.0)) for name, inner in step.transformer_list]
    single = all(len(inner) == 1 for inner, _ in parts)
    return [replace(inner[0], factor=factor * inner[0].factor) for inner, factor in parts] if single else []


def _finished(vectorizer: Any, counts: Any) -> Any:
    """What a vectorizer makes of its counts."""
    if sklearn_name(vectorizer) == "TfidfVectorizer":
        return vectorizer._tfidf.transform(counts, copy=False)
    if sklearn_name(vectorizer) == "HashingVectorizer" and vectorizer.norm is not None:
        from sklearn.preprocessing import normalize

        return normalize(counts, norm=vectorizer.norm, copy=False)
    return counts

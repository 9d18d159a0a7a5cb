"""Can an explainer be believed? Faithfulness of its explanations to the model, and their stability under seeds.

Comprehensiveness and sufficiency are those of ERASER (DeYoung et al. 2020, Sec. 4), taken over shares of the words and
averaged, an area over the perturbation curve (AOPC, after Samek et al. 2016).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_count
from pytest_trust.errors import DataError
from pytest_trust.explain.base import Explainer, explain_for_verdicts
from pytest_trust.explain.explanation import Explanation, WordScore
from pytest_trust.explain.masks import each_once
from pytest_trust.explain.scoring import Job, Scored, scored
from pytest_trust.explain.settling import Leaning
from pytest_trust.explain.words import Masks, WordBag, word_bag
from pytest_trust.models.base import TextClassifier
from pytest_trust.stats.sampling import sample_indices, seed_for
from pytest_trust.text import Span, Tokenizer, word_spans

BINS = (1, 5, 10, 20, 50)
"""Shares of a text's words, in percent, that are removed or kept (DeYoung et al. 2020, Sec. 4.2)."""


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """Means over the ``n`` explanations in which a word speaks for the class; None where there are none.

    ``comprehensiveness`` is what the class's probability loses without the explanation's words: high is good.
    ``comprehensiveness_random`` is what it loses without as many random words, the floor to compare it with.
    ``sufficiency`` is what it loses where only the explanation's words are left: low is good, and it is below zero
    where they alone speak for the class more than the whole text does. ``calls`` is the number of texts scored.
    """

    comprehensiveness: float | None
    comprehensiveness_random: float | None
    sufficiency: float | None
    n: int
    calls: int


@runtime_checkable
class MeasuringExplainer(Explainer, Protocol):
    """An explainer that remembers how faithful its explanations are."""

    def measure_faithfulness(
        self, model: TextClassifier, explanations: Sequence[Explanation], *, seed: int, tokenizer: Tokenizer
    ) -> Faithfulness:
        """What :func:`measure_faithfulness` gives."""


@dataclass(frozen=True, slots=True)
class Stability:
    """Agreement of two runs over the ``n`` texts where a word speaks for the class in either; None without such.

    ``overlap`` is the mean Jaccard index of the words that speak for the class, ``same_top`` the share of texts in
    which the strongest of them is the same.
    """

    overlap: float | None
    same_top: float | None
    n: int


@dataclass(frozen=True, slots=True)
class _Losses:
    """What one text's probability loses, each the mean over the bins, and the number of texts scored for it."""

    without: float
    without_random: float
    only: float
    calls: int


def measure_faithfulness(
    model: TextClassifier, explanations: Iterable[Explanation], *, seed: int, tokenizer: Tokenizer = word_spans
) -> Faithfulness:
    """How far the model's probabilities follow ``explanations``, which are of this model.

    A bin of b % takes the ceiling of b % of the text's words, at least one: the words that speak for the class, by
    falling score; all of them where there are fewer. Removing a word removes all its places and leaves the
    separators. A text's words are the explanation's, and those of ``tokenizer`` that do not touch them, told apart by
    their characters (by position, where the explanation takes occurrences of a word apart). A word without places
    cannot be removed, and counts as none. Texts of all explanations share calls of bounded size.

    Args:
        model: the classifier that was explained.
        explanations: of any explainer and any of its classes.
        seed: of the random words, together with the text.
        tokenizer: the explainer's own.

    Raises:
        ConfigurationError: places of an explanation overlap or leave the text, or its class is not the model's.
        ModelError: from the model.
    """
    measurable = [explanation for explanation in explanations if _removable(explanation)]
    jobs = (_job(explanation, tokenizer, seed) for explanation in measurable)
    losses = [_losses(*pair) for pair in zip(measurable, scored(model, jobs), strict=True)]
    return Faithfulness(
        comprehensiveness=_mean([loss.without for loss in losses]),
        comprehensiveness_random=_mean([loss.without_random for loss in losses]),
        sufficiency=_mean([loss.only for loss in losses]),
        n=len(losses),
        calls=sum(loss.calls for loss in losses),
    )


def stability(first: Sequence[Explanation], second: Sequence[Explanation]) -> Stability:
    """How far two runs over the same texts and classes, such as those of two seeds, name the same words.

    Raises:
        DataError: the two differ in length, or in a text or class.
    """
    if [_subject(one) for one in first] != [_subject(other) for other in second]:
        raise DataError(f"explanations of {len(first)} and {len(second)} texts; expected the same texts and classes")
    runs = zip(map(_names, first), map(_names, second), strict=True)
    pairs = [(one, other) for one, other in runs if one or other]
    return Stability(
        overlap=_mean([len({*one} & {*other}) / len({*one, *other}) for one, other in pairs]),
        same_top=_mean([one[:1] == other[:1] for one, other in pairs]),
        n=len(pairs),
    )


def faithfulness_figures(
    explainer: Explainer,
    model: TextClassifier,
    explanations: Iterable[Explanation],
    *,
    seed: int,
    n: int,
    tokenizer: Tokenizer = word_spans,
    leaning: Leaning | None = None,
) -> dict[str, float | int | None]:
    """Whether ``explainer`` can be believed on ``model``, in plain figures for a report.

    They rest on a seeded sample of at most ``n`` of ``explanations``, which this explainer made of this model; it is
    chosen by content, so that order and copies do not matter. The sample is explained anew with another seed, for
    verdicts by ``leaning`` where it was so before: an explainer that draws nothing is wholly stable.
    ``faithfulness_calls`` counts all texts scored, those of the second explanations too.

    Raises:
        ConfigurationError: ``n`` is below 1; those of :func:`measure_faithfulness` and of the explainer.
        ModelError: from the model.
    """
    sample = _sample(explanations, require_count("n", n), seed)
    measure = explainer.measure_faithfulness if isinstance(explainer, MeasuringExplainer) else measure_faithfulness
    measured = measure(model, sample, seed=seed, tokenizer=tokenizer)
    texts, columns = [item.text for item in sample], [item.class_index for item in sample]
    other_seed = seed_for(seed, "stability")
    again = list(explain_for_verdicts(explainer, model, texts, columns, seed=other_seed, leaning=leaning))
    agreement = stability(sample, again)
    return {
        "comprehensiveness": measured.comprehensiveness,
        "comprehensiveness_random": measured.comprehensiveness_random,
        "sufficiency": measured.sufficiency,
        "stability": agreement.overlap,
        "stability_top_word": agreement.same_top,
        "faithfulness_n": measured.n,
        "faithfulness_calls": measured.calls + sum(item.calls for item in again),
    }


def _sample(explanations: Iterable[Explanation], n: int, seed: int) -> list[Explanation]:
    """At most ``n`` distinct ones that have words, the same in whatever order they are given."""
    distinct = {_subject(item): item for item in explanations if item.words}
    return heapq.nsmallest(n, distinct.values(), key=lambda item: seed_for(seed, "faithfulness", item.text, item.label))


def _subject(explanation: Explanation) -> tuple[str, int]:
    return explanation.text, explanation.class_index


def _supporting(explanation: Explanation) -> list[WordScore]:
    """The words that speak for the class, by falling score."""
    return sorted((word for word in explanation.words if word.score > 0), key=lambda word: -word.score)


def _removable(explanation: Explanation) -> list[WordScore]:
    """Those of them that have places."""
    return [word for word in _supporting(explanation) if word.spans]


def _names(explanation: Explanation) -> list[tuple[str, tuple[Span, ...]]]:
    return [(word.word, word.spans) for word in _supporting(explanation)]


def _job(explanation: Explanation, tokenizer: Tokenizer, seed: int) -> Job:
    """The text; then for each size the text without the top words, without random ones, and with the top alone."""
    # Occurrences stand alone in the bag, since an explainer may have merged what differs in characters.
    bag = word_bag(explanation.text, partial(_all_spans, explanation, tokenizer), positions=True)
    ids, random_seed = _word_ids(explanation, bag), seed_for(seed, explanation.text)
    n_words, sizes = _count(ids), sorted(set(_sizes(explanation, ids)))
    without = _without(n_words, [range(size) for size in sizes])
    # A larger sample of one seed holds every smaller one, as a larger bin does.
    without_random = _without(n_words, [sample_indices(n_words, size, random_seed) for size in sizes])
    masks = np.concatenate([_without(n_words, [()]), without, without_random, ~without])[:, ids]
    return Job(bag, each_once(masks), explanation.class_index, random_seed)


def _all_spans(explanation: Explanation, tokenizer: Tokenizer, text: str) -> list[Span]:
    """The explanation's places, and the tokenizer's that do not touch them, in order."""
    own = {span for word in explanation.words for span in word.spans}
    taken = {place for span in own for place in range(span.start, span.end)}
    others = [span for span in tokenizer(text) if taken.isdisjoint(range(span.start, span.end))]
    return sorted([*own, *others], key=lambda span: span.start)


def _word_ids(explanation: Explanation, bag: WordBag) -> NDArray[np.intp]:
    """The word of each of the t occurrences, shape (t,): those that speak for the class first, by falling score."""
    owner = {span: word.spans for word in explanation.words for span in word.spans}
    occurrences = [(span, surface) for (span,), surface in zip(bag.spans, bag.words, strict=True)]
    explained = {surface for span, surface in occurrences if span in owner}
    by_position = any(span not in owner and surface in explained for span, surface in occurrences)
    numbers: dict[object, int] = {word.spans: i for i, word in enumerate(_removable(explanation))}
    keys = [owner.get(span, span if by_position else surface) for span, surface in occurrences]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def _count(ids: NDArray[np.intp]) -> int:
    return int(ids.max()) + 1


def _sizes(explanation: Explanation, ids: NDArray[np.intp]) -> list[int]:
    """How many words each bin takes."""
    n_words, most = _count(ids), len(_removable(explanation))
    return [min(-(-percent * n_words // 100), most) for percent in BINS]


def _without(n_words: int, removed: Sequence[Sequence[int]]) -> Masks:
    """A mask for each of ``removed``, shape (len(removed), n_words), without these words."""
    masks = np.ones((len(removed), n_words), dtype=np.bool_)
    for mask, words in zip(masks, removed, strict=True):
        mask[list(words)] = False
    return masks


def _losses(explanation: Explanation, answer: Scored) -> _Losses:
    sizes = _sizes(explanation, _word_ids(explanation, answer.job.bag))
    row_of = {size: row for row, size in enumerate(sorted(set(sizes)))}
    lost = (answer.column[0] - answer.column[1:]).reshape(3, len(row_of))
    without, without_random, only = map(float, lost[:, [row_of[size] for size in sizes]].mean(axis=1))
    return _Losses(without, without_random, only, len(answer.column))


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None

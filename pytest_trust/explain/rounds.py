"""Explanations that rest on few neighbours first, and on more round by round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain.explanation import Explanation
from pytest_trust.models.base import TextClassifier


@dataclass(frozen=True, slots=True)
class Resumable:
    """An explanation with what a later round goes on from.

    ``column`` has shape (n,): the model's answers to the first n neighbours. ``is_whole`` says that these are all.
    """

    explanation: Explanation
    column: NDArray[np.float64]
    is_whole: bool


@runtime_checkable
class ResumableExplainer(Protocol):
    """An explainer that goes on from the answers to a text's first neighbours."""

    @property
    def round_sizes(self) -> Sequence[int | None]:
        """How many neighbours the explanations of each round rest on; None for all."""

    def resumed(
        self,
        model: TextClassifier,
        texts: Sequence[str],
        class_indices: Sequence[int],
        known: Sequence[NDArray[np.float64]],
        *,
        seed: int,
        count: int | None,
    ) -> Iterator[Resumable]:
        """The explanations of ``texts`` by their first ``count`` neighbours (None: all), in order.

        ``known`` holds for each text the answers that are at hand, shape (n,); the model is asked for the rest.
        """


def rounds_of(
    explainer: ResumableExplainer, model: TextClassifier, texts: Sequence[str], class_indices: Sequence[int], seed: int
) -> Iterator[Iterator[Explanation]]:
    """The explanations of ``texts`` again and again, each round resting on more neighbours.

    A round has to be taken whole before the next, in which finished explanations come again as they are.
    """
    found: list[Resumable | None] = [None for _ in texts]
    for count in explainer.round_sizes:
        yield _round(explainer, model, texts, class_indices, found, seed, count)
        if not _open_places(found):
            return


def _round(
    explainer: ResumableExplainer,
    model: TextClassifier,
    texts: Sequence[str],
    class_indices: Sequence[int],
    found: list[Resumable | None],
    seed: int,
    count: int | None,
) -> Iterator[Explanation]:
    """One round; ``found`` holds what the one before it found, and then its own."""
    places = _open_places(found)
    new = explainer.resumed(
        model,
        [texts[place] for place in places],
        [class_indices[place] for place in places],
        [_column(found[place]) for place in places],
        seed=seed,
        count=count,
    )
    for place, item in enumerate(found):
        item = next(new) if item is None or not item.is_whole else item
        found[place] = item
        yield item.explanation


def _open_places(found: Sequence[Resumable | None]) -> list[int]:
    return [place for place, item in enumerate(found) if item is None or not item.is_whole]


def _column(item: Resumable | None) -> NDArray[np.float64]:
    return np.empty(0) if item is None else item.column

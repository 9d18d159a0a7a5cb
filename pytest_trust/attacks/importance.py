"""How much a prediction rests on each word: by gradients where the model gives them, else by leaving words out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ModelError
from pytest_trust.explain.words import WordBag, word_bag
from pytest_trust.models.abilities import WordGradients
from pytest_trust.models.base import TextClassifier
from pytest_trust.text import Span, word_spans

# Answers that differ by less differ by the rounding of a batch.
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The occurrences of words in what a model reads of a text; the first of them is word ``first`` of the text."""

    bag: WordBag
    first: int

    @classmethod
    def of(cls, text: str, read: Span | None) -> Occurrences:
        """Those of ``text`` within ``read``, all of it where None."""
        spans = word_spans(text)
        unread = 0 if read is None else sum(span.start < read.start for span in spans)
        return cls(word_bag(text, word_spans, positions=True, read=read), unread)

    def without(self, places: Sequence[int]) -> list[str]:
        """What is read of the text once for each of ``places``, without the word there."""
        return [self._without(place) for place in places]

    def _without(self, place: int) -> str:
        text, read, (span,) = self.bag.text, self.bag.read, self.bag.spans[place - self.first]
        return text[read.start : span.start] + text[span.end : read.end]

    def gradients(self, model: TextClassifier, label: int) -> NDArray[np.float64] | None:
        """Input times gradient of the class's logit of each occurrence, in order; None where the model gives none.

        Raises:
            ModelError: they are not one finite number for each occurrence.
        """
        found = model.word_gradients(self.bag.masked(), label) if isinstance(model, WordGradients) else None
        if found is None:
            return None
        if found.shape != self.bag.ids.shape or not np.isfinite(found).all():
            raise ModelError(
                f"the model {model.source} returned gradients of shape {found.shape}, {np.isfinite(found).sum()} of "
                f"them finite, for {self.bag.text[:80]!r}; expected one finite value for each of its "
                f"{len(self.bag.ids)} words"
            )
        return found


def by_importance(places: Sequence[int], scores: Sequence[float]) -> list[int]:
    """The ``places`` by falling score; equals in order of the text."""
    ranked = sorted(zip(places, scores, strict=True), key=lambda item: (-round(item[1], _DECIMALS), item[0]))
    return [place for place, _ in ranked]

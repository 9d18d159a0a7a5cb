"""Models of the transformers library from folders, and from the Hugging Face hub."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_trust.errors import ModelError, missing_extra
from pytest_trust.hub import (
    PICKLED_WEIGHTS,
    WEIGHTS,
    fetched,
    has_hub_form,
    has_safe_weights,
    refuse_pickled_weights,
)
from pytest_trust.messages import in_short, listed
from pytest_trust.models.adapters import Origin
from pytest_trust.models.files import SUFFIXES
from pytest_trust.models.transformers_state import folder_digest

CONFIG = "config.json"

_FILE_SUFFIXES = (*SUFFIXES, ".bin", ".onnx", ".safetensors", ".json", ".csv", ".py")
_SMALL_FILES = ("*.json", "*.txt", "*.model", "tokenizer*", "vocab*")
# Files in folders are the same model in other formats.
_IGNORED = ("*/*",)


def is_hub_name(spec: str) -> bool:
    """True where ``spec`` is a name on the Hugging Face hub: owner/name, or hf:name for any; no file's name.

    A path of two parts looks the same: a name is only looked for on the hub where nothing lies at that path.
    """
    return has_hub_form(spec) and not spec.lower().endswith(_FILE_SUFFIXES)


def read_folder(folder: Path, source: str, *, allow_pickle: bool) -> tuple[object, Origin]:
    """The pair (model, tokenizer) in a folder, in float32, and its origin. No code of the folder is run.

    Raises:
        ConfigurationError: the weights are a pickle, and ``allow_pickle`` is False.
        ModelError: the folder cannot be read, or its model was not trained for sequence classification.
        MissingExtraError: transformers is not installed.
    """
    if not (folder / CONFIG).is_file():
        raise ModelError(
            f"model folder {folder} has no {CONFIG}; expected a folder written by save_pretrained of a model and its "
            "tokenizer"
        )
    if not allow_pickle:
        refuse_pickled_weights(folder, "model folder")
    torch, transformers = (_imported(name, f"model folder {folder}") for name in ("torch", "transformers"))
    pair = _loaded(folder, lambda: _pair(torch, transformers, folder))
    return pair, Origin(source, identity=folder_digest(folder))


def read_hub(spec: str, *, allow_pickle: bool) -> tuple[object, Origin]:
    """:func:`read_folder` for a name on the hub: what is not in the cache is fetched, unless HF_HUB_OFFLINE is set.

    Raises:
        ConfigurationError, ModelError, MissingExtraError: as there, or there is no such model in reach.
    """
    folder = fetched("model", spec, (*_SMALL_FILES, WEIGHTS), _IGNORED, ModelError)
    if allow_pickle and not has_safe_weights(folder):
        folder = fetched("model", spec, (PICKLED_WEIGHTS,), _IGNORED, ModelError)
    return read_folder(folder, spec, allow_pickle=allow_pickle)


def _pair(torch: Any, transformers: Any, folder: Path) -> tuple[Any, Any]:
    # Left open, trust_remote_code is asked for at the terminal.
    local = {"local_files_only": True, "trust_remote_code": False}
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **local)
    safe = has_safe_weights(folder)
    model, found = transformers.AutoModelForSequenceClassification.from_pretrained(
        folder, dtype=torch.float32, use_safetensors=safe, output_loading_info=True, **local
    )
    missing = sorted(found["missing_keys"])
    if missing:
        raise ModelError(
            f"model folder {folder} has no weights for {listed(missing)} of a {type(model).__name__}, which would be "
            "random; expected a model that was trained for sequence classification"
        )
    return model, tokenizer


def _loaded(folder: Path, load: Callable[[], tuple[Any, Any]]) -> tuple[Any, Any]:
    try:
        return load()
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(
            f"model folder {folder} cannot be read by transformers ({in_short(error)}); expected a folder written by "
            "save_pretrained of a model for sequence classification and of its tokenizer"
        ) from error


def _imported(package: str, purpose: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise missing_extra(package, "transformers", purpose) from error

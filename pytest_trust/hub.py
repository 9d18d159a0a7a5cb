"""Models on the Hugging Face hub: their names, their files, and weights that are a pickle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pytest_trust.errors import ConfigurationError, TrustError, missing_extra
from pytest_trust.messages import in_short, listed

HUB = "hf:"
WEIGHTS = "*.safetensors"
PICKLED_WEIGHTS = "pytorch_model*.bin"

_NAME = re.compile(r"(hf:)?[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*|hf:[A-Za-z0-9][\w.-]*", re.ASCII)


def has_hub_form(text: str) -> bool:
    """True where ``text`` may be a name on the hub: owner/name, or hf:name for any. A path of two parts looks alike."""
    return _NAME.fullmatch(text) is not None


def fetched(what: str, name: str, files: Sequence[str], ignored: Sequence[str], error: type[TrustError]) -> Path:
    """The folder of the model ``name``: what is not in the hub's cache is fetched, unless HF_HUB_OFFLINE is set.

    ``files`` and ``ignored`` are patterns; ``what`` the model is to this package is said in messages.

    Raises:
        error: there is no such model in reach.
        MissingExtraError: huggingface_hub, which comes with transformers, is not installed.
    """
    try:
        import huggingface_hub
        from huggingface_hub.constants import HF_HUB_OFFLINE as OFFLINE
    except ImportError as reason:
        raise missing_extra("huggingface_hub", "transformers", f"{what} {name}") from reason
    try:
        folder = huggingface_hub.snapshot_download(
            name.removeprefix(HUB),
            allow_patterns=[*files],
            ignore_patterns=[*ignored],
            local_files_only=OFFLINE,
        )
    except Exception as reason:
        reach = "is not in the local cache, and HF_HUB_OFFLINE forbids to fetch it" if OFFLINE else "cannot be fetched"
        raise error(
            f"{what} {name}: no such file or folder; on the Hugging Face hub it {reach} ({in_short(reason)}); "
            "expected a path that exists, or the name of a model on the hub"
        ) from reason
    return Path(folder)


def has_safe_weights(folder: Path) -> bool:
    """Whether weights lie in ``folder`` whose loading runs no code."""
    return any(folder.glob(WEIGHTS))


def refuse_pickled_weights(folder: Path, what: str) -> None:
    """Accept a folder of the transformers library whose weights can be read without running code.

    Raises:
        ConfigurationError: they are a pickle; the message begins with ``what`` the folder is.
    """
    pickles = sorted(path.name for path in folder.glob(PICKLED_WEIGHTS))
    if pickles and not has_safe_weights(folder):
        raise ConfigurationError(
            f"{what} {folder} keeps its weights in a pickle ({listed(pickles)}), which may run code when it is "
            "loaded, and pickles are forbidden (--trust-no-pickle); expected .safetensors: save_pretrained writes them"
        )

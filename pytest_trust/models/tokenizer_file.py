"""Tokenizers from ``tokenizer.json``, without the transformers library."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_trust.errors import ModelError, missing_extra
from pytest_trust.messages import in_short, shown

FILE = "tokenizer.json"
_CONFIG = "tokenizer_config.json"
# What a model may be set up by, beside its weights.
SET_UP_BY = (FILE, _CONFIG, "config.json")

# Configurations say this, or more, for no limit.
_NO_LIMIT = 10**6
# Families whose positions begin behind the number of the padding token.
_LATE_POSITIONS = (
    "camembert", "data2vec-text", "ibert", "longformer", "mpnet", "roberta", "roberta-prelayernorm", "xlm-roberta",
    "xlm-roberta-xl", "xmod",
)  # fmt: skip
_SPECIAL = ("bos_token", "eos_token", "sep_token", "pad_token")


class FileTokenizer:
    """The tokenizer in ``folder``, called as those of the transformers library are by :class:`TextTokens`.

    ``tokenizer_config.json``, where there is one, tells the side of truncation and the special tokens.

    Raises:
        ModelError: the file is missing or damaged.
        MissingExtraError: the package tokenizers is not installed.
    """

    is_fast = True

    def __init__(self, folder: Path, model_input_names: Sequence[str], max_length: int | None) -> None:
        config = read_json(folder / _CONFIG)
        self.model_input_names = list(model_input_names)
        self._path = folder / FILE
        self.truncation_side = config.get("truncation_side", "right")
        if self.truncation_side not in ("left", "right"):
            raise ModelError(
                f"{folder / _CONFIG}: truncation_side is {shown(self.truncation_side)}; expected 'left' or 'right'"
            )
        # Two of them, since whether a text is cut is a setting of the tokenizer and no argument.
        self._whole, self._cut = load_tokenizer(folder), load_tokenizer(folder)
        if max_length is not None:
            self._cut.enable_truncation(max_length, direction=self.truncation_side)
        for name in _SPECIAL:
            token = config.get(name)
            content = token.get("content") if isinstance(token, dict) else token
            setattr(self, f"{name}_id", _number_of(self._whole, content))

    def __call__(self, texts: str | list[str], *, truncation: bool = False, **wanted: object) -> dict[str, list[Any]]:
        """All that is known of the tokens of a text, or a list for each of ``texts``; not all ``wanted`` is obeyed."""
        tokenizer = self._cut if truncation else self._whole
        try:
            if isinstance(texts, str):
                return _described(tokenizer.encode(texts))
            return {"input_ids": [encoding.ids for encoding in tokenizer.encode_batch(texts)]}
        except Exception as error:  # the library raises nothing more special
            raise ModelError(f"the tokenizer {self._path} cannot encode a text ({in_short(error)})") from error


def _number_of(tokenizer: Any, token: object) -> int | None:
    """The number of a token, None where there is none of that name."""
    try:
        number: int | None = tokenizer.token_to_id(token) if isinstance(token, str) else None
    except UnicodeEncodeError:
        return None
    return number


def longest_input(folder: Path) -> int | None:
    """The most tokens of a text that a model reads, special ones included; None where nothing says.

    It is the smaller of ``model_max_length`` of the tokenizer's configuration and the positions of the model's; where
    neither is given, what ``tokenizer.json`` itself cuts to.
    """
    found = [
        read_json(folder / _CONFIG).get("model_max_length"),
        _positions(read_json(folder / "config.json")),
    ]
    cut = read_json(folder / FILE).get("truncation")
    limits = _limits(found) or _limits([cut.get("max_length") if isinstance(cut, dict) else None])
    return min(limits, default=None)


def _limits(found: Sequence[object]) -> list[int]:
    """Those that are any; True is none."""
    numbers = (value for value in found if isinstance(value, (int, float)) and not isinstance(value, bool))
    return [int(value) for value in numbers if 1 <= value < _NO_LIMIT]


def _positions(config: Mapping[str, Any]) -> int | None:
    positions, padding = config.get("max_position_embeddings"), config.get("pad_token_id", 1)
    if not isinstance(positions, int):
        return None
    if config.get("model_type") in _LATE_POSITIONS and isinstance(padding, int):
        return positions - padding - 1
    return positions


def load_tokenizer(folder: Path) -> Any:
    """The ``tokenizers.Tokenizer`` in ``folder``, which neither cuts nor pads.

    Raises:
        ModelError: the file is missing or damaged.
        MissingExtraError: the package tokenizers is not installed.
    """
    path = folder / FILE
    try:
        from tokenizers import Tokenizer
    except ModuleNotFoundError as error:
        raise missing_extra("tokenizers", "onnx", f"the tokenizer {path}") from error
    if not path.is_file():
        raise ModelError(f"the tokenizer {path} is missing; expected it beside the model")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:
        raise ModelError(f"the tokenizer {path} cannot be read ({type(error).__name__}: {error})") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file, an empty one where there is no file.

    Raises:
        ModelError: the file holds something else.
    """
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path} cannot be read as JSON ({type(error).__name__}: {error})") from error
    if not isinstance(found, dict):
        raise ModelError(f"{path} holds a {type(found).__name__}; expected a JSON object")
    return found


def _described(encoding: Any) -> dict[str, list[Any]]:
    return {
        "input_ids": encoding.ids,
        "token_type_ids": encoding.type_ids,
        "offset_mapping": encoding.offsets,
        "special_tokens_mask": encoding.special_tokens_mask,
    }

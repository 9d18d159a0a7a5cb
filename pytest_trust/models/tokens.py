"""Texts as the token numbers that a model of the transformers library reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ModelError
from pytest_trust.models.abilities import Encoded, MaskEncoder
from pytest_trust.models.masked import MaskedText
from pytest_trust.models.token_masks import TokenColumns, proven_encoder, word_of_each_token
from pytest_trust.text import Span

_STAND_INS = ("bos_token_id", "eos_token_id", "sep_token_id", "pad_token_id")


class TextTokens:
    """A ``tokenizer`` of the transformers library, with the longest input of the model (None: no limit).

    What is too long is cut on the tokenizer's own ``truncation_side``. A text without any token is read as the
    tokenizer's token for the beginning, or the end, of a text.
    """

    def __init__(self, tokenizer: Any, max_length: int | None) -> None:
        self.tokenizer = tokenizer
        self.max_length = max_length

    def encode(self, inputs: Sequence[str | Encoded]) -> list[Encoded]:
        """The token numbers of each text, special tokens included, at most ``max_length``; encoded ones as they are."""
        texts = [given for given in inputs if isinstance(given, str)]
        # Some tokenizers refuse a list of no texts.
        encoded = iter([self._filled(ids) for ids in self._tokenized(texts)["input_ids"]] if texts else [])
        return [next(encoded) if isinstance(given, str) else given for given in inputs]

    def token_types(self, length: int) -> NDArray[np.int64] | None:
        """The types of the tokens of an encoded text, shape (length,); None where all of them are 0."""
        before, inner, after = self._type_layout
        if not any((*before, inner, *after)):
            return None
        types = [*before, *[inner] * (length - len(before) - len(after)), *after]
        return np.array(types[:length], dtype=np.int64)

    def read_span(self, text: str) -> Span:
        """The range of characters that the model reads: all of them unless the text is too long.

        A tokenizer that is no fast one does not tell the places of its tokens. Then the range is the shortest
        beginning (or end) of the text that is read like the whole, found by bisection.
        """
        if self.max_length is None or len(self._tokenized(text, truncation=False)["input_ids"]) <= self.max_length:
            return Span(0, len(text))
        read = self._characters_read(text)
        return Span(len(text) - read, len(text)) if self._cuts_left else Span(0, read)

    def places(self, text: str) -> NDArray[np.intp] | None:
        """Start and end in ``text`` of each token that is read, shape (length, 2), both 0 for special tokens.

        None where the tokenizer is no fast one.
        """
        if not self.tokenizer.is_fast:
            return None
        return _pairs(self._tokenized(text, return_offsets_mapping=True)["offset_mapping"] or [(0, 0)])

    def mask_encoder(self, text: MaskedText) -> MaskEncoder | None:
        """An encoder that takes the tokens of removed words out of those of the whole text.

        None where a token belongs to more than one word or separator, or where the encoder is not proven (see
        :func:`~pytest_trust.models.token_masks.proven_encoder`) to give what :meth:`encode` gives.
        """
        columns = self._columns(text)
        if columns is None:
            return None
        return proven_encoder(lambda masks: [self._filled(ids) for ids in columns.encode(masks)], text, self.encode)

    @property
    def _cuts_left(self) -> bool:
        return str(self.tokenizer.truncation_side) == "left"

    @cached_property
    def _type_layout(self) -> tuple[list[int], int, list[int]]:
        """Token types of the special tokens before a text, of the text, and of the special tokens after it."""
        if "token_type_ids" not in self.tokenizer.model_input_names:
            return [], 0, []
        found = self.tokenizer("a", return_token_type_ids=True, return_special_tokens_mask=True)
        types, special = list(found["token_type_ids"]), list(found["special_tokens_mask"])
        first, last = special.index(0), len(special) - special[::-1].index(0)
        return types[:first], types[first], types[last:]

    def _characters_read(self, text: str) -> int:
        """How many characters are read of a text that is too long."""
        places = self.places(text)
        if places is None:
            return self._bisected(text)
        real = places[places[:, 1] > places[:, 0]]
        return len(text) - int(real[0, 0]) if self._cuts_left else int(real[-1, 1])

    def _bisected(self, text: str) -> int:
        tokens = self._tokenized(text)["input_ids"]

        def alike(length: int) -> bool:
            part = text[len(text) - length :] if self._cuts_left else text[:length]
            return bool(self._tokenized(part)["input_ids"] == tokens)

        return bisect_left(range(len(text)), True, key=alike)

    def _columns(self, text: MaskedText) -> TokenColumns | None:
        if not self.tokenizer.is_fast or not all(text.separators[1:-1]):
            return None
        found = self._tokenized(
            text.whole, truncation=False, return_offsets_mapping=True, return_special_tokens_mask=True
        )
        inner = np.flatnonzero(np.array(found["special_tokens_mask"]) == 0)
        words = word_of_each_token(text, _pairs(found["offset_mapping"])[inner])
        if words is None or not len(inner):
            return None
        before, after = int(inner[0]), len(found["input_ids"]) - 1 - int(inner[-1])
        return TokenColumns(
            ids=np.array(found["input_ids"], dtype=np.int64),
            words=np.pad(words, (before, after), constant_values=-1),
            before=before,
            after=after,
            room=None if self.max_length is None else self.max_length - before - after,
            from_left=self._cuts_left,
        )

    def _tokenized(self, texts: str | list[str], *, truncation: bool = True, **wanted: bool) -> Any:
        cut = truncation and self.max_length is not None
        length = {"max_length": self.max_length} if cut else {}
        return self.tokenizer(
            texts,
            truncation=cut,
            padding=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
            **length,
            **wanted,
        )

    def _filled(self, ids: Sequence[int] | Encoded) -> Encoded:
        return np.array(ids if len(ids) else [self._stand_in], dtype=np.int64)

    @cached_property
    def _stand_in(self) -> int:
        known = [getattr(self.tokenizer, name, None) for name in _STAND_INS]
        if not any(token is not None for token in known):
            raise ModelError(
                f"the tokenizer {type(self.tokenizer).__name__} makes no token of an empty text, and has no token for "
                "the beginning or end of a text; expected one (bos_token or eos_token)"
            )
        return next(int(token) for token in known if token is not None)


def _pairs(offsets: Sequence[tuple[int, int]]) -> NDArray[np.intp]:
    return np.array(offsets, dtype=np.intp).reshape(-1, 2)

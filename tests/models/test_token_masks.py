from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.models.masked import MaskedText
from pytest_trust.models.tokens import TextTokens


def text_of(words: list[str], separators: list[str]) -> MaskedText:
    names = list(dict.fromkeys(words))
    return MaskedText(tuple(words), tuple(separators), np.array([names.index(word) for word in words], dtype=np.intp))


def all_masks(n_words: int) -> np.ndarray:
    return np.array(list(itertools.product([False, True], repeat=n_words)), dtype=np.bool_).reshape(2**n_words, n_words)


def assert_equal_to_strings(tokens: TextTokens, text: MaskedText, masks: np.ndarray) -> bool:
    encoder = tokens.mask_encoder(text)
    if encoder is None:
        return False
    for ours, theirs in zip(encoder(masks), tokens.encode(text.strings(masks)), strict=True):
        assert ours.dtype == np.int64
        assert ours.tolist() == theirs.tolist()
    return True


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("max_length", [None, 512, 7, 3])
def test_ids_are_those_of_the_strings(tokenizer: Any, side: str, max_length: int | None) -> None:
    tokenizer.truncation_side = side
    text = text_of(["I", "don't", "unbelievably", "I", "日", "café"], ["(", " ", ", ", " — ", "…", " 👍🏽 ", ")\n"])
    assert assert_equal_to_strings(TextTokens(tokenizer, max_length), text, all_masks(5))


@pytest.mark.parametrize(
    ("words", "separators"),
    [
        ([], ["!?"]),
        (["x"], ["", ""]),
        (["good"] * 3, ["", " ", "  ", ""]),
    ],
)
def test_texts_of_few_words(words: list[str], separators: list[str], tokenizer: Any) -> None:
    text = text_of(words, separators)
    encoder_found = assert_equal_to_strings(TextTokens(tokenizer, 512), text, all_masks(len(set(words))))
    assert encoder_found is bool(words or separators)


@pytest.mark.parametrize(
    ("words", "separators", "why"),
    [
        (["good", "film"], ["", "", ""], "nothing between two words"),
        (["20", "C"], ["", "°", ""], "the sign is part of the word before it"),
        (["fi", "lm"], ["", "\u0301", ""], "a token of three parts"),
        (["[MA", "K]"], ["", "S", ""], "a special token within the text"),
    ],
)
def test_what_cannot_be_cut_is_left_to_the_strings(
    words: list[str], separators: list[str], why: str, tokenizer: Any
) -> None:
    assert TextTokens(tokenizer, 512).mask_encoder(text_of(words, separators)) is None, why


def test_a_tokenizer_that_sees_spaces_as_part_of_words() -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    backend.train_from_iterator(
        ["a good film"] * 9, trainers.BpeTrainer(vocab_size=280, initial_alphabet=alphabet, special_tokens=["<end>"])
    )
    tokens = TextTokens(PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="<end>"), None)
    assert tokens.mask_encoder(text_of(["a", "good", "film"], ["", " ", " ", ""])) is None


WORDS = st.sampled_from(["good", "don't", "20", "C", "é", "film", "unbelievably", "日", "[SEP]", "I"])
SEPARATORS = st.sampled_from([" ", "  ", ", ", "-", "°", "'", "\u200d", "…", "\n", "²", "_", "##"])


@given(st.data())
def test_an_encoder_that_is_given_is_right_on_every_mask(encoder_tokenizer: Any, data: st.DataObject) -> None:
    words = data.draw(st.lists(WORDS, min_size=1, max_size=6))
    separators = data.draw(st.lists(SEPARATORS, min_size=len(words) + 1, max_size=len(words) + 1))
    text = text_of(words, separators)
    assert_equal_to_strings(TextTokens(encoder_tokenizer, 12), text, all_masks(len(set(words))))

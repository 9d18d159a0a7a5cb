"""Tokens of a text under masks, taken from those of the whole text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.models.abilities import Encoded, MaskEncoder
from pytest_trust.models.masked import MaskedText
from pytest_trust.stats.sampling import seed_for

# Rows made together, so that the table of rows and tokens stays small.
_ROWS_AT_ONCE = 512
_RANDOM_MASKS = 3


@dataclass(frozen=True, slots=True, eq=False)
class TokenColumns:
    """The tokens of a whole text, special tokens included, with the word that each of them goes with.

    ``ids`` and ``words`` have shape (length,); ``words`` is -1 where a token always stays. The first ``before`` and
    last ``after`` tokens are special. Of the others at most ``room`` stay (None: all), the first of them, or the last
    with ``from_left``.
    """

    ids: Encoded
    words: NDArray[np.intp]
    before: int
    after: int
    room: int | None
    from_left: bool

    def encode(self, masks: NDArray[np.bool_]) -> list[Encoded]:
        """The tokens that stay under each of ``masks``, shape (m, d)."""
        starts = range(0, len(masks), _ROWS_AT_ONCE)
        return [ids for start in starts for ids in self._encode(masks[start : start + _ROWS_AT_ONCE])]

    def _encode(self, masks: NDArray[np.bool_]) -> list[Encoded]:
        # Word -1 is the column of ones.
        kept = np.column_stack([masks, np.ones(len(masks), dtype=np.bool_)])[:, self.words]
        if self.room is not None:
            self._cut(kept[:, self.before : len(self.ids) - self.after], self.room)
        ids = self.ids[np.nonzero(kept)[1]]
        return np.split(ids, np.cumsum(kept.sum(axis=1))[:-1])

    def _cut(self, kept: NDArray[np.bool_], room: int) -> None:
        """Takes away in place what does not fit."""
        ranks = np.cumsum(kept, axis=1)
        kept &= ranks > ranks[:, -1:] - room if self.from_left else ranks <= room


def word_of_each_token(text: MaskedText, offsets: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """The word that each token goes with, shape (n,), -1 within a separator; None where one lies in several parts.

    ``offsets`` are start and end of the n tokens, shape (n, 2).
    """
    starts, ends = occurrence_edges(text)
    # The parts of the text are separators (even numbers) and occurrences (odd numbers) in turn.
    edges = np.stack([starts, ends], axis=1).reshape(-1)
    first = np.searchsorted(edges, offsets[:, 0], side="right")
    last = np.searchsorted(edges, offsets[:, 1], side="left")
    if (first != last).any():
        return None
    return np.where(first % 2, np.append(text.ids, -1)[first // 2], -1)


def occurrence_edges(text: MaskedText) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The characters at which the t occurrences of the whole text start and end, each of shape (t,)."""
    words = np.array([len(occurrence) for occurrence in text.occurrences], dtype=np.intp)
    gaps = np.array([len(separator) for separator in text.separators], dtype=np.intp)
    ends = np.cumsum(gaps[:-1] + words)
    return ends - words, ends


def proven_encoder(
    encoder: MaskEncoder, text: MaskedText, encode: Callable[[Sequence[str]], list[Encoded]]
) -> MaskEncoder | None:
    """``encoder``, where it gives what ``encode`` gives on the strings; None where they differ on some mask.

    They are compared on all words, none, one, every other word (so that each word is seen without its neighbours),
    every other pair, and a few random masks.
    """
    masks = _sample_masks(text.n_words, seed_for(0, text.whole))
    pairs = zip(encoder(masks), encode(text.strings(masks)), strict=True)
    return encoder if all(np.array_equal(ours, theirs) for ours, theirs in pairs) else None


def _sample_masks(n_words: int, seed: int) -> NDArray[np.bool_]:
    numbers = np.arange(n_words)
    random = np.random.default_rng(seed)
    patterns = [
        numbers >= 0,
        numbers < 0,
        numbers == n_words // 2,
        numbers % 2 == 0,
        numbers % 2 == 1,
        numbers // 2 % 2 == 0,
        *(random.random((_RANDOM_MASKS, n_words)) < random.random((_RANDOM_MASKS, 1))),
    ]
    return np.array(patterns, dtype=np.bool_)

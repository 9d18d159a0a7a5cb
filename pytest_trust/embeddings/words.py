"""The words of a table, without a Python object for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FACTOR = 0x9E3779B97F4A7C15
_AT_A_TIME = 100_000


@dataclass(frozen=True, slots=True)
class WordList:
    """n words in UTF-8, found by the hash of their bytes.

    Word i is ``text[offsets[i]:offsets[i + 1]]``. ``hashes`` are those of all words in rising order, and ``order`` the
    words they belong to, in the list's order where hashes are equal: of a word that stands there twice, the first is
    found. All four arrays may be mapped from a file; a look-up touches a few pages of each.
    """

    text: NDArray[np.uint8]
    offsets: NDArray[np.integer]
    hashes: NDArray[np.uint64]
    order: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, place: int) -> str:
        """The word at ``place``; what is not UTF-8 in it becomes a mark."""
        return self.text[self.offsets[place] : self.offsets[place + 1]].tobytes().decode(errors="replace")

    def find(self, word: str) -> int | None:
        """The place of ``word`` in the list, or None."""
        wanted = word.encode(errors="surrogatepass")
        for place in self._candidates(wanted):
            if self.text[self.offsets[place] : self.offsets[place + 1]].tobytes() == wanted:
                return place
        return None

    def _candidates(self, word: bytes) -> Iterator[int]:
        wanted = _hash(word)
        slot = int(np.searchsorted(self.hashes, wanted))
        while slot < len(self.hashes) and self.hashes[slot] == wanted:
            yield int(self.order[slot])
            slot += 1


def index_words(text: NDArray[np.uint8], offsets: NDArray[np.integer]) -> WordList:
    """The list of n words, none of them empty: ``text[offsets[i]:offsets[i + 1]]``; ``offsets`` has shape (n + 1,)."""
    parts = [_hashes(text, offsets[start : start + _AT_A_TIME + 1]) for start in range(0, len(offsets) - 1, _AT_A_TIME)]
    hashes = np.concatenate(parts) if parts else np.zeros(0, np.uint64)
    order = np.argsort(hashes, kind="stable")
    return WordList(text, offsets, hashes[order], order)


def _hash(word: bytes) -> np.uint64:
    """Of one word, far sooner than by :func:`_hashes`."""
    value, power = 0, 1
    for byte in word:
        power = power * _FACTOR % 2**64
        value += (byte + 1) * power
    return np.uint64(value % 2**64)


def _hashes(text: NDArray[np.uint8], offsets: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Of each word the sum of (byte + 1) * factor ** place, modulo 2 ** 64."""
    starts = offsets[:-1] - offsets[0]
    lengths = np.diff(offsets)
    powers = np.cumprod(np.full(lengths.max(), _FACTOR, np.uint64))
    letters = text[offsets[0] : offsets[-1]].astype(np.uint64) + np.uint64(1)
    places = np.arange(len(letters)) - np.repeat(starts, lengths)
    return np.add.reduceat(letters * powers[places], starts)

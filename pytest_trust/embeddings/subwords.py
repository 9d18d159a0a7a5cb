"""fastText's sub-words: vectors of letter sequences, of which an unknown word is made (Bojanowski et al., 2017)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_FNV_OFFSET, _FNV_PRIME = 2166136261, 16777619


@dataclass(frozen=True, slots=True)
class Subwords:
    """Vectors of the buckets that sequences of ``shortest`` to ``longest`` letters fall in, shape (buckets, d)."""

    rows: NDArray[np.float32]
    shortest: int
    longest: int

    def vector(self, word: str) -> NDArray[np.float32] | None:
        """The mean vector of the sub-words of ``word``, of any length but zero, or None where it has none."""
        buckets = [_hash(piece) % len(self.rows) for piece in self._pieces(word)]
        if not buckets:
            return None
        mean: NDArray[np.float32] = self.rows[buckets].mean(axis=0, dtype=np.float32)
        return mean if mean.any() else None

    def _pieces(self, word: str) -> Iterator[bytes]:
        """All but a lone boundary mark."""
        marked = f"<{word}>"
        for start in range(len(marked)):
            for end in range(start + self.shortest, min(start + self.longest, len(marked)) + 1):
                if end - start > 1 or 0 < start < len(marked) - 1:
                    yield marked[start:end].encode(errors="surrogatepass")


def _hash(piece: bytes) -> int:
    """FNV-1a on 32 bits, with bytes above 127 taken as negative numbers, as fastText does."""
    value = _FNV_OFFSET
    for byte in piece:
        signed = byte - 256 if byte > 127 else byte
        value = ((value ^ (signed & 0xFFFFFFFF)) * _FNV_PRIME) & 0xFFFFFFFF
    return value

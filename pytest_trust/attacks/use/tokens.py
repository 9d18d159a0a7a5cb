"""What the Universal Sentence Encoder makes of a token by itself, remembered from text to text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from pytest_trust.attacks.use.layers import (
    BRANCH_WIDTH,
    TOKEN_WIDTH,
    Floats,
    Ints,
    branches,
    row_products,
    standardised,
)
from pytest_trust.embeddings.use import load_encoder

# The slot of no token.
NOTHING = 0
_FIRST_SLOTS = 256


class Tokens:
    """What depends on a token alone, by slots; tokens that were met are remembered until there are ``most``.

    ``vectors`` has shape (slots, 512), ``projected`` (branches, slots, 256), and ``terms``, (slots * 10, 256), what a
    token adds to the first layer of those who see it, in ten ``places``. The slot ``NOTHING`` holds zeros. All this is
    the same to the last digit whatever was met before.
    """

    most: ClassVar[int] = 4096

    def __init__(self) -> None:
        self.places = sum(branch.seen for branch in branches())
        self._forget()

    def _forget(self) -> None:
        self._slots: dict[int, int] = {}
        self._allot(_FIRST_SLOTS)

    def _allot(self, slots: int) -> None:
        self.vectors = np.zeros((slots, TOKEN_WIDTH), np.float32)
        self.projected = np.zeros((len(branches()), slots, BRANCH_WIDTH), np.float32)
        self.terms = np.zeros((slots * self.places, BRANCH_WIDTH), np.float32)

    def slots(self, ids: Sequence[int]) -> Mapping[int, int]:
        """The slot of each of ``ids``; they hold until the next call."""
        new = {token for token in ids if token not in self._slots}
        if new:
            if len(self._slots) + len(new) > self.most:
                self._forget()
                new = set(ids)
            self._learn(sorted(new))
        return self._slots

    def _learn(self, ids: list[int]) -> None:
        first = len(self._slots) + 1
        self._make_room(first + len(ids))
        at, wide = slice(first, first + len(ids)), slice(first * self.places, (first + len(ids)) * self.places)
        self.vectors[at] = vectors = _vectors(np.array(ids))
        rows = _projected(vectors)
        terms = []
        for number, branch in enumerate(branches()):
            self.projected[number, at] = mine = rows[:, number * BRANCH_WIDTH : (number + 1) * BRANCH_WIDTH]
            terms.append(row_products(mine, branch.first))
        self.terms[wide] = np.hstack(terms).reshape(-1, BRANCH_WIDTH)
        self._slots.update(zip(ids, range(first, first + len(ids)), strict=True))

    def _make_room(self, slots: int) -> None:
        old = self.vectors, self.projected, self.terms
        if slots > len(self.vectors):
            self._allot(max(slots, 2 * len(self.vectors)))
            self.vectors[: len(old[0])], self.projected[:, : len(old[0])], self.terms[: len(old[2])] = old


def _vectors(ids: Ints) -> Floats:
    """The vectors of tokens, shape (n, 512)."""
    backend = load_encoder()
    part = ids % len(backend.scale)
    vectors: Floats = backend.table[ids].astype(np.float32) * backend.scale[part, None] + backend.lo[part, None]
    return vectors


def _projected(vectors: Floats) -> Floats:
    """The input of all branches, shape (n, 768)."""
    backend = load_encoder()
    rows: Floats = (
        standardised(row_products(vectors, backend.proj_W) + backend.proj_b) * backend.ln_g_all + backend.ln_b_all
    )
    return rows

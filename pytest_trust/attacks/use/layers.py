"""The layers of the Universal Sentence Encoder, arranged such that what depends on a token alone stands by itself.

A token's vector is projected and normalised for each of three branches. Each branch has two layers of convolutions over
the tokens nearby, and a convolution is a sum of terms, one for each token that it sees. What all this adds to the sum
over a text's tokens goes through a few dense layers. The weights and their layout are those of the pinned package.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.use import load_encoder

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

# Widths of a token's vector, of a branch, and of what a token adds to the sum.
TOKEN_WIDTH = 512
BRANCH_WIDTH = 256
SUM_WIDTH = 1280
# Few rows are multiplied faster each by itself.
_FEW_ROWS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A branch's convolutions: each sees ``seen`` tokens, ``left`` of them to the left and ``right`` to the right.

    ``first`` and ``second`` have shape (256, seen * 256): a row times these is what it adds where it is the first token
    that is seen, the second, and so on. The terms of the first layer are those from ``start`` of a token's ten.
    """

    number: int
    seen: int
    left: int
    start: int
    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats

    @property
    def right(self) -> int:
        """The tokens to the right."""
        return self.seen - 1 - self.left

    def terms(self, rows: Floats) -> Floats:
        """What each of ``rows`` (n, 256) adds to the second layer of those who see it, shape (n * seen, 256)."""
        return product(rows, self.second).reshape(-1, BRANCH_WIDTH)

    def layer_one(self, seen: Ints, rows: Floats, terms: Floats, places: int) -> Floats:
        """The first layer of n tokens; ``seen``, shape (seen, n), names what each sees, from left to right.

        ``rows`` and ``terms`` are those of :class:`~pytest_trust.attacks.use.tokens.Tokens`.
        """
        return self._added(rows.take(seen[self.left], axis=0), terms, self.first_bias, seen * places + self.start)

    def layer_two(self, seen: Ints, rows: Floats, terms: Floats) -> Floats:
        """The second layer of n tokens, from ``rows`` of the first one and their ``terms``."""
        return self._added(rows.take(seen[self.left], axis=0), terms, self.second_bias, seen * self.seen)

    @staticmethod
    def _added(rows: Floats, terms: Floats, bias: Floats, first: Ints) -> Floats:
        """``rows`` and what their terms make of them: the ``first`` and the following ones of what each sees."""
        found: Floats = terms.take(first[0], axis=0)
        for place in range(1, len(first)):
            found += terms.take(first[place] + place, axis=0)
        found += bias
        np.maximum(found, 0, out=found)
        found += rows
        return found


@cache
def branches() -> tuple[Branch, ...]:
    """The three branches."""
    backend, shapes = load_encoder(), ((2, 0), (3, 1), (5, 2))
    starts = (0, 2, 5)
    return tuple(
        Branch(
            number=number,
            seen=seen,
            left=left,
            start=start,
            first=_by_place(backend.w1[number], seen),
            first_bias=backend.b1[number],
            second=_by_place(backend.w2[number], seen),
            second_bias=backend.b2[number],
        )
        for number, ((seen, left), start) in enumerate(zip(shapes, starts, strict=True))
    )


def _by_place(weights: Floats, seen: int) -> Floats:
    """Weights of shape (seen * 256, 256), of one place seen after the other, side by side."""
    return np.hstack(np.split(weights, seen))


def standardised(rows: Floats) -> Floats:
    """Each of ``rows`` with mean 0 and variance 1; ``rows`` are overwritten."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
    rows *= np.reciprocal(np.sqrt(variance + np.float32(load_encoder().eps)))[:, None]
    return rows


def product(rows: Floats, weights: Floats) -> Floats:
    """``rows @ weights``, by the way that is fastest for so many rows."""
    count = len(rows)
    if count <= _FEW_ROWS:
        return row_products(rows, weights)
    # Some rows more take no longer.
    padded = rows if count >= 2 * _FEW_ROWS else np.concatenate([rows, rows[: 2 * _FEW_ROWS - count]])
    return np.asarray(padded @ weights)[:count]


def row_products(rows: Floats, weights: Floats) -> Floats:
    """``rows @ weights``, each row by itself, so that its last digits are the same in any company."""
    found = np.empty((len(rows), weights.shape[1]), np.float32)
    for row, out in zip(rows, found, strict=True):
        np.dot(row, weights, out=out)
    return found


def head(sums: Floats, lengths: Floats) -> Floats:
    """From the sums of n texts over their tokens' standardised rows, (n, 1280), to vectors of any length, (n, 512)."""
    entry, entry_bias, middle, end = _head_weights()
    backend = load_encoder()
    width = len(backend.d1)
    seen = (product(sums, entry) + lengths[:, None] * entry_bias) / np.sqrt(lengths)[:, None]
    second = np.maximum(seen[:, width:] + product(np.maximum(seen[:, :width], 0), middle), 0)
    third = np.maximum(product(second, backend.d2), 0)
    vectors: Floats = np.tanh(product(np.hstack([second, third]), end))
    return vectors


@cache
def _head_weights() -> tuple[Floats, Floats, Any, Floats]:
    """The scale of the sums, their projection and the two layers above in one, with the bias; and the layers behind."""
    backend = load_encoder()
    above = np.hstack([backend.d0, backend.p1]).astype(np.float64)
    inner = backend.cnn_W.astype(np.float64)
    entry = (backend.ln_g[:, None] * inner) @ above
    bias = (backend.ln_b @ inner + backend.cnn_b) @ above
    return entry.astype(np.float32), bias.astype(np.float32), backend.d1, np.vstack([backend.p3, backend.d3])

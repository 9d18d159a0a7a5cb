"""Vectors of texts that differ in a few words, from the Universal Sentence Encoder, in a fraction of the time.

The encoder looks at each token with at most four others on either side (two layers of convolutions that reach two
tokens each) and then adds up over all tokens. So what changes of the sum is what lies near the changed word; the rest
is taken from the text that is known already. The weights and their layout are those of the pinned package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.use import load_encoder
from pytest_trust.embeddings.wordwise import unit_rows

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

# How far both layers see together, and each of them.
_REACH = 4
_LAYER_REACH = 2
# Of each branch of convolutions: how many tokens it looks at, and how many of these lie to the left.
_BRANCHES = ((2, 0), (3, 1), (5, 2))
_BRANCH_WIDTH = 256
# Tokens that are computed together: what they take fits the processor's cache.
_TOKENS = 384


def nearby_encoder(text: str) -> Callable[[Sequence[str]], Floats]:
    """A function from texts that differ little from ``text`` to their unit vectors, shape (n, 512).

    They are what the encoder gives on whole texts, but for the rounding of float32.
    """
    with _one_thread():
        return _Known.of(token_ids(text)).encode


def _one_thread() -> AbstractContextManager[Any]:
    """Products split among threads round differently."""
    limit: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limit


@cache
def _libraries() -> Any:
    """The libraries for products that are loaded; to look for them takes long."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def token_ids(text: str) -> Ints:
    """The pieces of ``text`` with the marks of its start and end; no piece goes across white space."""
    pieces = list(chain.from_iterable(map(_pieces, text.split())))
    tokenizer = load_encoder().sp
    first, unknown, last = tokenizer.encode("", out_type=int)
    return np.array([first, *(pieces or [unknown]), last], dtype=np.int64)


@lru_cache(maxsize=1 << 16)
def _pieces(word: str) -> tuple[int, ...]:
    tokenizer = load_encoder().sp
    found = tuple(tokenizer.encode(word, out_type=int, add_bos=False, add_eos=False))
    return () if found == tuple(tokenizer.encode("", out_type=int, add_bos=False, add_eos=False)) else found


@dataclass(frozen=True, slots=True)
class _Change:
    """Another text of ``length`` tokens: its tokens ``window`` are to be computed, of which ``inner`` then count.

    They take the place of the known text's tokens from ``start`` to ``stop``.
    """

    length: int
    window: Ints
    inner: slice
    start: int
    stop: int

    @classmethod
    def of(cls, known: Ints, ids: Ints) -> _Change:
        """What ``ids`` change of ``known``."""
        head = _shared(known, ids)
        tail = min(_shared(known[::-1], ids[::-1]), min(len(known), len(ids)) - head)
        start, end = max(0, head - _REACH), min(len(ids), len(ids) - tail + _REACH)
        first, last = max(0, start - _REACH), min(len(ids), end + _REACH)
        inner = slice(start - first, end - first)
        return cls(len(ids), ids[first:last], inner, start, min(len(known), len(known) - tail + _REACH))


def _shared(one: Ints, two: Ints) -> int:
    """How many tokens both begin with."""
    length = min(len(one), len(two))
    differ = np.flatnonzero(one[:length] != two[:length])
    return int(differ[0]) if len(differ) else length


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A text of n tokens and what each adds to the sum, shape (n, 1280)."""

    ids: Ints
    features: Floats

    @classmethod
    def of(cls, ids: Ints) -> _Known:
        """The text of the tokens ``ids``."""
        (features,) = _features([ids])
        return cls(ids, features)

    def encode(self, texts: Sequence[str]) -> Floats:
        """The unit vectors of ``texts``."""
        with _one_thread():
            return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> Floats:
        changes = [_Change.of(self.ids, token_ids(text)) for text in texts]
        total = self.features.sum(axis=0, dtype=np.float64)
        sums = np.empty((len(texts), self.features.shape[1]))
        for place, change, features in _computed(changes):
            old = self.features[change.start : change.stop].sum(axis=0, dtype=np.float64)
            sums[place] = total - old + features[change.inner].sum(axis=0, dtype=np.float64)
        return unit_rows(_head(sums.astype(np.float32), np.array([[change.length] for change in changes], np.float32)))


def _computed(changes: Sequence[_Change]) -> Iterator[tuple[int, _Change, Floats]]:
    """Each change with its place and the features of its window."""
    group: list[int] = []
    for place in range(len(changes)):
        if group and sum(len(changes[i].window) for i in (*group, place)) > _TOKENS:
            yield from _computed_together(changes, group)
            group = []
        group.append(place)
    if group:
        yield from _computed_together(changes, group)


def _computed_together(changes: Sequence[_Change], places: Sequence[int]) -> Iterator[tuple[int, _Change, Floats]]:
    found = _features([changes[place].window for place in places])
    for place, features in zip(places, found, strict=True):
        yield place, changes[place], features


def _features(texts: Sequence[Ints]) -> list[Floats]:
    """What each token of each of ``texts`` adds to the sum of its text, shape (tokens, 1280)."""
    backend = load_encoder()
    flat, inside = _with_gaps(texts)
    tokens = backend.table[flat].astype(np.float32)
    chunk = flat % len(backend.scale)
    tokens = (tokens * backend.scale[chunk, None] + backend.lo[chunk, None]) * inside
    projected = _normalised(tokens @ backend.proj_W + backend.proj_b, backend.ln_g_all, backend.ln_b_all, backend.eps)
    branches = [
        _convolved(
            backend, branch, projected[:, branch * _BRANCH_WIDTH : (branch + 1) * _BRANCH_WIDTH] * inside, inside
        )
        for branch in range(len(_BRANCHES))
    ]
    features = _normalised(np.hstack([tokens, *branches]), backend.ln_g, backend.ln_b, backend.eps)
    starts = np.cumsum([0, *(len(ids) + _LAYER_REACH for ids in texts)])
    return [features[start : start + len(ids)] for start, ids in zip(starts, texts, strict=False)]


def _with_gaps(texts: Sequence[Ints]) -> tuple[Ints, Floats]:
    """All tokens in a row, two places free behind each text, and a column that is 0 there and 1 elsewhere."""
    gap = np.zeros(_LAYER_REACH, dtype=np.int64)
    flat = np.concatenate([part for ids in texts for part in (ids, gap)])
    inside = np.concatenate([part for ids in texts for part in (np.ones(len(ids)), gap)])
    return flat, inside[:, None].astype(np.float32)


def _normalised(rows: Floats, gamma: Floats, beta: Floats, epsilon: float) -> Floats:
    """Layer normalisation of each row."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows)[:, None] / rows.shape[1]
    normalised: Floats = rows / np.sqrt(variance + np.float32(epsilon)) * gamma + beta
    return normalised


def _convolved(backend: Any, branch: int, rows: Floats, inside: Floats) -> Floats:
    """Two residual layers of a branch; nothing is seen beyond a text's ends."""
    for weights, bias in ((backend.w1, backend.b1), (backend.w2, backend.b2)):
        seen = _neighbours(rows, *_BRANCHES[branch]) @ weights[branch] + bias[branch]
        rows = (np.maximum(seen, 0) + rows) * inside
    return rows


def _neighbours(rows: Floats, count: int, left: int) -> Floats:
    """Each row beside its neighbours, ``count`` in all and ``left`` of them to its left."""
    padded = np.pad(rows, ((_LAYER_REACH, _LAYER_REACH), (0, 0)))
    first = _LAYER_REACH - left
    return np.hstack([padded[first + i : first + i + len(rows)] for i in range(count)])


def _head(sums: Floats, lengths: Floats) -> Floats:
    """From the sums of n texts over their tokens to vectors of any length, shape (n, 512)."""
    backend = load_encoder()
    mean = (sums @ backend.cnn_W + lengths * backend.cnn_b) / np.sqrt(lengths)
    first = np.maximum(mean @ backend.d0, 0)
    second = np.maximum(mean @ backend.p1 + first @ backend.d1, 0)
    third = np.maximum(second @ backend.d2, 0)
    vectors: Floats = np.tanh(second @ backend.p3 + third @ backend.d3)
    return vectors

"""Vectors of texts that differ in a few words, from the Universal Sentence Encoder, in a fraction of the time.

The encoder looks at each token with at most four others on either side (two layers of convolutions that reach two
tokens each) and then adds up over all tokens. So what changes of the sum is what lies near the changed words; the rest
is taken from the text that is known already.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.attacks.use.layers import SUM_WIDTH, Floats, branches, head, standardised
from pytest_trust.attacks.use.tokens import Tokens
from pytest_trust.attacks.use.windows import REACH, Gap, Layer, lanes_of, spliced
from pytest_trust.embeddings.use import load_encoder
from pytest_trust.embeddings.wordwise import unit_rows

_LOCK = threading.RLock()


class NearbyUse:
    """Encodes texts that differ little from a known one, at first ``text``: unit rows of 512 numbers."""

    def __init__(self, text: str) -> None:
        with _alone():
            self._known = _Known.of(token_ids(text))
        self._text = text
        self._windows: dict[str, _Window] = {}

    def encode(self, texts: Sequence[str]) -> Floats:
        """See :class:`~pytest_trust.attacks.NearbyTexts`."""
        if not texts:
            return head(np.empty((0, SUM_WIDTH), np.float32), np.empty(0, np.float32))
        with _alone():
            ids = [token_ids(text) for text in texts]
            if len(texts) == 1 and ids[0] == self._known.ids:
                sums = self._known.total[None].astype(np.float32)
            else:
                windows, sums = self._known.windows(ids)
                self._windows = dict(zip(texts, windows, strict=True))
            return unit_rows(head(sums, np.array([len(tokens) for tokens in ids], np.float32)))

    def move(self, text: str) -> None:
        """See :class:`~pytest_trust.attacks.NearbyTexts`."""
        if text == self._text:
            return
        with _alone():
            window = self._windows.get(text) or self._known.windows([token_ids(text)])[0][0]
            self._known = self._known.changed(window)
        self._text, self._windows = text, {}


@contextmanager
def _alone() -> Iterator[None]:
    """What is known of tokens is shared, and products split among threads round differently."""
    with _LOCK, _libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def _libraries() -> Any:
    """The libraries for products that are loaded; to look for them takes long."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@cache
def _tokens() -> Tokens:
    return Tokens()


def token_ids(text: str) -> list[int]:
    """The pieces of ``text`` with the marks of its start and end; no piece goes across white space."""
    pieces = list(chain.from_iterable(map(_pieces, text.split())))
    first, unknown, last = _nothing()
    return [first, *(pieces or [unknown]), last]


@cache
def _nothing() -> tuple[int, ...]:
    """The pieces of an empty text."""
    return tuple(load_encoder().sp.encode("", out_type=int))


@lru_cache(maxsize=1 << 16)
def _pieces(word: str) -> tuple[int, ...]:
    found = tuple(load_encoder().sp.encode(word, out_type=int))
    return () if found == _nothing() else found[1:-1]


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """Another text ``ids``, and of its tokens around the gap what :class:`_Known` has of all."""

    gap: Gap
    ids: list[int]
    layers: Sequence[Layer]
    added: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A text of n tokens: its first layers, what each token ``added`` to the sum, shape (n, 1280), and the sum."""

    ids: list[int]
    layers: Sequence[Layer]
    added: Floats
    total: NDArray[np.float64]

    @classmethod
    def of(cls, ids: list[int]) -> _Known:
        """The text of the tokens ``ids``."""
        layers = [Layer.empty(branch) for branch in branches()]
        nothing = cls([], layers, np.empty((0, SUM_WIDTH), np.float32), np.zeros(SUM_WIDTH))
        (window,), _ = nothing.windows([ids])
        return nothing.changed(window)

    def changed(self, window: _Window) -> _Known:
        """The text of ``window``."""
        gap, place = window.gap, window.gap.around(REACH, REACH)
        layers = [old.spliced(gap, new) for old, new in zip(self.layers, window.layers, strict=True)]
        total = self._rest(gap) + window.added.sum(axis=0, dtype=np.float64)
        return _Known(window.ids, layers, spliced(self.added, place, window.added), total)

    def _rest(self, gap: Gap) -> NDArray[np.float64]:
        """The sum over the tokens that nothing in the gap changes."""
        rest: NDArray[np.float64] = self.total - self.added[gap.around(REACH, REACH)].sum(axis=0, dtype=np.float64)
        return rest

    def windows(self, texts: Sequence[list[int]]) -> tuple[list[_Window], Floats]:
        """The window of each of ``texts``, and their sums over all tokens, shape (n, 1280)."""
        gap, tokens = Gap.of(self.ids, texts), _tokens()
        near = gap.around(REACH, REACH)
        middles = [gap.middle(ids) for ids in texts]
        slots = tokens.slots([*self.ids[near], *chain.from_iterable(middles)])
        lanes = lanes_of(gap, self.ids, middles, slots)
        found = [layer.windows(gap, lanes, tokens) for layer in self.layers]
        inner = [slot for lane in lanes for slot in lane if slot]
        vectors = tokens.vectors.take(inner, axis=0)
        added = standardised(np.hstack([vectors, *(second for _, second in found)]))
        ends = list(accumulate(gap.sizes([len(middle) for middle in middles], REACH, REACH), initial=0))
        sums = self._rest(gap) + np.add.reduceat(added, ends[:-1], axis=0)
        layers = zip(*(parts for parts, _ in found), strict=True)
        windows = [
            _Window(gap, ids, of_text, added[a:b])
            for ids, of_text, a, b in zip(texts, layers, ends, ends[1:], strict=False)
        ]
        return windows, sums.astype(np.float32)

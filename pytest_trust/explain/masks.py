"""The neighbourhood engine: which words each neighbour of a text keeps, and how near it is.

A neighbourhood depends on the number of distinct words, the samples, the kernel and the seed, not on the text.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain.surrogate import LocalFit
from pytest_trust.explain.words import Masks

_ROWS_AT_ONCE = 256
# Room for all texts of up to some 250 words at 5,000 samples.
_BANK_BYTES = 256 * 2**20


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """The m distinct neighbours of a text of d words, in the order in which they were first drawn.

    ``masks`` has shape (m, d), True where a word is kept; its first row keeps all. Of shape (m,) are ``kernel``, the
    nearness to the text, ``counts``, the number of the ``samples`` draws that gave this mask, and ``firsts``, the place
    of the first such draw.
    """

    masks: Masks
    kernel: NDArray[np.float64]
    counts: NDArray[np.int64]
    firsts: NDArray[np.int64]

    @property
    def samples(self) -> int:
        """The number of draws."""
        return int(self.counts.sum())

    def drawn(self, n: int) -> int:
        """The number of draws that the first n neighbours answer."""
        return int(self.firsts[n]) if n < len(self.firsts) else self.samples

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """Weights in LIME's regressions, shape (m,)."""
        return self.kernel * self.counts

    @cached_property
    def fit(self) -> LocalFit:
        """The regressions over these neighbours."""
        return LocalFit(self.masks, self.weights)

    @property
    def nbytes(self) -> int:
        """Bytes held by the arrays and by what the regressions keep."""
        return self.masks.nbytes + 4 * self.kernel.nbytes + self.fit.nbytes


def draw_masks(n_words: int, samples: int, seed: int) -> Masks:
    """The whole text and ``samples - 1`` neighbours of it, shape (samples, n_words), drawn as LIME draws them.

    For each neighbour the number of words to remove is uniform on 1 to ``n_words``, and so is the choice of
    them (Ribeiro et al. 2016, Sec. 3.3). The stream of random numbers is that of the lime package with a fresh
    explainer and ``random_state=seed``: all sizes first, then one permutation a row.
    """
    state = np.random.RandomState(seed)
    sizes = state.randint(1, n_words + 1, samples - 1)
    masks = np.ones((samples, n_words), dtype=np.bool_)
    for start in range(0, samples - 1, _ROWS_AT_ONCE):
        some = sizes[start : start + _ROWS_AT_ONCE]
        order = np.tile(np.arange(n_words), (len(some), 1))
        for row in order:
            state.shuffle(row)
        kept = np.arange(n_words) >= some[:, None]
        np.put_along_axis(masks[1 + start : 1 + start + len(some)], order, kept, axis=1)
    return masks


def distinct_rows(masks: Masks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the distinct rows of ``masks`` occur first, in rising order, and how often each occurs."""
    packed = np.packbits(masks, axis=1)
    rows = packed.view(f"V{packed.shape[1]}").ravel().tolist()
    firsts: dict[bytes, int] = {}
    for place, row in enumerate(rows):
        firsts.setdefault(row, place)
    counts = Counter(rows)
    return np.array(list(firsts.values()), dtype=np.int64), np.array([counts[row] for row in firsts], dtype=np.int64)


def kernel_weights(masks: Masks, kernel_width: float) -> NDArray[np.float64]:
    """Nearness of each mask to the whole text, shape (m,): ``sqrt(exp(-D^2 / kernel_width^2))``.

    D is 100 times the cosine distance of the mask to a row of ones, ``1 - sqrt(kept / d)``, as in the lime package.
    """
    distance = 100.0 * (1.0 - np.sqrt(masks.mean(axis=1)))
    weights: NDArray[np.float64] = np.sqrt(np.exp(-(distance**2) / kernel_width**2))
    return weights


def neighbourhood(n_words: int, samples: int, seed: int, kernel_width: float) -> Neighbourhood:
    """LIME's neighbourhood of a text of ``n_words`` distinct words; without words it is the text alone."""
    if n_words == 0:
        return whole_text(0)
    drawn = draw_masks(n_words, samples, seed)
    firsts, counts = distinct_rows(drawn)
    masks = drawn[firsts]
    return Neighbourhood(masks, kernel_weights(masks, kernel_width), counts, firsts)


def whole_text(n_words: int) -> Neighbourhood:
    """The neighbourhood that holds the text alone."""
    return each_once(np.ones((1, n_words), dtype=np.bool_))


def leave_one_out(n_words: int) -> Neighbourhood:
    """The text, and the text without each of its words in turn."""
    masks = np.vstack([np.ones((1, n_words), dtype=np.bool_), ~np.eye(n_words, dtype=np.bool_)])
    return each_once(masks)


def each_once(masks: Masks) -> Neighbourhood:
    """The neighbourhood of distinct ``masks``, shape (m, d), that weigh the same."""
    once = np.ones(len(masks), dtype=np.int64)
    return Neighbourhood(masks, np.ones(len(masks)), once, np.arange(len(masks)))


class MaskBank:
    """LIME's neighbourhoods of one setting, the most recently used kept up to ``max_bytes``.

    A copy sent to another process starts empty.
    """

    def __init__(self, samples: int, kernel_width: float, max_bytes: int = _BANK_BYTES) -> None:
        self._setting = (samples, kernel_width, max_bytes)
        self._kept: OrderedDict[tuple[int, int], Neighbourhood] = OrderedDict()
        self._nbytes = 0

    def __reduce__(self) -> tuple[type[MaskBank], tuple[int, float, int]]:
        return MaskBank, self._setting

    @property
    def nbytes(self) -> int:
        """Bytes of the neighbourhoods kept now."""
        return self._nbytes

    def get(self, n_words: int, seed: int) -> Neighbourhood:
        """The neighbourhood for ``n_words`` distinct words and ``seed``, drawn now unless it is kept."""
        key = (n_words, seed)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        samples, kernel_width, _ = self._setting
        drawn = neighbourhood(n_words, samples, seed, kernel_width)
        self._keep(key, drawn)
        return drawn

    def _keep(self, key: tuple[int, int], drawn: Neighbourhood) -> None:
        self._kept[key] = drawn
        self._nbytes += drawn.nbytes
        while self._nbytes > self._setting[2]:
            _, oldest = self._kept.popitem(last=False)
            self._nbytes -= oldest.nbytes

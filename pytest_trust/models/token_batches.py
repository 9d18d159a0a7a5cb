"""Encoded texts in batches of exactly equal length, which need no padding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.models.abilities import Encoded


def equal_length_batches(lengths: Sequence[int], max_tokens: int) -> Iterator[NDArray[np.intp]]:
    """The indices of ``lengths`` in batches of one length each, the longest first, the order within a length kept.

    No batch holds more than ``max_tokens`` tokens, unless one text alone does.
    """
    array = np.asarray(lengths, dtype=np.intp)
    order = np.argsort(-array, kind="stable")
    ends = np.flatnonzero(np.diff(array[order])) + 1
    for group in np.split(order, ends) if len(order) else ():
        step = max(1, max_tokens // max(1, int(array[group[0]])))
        yield from (group[start : start + step] for start in range(0, len(group), step))


def score_by_length(
    encoded: Sequence[Encoded],
    n_columns: int,
    max_tokens: int,
    score: Callable[[NDArray[np.int64]], NDArray[Any]],
) -> NDArray[np.float64]:
    """What ``score`` gives for each of ``encoded``, shape (n, n_columns), asked in :func:`equal_length_batches`.

    ``score`` takes token numbers of shape (b, length) and gives b rows of ``n_columns``.
    """
    answer = np.empty((len(encoded), n_columns))
    for batch in equal_length_batches([len(ids) for ids in encoded], max_tokens):
        answer[batch] = score(np.stack([encoded[index] for index in batch]))
    return answer

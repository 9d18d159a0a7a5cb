"""Runs sentence encoders such that the company of a text does not show in its vector."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings.wordwise import Vector

BATCH = 16


def mean_of_tokens(states: Vector) -> Vector:
    """The mean over the tokens of each text: (n, l, d) to (n, d)."""
    mean: Vector = states.mean(axis=1)
    return mean


class Runner:
    """Runs the model such that each text's result is, bit for bit, that of a run of its own.

    Batches are several times faster, but whether they round as single runs do is a matter of the processor. So texts
    go in full batches of one token count, and only once the first batch of that count came out equal to single runs:
    the order of the arithmetic depends on the shape of a batch alone, not on the words in it.

    ``session`` is one of ONNX Runtime or has its ``run``; ``pool`` makes one vector of the states of a text's tokens,
    (n, l, d) to (n, d'). Equal token counts need no padding, so it need not know of any.
    """

    def __init__(self, session: Any, pool: Callable[[Vector], Vector] = mean_of_tokens) -> None:
        self._session = session
        self._pool = pool
        self._exact: dict[int, bool] = {}

    def vectors(self, texts: Mapping[str, Sequence[int]]) -> dict[str, Vector]:
        """The vector of each text, whose token ids are given."""
        by_length: dict[int, list[str]] = {}
        for text, ids in texts.items():
            by_length.setdefault(len(ids), []).append(text)
        found: dict[str, Vector] = {}
        for group in by_length.values():
            rows = self.means(np.array([texts[text] for text in group], dtype=np.int64))
            found.update(zip(group, rows, strict=True))
        return found

    def means(self, ids: NDArray[np.int64]) -> Vector:
        """Pooled token vectors, shape (n, d), of n texts with one token count l: ``ids`` has shape (n, l)."""
        return np.vstack([self._chunk(ids[i : i + BATCH]) for i in range(0, len(ids), BATCH)])

    def _chunk(self, ids: NDArray[np.int64]) -> Vector:
        length = ids.shape[1]
        if len(ids) == BATCH and self._exact.get(length, False):
            return self._run(ids)
        alone = np.vstack([self._run(row[None]) for row in ids])
        if len(ids) == BATCH and length not in self._exact:
            self._exact[length] = np.array_equal(alone, self._run(ids))
        return alone

    def _run(self, ids: NDArray[np.int64]) -> Vector:
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return self._pool(self._session.run(["last_hidden_state"], feeds)[0])

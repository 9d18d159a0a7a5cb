"""When batches are trusted: a session whose batches round differently must never leave its mark."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_trust.embeddings.runner import BATCH, Runner


class FakeSession:
    """Token states that are a plain function of the ids, off by ``error`` wherever more than one text is run."""

    def __init__(self, error: float) -> None:
        self.error = error
        self.batches: list[int] = []

    def run(self, outputs, feeds):
        assert outputs == ["last_hidden_state"]
        ids = feeds["input_ids"]
        assert feeds["attention_mask"].shape == ids.shape == feeds["token_type_ids"].shape
        self.batches.append(len(ids))
        states = np.repeat(ids[..., None].astype(np.float32), 4, axis=2)
        return [states + np.float32(self.error if len(ids) > 1 else 0.0)]


def ids_of(n: int, length: int = 3) -> np.ndarray:
    return np.arange(n * length, dtype=np.int64).reshape(n, length)


@pytest.mark.parametrize("error", [0.0, 0.25])
@pytest.mark.parametrize("n", [1, BATCH - 1, BATCH, BATCH + 1, 4 * BATCH + 3])
def test_results_are_those_of_single_runs(error, n):
    ids = ids_of(n)
    means = Runner(FakeSession(error)).means(ids)
    assert np.array_equal(means, np.repeat(ids.mean(axis=1, keepdims=True), 4, axis=1).astype(np.float32))


def test_a_shape_is_tried_once_and_then_used():
    session = FakeSession(error=0.0)
    Runner(session).means(ids_of(3 * BATCH))
    assert session.batches == [1] * BATCH + [BATCH] * 3


def test_a_shape_that_rounds_differently_is_tried_once_and_never_used():
    session = FakeSession(error=0.25)
    runner = Runner(session)
    runner.means(ids_of(2 * BATCH))
    runner.means(ids_of(BATCH))
    assert session.batches == [1] * BATCH + [BATCH] + [1] * (2 * BATCH)


def test_each_token_count_is_tried_for_itself():
    session = FakeSession(error=0.0)
    runner = Runner(session)
    runner.means(ids_of(BATCH, length=3))
    session.batches.clear()
    runner.means(ids_of(BATCH, length=4))
    assert session.batches == [1] * BATCH + [BATCH]


def test_less_than_a_batch_goes_one_by_one():
    session = FakeSession(error=0.0)
    Runner(session).means(ids_of(BATCH - 1))
    assert session.batches == [1] * (BATCH - 1)

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.models.token_batches import equal_length_batches, score_by_length


@given(st.lists(st.integers(0, 12), max_size=60), st.integers(1, 30))
def test_batches_hold_every_text_once_of_one_length_within_the_bound(lengths: list[int], max_tokens: int) -> None:
    batches = list(equal_length_batches(lengths, max_tokens))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        (length,) = {lengths[index] for index in batch}
        assert len(batch) == 1 or len(batch) * length <= max_tokens
        assert list(batch) == sorted(batch)
    sizes = [lengths[batch[0]] for batch in batches]
    assert sizes == sorted(sizes, reverse=True)


def test_batches_are_as_large_as_they_may_be() -> None:
    batches = [batch.tolist() for batch in equal_length_batches([3, 2, 3, 3, 2, 9], 6)]
    assert batches == [[5], [0, 2], [3], [1, 4]]


def test_answers_come_back_in_the_order_of_the_texts() -> None:
    texts = [np.array(ids, dtype=np.int64) for ids in ([5, 1], [7], [2, 2], [9])]
    asked: list[tuple[int, ...]] = []

    def score(ids: np.ndarray) -> np.ndarray:
        asked.append(ids.shape)
        return np.column_stack([ids[:, 0], ids.sum(axis=1)])

    assert score_by_length(texts, 2, 4, score).tolist() == [[5, 6], [7, 7], [2, 4], [9, 9]]
    assert asked == [(2, 2), (2, 1)]
    assert score_by_length([], 2, 4, score).shape == (0, 2)

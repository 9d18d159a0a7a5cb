"""theta_relate against hand-computed and closed-form balance points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_trust.embeddings import calibrate_threshold
from pytest_trust.embeddings.calibration import calibrate, pair_cosines, precision_and_recall
from pytest_trust.embeddings.pairs import Pairs
from pytest_trust.errors import EmbeddingError


def test_a_hand_made_balance():
    # Four of the eight lie at or above t for every t in (0.2, 0.6]: .9, .8, .7 and one false .6.
    related, unrelated = [0.9, 0.8, 0.7, 0.2], [0.6, 0.1, 0.0, -0.1]
    threshold = calibrate_threshold(related, unrelated)
    assert 0.2 < threshold <= 0.6
    assert precision_and_recall(related, unrelated, threshold) == (0.75, 0.75)


def test_sets_that_do_not_overlap_are_split_without_error():
    threshold = calibrate_threshold([0.8, 0.9, 1.0], [-0.3, 0.1])
    assert 0.1 < threshold <= 0.8
    assert precision_and_recall([0.8, 0.9, 1.0], [-0.3, 0.1], threshold) == (1.0, 1.0)


def test_sets_of_other_sizes_weigh_the_same():
    related, unrelated = [0.9, 0.8, 0.7, 0.3], [0.6, 0.2, 0.1, 0.0]
    repeated = np.repeat(unrelated, 50)
    assert calibrate_threshold(related, unrelated) == calibrate_threshold(related, repeated)


def test_a_balance_no_better_than_chance_is_refused():
    # Where r + f = 1, half of each set is above.
    with pytest.raises(EmbeddingError, match=r"precision is 0\.500"):
        calibrate_threshold([0.9, 0.1], [0.6, 0.2])


@pytest.mark.parametrize(("spread_related", "spread_unrelated"), [(0.1, 0.1), (0.05, 0.15), (0.12, 0.06)])
def test_normal_cosines_balance_where_theory_says(spread_related, spread_unrelated):
    """r + f = 1 for normal sets where (t - m1) / s1 = (m2 - t) / s2."""
    random = np.random.default_rng(11)
    related = random.normal(0.6, spread_related, 200_000).clip(-1, 1)
    unrelated = random.normal(0.2, spread_unrelated, 200_000).clip(-1, 1)
    expected = (0.6 * spread_unrelated + 0.2 * spread_related) / (spread_related + spread_unrelated)
    threshold = calibrate_threshold(related, unrelated)
    assert threshold == pytest.approx(expected, abs=0.002)
    precision, recall = precision_and_recall(related, unrelated, threshold)
    assert precision == pytest.approx(recall, abs=1e-4)


@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_precision_and_recall_are_equal_for_distinct_cosines(n, seed):
    random = np.random.default_rng(seed)
    related, unrelated = random.uniform(-0.2, 1.0, n), random.uniform(-1.0, 0.4, n)
    assume(len(set(related) | set(unrelated)) == 2 * n)
    try:
        threshold = calibrate_threshold(related, unrelated)
    except EmbeddingError:
        # The n largest of all 2n hold at most half of the related ones.
        largest = np.sort(np.concatenate([related, unrelated]))[n]
        assert (related >= largest).mean() <= 0.5
        return
    precision, recall = precision_and_recall(related, unrelated, threshold)
    assert precision == pytest.approx(recall)
    assert ((related >= threshold).sum() + (unrelated >= threshold).sum()) == n


def test_ties_at_the_balance_count_as_related():
    # At .5 three of three related and one of three unrelated lie above or at it; just over it only one of three.
    threshold = calibrate_threshold([0.9, 0.5, 0.5], [0.5, 0.1, 0.0])
    assert threshold == pytest.approx(0.5, abs=1e-8)
    assert threshold <= 0.5


def test_the_answer_is_a_plain_float():
    threshold = calibrate_threshold(np.array([0.9], dtype=np.float32), np.array([0.1], dtype=np.float32))
    assert type(threshold) is float


@pytest.mark.parametrize(
    ("related", "unrelated", "message"),
    [
        ([], [0.1], "no related pair is known"),
        ([0.9], [], "no unrelated pair is known"),
        ([[0.9]], [0.1], r"related cosines: found the shape \(1, 1\)"),
        ([float("nan")], [0.1], "related cosines: found values outside"),
        ([0.9], [1.2], "unrelated cosines: found values outside"),
        ([0.5, 0.5], [0.5, 0.5], "no threshold tells related pairs"),
        ([0.1, 0.2], [0.7, 0.8], "no threshold tells related pairs"),
    ],
)
def test_bad_cosines_are_refused(related, unrelated, message):
    with pytest.raises(EmbeddingError, match=message):
        calibrate_threshold(related, unrelated)


def test_nothing_above_the_threshold_has_no_precision():
    assert precision_and_recall([0.5], [0.4], 0.9) == (0.0, 0.0)


TABLE = {"sea": (1, 0), "ocean": (0.8, 0.6), "car": (0, 1), "auto": (-0.6, 0.8), "rock": (-1, 0)}


def test_cosines_leave_out_pairs_with_unknown_words(make_embedding):
    found = pair_cosines(make_embedding(TABLE), [("zzq", "sea"), ("sea", "ocean"), ("car", "zzq"), ("car", "sea")])
    np.testing.assert_allclose(found, [0.8, 0.0], atol=1e-7)


def test_an_embedding_is_calibrated_on_the_pairs_it_knows(make_embedding):
    pairs = Pairs((("sea", "ocean"), ("car", "auto"), ("car", "zzq")), (("sea", "car"), ("ocean", "rock")))
    found = calibrate(make_embedding(TABLE), pairs)
    assert 0.0 < found.threshold <= 0.8
    assert found.threshold == round(found.threshold, 4)
    assert (found.name, found.related, found.unrelated, found.precision, found.recall) == ("table", 2, 2, 1.0, 1.0)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        (Pairs((("zzq", "sea"),), (("sea", "car"),)), "table: no related pair is known"),
        (
            Pairs((("sea", "rock"),), (("sea", "ocean"),)),
            r"table: no threshold tells related pairs \(mean cosine -1\.000\)",
        ),
    ],
)
def test_an_embedding_that_cannot_be_calibrated_is_named(make_embedding, pairs, message):
    with pytest.raises(EmbeddingError, match=message):
        calibrate(make_embedding(TABLE), pairs)


@pytest.mark.parametrize("seed", range(6))
def test_an_embedding_of_noise_gets_no_threshold(make_embedding, seed: int) -> None:
    draw = np.random.default_rng(seed)
    words = [f"word{i}" for i in range(400)]
    noise = make_embedding({word: draw.normal(size=20) for word in words})
    pairs = Pairs(
        tuple(zip(words[:200], words[200:], strict=True)), tuple(zip(words[:200], words[199:399], strict=True))
    )
    with pytest.raises(EmbeddingError, match=r"table: (does not tell 200 related|no threshold tells related pairs)"):
        calibrate(noise, pairs)

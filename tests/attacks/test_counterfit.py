"""Counter-fitting on vectors small enough to see what happens."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import counterfit as script
from pytest_trust.attacks import CounterFitting, counter_fit
from pytest_trust.embeddings import load_ensemble
from pytest_trust.errors import ConfigurationError

NONE = np.empty((0, 2), dtype=np.intp)


def unit(rows) -> np.ndarray:
    matrix = np.asarray(rows, dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def pairs(*items: tuple[int, int]) -> np.ndarray:
    return np.array(items, dtype=np.intp).reshape(-1, 2)


@pytest.fixture
def vectors() -> np.ndarray:
    return unit(np.random.default_rng(0).normal(size=(40, 6)))


def cosine(vectors: np.ndarray, one: int, two: int) -> float:
    return float(vectors[one] @ vectors[two])


def test_antonyms_are_driven_to_a_right_angle() -> None:
    vectors = unit([[1, 0.1, 0], [1, -0.1, 0], [0, 0, 1]])
    fitted = counter_fit(vectors, NONE, pairs((0, 1)), CounterFitting(neighbourhood=0.0, epochs=60))
    assert cosine(vectors, 0, 1) > 0.9
    assert cosine(fitted, 0, 1) < 0.0
    assert np.array_equal(fitted[2], vectors[2])


def test_synonyms_are_drawn_together() -> None:
    vectors = unit([[1, 0.2, 0], [0.2, 1, 0], [0, 0, 1]])
    fitted = counter_fit(vectors, pairs((0, 1)), NONE)
    assert cosine(fitted, 0, 1) > 0.99


def test_the_step_is_that_of_the_gradient() -> None:
    vectors = unit([[1, 0], [0.6, 0.8]])
    fitted = counter_fit(vectors, pairs((0, 1)), NONE, CounterFitting(epochs=1, neighbourhood=0.0))
    moved = vectors[0] + 0.1 * (vectors[1] - 0.6 * vectors[0])
    assert fitted[0] == pytest.approx(moved / np.linalg.norm(moved), abs=1e-6)


def test_neighbours_are_held() -> None:
    vectors = unit([[1, 0, 0], [1, 0.1, 0], [1, 0, 0.3]])
    free = counter_fit(vectors, NONE, pairs((0, 1)), CounterFitting(neighbourhood=0.0))
    held = counter_fit(vectors, NONE, pairs((0, 1)), CounterFitting(neighbourhood=0.2))
    assert cosine(held, 0, 2) > cosine(free, 0, 2)


def test_nothing_moves_without_pairs(vectors) -> None:
    assert counter_fit(vectors, NONE, NONE) == pytest.approx(vectors, abs=1e-6)


def test_rows_stay_units_and_what_is_given_stays(vectors) -> None:
    before = vectors.copy()
    fitted = counter_fit(vectors, pairs((0, 1), (2, 3)), pairs((4, 5)))
    assert np.linalg.norm(fitted, axis=1) == pytest.approx(np.ones(40), abs=1e-5)
    assert fitted.dtype == np.float32
    assert np.array_equal(vectors, before)


def test_order_and_repeats_of_pairs_do_not_matter(vectors) -> None:
    synonyms, antonyms = pairs((0, 1), (1, 2), (5, 6)), pairs((3, 4))
    one = counter_fit(vectors, synonyms, antonyms)
    two = counter_fit(vectors, np.vstack([synonyms[::-1, ::-1], synonyms, pairs((7, 7))]), antonyms[:, ::-1])
    assert np.array_equal(one, two)


def test_a_pair_that_is_both_counts_as_antonyms(vectors) -> None:
    both = counter_fit(vectors, pairs((0, 1)), pairs((1, 0)))
    assert np.array_equal(both, counter_fit(vectors, NONE, pairs((0, 1))))


@pytest.mark.parametrize("rows", [1, 7])
def test_blocks_do_not_change_what_is_near(vectors, monkeypatch, rows: int) -> None:
    whole = counter_fit(vectors, pairs((0, 1)), NONE, CounterFitting(neighbourhood=0.5))
    monkeypatch.setattr("pytest_trust.attacks.counterfit._ROWS", rows)
    monkeypatch.setattr("pytest_trust.attacks.counterfit._PAIRS", rows)
    assert counter_fit(vectors, pairs((0, 1)), NONE, CounterFitting(neighbourhood=0.5)) == pytest.approx(
        whole, abs=1e-6
    )


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("antonym_distance", 2.5),
        ("synonym_distance", -0.1),
        ("neighbourhood", 2.0),
        ("epochs", 0),
        ("learning_rate", 0.0),
    ],
)
def test_settings_out_of_range(setting: str, value: float) -> None:
    with pytest.raises(ConfigurationError, match=setting):
        CounterFitting(**{setting: value})


def test_the_file_of_the_script_is_an_embedding(tmp_path, vectors) -> None:
    words = [f"word{'abcdefghij'[i % 10]}{'klmn'[i // 10]}" for i in range(40)]
    path = tmp_path / "fitted.bin"
    path.write_bytes(script.binary_vectors(words, vectors))
    found = load_ensemble([f"{path}@0.5"])[0].vectors(words)
    assert found.known.all()
    assert found.matrix == pytest.approx(vectors, abs=1e-6)


def test_the_lists_of_the_script(tmp_path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text("word1,word2,source\nabandon,abandoned,x\ncheap,dear,x\ncheap,rare,x\n", encoding="utf-8")
    assert list(script.real_synonyms(file)) == [("cheap", "dear"), ("cheap", "rare")]
    assert script.numbered(script.read_pairs(file), {"cheap": 4, "dear": 2}).tolist() == [[4, 2]]
    assert script.numbered(script.read_pairs(file), {}).shape == (0, 2)

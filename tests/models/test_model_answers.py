from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from pytest_trust.errors import ModelError
from pytest_trust.models import check_answer

CLASSES = ("negative", "positive")
GOOD = [[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]


def refusal(answer: object, n_texts: int = 3, **more: Any) -> str:
    with pytest.raises(ModelError) as caught:
        check_answer(answer, n_texts, CLASSES, "reviews.joblib", **more)
    message = str(caught.value)
    assert "model reviews.joblib returned" in message
    assert f"expected probabilities of shape ({n_texts}, 2)" in message
    assert "negative, positive" in message
    return message


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        tuple(map(tuple, GOOD)),
        [np.array(row) for row in GOOD],
        np.array(GOOD),
        np.asfortranarray(GOOD),
        np.array(GOOD, dtype=np.float32),
        np.array(GOOD, dtype=np.float16),
        sparse.csr_matrix(GOOD),
        sparse.coo_array(GOOD),
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_whatever_converts_without_loss_is_taken(answer: object) -> None:
    checked = check_answer(answer, 3, CLASSES, "m")
    assert checked.dtype == np.float64
    assert checked.tolist() == GOOD


def test_frames_are_taken() -> None:
    pd = pytest.importorskip("pandas")
    assert check_answer(pd.DataFrame(GOOD, columns=CLASSES), 3, CLASSES, "m").tolist() == GOOD


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.bool_])
def test_one_hot_answers_are_probabilities(dtype: type) -> None:
    checked = check_answer(np.array([[1, 0], [0, 1]], dtype=dtype), 2, CLASSES, "m")
    assert checked.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_the_answer_is_a_copy_and_the_model_s_own_array_stays() -> None:
    theirs = np.array([[-1e-9, 1.0]])
    checked = check_answer(theirs, 1, CLASSES, "m")
    checked[0, 0] = 0.9
    assert theirs.tolist() == [[-1e-9, 1.0]]


def test_rounding_noise_below_zero_becomes_zero() -> None:
    assert check_answer([[1 - 1.0000001, 1.0000001]], 1, CLASSES, "m").tolist() == [[0.0, 1.0000001]]
    assert "-2e-06 in row 0, column 0 (negative)" in refusal([[-2e-6, 1.000002]], 1)


@pytest.mark.parametrize("answer", [[], np.empty((0, 2))])
def test_no_texts_have_an_empty_answer(answer: object) -> None:
    assert check_answer(answer, 0, CLASSES, "m").shape == (0, 2)


def test_no_texts_with_the_wrong_columns_are_refused() -> None:
    assert "shape (0, 5)" in refusal(np.empty((0, 5)), 0)


def test_rows_that_do_not_sum_to_one() -> None:
    message = refusal([[0.5, 0.5], [0.3, 0.7], [0.9, 0.8]])
    assert "row 2 that sums to 1.7" in message
    assert "multi-label (sigmoid)" in message
    assert "one classifier per label" in message
    assert "softmax in your wrapper" in message


def test_rows_are_counted_from_the_start_of_the_whole_call() -> None:
    message = refusal([[0.9, 0.8], [0.1, 0.1], [0.5, 0.5]], first_row=1024)
    assert "row 1024 that sums to 1.7 (and 1 more rows like it)" in message


def test_sums_are_compared_within_a_thousandth_and_never_renormalised() -> None:
    assert check_answer([[0.5, 0.5009]], 1, CLASSES, "m").tolist() == [[0.5, 0.5009]]
    assert "sums to 1.0011" in refusal([[0.5, 0.5011]], 1)
    assert "sums to 0.9989" in refusal([[0.5, 0.4989]], 1)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (np.array([[0.2], [0.7], [0.9]]), "array of shape (3, 1) and dtype float64"),
        (np.array([0, 1, 1]), "array of shape (3,) and dtype int64"),
        ([0.2, 0.7, 0.9], "array of shape (3,) and dtype float64"),
        (np.full((3, 2, 2), 0.5), "array of shape (3, 2, 2)"),
        (np.full((2, 2), 0.5), "array of shape (2, 2)"),
        (np.full((3, 4), 0.25), "array of shape (3, 4)"),
        (0.5, "array of shape ()"),
    ],
)
def test_wrong_shapes(answer: object, found: str) -> None:
    assert found in refusal(answer)


@pytest.mark.parametrize(
    ("answer", "fix"),
    [
        (np.array([[0.2], [0.7], [0.9]]), "numpy.column_stack([1 - p, p])"),
        (np.array([0, 1, 1]), "labels or scores"),
        (np.full((2, 2), 0.5), "2 rows do not answer 3 texts"),
        (np.full((3, 4), 0.25), "4 columns do not fit 2 classes: see --trust-classes"),
    ],
)
def test_a_wrong_shape_is_told_what_to_do(answer: object, fix: str) -> None:
    assert fix in refusal(answer)


@pytest.mark.parametrize(
    ("answer", "dtype"),
    [
        (["pos", "neg", "pos"], "<U3"),
        ([["0.5", "0.5"]] * 3, "<U3"),
        (np.array(GOOD, dtype=object), "object"),
        ([[Fraction(1, 2), Fraction(1, 2)]] * 3, "object"),
        (np.array(GOOD, dtype=complex), "complex128"),
        ([{"label": "pos", "score": 0.9}] * 3, "object"),
    ],
)
def test_what_is_no_real_number(answer: object, dtype: str) -> None:
    message = refusal(answer)
    assert f"dtype {dtype}" in message
    assert "not labels or records" in message


def test_logits() -> None:
    negative = refusal([[0.5, 0.5], [-2.5, 3.5], [0.1, 0.9]])
    assert "-2.5 in row 1, column 0 (negative)" in negative
    assert "softmax in your wrapper" in negative
    assert "3.5 in row 0, column 1 (positive)" in refusal([[0.25, 3.5]], 1)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite(value: float) -> None:
    assert f"{value} in row 1, column 1 (positive)" in refusal([[0.5, 0.5], [0.5, value], [0.5, 0.5]])


def test_huge_values_are_refused_without_a_numerical_warning() -> None:
    assert "1e+308 in row 0" in refusal([[1e308, 1e308]], 1)


def test_none_and_ragged_rows() -> None:
    assert "returned None" in refusal(None)
    assert "lack a return" in refusal(None)
    ragged = refusal([[0.5, 0.5], [1.0], [0.5, 0.5]])
    assert "a list that numpy cannot read (ValueError" in ragged


def test_masked_values_are_not_unmasked_silently() -> None:
    assert "masked" in refusal(np.ma.masked_array(GOOD, mask=[[0, 1], [0, 0], [0, 0]]))
    assert check_answer(np.ma.masked_array(GOOD), 3, CLASSES, "m").tolist() == GOOD


def test_a_list_of_arrays_is_a_multi_output_model() -> None:
    message = refusal([np.array(GOOD), np.array(GOOD), np.full((3, 3), 1 / 3)])
    assert "a list of 3 arrays of shapes (3, 2), (3, 2), (3, 3)" in message
    assert "one classifier per output" in message


class Tensor:
    """What a torch tensor does: it converts itself, unless a gradient hangs on it or it lies on another device."""

    def __init__(self, values: Any, requires_grad: bool = False, device: str = "cpu") -> None:
        self.values, self.requires_grad, self.device = values, requires_grad, device

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.device != "cpu":
            raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() first.")
        return np.array(self.values, dtype=dtype)


def test_tensors() -> None:
    assert check_answer(Tensor(GOOD), 3, CLASSES, "m").tolist() == GOOD
    with_grad = refusal(Tensor(GOOD, requires_grad=True))
    assert "a tensor that requires grad" in with_grad
    assert ".detach()" in with_grad
    assert "Use Tensor.cpu() first" in refusal(Tensor(GOOD, device="cuda:0"))


def test_the_cause_of_a_failed_conversion_is_chained() -> None:
    with pytest.raises(ModelError) as caught:
        check_answer(Tensor(GOOD, device="cuda:0"), 3, CLASSES, "m")
    assert isinstance(caught.value.__cause__, TypeError)


def test_many_classes_are_not_all_listed() -> None:
    with pytest.raises(ModelError, match=r"c0, c1, .*, c9, \.\.\. \(176 more\)"):
        check_answer([[1.0]], 1, [f"c{i}" for i in range(186)], "m")


shapes = hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6)
positive = hnp.arrays(np.float64, shapes, elements=st.floats(1e-3, 1.0))


@given(positive)
def test_every_row_stochastic_matrix_comes_back_as_it_is(weights: np.ndarray) -> None:
    rows = weights / weights.sum(axis=1, keepdims=True)
    classes = [f"c{i}" for i in range(rows.shape[1])]
    for answer in (rows, rows.tolist(), np.asfortranarray(rows)):
        assert np.array_equal(check_answer(answer, len(rows), classes, "m"), rows)
    single = rows.astype(np.float32)
    assert np.array_equal(check_answer(single, len(rows), classes, "m"), single.astype(np.float64))


@given(positive, st.data())
def test_one_bad_row_is_enough_and_is_named(weights: np.ndarray, data: st.DataObject) -> None:
    rows = weights / weights.sum(axis=1, keepdims=True)
    bad = data.draw(st.integers(0, len(rows) - 1))
    rows[bad] *= data.draw(st.one_of(st.floats(0.0, 0.99), st.floats(1.01, 3.0)))
    with pytest.raises(ModelError, match=rf"row {bad}\b"):
        check_answer(rows, len(rows), [f"c{i}" for i in range(rows.shape[1])], "m")


@given(positive, st.integers(0, 9), st.integers(2, 9))
def test_every_other_shape_is_refused(weights: np.ndarray, n_texts: int, k: int) -> None:
    rows = weights / weights.sum(axis=1, keepdims=True)
    if rows.shape != (n_texts, k):
        with pytest.raises(ModelError, match=r"shape \(\d, \d\)"):
            check_answer(rows, n_texts, [f"c{i}" for i in range(k)], "m")

"""Strict checks of what a model answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.errors import ModelError
from pytest_trust.messages import listed
from pytest_trust.models.base import Probabilities

SUM_TOLERANCE = 1e-3
ROUNDING_NOISE = 1e-6

_SOFTMAX = "logits are turned into probabilities by a softmax in your wrapper"


def check_answer(
    answer: object, n_texts: int, classes: Sequence[str], source: str, *, first_row: int = 0
) -> Probabilities:
    """The answer of a model to ``n_texts`` texts as a new float64 array of shape ``(n_texts, len(classes))``.

    Arrays of real numbers and whatever numpy converts to one without loss (lists of lists, scipy sparse matrices,
    DataFrames, tensors in main memory) are taken. Rows must sum to one within 1e-3. Values down to -1e-6 are the
    rounding noise of ``1 - p`` and become 0; nothing else is altered, and no row is ever softmaxed or renormalised.
    Rows are counted from 0, starting with ``first_row``.

    Raises:
        ModelError: the answer has another shape or dtype, or a value or row that is no probability. The message names
            what was found, what was expected, and ``source``.
    """
    expected = _Expected(n_texts, tuple(classes), source)
    array = _as_array(answer, expected)
    if n_texts == 0 and array.shape == (0,):
        return np.empty((0, len(classes)))
    _check_dtype(array, expected)
    _check_shape(array, expected)
    values = array.astype(np.float64)
    _check_values(values, expected, first_row)
    return np.maximum(values, 0.0)


@dataclass(frozen=True, slots=True)
class _Expected:
    n_texts: int
    classes: tuple[str, ...]
    source: str

    def refuse(self, found: str, fix: str) -> ModelError:
        shape = (self.n_texts, len(self.classes))
        return ModelError(
            f"model {self.source} returned {found}; expected probabilities of shape {shape}: "
            f"one row a text, one column a class ({listed(self.classes)}), rows summing to 1; {fix}"
        )


def _as_array(answer: Any, expected: _Expected) -> NDArray[Any]:
    _refuse_known_kinds(answer, expected)
    try:
        return np.asarray(answer.toarray() if hasattr(answer, "toarray") else answer)
    except Exception as error:
        found = f"a {type(answer).__name__} that numpy cannot read ({type(error).__name__}: {error})"
        raise expected.refuse(found, "return a numpy array") from error


def _refuse_known_kinds(answer: Any, expected: _Expected) -> None:
    """Kinds that numpy would misread, or refuse without saying what to do."""
    if answer is None:
        raise expected.refuse("None", "does the function lack a return?")
    if getattr(answer, "requires_grad", False) is True:
        raise expected.refuse("a tensor that requires grad", "call .detach() on it, or score under torch.no_grad()")
    if np.ma.is_masked(answer):
        raise expected.refuse("an array with masked values", "every text needs a probability for every class")
    if isinstance(answer, (list, tuple)) and any(getattr(item, "ndim", 0) > 1 for item in answer):
        shapes = listed([str(np.shape(item)) for item in answer])
        found = f"a {type(answer).__name__} of {len(answer)} arrays of shapes {shapes}"
        raise expected.refuse(found, "a multi-output model is given as one classifier per output")


def _check_dtype(array: NDArray[Any], expected: _Expected) -> None:
    if array.dtype.kind not in "fiub":
        fix = "return the numbers of predict_proba, not labels or records"
        raise expected.refuse(_described(array), fix)


def _check_shape(array: NDArray[Any], expected: _Expected) -> None:
    if array.shape == (expected.n_texts, len(expected.classes)):
        return
    raise expected.refuse(_described(array), _shape_fix(array.shape, expected))


def _shape_fix(shape: tuple[int, ...], expected: _Expected) -> str:
    if len(shape) != 2:
        return "labels or scores, one number a text, are not enough: return a row of probabilities for each text"
    if shape[0] != expected.n_texts:
        return f"{shape[0]} rows do not answer {expected.n_texts} texts"
    if shape[1] == 1:
        return "a single column p is given as two: numpy.column_stack([1 - p, p])"
    return f"{shape[1]} columns do not fit {len(expected.classes)} classes: see --trust-classes"


def _check_values(values: Probabilities, expected: _Expected, first_row: int) -> None:
    """In this order, so that sums are only taken of finite values between 0 and 1."""
    for bad, fix in (
        (~np.isfinite(values), "does the model divide by zero, or overflow?"),
        (values < -ROUNDING_NOISE, f"probabilities are not negative; {_SOFTMAX}"),
        (values > 1 + SUM_TOLERANCE, f"probabilities do not exceed 1; {_SOFTMAX}"),
    ):
        _refuse_value(values, bad, expected, first_row, fix)
    _check_sums(values, expected, first_row)


def _refuse_value(values: Probabilities, bad: NDArray[np.bool_], expected: _Expected, first_row: int, fix: str) -> None:
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        found = f"{values[row, column]:.6g} in row {first_row + row}, column {column} ({expected.classes[column]})"
        raise expected.refuse(found + _others(np.any(bad, axis=1)), fix)


def _check_sums(values: Probabilities, expected: _Expected, first_row: int) -> None:
    sums = values.sum(axis=1)
    bad: NDArray[np.bool_] = np.abs(sums - 1.0) > SUM_TOLERANCE
    if bad.any():
        row = int(np.argmax(bad))
        fix = (
            "a multi-label (sigmoid) model scores each class for itself: give it as one classifier per label, "
            "or apply a softmax in your wrapper if its classes exclude each other"
        )
        raise expected.refuse(f"row {first_row + row} that sums to {sums[row]:.6g}{_others(bad)}", fix)


def _others(bad_rows: NDArray[np.bool_]) -> str:
    more = int(bad_rows.sum()) - 1
    return f" (and {more} more rows like it)" if more else ""


def _described(array: NDArray[Any]) -> str:
    return f"an array of shape {array.shape} and dtype {array.dtype}"

"""The contract of a text classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.float64]


@runtime_checkable
class TextClassifier(Protocol):
    """A classifier of texts. Every adapter checks what it returns, so callers need not.

    The adapters of this package also have a ``class_set``, with the model's own classes and all names of each;
    :func:`~pytest_trust.models.classes.class_set_of` gives that of any classifier.
    """

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the k classes, in the order of the columns of :meth:`predict_proba`."""

    @property
    def source(self) -> str:
        """Where the model came from, for people: a path, an import path or a type's name."""

    def predict_proba(self, texts: Sequence[str]) -> Probabilities:
        """Probabilities, shape ``(len(texts), k)``, float64, rows summing to one.

        Raises:
            ModelError: the underlying model answered something else.
        """

    def fingerprint(self) -> str:
        """A hex digest that changes when the model's answers may have changed."""

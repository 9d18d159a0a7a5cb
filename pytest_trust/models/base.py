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

    The adapters of this package have more, which callers find by ``getattr`` or through the functions of
    :mod:`pytest_trust.models.classes`: ``class_set`` with its parts ``originals`` (the model's own classes as text) and
    ``names`` (all names of each class as words), and ``runs_code``, true where loading the model ran code that is
    stored in its file, for the caller to announce.
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

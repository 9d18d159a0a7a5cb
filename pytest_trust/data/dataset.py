"""Texts with their labels and, where a human judged the model's predictions, the verdicts."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import SupportsIndex

import numpy as np

from pytest_trust.errors import DataError


@dataclass(frozen=True)
class TextDataset:
    """n texts in order.

    ``labels[i]`` is the name of the class of ``texts[i]``, None where it is not known. ``trustworthy[i]`` is a human's
    verdict on the model's prediction for ``texts[i]``, None where there is none. ``name`` says where the data came
    from: a path, an import path or a kind of object. ``groups[i]`` names the source (a document, an author, a thread)
    that ``texts[i]`` shares with others, None where it stands alone; empty where no text has one.

    Raises:
        DataError: the columns are not tuples of the same length, or hold values of another type.
    """

    texts: tuple[str, ...]
    labels: tuple[str | None, ...]
    trustworthy: tuple[bool | None, ...]
    name: str
    groups: tuple[str | None, ...] = ()

    def __post_init__(self) -> None:
        _check_column("texts", self.texts, str)
        _check_column("labels", self.labels, str, type(None))
        _check_column("trustworthy", self.trustworthy, bool, type(None))
        _check_column("groups", self.groups, str, type(None))
        lengths = len(self.texts), len(self.labels), len(self.trustworthy), len(self.groups or self.texts)
        if len(set(lengths)) > 1:
            raise DataError(
                "texts, labels, trustworthy and groups must be of the same length; found "
                f"{lengths[0]} texts, {lengths[1]} labels, {lengths[2]} verdicts and {lengths[3]} groups"
            )
        if not any(group is not None for group in self.groups):
            object.__setattr__(self, "groups", ())

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 in hex over texts, labels, verdicts and groups in their order; the name does not enter."""
        digest = hashlib.sha256()
        columns = (self.texts, self.labels, self.trustworthy, *((self.groups,) if self.groups else ()))
        for row in zip(*columns, strict=True):
            digest.update(json.dumps(row).encode("ascii") + b"\n")
        return digest.hexdigest()

    def take(self, indices: Iterable[SupportsIndex]) -> TextDataset:
        """The rows at ``indices``, in that order; an index may come more than once.

        Raises:
            IndexError: an index is outside ``[-n, n)``.
            TypeError: an index is not an integer (a mask of booleans is not taken for indices).
        """
        positions = [_position(index) for index in indices]
        return TextDataset(
            texts=tuple(self.texts[i] for i in positions),
            labels=tuple(self.labels[i] for i in positions),
            trustworthy=tuple(self.trustworthy[i] for i in positions),
            name=self.name,
            groups=tuple(self.groups[i] for i in positions) if self.groups else (),
        )


def _check_column(name: str, values: object, *types: type) -> None:
    if not isinstance(values, tuple):
        raise DataError(f"{name} must be a tuple, found {type(values).__name__}; load_dataset takes lists")
    for row, value in enumerate(values, start=1):
        if not isinstance(value, types):
            expected = " or ".join("None" if kind is type(None) else kind.__name__ for kind in types)
            raise DataError(f"{name}: row {row} is of type {type(value).__name__}, expected {expected}")


def _position(index: SupportsIndex) -> int:
    if isinstance(index, bool | np.bool_):
        raise TypeError("take expects row numbers, found a boolean")
    return operator.index(index)

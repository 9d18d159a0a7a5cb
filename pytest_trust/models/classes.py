"""The classes of a model: their names for people, the model's own names, and the columns of data labels."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

import numpy as np

from pytest_trust.errors import DataError, ModelError
from pytest_trust.messages import listed
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.names import ClassNames, parse_class_names, split_class_name

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?", re.ASCII)
_BOOLEANS = {"true": "1", "false": "0"}
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ClassSet:
    """The k classes of a model in the order of its columns; every field has length k.

    ``names`` are shown to people; ``originals`` are the model's own classes as text (the names where it has none);
    ``aliases`` are all names of a class as lower-cased words, to be compared with the words of an explanation.
    """

    names: tuple[str, ...]
    originals: tuple[str, ...]
    aliases: tuple[tuple[str, ...], ...]


def resolve_classes(
    model_classes: Sequence[object] | None, given: ClassNames | Sequence[str] | None = None, source: str = "of this run"
) -> ClassSet:
    """Unite the classes a model has of its own with the names a user gives.

    Names by position are taken where the model has no classes, where its classes are the same names in the same order,
    or where they are integers or booleans, which are then renamed. Names by mapping must map exactly the model's
    classes; for a model without classes the keys are the column numbers 0 to k - 1. A permutation of the model's
    classes is never taken for a renaming.

    Raises:
        ModelError: the names do not fit, there are fewer than two classes, two of the model's classes read alike,
            or there are neither classes nor names.
        ConfigurationError: the names are malformed (see :func:`parse_class_names`).
    """
    names = given if given is None or isinstance(given, ClassNames) else parse_class_names(given)
    resolved = _resolve(None if model_classes is None else list(model_classes), names, source)
    if len(resolved.names) < 2:
        raise ModelError(f"model {source} has one class ({listed(resolved.names)}); a classifier has at least two")
    return resolved


def class_set_of(model: ClassSet | TextClassifier) -> ClassSet:
    """The class set of ``model``: that of an adapter, or one made of the ``classes`` of any other TextClassifier."""
    if isinstance(model, ClassSet):
        return model
    own = getattr(model, "class_set", None)
    return own if isinstance(own, ClassSet) else resolve_classes(model.classes, None, model.source)


def class_aliases(model: ClassSet | TextClassifier) -> tuple[tuple[str, ...], ...]:
    """All names of each class as lower-cased words, in the order of the columns."""
    return class_set_of(model).aliases


def label_indices(labels: Sequence[str | None], of: ClassSet | TextClassifier) -> list[int]:
    """The column of each label of a data set.

    Labels are display names or the model's own classes, exactly. Where the labels fit neither, numbers and booleans
    are compared by value ("1" with class 1.0 or True), if no two labels and no two classes share one.

    Raises:
        DataError: a label is missing or no class of the model, or the labels can be read in two ways.
    """
    classes = class_set_of(of)
    present = [label for label in labels if label is not None]
    if len(present) < len(labels):
        raise DataError(f"{len(labels) - len(present)} of {len(labels)} texts have no label; expected one for each")
    distinct = list(dict.fromkeys(present))
    readings = _exact_readings(distinct, classes) or _numeric_readings(distinct, classes)
    if len(readings) != 1:
        raise DataError(_ambiguous(distinct, classes) if readings else _unknown(distinct, classes))
    columns = dict(zip(distinct, readings.pop(), strict=True))
    return [columns[label] for label in present]


def _resolve(model_classes: list[object] | None, given: ClassNames | None, source: str) -> ClassSet:
    if model_classes is not None:
        originals = tuple(str(value) for value in model_classes)
        _refuse_alike(model_classes, originals, source)
        names = None if given is None else _fit(model_classes, originals, given, source)
        return _class_set(originals, names)
    if given is None:
        raise ModelError(
            f"model {source} does not say what its classes are; name them in the order of its columns with "
            "--trust-classes=NAME,NAME (ini: trust_classes), or give the object an attribute classes_"
        )
    if given.is_mapping:
        originals = tuple(str(column) for column in range(len(given.entries)))
        return _class_set(originals, _by_mapping(originals, given, f"{source} without classes of its own"))
    return _class_set(given.display, [entry.names for entry in given.entries])


def _class_set(originals: tuple[str, ...], names: list[tuple[str, ...]] | None) -> ClassSet:
    names = names or [(original,) for original in originals]
    words = (dict.fromkeys(word for name in group for word in split_class_name(name)) for group in names)
    return ClassSet(tuple(group[0] for group in names), originals, tuple(tuple(group) for group in words))


def _refuse_alike(model_classes: list[object], originals: tuple[str, ...], source: str) -> None:
    alike = [repr(value) for value, name in zip(model_classes, originals, strict=True) if originals.count(name) > 1]
    if alike:
        raise ModelError(f"model {source} has classes that read alike: {listed(alike)}; every class needs its own name")


def _fit(
    model_classes: list[object], originals: tuple[str, ...], given: ClassNames, source: str
) -> list[tuple[str, ...]]:
    if given.is_mapping:
        return _by_mapping(originals, given, source)
    _check_positions(model_classes, originals, given.display, source)
    return [entry.names for entry in given.entries]


def _by_mapping(originals: tuple[str, ...], given: ClassNames, source: str) -> list[tuple[str, ...]]:
    by_key = {entry.key: entry.names for entry in given.entries}
    if set(by_key) != set(originals):
        raise _misfit(
            source, originals, tuple(str(key) for key in by_key), "map every class of the model, and no other"
        )
    return [by_key[original] for original in originals]


def _check_positions(
    model_classes: list[object], originals: tuple[str, ...], names: tuple[str, ...], source: str
) -> None:
    if names == originals:
        return
    if len(names) != len(originals):
        raise _misfit(source, originals, names, "give one name a class")
    if set(names) == set(originals):
        raise _misfit(source, originals, names, "these are the same names in another order; columns keep the model's")
    if not all(isinstance(value, (int, np.integer, np.bool_)) for value in model_classes):
        mapping = ",".join(f"{original}={name}" for original, name in zip(originals, names, strict=True))
        raise _misfit(source, originals, names, f"to rename classes say which is which, such as {mapping!r}")


def _misfit(source: str, originals: tuple[str, ...], names: tuple[str, ...], fix: str) -> ModelError:
    return ModelError(
        f"class names do not fit model {source}: its {len(originals)} classes are ({listed(originals)}), "
        f"given are {len(names)} ({listed(names)}); {fix}"
    )


def _exact_readings(labels: list[str], classes: ClassSet) -> set[tuple[int, ...]]:
    by_name, by_original = _columns(classes.names), _columns(classes.originals)
    clear = {name: column for name, column in by_name.items() if by_original.get(name, column) == column}
    clear |= {name: column for name, column in by_original.items() if by_name.get(name, column) == column}
    return _readings(labels, (by_name, by_original)) or _readings(labels, (clear,))


def _numeric_readings(labels: list[str], classes: ClassSet) -> set[tuple[int, ...]]:
    values = _columns([_value(label) for label in labels])
    if None in values or len(values) < len(labels):
        return set()
    tables = [_columns([_value(name) for name in names]) for names in (classes.names, classes.originals)]
    return _readings(
        list(values), [table for table in tables if None not in table and len(table) == len(classes.names)]
    )


def _readings(labels: Sequence[_Key], tables: Iterable[Mapping[_Key, int]]) -> set[tuple[int, ...]]:
    """The different columns that ``labels`` have in those tables which know them all."""
    return {tuple(table[label] for label in labels) for table in tables if all(label in table for label in labels)}


def _columns(names: Sequence[_Key]) -> dict[_Key, int]:
    return {name: column for column, name in enumerate(names)}


def _value(name: str) -> Decimal | None:
    number = _BOOLEANS.get(name.lower(), name)
    return Decimal(number) if _NUMBER.fullmatch(number) else None


def _unknown(labels: list[str], classes: ClassSet) -> str:
    known = {*classes.names, *classes.originals}
    own = "" if classes.originals == classes.names else f" (the model's own: {listed(classes.originals)})"
    found = listed([repr(label) for label in labels if label not in known] or labels)
    return f"labels of the data are not classes of the model: found {found}; expected {listed(classes.names)}{own}"


def _ambiguous(labels: list[str], classes: ClassSet) -> str:
    return (
        f"labels {listed(labels)} can be read as class names ({listed(classes.names)}) and, differently, as the "
        f"model's own classes ({listed(classes.originals)}); give names that are not also another class"
    )

"""What a user says of the classes: words that describe them, and words that are or are not their keywords."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords.pool import word_form
from pytest_trust.messages import listed
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.classes import ClassSet, class_set_of


@dataclass(frozen=True, slots=True)
class ClassDescription:
    """One class as a user describes it, in lower-cased words or phrases.

    ``words`` say what the class is about, beside its name. ``allow`` are keywords of the class whatever the ensemble
    elects, ``deny`` are none.
    """

    words: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


Descriptions = Mapping[str, ClassDescription]
"""Descriptions by class: its display name, or the model's own."""

_KEYS = tuple(field.name for field in fields(ClassDescription))


def read_descriptions(path: Path) -> dict[str, ClassDescription]:
    """The descriptions in a TOML file with a table for each class, of the lists ``words``, ``allow`` and ``deny``.

    Raises:
        ConfigurationError: the file cannot be read or is malformed; the message names file, class and key.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:  # not UTF-8, no TOML, numbers too long, nested too deep
        raise ConfigurationError(f"{path}: cannot be read as TOML: {error}") from error
    return {label: class_description(str(path), label, table) for label, table in document.items()}


def of_classes(given: Descriptions | None, model: ClassSet | TextClassifier) -> tuple[ClassDescription, ...]:
    """The description of each class of ``model`` in the order of its columns, an empty one where none is given.

    Raises:
        ConfigurationError: a description is of no class of the model, or two are of one.
    """
    classes = class_set_of(model)
    columns = {name: column for names in (classes.originals, classes.names) for column, name in enumerate(names)}
    found: dict[int, ClassDescription] = {}
    for label, description in (given or {}).items():
        if label not in columns:
            raise ConfigurationError(
                f"a description is given of {label!r}, which is no class of the model; its classes are "
                f"{listed(classes.names)}"
            )
        if columns[label] in found:
            raise ConfigurationError(f"two descriptions are given of the class {classes.names[columns[label]]!r}")
        found[columns[label]] = description
    return tuple(found.get(column, ClassDescription()) for column in range(len(classes.names)))


def class_description(where: str, label: str, table: Any) -> ClassDescription:
    """The description of the class ``label`` in a table of lists; ``where`` stands at the beginning of messages.

    Raises:
        ConfigurationError: it is no such table, or a word is both allowed and denied.
    """
    if not isinstance(table, dict):
        raise ConfigurationError(f"{where}: {label} is {table!r}, expected a table [{label}] with {', '.join(_KEYS)}")
    unknown = sorted(table.keys() - set(_KEYS))
    if unknown:
        raise ConfigurationError(f"{where}: [{label}] has no key {unknown[0]!r}, expected {', '.join(_KEYS)}")
    description = ClassDescription(**{key: _words(where, label, key, value) for key, value in table.items()})
    both = sorted(set(description.allow) & set(description.deny))
    if both:
        raise ConfigurationError(f"{where}: [{label}] both allows and denies {both[0]!r}")
    return description


def _words(where: str, label: str, key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) and word_form(word).strip() for word in value):
        raise ConfigurationError(f"{where}: [{label}] {key} is {value!r}, expected a list of words")
    return tuple(dict.fromkeys(" ".join(word_form(word).split()) for word in value))

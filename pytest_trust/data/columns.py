"""Which column of a table holds what: the option ``--trust-columns``."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_trust.errors import ConfigurationError

NAMED_ALIKE = ("text", "label", "trustworthy")
"""Roles whose column is found by the name of the role."""

# Read only where it is named: a column called "group" may well mean something else.
ROLES = (*NAMED_ALIKE, "group")


def parse_columns(value: str) -> dict[str, str]:
    """The mapping that ``--trust-columns`` spells, as in ``text=body,label=target``.

    Raises:
        ConfigurationError: an item is not KEY=COLUMN, or a key is unknown or comes twice.
    """
    columns: dict[str, str] = {}
    for item in value.split(","):
        key, column = _parse_item(item)
        if key in columns:
            raise ConfigurationError(f"--trust-columns: the key {key!r} comes twice in {value!r}")
        columns[key] = column
    check_columns(columns)
    return columns


def check_columns(columns: Mapping[str, str]) -> None:
    """Refuse a mapping of roles to columns that cannot be meant.

    Raises:
        ConfigurationError: an unknown key, a column that is no name, or one column for two keys.
    """
    if not isinstance(columns, Mapping):
        raise ConfigurationError(f"columns must map {_accepted()} to column names; found {type(columns).__name__}")
    for key, column in columns.items():
        _check_entry(key, column)
    _refuse_shared(complete_columns(columns))


def complete_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """The column of every role: the one that ``columns`` names, else the one called like the role, but for groups."""
    return {**{role: role for role in NAMED_ALIKE}, **columns}


def _parse_item(item: str) -> tuple[str, str]:
    key, equals, column = (part.strip() for part in item.partition("="))
    if not equals:
        raise ConfigurationError(
            f"--trust-columns: {item!r} is not KEY=COLUMN (as in text=body,label=target); accepted keys: {_accepted()}"
        )
    return key, column


def _check_entry(key: object, column: object) -> None:
    if key not in ROLES:
        raise ConfigurationError(f"--trust-columns: unknown key {key!r}; accepted keys: {_accepted()}")
    if not isinstance(column, str) or not column:
        raise ConfigurationError(f"--trust-columns: the key {key!r} needs the name of a column; found {column!r}")


def _refuse_shared(complete: Mapping[str, str]) -> None:
    owners: dict[str, str] = {}
    for role, column in complete.items():
        if column in owners:
            raise ConfigurationError(
                f"--trust-columns: {owners[column]!r} and {role!r} both name the column {column!r}; "
                "each needs a column of its own"
            )
        owners[column] = role


def _accepted() -> str:
    return ", ".join(ROLES)

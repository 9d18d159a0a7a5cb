from __future__ import annotations

from typing import Any

import pytest

from pytest_trust.data import load_dataset, parse_columns
from pytest_trust.errors import ConfigurationError, DataError

KEYS = "accepted keys: text, label, trustworthy, group"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("text=body", {"text": "body"}),
        ("text=body,label=target", {"text": "body", "label": "target"}),
        (" text = the body , label=a=b ", {"text": "the body", "label": "a=b"}),
        ("trustworthy=human", {"trustworthy": "human"}),
        ("text=label,label=text", {"text": "label", "label": "text"}),
    ],
)
def test_option_value_is_a_mapping(value: str, expected: dict[str, str]) -> None:
    assert parse_columns(value) == expected


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("", ["'' is not KEY=COLUMN", KEYS]),
        ("body", ["'body' is not KEY=COLUMN", KEYS]),
        ("text=body,", ["'' is not KEY=COLUMN", KEYS]),
        ("texts=body", ["unknown key 'texts'", KEYS]),
        ("=body", ["unknown key ''", KEYS]),
        ("text=", ["the key 'text' needs the name of a column", "found ''"]),
        ("text=a,text=b", ["the key 'text' comes twice in 'text=a,text=b'"]),
        ("text=a,label=a", ["'text' and 'label' both name the column 'a'"]),
        ("text=label", ["'text' and 'label' both name the column 'label'"]),
    ],
)
def test_wrong_option_value_is_refused(value: str, messages: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_columns(value)

    assert str(caught.value).startswith("--trust-columns: ")
    for message in messages:
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"body": "text"}, "unknown key 'body'; accepted keys: text, label, trustworthy, group"),
        ({"text": 3}, "the key 'text' needs the name of a column; found 3"),
        ({"text": ""}, "the key 'text' needs the name of a column; found ''"),
        ("text=body", "columns must map text, label, trustworthy, group to column names; found str"),
    ],
)
def test_wrong_mapping_is_refused_whatever_the_source(columns: Any, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        load_dataset([("a", "x")], columns=columns)


def test_groups_are_read_only_where_they_are_named() -> None:
    rows = [{"text": "a", "group": "x", "doc": 1}, {"text": "b", "group": "y", "doc": None}]
    assert load_dataset(rows, require_labels=False).groups == ()
    assert load_dataset(rows, columns={"group": "doc"}, require_labels=False).groups == ("1", None)


def test_a_group_that_is_no_name_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="unknown key 'doc'"):
        load_dataset([{"text": "a"}], columns={"doc": "x"})
    with pytest.raises(DataError, match=r"row 2, column 'doc': the group is float 1\.5; expected a string"):
        load_dataset(
            [{"text": "a", "label": "x", "doc": 1}, {"text": "b", "label": "y", "doc": 1.5}], columns={"group": "doc"}
        )

"""The file in which a user describes the classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords.descriptions import ClassDescription, of_classes, read_descriptions
from pytest_trust.models.classes import resolve_classes
from pytest_trust.models.names import parse_class_names


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "classes.toml"


def test_a_table_for_each_class(file: Path) -> None:
    file.write_text(
        '[positive]\nwords = ["good", "fine"]\nallow = ["crisp"]\ndeny = ["lakeside"]\n\n[negative]\nwords = ["bad"]\n'
    )
    assert read_descriptions(file) == {
        "positive": ClassDescription(("good", "fine"), ("crisp",), ("lakeside",)),
        "negative": ClassDescription(("bad",)),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("# nothing yet\n", {}),
        ("[a]\n", {"a": ClassDescription()}),
        ("[a]\nwords = []\n", {"a": ClassDescription()}),
        ('[a]\nwords = ["Good", "GOOD", " fine "]\n', {"a": ClassDescription(("good", "fine"))}),
        ('[a]\nwords = ["customer\\t Service"]\n', {"a": ClassDescription(("customer service",))}),
        # A letter and its accent are one, and an invisible mark at the end of a word is no part of it.
        ('[a]\nwords = ["cafe\\u0301", "good\\u200b"]\n', {"a": ClassDescription(("caf\u00e9", "good"))}),
        ('["Sci/Tech"]\nwords = ["lab"]\n', {"Sci/Tech": ClassDescription(("lab",))}),
        ('["alt.atheism"]\nwords = ["belief"]\n', {"alt.atheism": ClassDescription(("belief",))}),
        ('[1]\nwords = ["good"]\n', {"1": ClassDescription(("good",))}),
        ('a.words = ["good"]\n', {"a": ClassDescription(("good",))}),
    ],
)  # fmt: skip
def test_what_is_well_formed(file: Path, text: str, expected: dict[str, ClassDescription]) -> None:
    file.write_text(text, encoding="utf-8")
    assert read_descriptions(file) == expected


def test_a_mark_of_byte_order_and_ends_of_lines_of_windows(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf[a]\r\nwords = ["good"]\r\n')
    assert read_descriptions(file) == {"a": ClassDescription(("good",))}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[a\n", "cannot be read as TOML"),
        (b"[a]\n[a]\n", "cannot be read as TOML"),
        (b"\xff\xfe[\x00a\x00]\x00", "cannot be read as TOML"),
        (b'words = ["good"]\n', "words is ['good'], expected a table [words] with words, allow, deny"),
        (b'[a]\nword = ["good"]\n', "[a] has no key 'word', expected words, allow, deny"),
        (b'[alt.atheism]\nwords = ["belief"]\n', "[alt] has no key 'atheism', expected words, allow, deny"),
        (b'[a]\nwords = "good"\n', "[a] words is 'good', expected a list of words"),
        (b"[a]\nwords = [1]\n", "[a] words is [1], expected a list of words"),
        (b'[a]\ndeny = ["good", " "]\n', "[a] deny is ['good', ' '], expected a list of words"),
        (b'[a]\nallow = ["Good"]\ndeny = ["bad", "good"]\n', "[a] both allows and denies 'good'"),
    ],
)
def test_what_is_malformed_is_named(file: Path, text: bytes, message: str) -> None:
    file.write_bytes(text)
    with pytest.raises(ConfigurationError) as caught:
        read_descriptions(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert message in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_descriptions(tmp_path / "absent.toml")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_descriptions(tmp_path)


GOOD, BAD = ClassDescription(("good",)), ClassDescription(("bad",))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, ((), ())),
        ({}, ((), ())),
        ({"positive": GOOD}, ((), ("good",))),
        ({"positive": GOOD, "negative": BAD}, (("bad",), ("good",))),
        ({"1": GOOD}, ((), ("good",))),
        ({"1": GOOD, "negative": BAD}, (("bad",), ("good",))),
    ],
)
def test_classes_go_by_their_shown_names_and_the_models_own(given, expected) -> None:
    classes = resolve_classes([0, 1], parse_class_names("negative,positive|nice"))
    assert tuple(item.words for item in of_classes(given, classes)) == expected


@pytest.mark.parametrize("label", ["Positive", "nice", "2", "1.0", ""])
def test_what_is_no_class_is_named(label: str) -> None:
    classes = resolve_classes([0, 1], parse_class_names("negative,positive|nice"))
    with pytest.raises(ConfigurationError, match=f"of '{label}', which is no class .* are negative, positive"):
        of_classes({label: GOOD}, classes)


def test_two_descriptions_of_one_class_are_refused() -> None:
    classes = resolve_classes([0, 1], parse_class_names("negative,positive"))
    with pytest.raises(ConfigurationError, match="two descriptions are given of the class 'positive'"):
        of_classes({"positive": GOOD, "1": BAD}, classes)


def test_shown_names_win_over_the_models_own() -> None:
    classes = resolve_classes(["a", "b"], parse_class_names("a=b,b=c"))
    assert [item.words for item in of_classes({"b": GOOD}, classes)] == [("good",), ()]

from __future__ import annotations

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError, ModelError
from pytest_trust.models import ClassSet, parse_class_names, resolve_classes, split_class_name


@pytest.mark.parametrize(
    "values", ["negative,positive", ["negative,positive"], ["negative", "positive"], "negative, positive "]
)
def test_names_by_position(values: str | list[str]) -> None:
    names = parse_class_names(values)
    assert names.display == ("negative", "positive")
    assert not names.is_mapping


def test_names_by_mapping_with_more_names() -> None:
    names = parse_class_names("0=negative, 1 = positive | good|great")
    assert names.is_mapping
    assert [(entry.key, entry.names) for entry in names.entries] == [
        ("0", ("negative",)),
        ("1", ("positive", "good", "great")),
    ]
    assert names.display == ("negative", "positive")


def test_a_backslash_takes_the_meaning_of_a_separator_away() -> None:
    names = parse_class_names(r"bed\, bath,a\|b,x\=y")
    assert names.display == ("bed, bath", "a|b", "x=y")
    assert not names.is_mapping


def test_the_value_of_a_mapping_may_hold_an_equals_sign() -> None:
    assert parse_class_names("0=a=b,1=c").entries[0].names == ("a=b",)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("", "blank"),
        ("a,,b", "blank"),
        ("a,b,", "blank"),
        ("a,b|", r"blank in 'b\|'"),
        ("0=,1=b", "blank in '0='"),
        ([], "no class names given"),
        ("0=a,b", r"'0=a,b' mix two forms"),
        ("a,b,a", "class name given more than once: a"),
        ("a,b|a", "class name given more than once: a"),
        ("0=a,1=a", "class name given more than once: a"),
        ("0=a,0=b", "class given more than once: 0"),
    ],
)
def test_malformed_names(values: str | list[str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        parse_class_names(values)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Sci/Tech", ("sci", "tech")),
        ("alt.atheism", ("alt", "atheism")),
        ("comp.os.ms-windows.misc", ("comp", "os", "ms-windows", "misc")),
        ("credit_card", ("credit card",)),
        ("Credit  Card", ("credit card",)),
        ("non-toxic", ("non-toxic",)),
        ("SciFi", ("sci fi",)),
        ("MeanOfTransportation", ("mean of transportation",)),
        ("ÜberUns", ("über uns",)),
        ("USA", ("usa",)),
        ("Arts & Crafts", ("arts", "crafts")),
        ("R&B", ("r&b",)),
        ("bed, bath", ("bed", "bath")),
        ("tech/Tech", ("tech",)),
        ("1.0", ("1.0",)),
        ("1", ("1",)),
        ("St. Louis", ("st. louis",)),
        ("体育", ("体育",)),
        ("  ", ()),
    ],
)
def test_words_of_a_class_name(name: str, words: tuple[str, ...]) -> None:
    assert split_class_name(name) == words


def test_the_model_s_own_classes_are_the_names_where_none_are_given() -> None:
    classes = resolve_classes(np.array(["Sci/Tech", "World"]))
    assert classes == ClassSet(("Sci/Tech", "World"), ("Sci/Tech", "World"), (("sci", "tech"), ("world",)))


@pytest.mark.parametrize("own", [[0, 1], np.array([-1, 1]), [False, True], np.array([False, True]), [np.int8(3), 7]])
def test_integers_and_booleans_are_renamed_by_position(own: list[object]) -> None:
    classes = resolve_classes(own, "negative,positive|good")
    assert classes.names == ("negative", "positive")
    assert classes.originals == tuple(str(value) for value in own)
    assert classes.aliases == (("negative",), ("positive", "good"))


def test_a_model_without_classes_takes_names_by_position() -> None:
    classes = resolve_classes(None, ["negative", "positive"])
    assert classes == ClassSet(("negative", "positive"), ("negative", "positive"), (("negative",), ("positive",)))


def test_a_model_without_classes_takes_a_mapping_of_its_column_numbers() -> None:
    classes = resolve_classes(None, "1=positive,0=negative")
    assert classes.names == ("negative", "positive")
    assert classes.originals == ("0", "1")
    with pytest.raises(
        ModelError, match=r"without classes of its own: its 2 classes are \(0, 1\), given are 2 \(1, 2\)"
    ):
        resolve_classes(None, "1=a,2=b")


def test_names_equal_to_the_model_s_add_further_names() -> None:
    assert resolve_classes(["neg", "pos"], "neg|negative,pos|positive").aliases == (
        ("neg", "negative"),
        ("pos", "positive"),
    )


def test_a_mapping_is_put_in_the_order_of_the_columns() -> None:
    classes = resolve_classes(["b", "a", "c"], "a=A one,b=B two,c=C three")
    assert classes.names == ("B two", "A one", "C three")
    assert classes.originals == ("b", "a", "c")


@pytest.mark.parametrize(
    ("own", "given", "fix"),
    [
        (["neg", "pos"], "pos,neg", "same names in another order"),
        ([0, 1], "1,0", "same names in another order"),
        (["neg", "pos"], "neg,neutral,pos", "one name a class"),
        ([0, 1, 2], "negative,positive", "one name a class"),
        (["neg", "pos"], "bad,good", "'neg=bad,pos=good'"),
        ([0.0, 1.0], "bad,good", "'0.0=bad,1.0=good'"),
        (["neg", "pos"], "neg=bad", "map every class"),
        (["neg", "pos"], "neg=bad,pos=good,neu=so-so", "map every class"),
        (["neg", "pos"], "neg=bad,Pos=good", "map every class"),
    ],
)
def test_names_that_do_not_fit_are_refused_with_both_lists(own: list[object], given: str, fix: str) -> None:
    with pytest.raises(ModelError) as caught:
        resolve_classes(own, given, "reviews.joblib")
    message = str(caught.value)
    shown = [entry.key or entry.names[0] for entry in parse_class_names(given).entries]
    assert "do not fit model reviews.joblib" in message
    assert f"its {len(own)} classes are ({', '.join(map(str, own))})" in message
    assert f"given are {len(shown)} ({', '.join(shown)})" in message
    assert fix in message


@pytest.mark.parametrize("own", [[1, "1"], np.array([1, "1"], dtype=object), ["a", "b", "a"]])
def test_classes_that_read_alike(own: list[object]) -> None:
    with pytest.raises(ModelError, match="read alike: "):
        resolve_classes(own)


def test_one_class_is_no_classifier() -> None:
    with pytest.raises(ModelError, match=r"one class \(spam\); a classifier has at least two"):
        resolve_classes(["spam"])


def test_neither_classes_nor_names() -> None:
    with pytest.raises(ModelError) as caught:
        resolve_classes(None, None, "app:score")
    for part in ("app:score", "--trust-classes", "trust_classes", "classes_"):
        assert part in str(caught.value)

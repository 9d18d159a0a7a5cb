from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.errors import DataError
from pytest_trust.models import as_classifier, class_aliases, class_set_of, label_indices, resolve_classes

STARS = resolve_classes([0, 1, 2, 3, 4], "1,2,3,4,5")


@pytest.mark.parametrize("labels", [["good", "bad", "good"], ["1", "0", "1"], ["good", "0", "1"]])
def test_labels_are_display_names_or_the_model_s_own(labels: list[str]) -> None:
    assert label_indices(labels, resolve_classes([0, 1], "bad,good")) == [1, 0, 1]


def test_no_labels() -> None:
    assert label_indices([], resolve_classes(["a", "b"])) == []


@pytest.mark.parametrize(
    ("own", "labels", "columns"),
    [
        ([0.0, 1.0], ["1", "0"], [1, 0]),
        ([False, True], ["1", "0", "1"], [1, 0, 1]),
        ([0, 1], ["True", "False"], [1, 0]),
        ([0, 1], ["true", "false"], [1, 0]),
        ([1, 2, 10], ["10.0", "1.0"], [2, 0]),
        ([-1, 1], ["+1", "-1.0"], [1, 0]),
        (["01", "02"], ["1", "2"], [0, 1]),
        ([9007199254740992, 9007199254740993], ["9007199254740993.0"], [1]),
    ],
)
def test_numbers_are_compared_by_value(own: Sequence[object], labels: list[str], columns: list[int]) -> None:
    assert label_indices(labels, resolve_classes(own)) == columns


def test_display_names_may_be_the_numbers() -> None:
    assert label_indices(["2.0", "1.0"], resolve_classes(["one", "two"], "one=1,two=2")) == [1, 0]


@pytest.mark.parametrize(
    ("own", "labels"),
    [
        ([0, 1], ["1", "1.0"]),  # two labels of one value
        (["1", "01"], ["1.0"]),  # two classes of one value
        ([0, 1], ["1.0", "2.0"]),
        ([0, 1], ["1", "x"]),
        ([0, 1], ["nan"]),
        (["a", "b"], ["1"]),
        (["pos", "neg"], ["Pos"]),
        (["pos", "neg"], [" pos"]),
        ([1000, 1], ["1_000"]),
        (["spam", "1"], ["1.0"]),
    ],
)
def test_unknown_labels(own: Sequence[object], labels: list[str]) -> None:
    with pytest.raises(DataError, match="not classes of the model"):
        label_indices(labels, resolve_classes(own))


def test_the_message_shows_ten_labels_and_all_names() -> None:
    with pytest.raises(DataError) as caught:
        label_indices(["good", *(f"x{i}" for i in range(12))], resolve_classes([0, 1], "bad,good"))
    message = str(caught.value)
    assert "found 'x0', 'x1'" in message
    assert "'x9', ... (2 more)" in message
    assert "'good'" not in message
    assert "expected bad, good (the model's own: 0, 1)" in message


def test_missing_labels() -> None:
    with pytest.raises(DataError, match="2 of 3 texts have no label"):
        label_indices(["a", None, None], resolve_classes(["a", "b"]))


def test_names_shifted_against_the_model_s_own_classes() -> None:
    assert label_indices(["1", "5", "3"], STARS) == [0, 4, 2]  # 5 is a display name alone
    assert label_indices(["0", "4", "1"], STARS) == [0, 4, 1]  # 0 is the model's alone
    with pytest.raises(DataError) as caught:
        label_indices(["1", "2", "3"], STARS)  # could be both
    assert "(1, 2, 3, 4, 5)" in str(caught.value)
    assert "(0, 1, 2, 3, 4)" in str(caught.value)
    with pytest.raises(DataError, match="not classes of the model"):
        label_indices(["0", "5", "1"], STARS)  # a mix whose 1 could be both


class Foreign:
    classes = ("Sci/Tech", "World")
    source = "foreign"

    def predict_proba(self, texts: Sequence[str]) -> object:
        raise NotImplementedError

    def fingerprint(self) -> str:
        return "f"


def test_a_classifier_of_another_kind_has_its_classes_alone() -> None:
    assert label_indices(["World"], Foreign()) == [1]
    assert class_set_of(Foreign()).originals == ("Sci/Tech", "World")
    assert class_aliases(Foreign()) == (("sci", "tech"), ("world",))


def test_an_adapter_knows_the_model_s_own_classes() -> None:
    model = as_classifier(lambda texts: [[0.5, 0.5]] * len(texts), classes="0=bad|poor,1=good")
    assert label_indices(["1", "0"], model) == [1, 0]
    assert class_aliases(model) == (("bad", "poor"), ("good",))


@given(st.lists(st.text(min_size=1), min_size=2, max_size=8, unique=True), st.data())
def test_a_class_name_is_always_its_own_column(names: list[str], data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.sampled_from(names)))
    assert [names[column] for column in label_indices(labels, resolve_classes(names))] == labels

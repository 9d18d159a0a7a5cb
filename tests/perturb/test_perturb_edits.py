from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, apply_edits
from pytest_trust.perturb.edits import compose_edits, diff_edits


@st.composite
def text_and_edits(draw: st.DrawFn, text: str | None = None) -> tuple[str, tuple[Edit, ...]]:
    text = draw(st.text(max_size=30)) if text is None else text
    bounds = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = zip(bounds[::2], bounds[1::2], strict=False)
    return text, tuple(Edit(start, end, draw(st.text(max_size=4))) for start, end in pairs)


def test_edits_rebuild_the_text() -> None:
    edits = [Edit(0, 1, "H"), Edit(5, 5, ","), Edit(6, 11, "you")]
    assert apply_edits("hello world", edits) == "Hello, you"


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ([Edit(0, 12, "")], "does not lie within a text of 11 characters"),
        ([Edit(-1, 2, "")], "does not lie within"),
        ([Edit(4, 3, "")], "does not lie within"),
        ([Edit(0, 4, ""), Edit(3, 5, "")], "overlap or are out of order"),
        ([Edit(6, 8, ""), Edit(0, 2, "")], "overlap or are out of order"),
    ],
)
def test_impossible_edits_are_refused(edits: list[Edit], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        apply_edits("hello world", edits)


def test_a_diff_names_the_changed_words_alone() -> None:
    assert diff_edits("I was happy, so happy.", "I was sad, so very happy.") == (
        Edit(6, 11, "sad"),
        Edit(15, 15, " very"),
    )


def test_a_diff_of_a_long_text_still_rebuilds_it() -> None:
    old = " ".join(f"word{number}" for number in range(3000))
    new = old.upper()
    edits = diff_edits(f"same {old} end", f"same {new} end")
    assert edits == (Edit(4, 5 + len(old), f" {new}"),)


@given(st.text(max_size=40), st.text(max_size=40))
@settings(deadline=None)
def test_a_diff_rebuilds_any_text(old: str, new: str) -> None:
    assert apply_edits(old, diff_edits(old, new)) == new


def test_edits_after_edits_are_told_in_the_first_text() -> None:
    text = "one two three"
    first = (Edit(0, 3, "eleven"),)  # eleven two three
    second = (Edit(7, 10, "2"), Edit(11, 16, "3"))
    assert compose_edits(text, first, second) == (Edit(0, 3, "eleven"), Edit(4, 7, "2"), Edit(8, 13, "3"))


def test_edits_that_undo_each_other_vanish() -> None:
    assert compose_edits("one two", (Edit(0, 3, "ONE"),), (Edit(0, 3, "one"),)) == ()


@given(st.data())
@settings(deadline=None)
def test_composed_edits_do_what_both_do(data: st.DataObject) -> None:
    text, first = data.draw(text_and_edits())
    middle = apply_edits(text, first)
    _, second = data.draw(text_and_edits(middle))
    assert apply_edits(text, compose_edits(text, first, second)) == apply_edits(middle, second)

from __future__ import annotations

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Perturbation, perturb_text
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.form.writing import (
    add_punctuation,
    final_punctuation,
    lowercase,
    strip_accents,
    strip_punctuation,
    titlecase,
    uppercase,
)

KEPT = "See http://Site.com/A,b or Me@Site.org, @You_Too #Tag `Code(X)` <B>"


def test_case() -> None:
    assert perturb_text(lowercase(), "Hello BIG World", 0).edits == (
        Edit(0, 5, "hello"),
        Edit(6, 9, "big"),
        Edit(10, 15, "world"),
    )
    assert perturb_text(uppercase(), "Straße, İo ΐ", 0).text == "Straße, İo ΐ".upper()


@pytest.mark.parametrize(("perturbation", "see"), [(lowercase(), "see"), (uppercase(), "SEE")])
def test_case_leaves_addresses_handles_and_code(perturbation: object, see: str) -> None:
    changed = perturb_text(perturbation, KEPT, 0).text  # type: ignore[arg-type]
    assert changed.split()[0] == see
    assert changed.split()[3:] == KEPT.split()[3:]
    assert changed.split()[1] == "http://Site.com/A,b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, world!", "Hello world"),
        ("well-known and/or (so) they say...", "well known and or so they say"),
        ("Don't: it's 3.14, I'm sure.", "Don't it's 3.14 I'm sure"),
        ("this - that", "this that"),
        ("50% of R&D - 2 * 3 @ home", "50% of R&D 2 * 3 @ home"),
        ("great :) but... sad :-( no", "great :) but sad :-( no"),
        ("好的，谢谢。", "好的 谢谢"),
        ("«Ça va?» “oui”", "Ça va oui"),
        ("one,two", "one two"),
        ("!!!", "!!!"),
        ("", ""),
    ],
)
def test_strip_punctuation(text: str, expected: str) -> None:
    assert perturb_text(strip_punctuation(), text, 0).text == expected


def test_strip_punctuation_leaves_addresses_handles_and_code() -> None:
    text = "(See http://site.com/a-b.) me@site-x.org, @you_too, #tag; `a(b)`!"
    assert perturb_text(strip_punctuation(), text, 0).text == (
        "See http://site.com/a-b.) me@site-x.org @you_too #tag `a(b)`"
    )


def changed(perturbation: Perturbation, text: str) -> str:
    return perturb_text(perturbation, text, 0).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't STOP the-music", "Don't Stop The-Music"),
        ("NASA's 3rd trip", "Nasa's 3rd Trip"),
        ("straße ßa ﬁn ŉa ǆ", "Straße Ssa Fin ʼNa ǅ"),
        ("ΌΛΟΣ हिन्दी", "Όλος हिन्दी"),
        (KEPT, "See http://Site.com/A,b Or Me@Site.org, @You_Too #Tag `Code(X)` <B>"),
    ],
)
def test_titlecase(text: str, expected: str) -> None:
    assert changed(titlecase(), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crème brûlée, naïve Ångström", "Creme brulee, naive Angstrom"),
        ("cafe\u0301 tiếng Việt", "cafe tieng Viet"),
        ("ø ß ł", "ø ß ł"),
        ("हिन्दी में, й ё, 한국, が, ไม้", "हिन्दी में, й ё, 한국, が, ไม้"),
        ("#café @josé `é` http://é.com/é", "#café @josé `é` http://é.com/é"),
    ],
)
def test_strip_accents(text: str, expected: str) -> None:
    assert changed(strip_accents(), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good", "Good!"),
        ("Good. Bad. ", "Good. Bad! "),
        ("Why?!", "Why!"),
        ("Wait…\n", "Wait!\n"),
        ('He said "no."', 'He said "no!"'),
        ("(really)", "(really)!"),
        ("all 50%", "all 50%!"),
        ("in the U.S.", "in the U.S.!"),
        ("in the U.S.?", "in the U.S.!"),
        ("at 5 p.m", "at 5 p.m!"),
        ("Хорошо.", "Хорошо!"),
    ],
)
def test_final_punctuation(text: str, expected: str) -> None:
    assert changed(final_punctuation("!"), text) == expected


@pytest.mark.parametrize("text", ["", "?!", "see www.site.com", "so `x`", "@you", "nice :)", "你好。", "नमस्ते।", "👍"])
def test_other_endings_stay(text: str) -> None:
    assert changed(final_punctuation("!"), text) == text


def test_the_full_stop_of_an_abbreviation_is_that_of_the_sentence() -> None:
    assert changed(final_punctuation(), "in the U.S.") == "in the U.S."
    assert changed(final_punctuation(), "in the U.S...") == "in the U.S."


def test_a_question_mark_does_not_preserve_the_label() -> None:
    assert final_punctuation("...").preserves_label
    assert not final_punctuation("?!").preserves_label


@pytest.mark.parametrize("mark", ["", "a", ". ", None, 3, b"."])
def test_a_bad_mark_is_refused(mark: object) -> None:
    with pytest.raises(ConfigurationError, match=r"mark=.*: expected one or more of the marks"):
        final_punctuation(mark)  # type: ignore[arg-type]


def test_stray_marks_stand_behind_words() -> None:
    text = "So good, and www.site.com 3 times @you हिन्दी more"
    outcome = perturb_text(add_punctuation(1), text, 0)
    assert [edit.start for edit in outcome.edits] == [2, 12, 33]
    assert {edit.replacement for edit in outcome.edits} <= {",", ";", ".", "..."}
    edits = perturb_text(add_punctuation(), "word " * 2000, 3).edits
    assert 150 < len(edits) < 250  # 200, standard deviation 13


def test_reprs() -> None:
    made = (lowercase(), uppercase(), titlecase(), strip_punctuation(), strip_accents(), final_punctuation("!"))
    names = ["lowercase", "uppercase", "titlecase", "strip_punctuation", "strip_accents", "final_punctuation(!)"]
    assert [repr(one) for one in made] == names
    assert all(one.preserves_label for one in made)
    assert repr(final_punctuation()) == "final_punctuation"
    assert [repr(add_punctuation()), repr(add_punctuation(0.5))] == ["add_punctuation", "add_punctuation(0.5)"]


@pytest.mark.parametrize(
    "text",
    ["-5 degrees", "$-3.5m", "-$3", "8/10", "3-2", "8 / 10", "in 2010–2015", "at 10:30", ".5 and -.5", "a 50% cut"],
)
def test_signs_of_numbers_stay(text: str) -> None:
    assert changed(strip_punctuation(), f"{text}!") == text


def test_other_signs_beside_numbers_go() -> None:
    assert changed(strip_punctuation(), "a--5, 5- b; (6) 7, 8. - 9") == "a 5 5 b 6 7 8 9"

from __future__ import annotations

import sys

import pytest

from pytest_trust.errors import MissingExtraError
from pytest_trust.perturb.base import perturb_text
from pytest_trust.perturb.form import numerals
from pytest_trust.perturb.form.numerals import numbers_to_words


def changed(text: str) -> str:
    return perturb_text(numbers_to_words(), text, 0).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I bought 3 apples and 1,200 nuts.", "I bought three apples and one thousand two hundred nuts."),
        ("I waited 45 minutes, 15 outside.", "I waited forty-five minutes, fifteen outside."),
        ("5 stars. I was 8.", "Five stars. I was eight."),
        ("the 1st, 22nd and 100th time", "the first, twenty-second and one hundredth time"),
        ("9999 times 0", "nine thousand nine hundred and ninety-nine times zero"),
        ("only 2 of\nthe 4!", "only two of\nthe four!"),
        ("My 2 kids", "My two kids"),
        ("only 20 km", "only twenty km"),
        ("a 3RD TIME", "a third TIME"),
        ("we saw 1500 birds", "we saw one thousand five hundred birds"),
    ],
)
def test_numbers_become_words(text: str, expected: str) -> None:
    assert changed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "in 1850, since 1999, a 2020 film",
        "3.14 and 10:30, 2-3, 2 - 3, 2 – 3, 1/2, 10/10, 9/11",
        "$5, 5$, € 5 €, £5, 50%, 50 %, 5°",
        "007, 12345, 1,200,000, 10000",
        "iPhone 6, on Windows 10, page 7, room 101, no. 5, A4, 3D, 80s, v2, x2, 5km",
        "on May 5, 2010; 5 May",
        "call 555 1234, 2 + 2 = 4, x = 5, n > 3, 3*4",
        "1. Buy milk\n 2. Go",
        "(1) [2] {3} <3 :3 8) #1 -5 +3 ~4 4+",
        "@4 #5 `6` http://7.com/8 <b 9>",
        "१२ ٣ ５ 三 ²",
        "",
    ],
)
def test_what_is_no_count_stays(text: str) -> None:
    assert changed(text) == text


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "num2words", None)
    numerals._words.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'pytest-trust\[perturb\]'"):
        changed("a 7th time")
    assert changed("no number") == "no number"


def test_repr() -> None:
    assert repr(numbers_to_words()) == "numbers_to_words"
    assert numbers_to_words().preserves_label


@pytest.mark.parametrize(
    "text",
    [
        "1. Open it 2. Close it",
        "Do this: 1. open it, 2. close it",
        "May 5th",
        "July 4th was fun",
        "the 4th of July",
        "may 5",
    ],
)
def test_lists_in_a_line_and_dates_stay(text: str) -> None:
    assert perturb_text(numbers_to_words(), text, 0).text == text


def test_a_number_at_the_end_of_a_sentence_is_no_list() -> None:
    assert perturb_text(numbers_to_words(), "I have 2. He has 5. Good.", 0).text == "I have two. He has five. Good."

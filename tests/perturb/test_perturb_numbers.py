from __future__ import annotations

import re

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, perturb_text
from pytest_trust.perturb.entities.numbers import change_ages, change_numbers

SEEDS = range(60)


def numbers(text: str, within: float = 0.1) -> set[str]:
    return {perturb_text(change_numbers(within), text, seed).text for seed in SEEDS}


def ages(text: str, by: int = 5) -> set[str]:
    return {perturb_text(change_ages(by), text, seed).text for seed in SEEDS}


@pytest.mark.parametrize(
    ("text", "within", "expected"),
    [
        ("20 people", 0.1, "18 19 21 22"),
        ("30 people", 0.1, "27 28 29 31 32 33"),
        ("100 people", 0.1, "90 110"),
        ("5,000 people", 0.1, "4,500 4,600 4,700 4,800 4,900 5,100 5,200 5,300 5,400 5,500"),
        ("1,000 people", 0.1, "900 1,100"),
        ("2.5 km", 0.1, "2.3 2.4 2.6 2.7"),
        ("$0.50 each", 0.1, "$0.45 $0.46 $0.47 $0.48 $0.49 $0.51 $0.52 $0.53 $0.54 $0.55"),
        ("-15 degrees", 0.1, "-14 -16"),
        ("(98% of it)", 0.05, "(94% (95% (96% (97% (99% (100%"),
        ("4 people", 0.5, "2 3 5 6"),
        ("3 people", 0.9, "2 4 5"),
        ("120% more", 0.1, "110% 130%"),
    ],
)
def test_the_bound_is_kept_and_used(text: str, within: float, expected: str) -> None:
    _, space, rest = text.partition(" ")
    assert numbers(text, within) == {new + space + rest for new in expected.split()}


@pytest.mark.parametrize(
    "text",
    [
        "9 dogs, 1 cat, 0 birds, 0.5 km",
        "3/10, 25/30, 50 out of 60, 45 of 50, 30 stars, a solid 9.5, I rated it 80, scoring 70 there, gave it 95",
        "in 1984 and 2024 there",
        "at 12:30, 12 pm, 11 o'clock, at 12.30, 400 BC",
        "12 May 2021, May 12, Dec. 31, 2021-05-12, 12/05/2021",
        "version 12.5, v12, 1.12.3, Python 3.11, Windows 11, Toy Story 30, page 30, No. 21",
        "call 555 1234, +1 555 123 4567, 555-1234, 5551234",
        "the 21st, A320, 1990s, 20km, 10-20, 401(k), #12, 007",
        "I am 34 years old, aged 45, a 12-year-old",
        "100% sure, 911",
        f"pi is 3.{'14159' * 1000}, and 1{',000' * 2000} is much",
        'called "24"',
        "https://a.example/20 @a20 `20 people` 20@a.example",
        "1,00,000 or 3,5",
        "٣٤ and ३४",
        "",
    ],
)
def test_what_is_no_quantity_stays(text: str) -> None:
    assert numbers(text, 0.3 if text.startswith(("3/10", "in", "at")) else 0.1) == {text}


def test_words_at_the_start_of_a_sentence_are_no_names() -> None:
    assert numbers("About 20 people") == {f"About {new} people" for new in (18, 19, 21, 22)}


def test_the_same_number_stays_the_same() -> None:
    for text in numbers("20 of us, then 20 more, 20% of all"):
        first, second, _ = re.findall(r"[0-9]+", text)
        assert first == second


def test_articles_are_mended() -> None:
    assert numbers("an 80 page book") == {"a 78 page book", "a 79 page book"} | {
        f"an {new} page book" for new in (81, 82, 83, 84, 85, 86, 87, 88)
    } | {f"a {new} page book" for new in range(72, 78)}


def test_edits_are_the_digits() -> None:
    [edit] = perturb_text(change_numbers(), "for $1,200.50 now", 1).edits
    assert (edit.start, edit.end) == (5, 13)
    assert re.fullmatch(r"1,[0-3][0-9]{2}\.[0-9]{2}", edit.replacement)


@pytest.mark.parametrize(
    ("text", "by", "expected"),
    [
        ("{} years old", 5, (34, range(29, 40))),
        ("a {}-year-old boy", 5, (10, range(5, 13))),
        ("a {} year old boy", 2, (14, range(13, 17))),
        ("aged {}", 5, (19, range(14, 20))),
        ("at the age of {}.", 3, (64, range(61, 65))),
        ("I'm {}.", 5, (66, range(65, 72))),
        ("She was {} when it came", 1, (20, range(20, 22))),
        ("he's {}, she is 1 year old", 5, (3, range(2, 9))),
        ("{} y/o", 1, (119, range(118, 121))),
    ],
)
def test_ages_stay_in_their_stage_of_life(text: str, by: int, expected: tuple[int, range]) -> None:
    old, others = expected
    found = {outcome.replace("an ", "a ", 1) for outcome in ages(text.format(old), by)}
    assert found == {text.format(new) for new in others if new != old}


@pytest.mark.parametrize(
    "text",
    [
        "1 year old, 0 years old, aged 121, a 500-year-old tree",
        "I'm 100% sure, I am 5 minutes late, I'm 5'10, I'm 5.5, she is 3rd",
        "34 years, in his 30s, it is 34",
        "10/34 years old",
        "https://a.example/34-years-old `aged 34`",
        "",
    ],
)
def test_what_is_no_age_stays(text: str) -> None:
    assert ages(text) == {text}


def test_the_same_age_stays_the_same_and_articles_are_mended() -> None:
    for text in ages("an 18-year-old, aged 18"):
        article, new, again = re.fullmatch(r"(an?) (1[3-9])-year-old, aged (1[3-9])", text).groups()  # type: ignore[union-attr]
        assert new == again
        assert article == "a"


def test_the_edit_is_the_age() -> None:
    [edit] = perturb_text(change_ages(1), "aged 65.", 0).edits
    assert edit == Edit(5, 7, "66")


@pytest.mark.parametrize("within", [0, 1, -0.1, float("nan"), "0.1", None, True])
def test_a_bad_bound_is_refused(within: object) -> None:
    with pytest.raises(ConfigurationError, match=r"within=.*: expected a number above 0 and below 1"):
        change_numbers(within)  # type: ignore[arg-type]


@pytest.mark.parametrize("by", [0, -1, 2.5, "5", None, True])
def test_a_bad_number_of_years_is_refused(by: object) -> None:
    with pytest.raises(ConfigurationError, match=r"by=.*: expected a whole number of at least 1"):
        change_ages(by)  # type: ignore[arg-type]


def test_names() -> None:
    made = (change_numbers(), change_numbers(0.2), change_ages(), change_ages(2))
    assert [repr(one) for one in made] == ["change_numbers", "change_numbers(0.2)", "change_ages", "change_ages(2)"]
    assert all(one.preserves_label for one in made)


@pytest.mark.parametrize(
    "text",
    [
        "my iPhone 120 and 12 Angry Men",
        "a 50 Cent song",
        "Area 51 is there, area 51",
        "a 10 from me, a 95 from us, a 9 for effort",
        "12 months a year and 24 hours a day",
        "20 hours per week, 70 days every year",
        "from 50 to 60, between 70 and 80, 30% to 40% of it",
    ],
)
def test_names_ratings_rates_and_ranges_stay(text: str) -> None:
    assert numbers(text, 0.5) == {text}


def test_numbers_beside_small_letters_change() -> None:
    assert numbers("at 20 hours of it") == {f"at {new} hours of it" for new in (18, 19, 21, 22)}

from __future__ import annotations

import pickle

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Perturbation, perturb_text
from pytest_trust.perturb.form.spelling import abbreviate, american_spelling, british_spelling, homophones
from pytest_trust.perturb.lexicon import entries
from pytest_trust.text import words

EVERY = [american_spelling(), british_spelling(), abbreviate(), homophones()]


def changed(perturbation: Perturbation, text: str, seed: int = 0) -> str:
    return perturb_text(perturbation, text, seed).text


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("My neighbour's favourite colour", "My neighbor's favorite color"),
        ("Organised travelling, REALISED", "Organized traveling, REALIZED"),
        ("Theatre in the centre", "Theater in the center"),
    ],
)
def test_british_and_american_spelling(british: str, american: str) -> None:
    assert changed(british_spelling(), american) == british
    assert changed(american_spelling(), british) == american


@pytest.mark.parametrize(
    "text",
    [
        "Pearl Harbor and the Ministry of Defence",
        "check the program, practice the meter, tire of the second story",
        "metre, programme, cheque, tyre",
        "www.color-colour.com @color_colour `colour color`",
    ],
)
def test_names_and_words_of_two_meanings_stay(text: str) -> None:
    assert changed(british_spelling(), text) == changed(american_spelling(), text) == text


def test_no_spelling_stands_on_both_sides() -> None:
    british, american = ({line[side] for line in entries("british_american")} for side in (0, 1))
    assert len(british) == len(american) == len(entries("british_american"))
    assert not british & american


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please come, because I want you to", "Pls come, bc I want u to"),
        ("Thank you for the information", "Ty for the info"),
        ("It lasted approximately 3 hours", "It lasted approx. 3 hrs"),
        ("cats, dogs and so on.", "cats, dogs etc."),
        ("On Monday. In december.", "On Mon. In dec."),
        ("I don't know, as soon as possible", "idk, asap"),
        ("THANKS FOR THE PICTURE", "THX FOR THE PIC"),
        ("the Great Lakes are great", "the Great Lakes r gr8"),
        ("#please @you `you` www.you.com", "#please @you `you` www.you.com"),
    ],
)
def test_abbreviate(text: str, expected: str) -> None:
    assert changed(abbreviate(), text) == expected


def test_the_full_stop_of_an_abbreviation_starts_no_sentence() -> None:
    assert changed(abbreviate(), "See you Tuesday. Great show") == "See u Tues. Gr8 show"
    assert changed(abbreviate(), "See the Tues. Great Show") == "See the Tues. Great Show"


def test_no_abbreviation_holds_a_word_that_is_abbreviated() -> None:
    long_words = {word.lower() for phrase, _ in entries("abbreviations") for word in words(phrase)}
    short_words = {word.lower() for _, short in entries("abbreviations") for word in words(short)}
    assert not long_words & short_words


def test_homophones() -> None:
    outcomes = {changed(homophones(), "Their weak. IT'S you're right.", seed) for seed in range(60)}
    assert outcomes == {f"{there} week. ITS your write." for there in ("There", "They're")}
    for kept in ("no two four not", "the White House of West", "@their #there `right` www.right.com"):
        assert changed(homophones(), kept) == kept


def test_the_rate_of_homophones() -> None:
    edits = perturb_text(homophones(0.3), "right " * 1000, 0).edits
    assert 240 < len(edits) < 360  # 300, standard deviation 14.5
    assert not perturb_text(homophones(0), "right", 0).changed


def test_no_homophone_stands_in_two_groups() -> None:
    every = [word for group in entries("homophones") for word in group]
    assert len(set(every)) == len(every)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), "0.1", None, True])
def test_a_bad_rate_is_refused(rate: object) -> None:
    with pytest.raises(ConfigurationError, match=r"rate=.*: expected a number from 0 to 1"):
        homophones(rate)  # type: ignore[arg-type]


def test_reprs_and_pickles() -> None:
    names = ["american_spelling", "british_spelling", "abbreviate", "homophones"]
    assert [repr(one) for one in EVERY] == names
    assert repr(homophones(0.5)) == "homophones(0.5)"
    for one in EVERY:
        assert one.preserves_label
        assert changed(pickle.loads(pickle.dumps(one)), "your colour, color") == changed(one, "your colour, color")


@pytest.mark.parametrize(
    "text",
    ["the Sunday Times", "Black Friday", "On Ash Wednesday", "Monday Night Football", "sunday school", "GOOD FRIDAY"],
)
def test_days_in_names_are_not_abbreviated(text: str) -> None:
    assert changed(abbreviate(), text) == text


@pytest.mark.parametrize("text", ["Labour won.", "the Labour Party", "the labour party", "LABOUR PARTY"])
def test_the_party_is_no_work(text: str) -> None:
    assert changed(american_spelling(), text) == text
    assert changed(american_spelling(), "hard labour") == "hard labor"


def test_a_holiday_is_no_work() -> None:
    assert changed(british_spelling(), "Labor Day, labor day") == "Labor Day, labor day"
    assert changed(british_spelling(), "hard labor") == "hard labour"

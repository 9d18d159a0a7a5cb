from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, perturb_text
from pytest_trust.perturb.words.fillers import drop_neutral_words, repeat_words


def dropped(text: str, rate: float = 1.0, seed: int = 0) -> str:
    return perturb_text(drop_neutral_words(rate), text, seed).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I just love it.", "I love it."),
        ("It is also, I think, simply good.", "It is also, I think, good."),
        ("Simply watch it.", "Watch it."),
        ("Actually, it was. Well, no.", "It was. No."),
        ("Well, I do. Of course, MGM did.", "I do. MGM did."),
        ("well, i do", "i do"),
        ("SIMPLY A MUST", "A MUST"),
        ("It was, of course, good.", "It was good."),
        ("It was good, actually.", "It was good."),
        ("A film, just like that, just good", "A film, just like that, good"),
        ("an actually good film, a basically awful one", "a good film, an awful one"),
        ("Just an actually good film", "An actually good film"),
    ],
)
def test_dropping(text: str, expected: str) -> None:
    assert dropped(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "not just bad, isn't actually good, quite simply wrong, not only good",
        "just about all, just as good, just like that, simply put",
        "a just cause; just in time",
        "Well done, well I never, as well, of course it is, you know him",
        "Love Actually, Just William",
        "also-ran",
        "Just. Actually!",
        "justice",
        "https://just.example @just #just `just do`",
        "just",
        "",
    ],
)
def test_what_stays(text: str) -> None:
    assert dropped(text) == text


def test_the_capital_is_not_given_to_an_address() -> None:
    assert dropped("Actually, example.com is down") == "example.com is down"


def test_the_rate_of_dropped_words() -> None:
    edits = perturb_text(drop_neutral_words(0.25), "I just do it. " * 400, 3).edits
    assert 65 < len(edits) < 135  # 100, standard deviation 8.7


def test_repeating() -> None:
    outcome = perturb_text(repeat_words(1), "The film is in the box.", 0)
    assert outcome.text == "The the film is is in in the the box."
    assert outcome.edits[0] == Edit(3, 3, " the")
    assert perturb_text(repeat_words(1), "I was OK, i was", 0).text == "I I was was OK, i I was"
    assert perturb_text(repeat_words(1), "i was ok", 0).text == "i i was was ok"
    assert perturb_text(repeat_words(1), "THE FILM", 0).text == "THE THE FILM"


@pytest.mark.parametrize("text", ["what for? come in.", "in-house, on/off", "@the `the a`", ""])
def test_what_is_not_repeated(text: str) -> None:
    assert perturb_text(repeat_words(1), text, 0).text == text


def test_the_rate_is_the_rate() -> None:
    assert not perturb_text(repeat_words(0), "the film", 0).changed
    edits = perturb_text(repeat_words(), "the film " * 1000, 3).edits
    assert 22 < len(edits) < 78  # 50, standard deviation 6.9


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), "1", None, True])
@pytest.mark.parametrize("factory", [drop_neutral_words, repeat_words])
def test_a_bad_rate_is_refused(factory: Callable[[object], object], rate: object) -> None:
    with pytest.raises(ConfigurationError, match=r"rate=.*: expected a number from 0 to 1"):
        factory(rate)


def test_a_long_text_takes_no_longer_for_each_word() -> None:
    text = "Actually, it was fine @you. " * 2000
    begin = time.process_time()
    assert len(perturb_text(drop_neutral_words(), text, 0).edits) == 2000
    assert time.process_time() - begin < 10


def test_names() -> None:
    made = (drop_neutral_words(), drop_neutral_words(0.5), repeat_words(), repeat_words(0.1))
    assert [repr(one) for one in made] == [
        "drop_neutral_words",
        "drop_neutral_words(0.5)",
        "repeat_words",
        "repeat_words(0.1)",
    ]
    assert all(one.preserves_label for one in made)


@pytest.mark.parametrize(
    "text",
    ["I just arrived", "He just left", "We've just seen it", "She just won", "Just back from it", "just then it came"],
)
def test_just_of_time_stays(text: str) -> None:
    assert dropped(text) == text


@pytest.mark.parametrize(
    "rest", ["a film", "good", "doesn't work", "really bad", "3 days", "want it", "not good", "the one"]
)
def test_just_of_degree_goes(rest: str) -> None:
    assert dropped(f"it just {rest}") == f"it {rest}"

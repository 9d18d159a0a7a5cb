from __future__ import annotations

import pytest

from pytest_trust.perturb import Edit, Perturbation, perturb_text
from pytest_trust.perturb.words.degrees import add_intensifiers, add_reducers

INTENSIFIERS = ("very", "really", "extremely", "incredibly")
OF_EXTREMES = ("truly", "really", "absolutely")
REDUCERS = ("somewhat", "fairly", "moderately")


def outcomes(perturbation: Perturbation, text: str) -> set[str]:
    return {perturb_text(perturbation, text, seed).text for seed in range(60)}


def test_adverbs_are_drawn_for_each_adjective() -> None:
    assert outcomes(add_intensifiers(), "It is good.") == {f"It is {word} good." for word in INTENSIFIERS}
    assert outcomes(add_intensifiers(), "It is great.") == {f"It is {word} great." for word in OF_EXTREMES}
    assert outcomes(add_reducers(), "It is good.") == {f"It is {word} good." for word in REDUCERS}
    assert len(outcomes(add_intensifiers(), "good, bad")) == len(INTENSIFIERS) ** 2


def test_a_plain_noun_behind_makes_no_fixed_phrase() -> None:
    assert outcomes(add_reducers(), "a good story") == {f"a {word} good story" for word in REDUCERS}


def test_extremes_are_not_lessened() -> None:
    assert outcomes(add_reducers(), "An awful film, a great one.") == {"An awful film, a great one."}


def test_case() -> None:
    assert outcomes(add_intensifiers(), "Good film, GOOD film") == {
        f"{one.capitalize()} good film, {other.upper()} GOOD film" for one in INTENSIFIERS for other in INTENSIFIERS
    }
    assert outcomes(add_reducers(), "A GOOD FILM") == {f"A {word.upper()} GOOD FILM" for word in REDUCERS}


def test_the_edit_is_an_insertion() -> None:
    [edit] = perturb_text(add_reducers(), "so: good", 0).edits
    assert (edit.start, edit.end) == (4, 4)
    assert edit.replacement in {f"{word} " for word in REDUCERS}


def test_articles_are_mended() -> None:
    assert outcomes(add_reducers(), "an ugly film") == {f"a {word} ugly film" for word in REDUCERS}
    assert "an extremely good film" in outcomes(add_intensifiers(), "a good film")
    assert Edit(0, 2, "a") in perturb_text(add_reducers(), "an ugly film", 0).edits


@pytest.mark.parametrize(
    "text",
    [
        "not good, isn't good, wasn’t good, never good, no good",
        "too good, so good, very good, most interesting, as good as gold, how good",
        "good enough, annoying him",
        "supremely good, consistently bad",
        "good-natured, feel-good",
        "good morning, a soft drink, good luck, a great deal",
        "Great Britain and the Good Samaritan",
        "goodness, badly",
        "https://good.example @good #good `good`",
        "",
    ],
)
@pytest.mark.parametrize("perturbation", [add_intensifiers(), add_reducers()], ids=repr)
def test_what_stays(perturbation: Perturbation, text: str) -> None:
    assert outcomes(perturbation, text) == {text}


def test_of_two_adjectives_the_first() -> None:
    assert outcomes(add_reducers(), "a nice ugly film") == {f"a {word} nice ugly film" for word in REDUCERS}


def test_names_and_labels() -> None:
    assert [repr(add_intensifiers()), repr(add_reducers())] == ["add_intensifiers", "add_reducers"]
    assert add_intensifiers().preserves_label
    assert add_reducers().preserves_label
    assert not add_intensifiers(preserves_label=False).preserves_label
    assert not add_reducers(preserves_label=False).preserves_label
    assert repr(add_reducers(preserves_label=False)) == "add_reducers(preserves_label=False)"


@pytest.mark.parametrize(
    "text",
    [
        "It isn't a good film",
        "I don’t think this is good",
        "I dont think this is good",
        "Nobody was happy",
        "This is far from good",
        "anything but good",
        "It was never, in my view, a good idea",
        "without good reason",
        "It fails to be a good film",
        "Not a soul in the whole of that large town was happy",
    ],
)
@pytest.mark.parametrize("perturbation", [add_intensifiers(), add_reducers()], ids=repr)
def test_behind_a_negation_all_stay(perturbation: Perturbation, text: str) -> None:
    assert outcomes(perturbation, text) == {text}


@pytest.mark.parametrize(
    "text", ["It isn't long, but it is {} good", "It isn't there. A {} good film", "It isn't there; a {} good film"]
)
def test_a_negation_ends(text: str) -> None:
    assert outcomes(add_reducers(), text.format("").replace("  ", " ")) == {text.format(word) for word in REDUCERS}

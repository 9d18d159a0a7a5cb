from __future__ import annotations

import pickle

import pytest

from pytest_trust.perturb.base import Perturbation, perturb_text
from pytest_trust.perturb.form.contractions import contract, expand_contractions


def changed(perturbation: Perturbation, text: str) -> str:
    return perturb_text(perturbation, text, 0).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I do not like it", "I don't like it"),
        ("It is good. That is not good.", "It's good. That's not good."),
        ("I am sure they are here", "I'm sure they're here"),
        ("i am sad", "i'm sad"),
        ("IT IS GREAT", "IT'S GREAT"),
        ("He will not go, but I will go", "He won't go, but I'll go"),
        ("I would not have done it", "I wouldn't have done it"),
        ("You should have seen it", "You should've seen it"),
        ("I have been there. We have\nnever met", "I've been there. We've\nnever met"),
        ("It’s odd that I am late", "It’s odd that I’m late"),
        ("You cannot do this", "You can't do this"),
        ("Do Not Enter", "Don't Enter"),
    ],
)
def test_contract(text: str, expected: str) -> None:
    assert changed(contract(), text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Yes, it is.",
        "I know what it is for",
        "as good as it is here",
        "if it is or was",
        "I know who I am today",
        "I have a dog",
        "You could have fun",
        "Yes, I will.",
        "They let us in",
        "`do not` www.it is",
        "",
    ],
)
def test_what_is_not_contracted(text: str) -> None:
    assert changed(contract(), text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I don't like it", "I do not like it"),
        ("It's a dog, and it's been fun", "It is a dog, and it has been fun"),
        ("It's not good, and it's not been", "It is not good, and it has not been"),
        ("He's going. She's got it. There's no way", "He is going. She has got it. There is no way"),
        ("I'd like it. I'd better go. They’d been", "I would like it. I had better go. They had been"),
        ("We won't, I can't", "We will not, I cannot"),
        ("Can't wait! Don't go.", "Cannot wait! Do not go."),
        ("LET'S GO, IT'S THE BEST", "LET US GO, IT IS THE BEST"),
        ("I'm sure you'll say we've won", "I am sure you will say we have won"),
        ("i'm off", "i am off"),
        ("They could’ve, and John's car isn’t here", "They could have, and John's car is not here"),
    ],
)
def test_expand(text: str, expected: str) -> None:
    assert changed(expand_contractions(), text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It's finished, it's always late",
        "I'd put it there. He'd come",
        "Good, isn't it? Isn't the film good?",
        "Why don't people listen? Don't you dare!",
        "John's and the dogs' food, rock 'n' roll, 5 o'clock",
        "I ain't here",
        "its food",
        "That's it.",
        "@it's #don't `don't`",
    ],
)
def test_what_is_not_expanded(text: str) -> None:
    assert changed(expand_contractions(), text) == text


@pytest.mark.parametrize(
    "text", ["HE'D DON'T", "she said how's hadn't", "SHOULD HAVE WILL NOT", "it is that is, that is"]
)
@pytest.mark.parametrize("perturbation", [contract(), expand_contractions()], ids=repr)
def test_contractions_side_by_side_are_settled_at_once(perturbation: Perturbation, text: str) -> None:
    once = changed(perturbation, text)
    assert changed(perturbation, once) == once


def test_there_and_back() -> None:
    text = "I do not think it is a good film, and you will not like it: they are not funny."
    there = changed(contract(), text)
    assert there == "I don't think it's a good film, and you won't like it: they're not funny."
    assert changed(expand_contractions(), there) == text


@pytest.mark.parametrize("perturbation", [contract(), expand_contractions()])
def test_names_and_pickles(perturbation: Perturbation) -> None:
    assert perturbation.preserves_label
    again = pickle.loads(pickle.dumps(perturbation))
    assert repr(again) == perturbation.name
    assert changed(again, "I do not, I don't know") == changed(perturbation, "I do not, I don't know")


def test_reprs() -> None:
    assert [repr(contract()), repr(expand_contractions())] == ["contract", "expand_contractions"]

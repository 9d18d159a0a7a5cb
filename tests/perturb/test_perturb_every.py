"""What every perturbation promises, on ten thousand random strings each."""

from __future__ import annotations

import inspect
import pickle
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from pytest_trust.perturb import Perturbation, apply_edits, lowercase, perturb_text
from pytest_trust.perturb.calls import factories
from pytest_trust.perturb.language.protect import protected_spans

N_TEXTS = 10_000
# Arguments for the factories that need some.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "add_prefix": ("Well.",),
    "add_suffix": ("So it goes.",),
    "chain": (str.upper, lowercase()),
    "one_of": (str.upper, lowercase()),
    "replace": ({"good": "bad", "New York": "a town", "an hour": "week", "日": "月"},),
    "swap": (["Kim", "Linh", "Do"],),
    "with_probability": (0.5, lowercase()),
}
MAY_CHANGE_THE_LABEL = {"add_praise", "add_criticism", "negate", "remove_negation", "swap_comparison"}
RUNS = """\
Mr. Kim isn't here
I do not know
It was just good.
a boring film
an hour
in 2019 or so
£1,200.50
12 years old
on Monday, 3 May 2021
don’t like it
He said she
my favourite color
in New York
from Germany to Uganda
Emily Baker met Mary
a German chef
a Muslim in the mosque
My book is better than the film.
wait two weeks please
it is 20 minutes late
a café
your right
""".splitlines()
KEPT = ("http://a.org/b?c=d", "@Handle", "#Tag", "`co de`", "<b>", "me@site.org")
RANGES = (
    (0x20, 0x7F),
    (0xA0, 0x250),
    (0x300, 0x370),
    (0x900, 0x980),
    (0x4E00, 0x4F00),
    (0xD800, 0xE000),
    (0x1F300, 0x1F700),
)


def factory_names() -> list[str]:
    return sorted(factories())


def made(name: str) -> Perturbation:
    perturbation: Perturbation = factories()[name](*ARGUMENTS.get(name, ()))
    return perturbation


@cache
def random_texts() -> list[str]:
    rng = random.Random(5)
    return ["".join(random_piece(rng) for _ in range(rng.randrange(12))) for _ in range(N_TEXTS)]


def random_piece(rng: random.Random) -> str:
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(RUNS) + " "
    if kind == 1:
        return " " + rng.choice(KEPT) + " "
    if kind == 2:
        return rng.choice(" \n\t.,!?'’-")
    return chr(rng.randrange(*rng.choice(RANGES)))


@pytest.mark.parametrize("name", factory_names())
def test_any_text_is_taken_and_rebuilt_from_its_edits(name: str) -> None:
    perturbation = made(name)
    changed = 0
    for seed, text in enumerate(random_texts()):
        outcome = perturb_text(perturbation, text, seed)
        assert apply_edits(text, outcome.edits) == outcome.text, text
        assert outcome.changed == (outcome.text != text), text
        changed += outcome.changed
    assert changed > 20, "the texts hold nothing to change"


IGNORES_WHAT_IS_KEPT = {"chain", "one_of"}  # made of str.upper above


@pytest.mark.parametrize("name", sorted(set(factory_names()) - IGNORES_WHAT_IS_KEPT))
def test_addresses_handles_and_code_stay(name: str) -> None:
    perturbation = made(name)
    for seed, text in enumerate(random_texts()[:2000]):
        for edit in perturb_text(perturbation, text, seed).edits:
            inside = [span for span in protected_spans(text) if span.start < edit.end and edit.start < span.end]
            assert not inside, (text, edit)


@pytest.mark.parametrize("name", factory_names())
def test_it_is_equal_to_another_of_its_making(name: str) -> None:
    perturbation, other = made(name), made(name)
    copy = pickle.loads(pickle.dumps(perturbation))
    assert perturbation == other == copy
    assert len({perturbation, other, copy}) == 1
    assert repr(perturbation) == perturbation.name


def claims_idempotence(factory: Callable[..., Any]) -> bool:
    claim = inspect.getdoc(factory) or ""
    return "Idempotent." in claim


@pytest.mark.parametrize("name", [name for name, factory in sorted(factories().items()) if claims_idempotence(factory)])
def test_the_second_time_changes_nothing(name: str) -> None:
    perturbation = made(name)
    for seed, text in enumerate(random_texts()):
        once = perturb_text(perturbation, text, seed).text
        assert perturb_text(perturbation, once, seed).text == once, text


def test_the_claims_of_idempotence() -> None:
    claimed = {name for name, factory in factories().items() if claims_idempotence(factory)}
    assert {"lowercase", "uppercase", "strip_accents", "contract", "british_spelling", "numbers_to_words"} <= claimed
    assert len(claimed) >= 12


def test_labels_are_kept_but_by_those_that_say_so() -> None:
    assert {name for name in factory_names() if not made(name).preserves_label} == MAY_CHANGE_THE_LABEL

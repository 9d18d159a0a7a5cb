from __future__ import annotations

import random

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import (
    Edit,
    Perturbed,
    add_suffix,
    chain,
    lowercase,
    one_of,
    perturb_text,
    replace,
    typos,
    uppercase,
    with_probability,
)


def shout(text: str) -> str:
    return f"{text}!"


def test_a_chain_tells_its_edits_in_the_first_text() -> None:
    perturbation = chain(add_suffix("Indeed."), replace({"good": "very bad"}), lowercase(), shout)
    outcome = perturb_text(perturbation, "So good. Very.", 0)
    assert outcome == Perturbed(
        "so very bad. very. indeed.!",
        (Edit(0, 2, "so"), Edit(3, 7, "very bad"), Edit(9, 14, "very. indeed.!")),
    )


def test_a_chain_that_undoes_itself_changes_nothing() -> None:
    assert not perturb_text(chain(uppercase(), lowercase()), "small words", 0).changed


class Liar:
    name = "liar"
    preserves_label = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        return Perturbed("something else", ())


def test_a_part_whose_edits_do_not_rebuild_its_text_is_named() -> None:
    with pytest.raises(ConfigurationError, match="liar must answer with a Perturbed whose edits rebuild its text"):
        perturb_text(chain(lowercase(), Liar(), shout), "Text", 0)


def test_one_of_draws_each() -> None:
    perturbation = one_of(uppercase(), shout)
    outcomes = {perturb_text(perturbation, "hi", seed).text for seed in range(30)}
    assert outcomes == {"HI", "hi!"}


def test_with_probability() -> None:
    changed = sum(perturb_text(with_probability(0.3, uppercase()), "hi", seed).changed for seed in range(1000))
    assert 240 < changed < 360  # 300, standard deviation 14.5
    assert perturb_text(with_probability(1, shout), "hi", 0).text == "hi!"
    assert not perturb_text(with_probability(0, shout), "hi", 0).changed


def test_labels_are_preserved_where_all_parts_preserve_them() -> None:
    sad = replace({"happy": "sad"}, preserves_label=False)
    assert chain(lowercase(), typos()).preserves_label
    assert not chain(lowercase(), sad).preserves_label
    assert not one_of(lowercase(), sad).preserves_label
    assert not with_probability(0.1, sad).preserves_label


def test_reprs() -> None:
    made = with_probability(0.5, chain(lowercase(), one_of(typos(), shout)))
    assert repr(made) == "with_probability(0.5, chain(lowercase, one_of(typos, shout)))"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: chain(), "chain needs at least one perturbation"),
        (lambda: one_of(), "one_of needs at least one perturbation"),
        (lambda: chain(lowercase(), 3), "found int 3"),  # type: ignore[arg-type]
        (lambda: one_of(lowercase), "lowercase itself; call it"),
        (lambda: with_probability(0.5, None), "found NoneType None"),  # type: ignore[arg-type]
        (lambda: with_probability(1.5, lowercase()), r"p=1\.5: expected a number from 0 to 1"),
        (lambda: with_probability("a", lowercase()), "p='a': expected a number from 0 to 1"),  # type: ignore[arg-type]
    ],
)
def test_bad_parts_are_refused(make: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make()  # type: ignore[operator]

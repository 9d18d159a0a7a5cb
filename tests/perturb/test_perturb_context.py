from __future__ import annotations

import re

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, Perturbed, add_prefix, add_suffix, perturb_text


def test_suffix_and_prefix() -> None:
    suffix, prefix = add_suffix("It rained."), add_prefix("Hello.")
    assert perturb_text(suffix, "A film.", 0) == Perturbed("A film. It rained.", (Edit(7, 7, " It rained."),))
    assert perturb_text(prefix, "A film.", 0) == Perturbed("Hello. A film.", (Edit(0, 0, "Hello. "),))


@pytest.mark.parametrize(("text", "expected"), [("", "x"), ("a\n", "a\nx"), ("a ", "a x")])
def test_no_space_where_there_is_one(text: str, expected: str) -> None:
    assert perturb_text(add_suffix("x"), text, 0).text == expected
    assert perturb_text(add_prefix("x"), text[::-1], 0).text == expected[::-1]


def test_names_are_short() -> None:
    assert repr(add_suffix("So it goes.")) == "add_suffix(So it goes.)"
    assert re.fullmatch(
        r"add_prefix\(The weather was mild\.\.\. [0-9a-f]{4}\)", repr(add_prefix("The weather was mild on that day."))
    )


def test_names_tell_what_differs_apart() -> None:
    long = "The weather was mild on that day"
    made = [add_suffix(text) for text in ("So.", "So .", "\nSo.", long, f"{long}.", f"{long}!")]
    made += [add_suffix("So.", preserves_label=False), add_suffix(long, preserves_label=False)]
    assert len({one.name for one in made}) == len(made)
    assert repr(add_suffix("So.", preserves_label=False)) == "add_suffix(So., preserves_label=False)"


def test_praise_does_not_preserve_the_label() -> None:
    assert add_suffix("It rained.").preserves_label
    assert not add_suffix("I love it.", preserves_label=False).preserves_label


@pytest.mark.parametrize("make", [add_suffix, add_prefix])
@pytest.mark.parametrize("text", ["", "  ", None, 3])
def test_nothing_to_add_is_refused(make: object, text: object) -> None:
    with pytest.raises(ConfigurationError, match="the text to add must be a str that is not blank, found"):
        make(text)  # type: ignore[operator]

"""Blanks, look-alikes and invisible characters."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Rewriting, perturb_text
from pytest_trust.perturb.form.disguise import homoglyphs, invisible_characters
from pytest_trust.perturb.form.whitespace import extra_whitespace, line_breaks, tabs
from pytest_trust.perturb.lexicon import entries

FACTORIES = [extra_whitespace, line_breaks, tabs, homoglyphs, invisible_characters]


@pytest.mark.parametrize(("perturbation", "blank"), [(line_breaks(1), "\n"), (tabs(1), "\t")])
def test_spaces_are_replaced(perturbation: Rewriting, blank: str) -> None:
    text = "one two  three\nfour `a b` <a b> five six "
    expected = f"one{blank}two  three\nfour `a b` <a b> five{blank}six "
    assert perturb_text(perturbation, text, 0).text == expected


def test_spaces_are_widened() -> None:
    outcomes = {perturb_text(extra_whitespace(1), "one two", seed).text for seed in range(20)}
    assert outcomes == {"one  two", "one   two"}
    edits = perturb_text(extra_whitespace(), "word " * 2000, 3).edits
    assert 150 < len(edits) < 250  # 200, standard deviation 13


def test_homoglyphs_look_the_same_and_are_others() -> None:
    assert perturb_text(homoglyphs(1), "eps", 0).text == "\u0435\u0440\u0455"
    for kept in ("f g 123 你好 हिन्दी привет e\u0301", "www.apex.com @pope #pope `pope`"):
        assert not perturb_text(homoglyphs(1), kept, 0).changed


def test_the_homoglyphs_are_single_letters_of_the_same_case() -> None:
    for latin, *others in entries("homoglyphs"):
        assert latin.isascii()
        assert all(len(other) == 1 and other.isalpha() and not other.isascii() for other in others)
        assert all(other.isupper() == latin.isupper() for other in others)


def test_invisible_characters_stand_within_words() -> None:
    text = "So it goes, www.site.com 12 हिन्दी"
    outcome = perturb_text(invisible_characters(1), text, 0)
    assert [edit.start for edit in outcome.edits] == [1, 4, 7, 8, 9]
    assert all(edit.start == edit.end for edit in outcome.edits)
    seen = {edit.replacement for seed in range(10) for edit in perturb_text(invisible_characters(1), text, seed).edits}
    assert seen == {"\u200b", "\u200d", "\u2060", "\u00ad"}


@pytest.mark.parametrize("factory", FACTORIES)
def test_bad_rates_are_refused(factory: Callable[..., Rewriting]) -> None:
    for rate in (-0.1, 1.1, float("nan"), "0.1", None, True):
        with pytest.raises(ConfigurationError, match=r"rate=.*: expected a number from 0 to 1"):
            factory(rate)


@pytest.mark.parametrize("factory", FACTORIES)
def test_names_bounds_and_pickles(factory: Callable[..., Rewriting]) -> None:
    text = "A few plain words here and there."
    assert (repr(factory()), repr(factory(0.5))) == (factory.__name__, f"{factory.__name__}(0.5)")
    assert factory().preserves_label
    assert not perturb_text(factory(0), text, 0).changed
    again = pickle.loads(pickle.dumps(factory(0.5)))
    assert perturb_text(again, text, 3) == perturb_text(factory(0.5), text, 3)

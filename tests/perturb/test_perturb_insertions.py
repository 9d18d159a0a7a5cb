from __future__ import annotations

import re
from collections.abc import Callable
from importlib.resources import files

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Perturbation, perturb_text
from pytest_trust.perturb.language.boundaries import sentence_boundaries
from pytest_trust.perturb.meaning.insertions import (
    add_criticism,
    add_handle,
    add_neutral,
    add_praise,
    add_url,
)

LEXICONS = files("pytest_trust.perturb") / "lexicons"


def sentences(name: str) -> set[str]:
    lines = (LEXICONS / f"{name}_sentences.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if not line.startswith("#")}


@pytest.mark.parametrize("seed", range(20))
def test_a_neutral_sentence_at_each_place(seed: int) -> None:
    neutral = sentences("neutral")
    assert perturb_text(add_neutral(), "It works.", seed).text.removeprefix("It works. ") in neutral
    assert perturb_text(add_neutral("start"), "It works.", seed).text.removesuffix(" It works.") in neutral
    middle = perturb_text(add_neutral("middle"), "It works. I like it.", seed).text
    assert middle.removeprefix("It works. ").removesuffix(" I like it.") in neutral
    assert perturb_text(add_neutral("middle"), "It works.", seed).text.removeprefix("It works. ") in neutral


@pytest.mark.parametrize(
    ("make", "name"), [(add_neutral, "neutral"), (add_praise, "praise"), (add_criticism, "criticism")]
)
def test_a_sentence_behind(make: Callable[[], Perturbation], name: str) -> None:
    known = sentences(name)
    drawn = {perturb_text(make(), "Fine.", seed).text.removeprefix("Fine. ") for seed in range(400)}
    assert drawn <= known
    assert len(drawn) > 20
    assert perturb_text(make(), "", 0).text in known


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("great film", "great film. "),
        ("(really)", "(really). "),
        ("He said “no”", "He said “no”. "),
        ("Wow :)", "Wow :) "),
        ("It ended...\n", "It ended...\n"),
        ("ok @bob", "ok @bob "),
        ("Fine!  ", "Fine!  "),
        ("`code`", "`code` "),
    ],
)
def test_the_full_stop_before_a_sentence_behind(text: str, start: str) -> None:
    new = perturb_text(add_praise(), text, 1).text
    assert new.startswith(start)
    assert new.removeprefix(start) in sentences("praise")


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("One. Two! “Three?” Four", ["Two", "“Three", "Four"]),
        ("Dr. Smith and J. R. Jones left. no capital", []),
        ("See `a. B c` now. Then go.", ["Then"]),
        ("Version 3.14 Beta. 5 stars", ["5"]),
        ("", []),
    ],
)
def test_where_sentences_begin(text: str, starts: list[str]) -> None:
    found = [text[at:] for at in sentence_boundaries(text)]
    assert len(found) == len(starts)
    assert all(rest.startswith(start) for rest, start in zip(found, starts, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_addresses_and_handles(seed: int) -> None:
    url = r"https://www\.example\.(com|net|org)/[a-z]+-[a-z]+/\d{1,4}"
    assert re.fullmatch(rf"Good {url}", perturb_text(add_url(), "Good", seed).text)
    assert re.fullmatch(rf"{url} Good", perturb_text(add_url("start"), "Good", seed).text)
    assert re.fullmatch(r"Good @[a-z]+_[a-z]+\d{1,4}", perturb_text(add_handle(), "Good", seed).text)
    assert re.fullmatch(r"@[a-z]+_[a-z]+\d{1,4} Good", perturb_text(add_handle("start"), "Good", seed).text)


@pytest.mark.parametrize("make", [add_neutral, add_url, add_handle])
def test_another_place_is_refused(make: Callable[[str], Perturbation]) -> None:
    with pytest.raises(ConfigurationError, match="where='top': expected 'start'"):
        make("top")


def test_only_neutral_sentences_go_into_the_middle() -> None:
    with pytest.raises(ConfigurationError, match="where='middle': expected 'start' or 'end'"):
        add_url("middle")


def test_names_and_labels() -> None:
    assert repr(add_neutral()) == "add_neutral"
    assert repr(add_neutral("middle")) == "add_neutral(middle)"
    assert repr(add_handle("start")) == "add_handle(start)"
    assert add_neutral().preserves_label
    assert add_url().preserves_label
    assert not add_praise().preserves_label
    assert not add_criticism().preserves_label

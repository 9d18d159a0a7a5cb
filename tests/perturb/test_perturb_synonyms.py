from __future__ import annotations

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, perturb_text
from pytest_trust.perturb.language.phrases import fold
from pytest_trust.perturb.lexicon import entries
from pytest_trust.perturb.words.synonyms import synonyms


def changed(text: str, rate: float = 1.0, seed: int = 0) -> str:
    return perturb_text(synonyms(rate), text, seed).text


def test_the_edit_is_the_word() -> None:
    assert perturb_text(synonyms(), "Two movies.", 0).edits == (Edit(4, 10, "films"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Movies began. MOVIE", ("Films started. FILM", "Films commenced. FILM")),
        ("THE MOVIE", ("THE FILM",)),
        ("It is rarely boring", ("It is seldom tedious",)),
        ("the lawyer's tale", ("the attorney's story",)),
        ("the lawyers' cars", ("the attorneys' automobiles",)),
        ("it is nearly over", ("it is nearly over",)),  # "not almost" would not do for "not nearly"
        ("", ("",)),
    ],
)
def test_forms_and_case(text: str, expected: tuple[str, ...]) -> None:
    assert {changed(text, seed=seed) for seed in range(20)} == set(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a lawyer and an attorney", "an attorney and a lawyer"),
        ("A lawyer", "An attorney"),
        ("a huge film", "an immense film"),
        ("an opportunity", "a chance"),
    ],
)
def test_articles_are_mended(text: str, expected: str) -> None:
    assert changed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "two car parks and a movie star",
        "at large, more often than not",
        "a car-sharing firm",
        "The film Cars and the series Doctor Who",
        "Doctor Foster is here",
        "https://movie.example/car @movie #movie movie@movie.com `movie` <i title='movie'>",
        "moviegoers, carpet-bagging",
    ],
)
def test_phrases_compounds_names_and_addresses_stay(text: str) -> None:
    assert changed(text) == text


def test_one_synonym_for_all_occurrences() -> None:
    outcomes = {changed("utterly wonderful, a wondrous wonder. Wondrous", seed=seed) for seed in range(40)}
    assert outcomes == {f"absolutely marvelous, a {word} wonder. {word.title()}" for word in ("wonderful", "marvelous")}


def test_the_rate_is_of_words() -> None:
    text = "movie lawyer doctor snake sofa teacher tale rarely boring risky " * 3
    counts = [
        sum(edit.replacement != "" for edit in perturb_text(synonyms(0.5), text, seed).edits) for seed in range(60)
    ]
    assert 13 < sum(counts) / 60 < 17  # a half of 30, standard error 0.6
    assert all(count % 3 == 0 for count in counts)
    assert not perturb_text(synonyms(0), text, 0).changed


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), "1", None, True])
def test_a_bad_rate_is_refused(rate: object) -> None:
    with pytest.raises(ConfigurationError, match=r"rate=.*: expected a number from 0 to 1"):
        synonyms(rate)  # type: ignore[arg-type]


def test_names() -> None:
    assert [repr(synonyms()), repr(synonyms(0.25))] == ["synonyms", "synonyms(0.25)"]
    assert synonyms().preserves_label


def test_the_list_is_well_formed() -> None:
    listed = entries("synonyms")
    assert len({word for word, *_ in listed}) == len(listed) > 500
    for word, *others in listed:
        assert others
        assert word not in others
        assert all(form == fold(form) and form.isalpha() for form in (word, *others))

from __future__ import annotations

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.templates import LEXICONS, expand


def test_every_combination_in_order() -> None:
    assert expand("A {size} {thing}.", size=["big", "odd"], thing=["cat", "dog"]) == [
        "A big cat.",
        "A big dog.",
        "A odd cat.",
        "A odd dog.",
    ]


def test_articles_labels_and_several_templates() -> None:
    cases = expand("{a:word}!", "No {word}.", word=["egg", "hat"], label="fine")
    assert cases == [("an egg!", "fine"), ("a hat!", "fine"), ("No egg.", "fine"), ("No hat.", "fine")]


def test_a_gap_twice_holds_one_word_and_numbered_gaps_hold_different_ones() -> None:
    texts = expand("{x1} {x2} {x1}", x=["a", "b", "c"])
    assert len(texts) == 6
    assert all(one == three != two for one, two, three in map(str.split, texts))


def test_a_sample_is_seeded_distinct_and_part_of_the_whole() -> None:
    def sample(seed: int) -> list[str]:
        return expand("{first_name1} met {first_name2} in {city}.", n=50, seed=seed)

    assert sample(1) == sample(1) != sample(2)
    assert len(set(sample(1))) == 50
    whole = expand("{x1}{x2}{y}", x=list("abcd"), y=list("12"))
    assert set(expand("{x1}{x2}{y}", x=list("abcd"), y=list("12"), n=9)) < set(whole)
    assert expand("{y}", y=["1"], n=9) == ["1"]


def test_the_sample_of_a_template_depends_on_nothing_else() -> None:
    alone = expand("{city} it is", n=5)
    assert expand("{country} it is", "{city} it is", n=5)[5:] == alone


@pytest.mark.parametrize("name", LEXICONS)
def test_the_lexicons_at_hand(name: str) -> None:
    texts = expand(f"{{{name}}}")
    assert len(texts) >= 7
    assert all(text.strip() == text != "" for text in texts)


def test_braces() -> None:
    assert expand("{{x}} {x}", x=["1"]) == ["{x} 1"]


@pytest.mark.parametrize(
    ("templates", "given", "message"),
    [
        ((), {}, "at least one template"),
        (("{",), {}, r"the template '\{' is malformed"),
        (("{}",), {}, "a gap is written"),
        (("{x.y}",), {"x": ["1"]}, "a gap is written"),
        (("{x!r}",), {"x": ["1"]}, "a gap is written"),
        (("{x:>3}",), {"x": ["1"]}, "a gap is written"),
        (("{weather}",), {}, r"no lexicon for \{weather\}; give weather=\[...\]; known: adjective, city"),
        (("{x}",), {"x": "words"}, "the lexicon 'x' must be a sequence of words, found str"),
        (("{x}",), {"x": []}, "the lexicon 'x' must be a sequence of words"),
        (("{x}",), {"x": [1]}, "the lexicon 'x' must hold str, found int 1"),
        (("{x1}{x2}",), {"x": ["a"]}, "needs 2 different words of 'x', which has 1"),
        (("{city1} {city2}",), {}, r"has \d+ texts; give n="),
        ((3,), {}, "the template 3 is malformed"),
    ],
)
def test_what_cannot_be_expanded_is_refused(
    templates: tuple[str, ...], given: dict[str, list[str]], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        expand(*templates, **given)


def test_a_bad_sample_size_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="n=0: expected a whole number"):
        expand("{city}", n=0)

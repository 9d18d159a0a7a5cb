from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_trust.perturb import Edit, apply_edits
from pytest_trust.perturb.language.articles import article_for, with_articles

AN = "apple hour uninformed unimportant utter honest heir honorary onion only urn FBI MRIs SUV HR LP 8 11 18 80 Émile"
A = "house university unit uniform union user usual utopia UK USA European one once uranium UFO 1 10 110 NICE FUN hat"


@pytest.mark.parametrize("word", AN.split())
def test_words_that_begin_with_a_vowel_sound(word: str) -> None:
    assert article_for(word) == "an"


@pytest.mark.parametrize("word", A.split())
def test_words_that_begin_with_a_consonant_sound(word: str) -> None:
    assert article_for(word) == "a"


def replaced(text: str, old: str, new: str) -> str:
    match = re.search(rf"\b{old}\b", text)
    assert match is not None
    return apply_edits(text, with_articles(text, [Edit(*match.span(), new)]))


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("a good film", "good", "excellent", "an excellent film"),
        ("An awful film", "awful", "bad", "A bad film"),
        ('it is a "good" film', "good", "odd", 'it is an "odd" film'),
        ("A GOOD FILM", "GOOD", "ODD", "AN ODD FILM"),
        ("an hour", "hour", "week", "a week"),
        ("a  very good film", "good", "odd", "a  very good film".replace("good", "odd")),
        ("a apple", "apple", "orange", "a orange"),  # wrong before: nothing to keep right
        ("vitamin a good", "good", "nice", "vitamin a nice"),
        ("Visa good", "good", "odd", "Visa odd"),
        ("a really good", "really ", "", "a good"),
        ("a nice awful film", "nice ", "", "an awful film"),
    ],
)
def test_articles_are_mended(text: str, old: str, new: str, expected: str) -> None:
    assert replaced(text, old, new) == expected


@given(st.text(), st.text(max_size=5), st.data())
def test_any_text_is_taken(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    outcome = with_articles(text, [Edit(start, end, new)])
    assert outcome[-1] == Edit(start, end, new)
    apply_edits(text, outcome)

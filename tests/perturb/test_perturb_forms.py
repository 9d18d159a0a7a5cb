from __future__ import annotations

from collections import Counter

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, lowercase, perturb_text, strip_punctuation, typos, uppercase

KEPT = "See http://Site.com/A,b or Me@Site.org, @You_Too #Tag `Code(X)` <B>"


def test_case() -> None:
    assert perturb_text(lowercase(), "Hello BIG World", 0).edits == (
        Edit(0, 5, "hello"),
        Edit(6, 9, "big"),
        Edit(10, 15, "world"),
    )
    assert perturb_text(uppercase(), "Straße, İo ΐ", 0).text == "Straße, İo ΐ".upper()


@pytest.mark.parametrize(("perturbation", "see"), [(lowercase(), "see"), (uppercase(), "SEE")])
def test_case_leaves_addresses_handles_and_code(perturbation: object, see: str) -> None:
    changed = perturb_text(perturbation, KEPT, 0).text  # type: ignore[arg-type]
    assert changed.split()[0] == see
    assert changed.split()[3:] == KEPT.split()[3:]
    assert changed.split()[1] == "http://Site.com/A,b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, world!", "Hello world"),
        ("well-known and/or (so) they say...", "well known and or so they say"),
        ("Don't: it's 3.14, I'm sure.", "Don't it's 3.14 I'm sure"),
        ("this - that", "this that"),
        ("50% of R&D - 2 * 3 @ home", "50% of R&D 2 * 3 @ home"),
        ("great :) but... sad :-( no", "great :) but sad :-( no"),
        ("好的，谢谢。", "好的 谢谢"),
        ("«Ça va?» “oui”", "Ça va oui"),
        ("one,two", "one two"),
        ("!!!", "!!!"),
        ("", ""),
    ],
)
def test_strip_punctuation(text: str, expected: str) -> None:
    assert perturb_text(strip_punctuation(), text, 0).text == expected


def test_strip_punctuation_leaves_addresses_handles_and_code() -> None:
    text = "(See http://site.com/a-b.) me@site-x.org, @you_too, #tag; `a(b)`!"
    assert perturb_text(strip_punctuation(), text, 0).text == (
        "See http://site.com/a-b.) me@site-x.org @you_too #tag `a(b)`"
    )


@pytest.mark.parametrize("seed", range(10))
def test_typos_swap_neighbours_within_words(seed: int) -> None:
    text = "Extraordinary circumstances, unfortunately."
    outcome = perturb_text(typos(0.3), text, seed)
    assert outcome.changed
    for edit in outcome.edits:
        old = text[edit.start : edit.end]
        assert edit.replacement == old[::-1] != old
        assert old.isalpha()
    for old_word, new_word in zip(text.split(), outcome.text.split(), strict=True):
        assert Counter(old_word) == Counter(new_word)
        assert old_word[0] == new_word[0]


def test_the_rate_of_typos_is_the_rate() -> None:
    text = "abcdefghijklmnopqrstuvwxyz " * 400
    edits = perturb_text(typos(0.02), text, 7).edits
    # 24 neighbours a word, two of them taken by each swap: about 0.02 * 24 * 400 = 190, standard deviation 14
    assert 130 < len(edits) < 250


def test_the_bounds_of_the_rate() -> None:
    assert not perturb_text(typos(0), "some words", 0).changed
    assert perturb_text(typos(1), "abcdef abcd", 0).text == "acbedf acbd"


def test_typos_leave_short_words_marks_addresses_and_other_scripts() -> None:
    for kept in ("a of 12345 3.1415", "हिन्दी", "你好世界", "👍🏽👍", "www.example.com/words @someone `code`"):
        assert not perturb_text(typos(1), kept, 0).changed
    assert perturb_text(typos(1), "cafe\u0301s", 0).text == "cfae\u0301s"


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), "0.1", None, True])
def test_a_bad_rate_is_refused(rate: object) -> None:
    with pytest.raises(ConfigurationError, match=r"rate=.*: expected a number from 0 to 1"):
        typos(rate)  # type: ignore[arg-type]


def test_reprs() -> None:
    made = (lowercase(), uppercase(), strip_punctuation(), typos(), typos(0.1))
    assert [repr(one) for one in made] == ["lowercase", "uppercase", "strip_punctuation", "typos", "typos(0.1)"]
    assert all(one.preserves_label for one in made)

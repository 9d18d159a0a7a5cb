"""What holds for every perturbation of fairness, context and meaning, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.perturb import Perturbation, apply_edits, perturb_text
from pytest_trust.perturb.fairness.gender import swap_gender
from pytest_trust.perturb.fairness.groups import swap_countries, swap_group_names, swap_nationalities
from pytest_trust.perturb.fairness.religions import swap_religions
from pytest_trust.perturb.meaning.insertions import add_criticism, add_handle, add_neutral, add_praise, add_url
from pytest_trust.perturb.meaning.negation import negate, remove_negation
from pytest_trust.perturb.meaning.opinions import other_opinion, swap_comparison, used_to

WITHIN = [
    swap_gender(),
    swap_group_names(),
    swap_religions(),
    swap_nationalities(),
    swap_countries(),
    negate(),
    remove_negation(),
    swap_comparison(),
]
IDEMPOTENT = [swap_group_names("arabic"), swap_group_names("english"), swap_countries("high"), swap_countries("low")]
AROUND = [
    add_neutral(),
    add_neutral("middle"),
    add_url("start"),
    add_handle(),
    add_praise(),
    add_criticism(),
    used_to(),
    other_opinion(),
    other_opinion("negative", "end"),
]
KEPT = ["http://her.com/Emily-not", "Mary.her@New-York.org", "@his_wife", "#GermanMuslim", "`isn't he, Emily?`"]
PIECES = [
    *KEPT,
    *(" ", " ", " ", "\n", "\u00a0", ". ", "? ", ", ", "'", "’", "`", "@", "-", "...", ":)", "<b>", "\u0301", "\u200d"),
    *("her ", "His ", "she’s ", "Mr. ", "king", "an actress", "The ", "a ", "of ", "who "),
    *("Emily ", "Baker ", "García", "Washington", "Do ", "Patel", "Norway", "the US", "mali", "Guinea "),
    *("Muslim ", "church", "Jewish ", "Christian ", "German ", "Germans", "an Indian ", "French ", "polish "),
    *("is ", "isn't ", "not ", "never ", "don’t ", "like ", "I ", "it ", "better than ", "was ", "can", "did "),
    *("日本", "हिन्दी", "ไทย", "👍🏽", "İ", "ß", "ŉ", "ǅ", "Σ", "ﬁ", "3.14", "50%", "a_b", "\ud800"),
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=14).map("".join)


def by_name(perturbation: Perturbation) -> str:
    return perturbation.name


@pytest.mark.parametrize("perturbation", [*WITHIN, *IDEMPOTENT, *AROUND], ids=by_name)
@given(text=texts | st.text(), seed=st.integers(0, 2**64))
@settings(deadline=None, max_examples=60)
def test_any_text_is_taken_and_rebuilt_from_its_edits(perturbation: Perturbation, text: str, seed: int) -> None:
    outcome = perturb_text(perturbation, text, seed)
    assert apply_edits(text, outcome.edits) == outcome.text
    assert outcome.changed == (outcome.text != text)
    assert all(text[edit.start : edit.end] != edit.replacement for edit in outcome.edits)
    assert perturb_text(perturbation, text, seed) == outcome


@pytest.mark.parametrize("perturbation", IDEMPOTENT, ids=by_name)
@given(text=texts, seeds=st.tuples(st.integers(0, 99), st.integers(0, 99)))
@settings(deadline=None, max_examples=60)
def test_the_second_time_changes_nothing(perturbation: Perturbation, text: str, seeds: tuple[int, int]) -> None:
    once = perturb_text(perturbation, text, seeds[0]).text
    assert perturb_text(perturbation, once, seeds[1]).text == once


@pytest.mark.parametrize("perturbation", WITHIN, ids=by_name)
@given(before=st.lists(st.sampled_from(PIECES), max_size=5), kept=st.sampled_from(KEPT))
@settings(deadline=None, max_examples=60)
def test_addresses_handles_and_code_stay(perturbation: Perturbation, before: list[str], kept: str) -> None:
    context = "".join(piece for piece in before if "`" not in piece and "<" not in piece)
    text = f"{context} {kept} good"
    start = text.rindex(kept)
    outcome = perturb_text(perturbation, text, 0)
    assert all(edit.end <= start or edit.start >= start + len(kept) for edit in outcome.edits)


@pytest.mark.parametrize("perturbation", AROUND, ids=by_name)
@given(text=texts, seed=st.integers(0, 2**64))
@settings(deadline=None, max_examples=60)
def test_the_text_itself_stays_within_what_is_put_around(perturbation: Perturbation, text: str, seed: int) -> None:
    for edit in perturb_text(perturbation, text, seed).edits:
        assert edit.start == edit.end or text[edit.start : edit.end].lower() == edit.replacement


@pytest.mark.parametrize("text", ["สวัสดีชาวโลก", "你好，世界", "हिन्दी में", "👩🏽‍🚀 ok", "e\u0301te\u0301 n\u0303"])
@pytest.mark.parametrize("perturbation", WITHIN, ids=by_name)
def test_texts_of_other_scripts_are_left_whole(perturbation: Perturbation, text: str) -> None:
    assert perturb_text(perturbation, text, 0).text == text

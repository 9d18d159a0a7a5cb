"""What holds for every change of form, on any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.perturb.base import Perturbation, perturb_text
from pytest_trust.perturb.edits import apply_edits
from pytest_trust.perturb.form.contractions import contract, expand_contractions
from pytest_trust.perturb.form.disguise import homoglyphs, invisible_characters
from pytest_trust.perturb.form.numerals import numbers_to_words
from pytest_trust.perturb.form.slips import ocr_slips, typos
from pytest_trust.perturb.form.spelling import abbreviate, american_spelling, british_spelling, homophones
from pytest_trust.perturb.form.whitespace import extra_whitespace, line_breaks, tabs
from pytest_trust.perturb.form.writing import add_punctuation, final_punctuation, strip_accents, titlecase

IDEMPOTENT = [
    titlecase(),
    strip_accents(),
    final_punctuation(),
    final_punctuation("!"),
    final_punctuation("..."),
    contract(),
    expand_contractions(),
    numbers_to_words(),
    british_spelling(),
    american_spelling(),
    abbreviate(),
]
DRAWN = [
    typos(1),
    typos(0.3, ("swap", "drop")),
    ocr_slips(1),
    homophones(0.5),
    add_punctuation(1),
    extra_whitespace(1),
    line_breaks(1),
    tabs(1),
    homoglyphs(1),
    invisible_characters(1),
]
LATIN_ONLY = [
    one for one in [*IDEMPOTENT, *DRAWN] if one.name not in ("tabs(1)", "line_breaks(1)", "extra_whitespace(1)")
]
KEPT = ["http://Color.com/It-Is", "it.is@colour-Center.org", "@do_not", "#Theatre5", "`it is 5, don't`"]
WORDS = """
    it is not it's isn't do don't I am I'm I've have been would I'd what who that is will won't he's let's and us color
    colour Centre theatre their you're please Thank you and so on Monday 5 12 1,200 3rd 1999 in May U.S. p.m café naïve
"""
SPACES = [" ", " ", " ", " ", "\n", "\t", "\u00a0"]
MARKS = [".", ",", "'", "’", "`", '"', ")", ":)", "?", "!", "…", "-", "@", "#", "$", "%", "://", "&amp;", "<b>"]
LETTERS = ["\u0301", "\u200d", "İ", "ß", "ŉ", "ǅ", "Σ", "ﬁ", "日本", "हिन्दी", "ไทย", "👍🏽", "\ud800"]
PIECES = [*KEPT, *WORDS.split(), *SPACES, *MARKS, *LETTERS]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join)
plain = st.lists(st.sampled_from([*WORDS.split(), "Why", "how", "as", "than", "how's", "hadn't"]), max_size=12).map(
    " ".join
)
sentences = plain | plain.map(str.upper) | plain.map(str.title)


def by_name(perturbation: Perturbation) -> str:
    return perturbation.name


@pytest.mark.parametrize("perturbation", [*IDEMPOTENT, *DRAWN], ids=by_name)
@given(text=texts | sentences | st.text(), seed=st.integers(0, 2**64))
@settings(deadline=None, max_examples=60)
def test_any_text_is_taken_and_rebuilt_from_its_edits(perturbation: Perturbation, text: str, seed: int) -> None:
    outcome = perturb_text(perturbation, text, seed)
    assert apply_edits(text, outcome.edits) == outcome.text
    assert outcome.changed == (outcome.text != text)
    assert all(text[edit.start : edit.end] != edit.replacement for edit in outcome.edits)
    assert perturb_text(perturbation, text, seed) == outcome


@pytest.mark.parametrize("perturbation", IDEMPOTENT, ids=by_name)
@given(text=texts | sentences)
@settings(deadline=None, max_examples=100)
def test_the_second_time_changes_nothing(perturbation: Perturbation, text: str) -> None:
    once = perturb_text(perturbation, text, 0).text
    assert perturb_text(perturbation, once, 0).text == once


@pytest.mark.parametrize("perturbation", [*IDEMPOTENT, *DRAWN], ids=by_name)
@given(before=st.lists(st.sampled_from(PIECES), max_size=4), kept=st.sampled_from(KEPT))
@settings(deadline=None, max_examples=60)
def test_addresses_handles_and_code_stay(perturbation: Perturbation, before: list[str], kept: str) -> None:
    context = "".join(piece for piece in before if "`" not in piece and "<" not in piece)
    text = f"{context} {kept} good"
    start = text.rindex(kept)
    outcome = perturb_text(perturbation, text, 0)
    assert all(edit.end <= start or edit.start >= start + len(kept) for edit in outcome.edits)


@pytest.mark.parametrize("text", ["สวัสดีชาวโลก", "你好，世界", "हिन्दी में", "한국어", "👩🏽‍🚀"])
@pytest.mark.parametrize("perturbation", LATIN_ONLY, ids=by_name)
def test_texts_of_other_scripts_are_left_whole(perturbation: Perturbation, text: str) -> None:
    assert perturb_text(perturbation, text, 0).text == text

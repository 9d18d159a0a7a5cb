from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust.perturb import Perturbation, apply_edits, perturb_text
from pytest_trust.perturb.entities.dates import change_dates
from pytest_trust.perturb.entities.numbers import change_ages, change_numbers
from pytest_trust.perturb.words.degrees import add_intensifiers, add_reducers
from pytest_trust.perturb.words.fillers import drop_neutral_words, repeat_words
from pytest_trust.perturb.words.synonyms import synonyms

EVERY = [
    synonyms(),
    synonyms(0.5),
    add_intensifiers(),
    add_reducers(),
    drop_neutral_words(),
    repeat_words(0.5),
    change_numbers(0.5),
    change_ages(),
    change_dates(),
]
KEPT = ["http://a.com/movie-20-good", "just.good@movie-20.org", "@May_good", "#movie20", "`a good movie, 3 May, 20 km`"]
PIECES = [
    *KEPT,
    *" \n.,'’`@#-:%$",
    *(" ", " ", " ", " ", "\u00a0", "...", "://", "&amp;", "<b>", "\u0301", "\u200d", "\ud800"),
    *("a", "an", "A", "movie", "Lawyers", "HUGE", "car park", "good", "Good", "very", "great", "ugly", "not", "don't"),
    *("just", "Just", "actually", ", of course,", "Well, ", "the", "I", "in", "you know,"),
    *("20", "$1,200.50", "0", "100%", "3/10", " 34 years old", "aged 34", "I'm 8.", "18", "٣"),
    *("Monday", "3 May 2021", "May 3rd", "in April", "2021-05-03", "03/05/2021", "Sept.", "9999-12-31", "1000-01-01"),
    *("日本", "हिन्दी", "👍🏽", "İ", "ß", "ﬁ", "ſ", "K", "é"),
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join)
quick = settings(deadline=None, max_examples=60)


@pytest.mark.parametrize("perturbation", EVERY, ids=repr)
@given(text=texts | st.text(), seed=st.integers(0, 2**64))
@quick
def test_any_text_is_taken_and_rebuilt_from_its_edits(perturbation: Perturbation, text: str, seed: int) -> None:
    outcome = perturb_text(perturbation, text, seed)
    assert apply_edits(text, outcome.edits) == outcome.text
    assert outcome.changed == (outcome.text != text)
    assert perturb_text(perturbation, text, seed) == outcome


@pytest.mark.parametrize("perturbation", [add_intensifiers(), add_reducers()], ids=repr)
@given(text=texts)
@quick
def test_the_second_time_changes_nothing(perturbation: Perturbation, text: str) -> None:
    once = perturb_text(perturbation, text, 0).text
    assert perturb_text(perturbation, once, 1).text == once


@pytest.mark.parametrize("perturbation", EVERY, ids=repr)
@given(before=st.lists(st.sampled_from(PIECES), max_size=4), kept=st.sampled_from(KEPT))
@quick
def test_addresses_handles_and_code_stay(perturbation: Perturbation, before: list[str], kept: str) -> None:
    context = "".join(piece for piece in before if "`" not in piece and "<" not in piece)
    text = f"{context} {kept} good"
    start = text.rindex(kept)
    outcome = perturb_text(perturbation, text, 0)
    assert all(edit.end <= start or edit.start >= start + len(kept) for edit in outcome.edits)


@pytest.mark.parametrize("text", ["สวัสดีชาวโลก", "你好，世界", "हिन्दी में", "👩🏽‍🚀 ok", "e\u0301te\u0301 n\u0303"])
@pytest.mark.parametrize("perturbation", EVERY, ids=repr)
def test_texts_of_other_scripts_are_left_whole(perturbation: Perturbation, text: str) -> None:
    assert perturb_text(perturbation, text, 0).text == text

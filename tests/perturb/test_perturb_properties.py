from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust import perturb
from pytest_trust.perturb import Perturbation, apply_edits, perturb_text

TABLE = {"good": ["bad", "so so"], "New York": "old town", ":)": ":(", "don't": "do", "日": "月", "ß": "z"}

OF_TABLES = [
    perturb.replace(TABLE),
    perturb.replace(TABLE, case_sensitive=True),
    perturb.swap(["Do", "Kim", "Linh"], ["日", "月"]),
    perturb.swap_locations(),
    perturb.swap_names(),
]
EVERY = [
    *OF_TABLES,
    perturb.lowercase(),
    perturb.uppercase(),
    perturb.strip_punctuation(),
    perturb.typos(0.5),
    perturb.add_prefix("Well."),
    perturb.add_suffix("So it goes."),
    perturb.chain(perturb.swap_locations(), perturb.typos(0.5), perturb.strip_punctuation(), str.title),
    perturb.one_of(perturb.uppercase(), perturb.swap_names()),
    perturb.with_probability(0.5, perturb.typos(1)),
    perturb.as_perturbation(str.swapcase),
]
IDEMPOTENT = [perturb.lowercase(), perturb.uppercase(), perturb.strip_punctuation()]
KEPT = ["http://Paris.com/London-Good", "Mary.Good@New-York.org", "@Paris_Good", "#GoodLondon", "`London, good :)`"]

PIECES = [
    *KEPT,
    *(
        " ",
        " ",
        "\n",
        "\u00a0",
        ".",
        ",",
        "'",
        "’",
        "`",
        "@",
        "#",
        "-",
        "...",
        ":)",
        "://",
        "&amp;",
        "<b>",
        "\u0301",
        "\u200d",
    ),
    *(
        "Paris",
        "NEW YORK",
        "the United States",
        "U.S.",
        "Turkey",
        "Mary",
        "James'",
        "St. ",
        "Do",
        "Kim",
        "good",
        "Good",
    ),
    *("don’t", "it's", "日本", "हिन्दी", "ไทย", "👍🏽", "İ", "ß", "ŉ", "ǅ", "Σ", "ﬁ", "3.14", "50%", "a_b", "\ud800"),
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join)


def by_name(perturbation: Perturbation) -> str:
    return perturbation.name


@pytest.mark.parametrize("perturbation", EVERY, ids=by_name)
@given(text=texts, seed=st.integers(0, 2**64))
@settings(deadline=None)
def test_any_text_is_taken_and_rebuilt_from_its_edits(perturbation: Perturbation, text: str, seed: int) -> None:
    outcome = perturb_text(perturbation, text, seed)
    assert apply_edits(text, outcome.edits) == outcome.text
    assert outcome.changed == (outcome.text != text)
    assert all(text[edit.start : edit.end] != edit.replacement for edit in outcome.edits)
    assert perturb_text(perturbation, text, seed) == outcome


@pytest.mark.parametrize("perturbation", IDEMPOTENT, ids=by_name)
@given(text=texts)
@settings(deadline=None, max_examples=300)
def test_the_second_time_changes_nothing(perturbation: Perturbation, text: str) -> None:
    once = perturb_text(perturbation, text, 0).text
    assert perturb_text(perturbation, once, 0).text == once


@pytest.mark.parametrize("perturbation", [*OF_TABLES, *IDEMPOTENT, perturb.typos(1)], ids=by_name)
@given(before=st.lists(st.sampled_from(PIECES), max_size=4), kept=st.sampled_from(KEPT))
@settings(deadline=None)
def test_addresses_handles_and_code_stay(perturbation: Perturbation, before: list[str], kept: str) -> None:
    context = "".join(piece for piece in before if "`" not in piece and "<" not in piece)
    text = f"{context} {kept} good"
    start = text.rindex(kept)
    outcome = perturb_text(perturbation, text, 0)
    assert all(edit.end <= start or edit.start >= start + len(kept) for edit in outcome.edits)


@pytest.mark.parametrize("text", ["สวัสดีชาวโลก", "你好，世界", "हिन्दी में", "👩🏽‍🚀 ok", "e\u0301te\u0301 n\u0303"])
@pytest.mark.parametrize("perturbation", OF_TABLES, ids=by_name)
def test_texts_of_other_scripts_are_left_whole(perturbation: Perturbation, text: str) -> None:
    assert perturb_text(perturbation, text, 0).text == text

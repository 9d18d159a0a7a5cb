from __future__ import annotations

from collections import Counter

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import perturb_text
from pytest_trust.perturb.form.slips import KINDS, ocr_slips, typos
from pytest_trust.perturb.lexicon import entries

TEXT = "Extraordinary circumstances, unfortunately."


@pytest.mark.parametrize("seed", range(10))
def test_swaps_change_neighbours_within_words(seed: int) -> None:
    outcome = perturb_text(typos(0.3, "swap"), TEXT, seed)
    assert outcome.changed
    for edit in outcome.edits:
        old = TEXT[edit.start : edit.end]
        assert edit.replacement == old[::-1] != old
        assert old.isalpha()
    for old_word, new_word in zip(TEXT.split(), outcome.text.split(), strict=True):
        assert Counter(old_word) == Counter(new_word)
        assert old_word[0] == new_word[0]


@pytest.mark.parametrize(
    ("kind", "at", "options"),
    [
        ("neighbour", 2, {"ggfgg", "gghgg", "ggtgg", "ggygg", "ggvgg", "ggbgg"}),
        ("drop", 2, {"gggg"}),
        ("insert", 3, {"gggggg", "gggfgg", "ggghgg", "gggtgg", "gggygg", "gggvgg", "gggbgg"}),
    ],
)
def test_what_happens_to_the_third_letter(kind: str, at: int, options: set[str]) -> None:
    outcomes = [perturb_text(typos(0.2, kind), "ggggg", seed) for seed in range(400)]
    assert {one.text for one in outcomes if [edit.start for edit in one.edits] == [at]} == options


def test_keys_at_the_edge_of_the_keyboard_and_capitals() -> None:
    assert {perturb_text(typos(1, "neighbour"), "PPPP", seed).text[1] for seed in range(40)} == {"O", "L"}
    assert {perturb_text(typos(1, "neighbour"), "aaaa", seed).text[1] for seed in range(60)} == {"q", "s", "w", "z"}


def test_each_kind_is_drawn() -> None:
    edits = perturb_text(typos(0.5), "abcdefgh " * 200, 1).edits
    lengths = Counter((edit.end - edit.start, len(edit.replacement)) for edit in edits)
    assert min(lengths[sizes] for sizes in ((1, 1), (2, 2), (1, 0), (0, 1))) > 100


@pytest.mark.parametrize("kinds", [KINDS, "swap", ["drop", "insert"]])
def test_the_rate_is_of_each_letter(kinds: str | tuple[str, ...]) -> None:
    edits = perturb_text(typos(0.02, kinds), "abcdefghijklmnopqrstuvwxyz " * 400, 7).edits
    assert 140 < len(edits) < 260  # at most 0.02 * 25 * 400 = 200, standard deviation 14; a swap takes two letters


def test_the_bounds_of_the_rate() -> None:
    assert not perturb_text(typos(0), "some words", 0).changed
    assert perturb_text(typos(1, "swap"), "abcdef abcd", 0).text == "acbedf acbd"
    assert perturb_text(typos(1, "drop"), "abcdef couldn't", 0).text == "a c't"


def test_typos_leave_short_words_marks_addresses_and_scripts_without_keys() -> None:
    for kept in ("a of the 12345 3.1415 don't", "हिन्दी", "你好世界", "👍🏽👍", "www.example.com/words @someone `code`"):
        assert not perturb_text(typos(1), kept, 0).changed
    assert perturb_text(typos(1, "swap"), "cafe\u0301s", 0).text == "cfae\u0301s"
    assert perturb_text(typos(1, "drop"), "cafe\u0301s", 0).text == "ce\u0301"
    assert not perturb_text(typos(1, ["neighbour", "insert"]), "слово", 0).changed


def test_ocr_slips() -> None:
    outcomes = {perturb_text(ocr_slips(0.5), "Turn", seed).text for seed in range(40)}
    assert outcomes == {"Turn", "Tum", "Tnrn", "Tnm"}
    assert perturb_text(ocr_slips(1), "c", 0).text == "e"
    edits = perturb_text(ocr_slips(0.1), "word " * 1000, 2).edits
    assert 240 < len(edits) < 360  # w, o and d: 300, standard deviation 16


def test_ocr_slips_leave_marked_letters_addresses_and_other_scripts() -> None:
    for kept in ("e\u0301", "हिन्दी 你好", "www.example.com @someone #code `code` <b>"):
        assert not perturb_text(ocr_slips(1), kept, 0).changed


def test_no_ocr_slip_puts_back_what_stands_there() -> None:
    assert all(len(set(line)) == len(line) > 1 for line in entries("ocr_slips"))


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), "0.1", None, True])
def test_a_bad_rate_is_refused(rate: object) -> None:
    for factory in (typos, ocr_slips):
        with pytest.raises(ConfigurationError, match=r"rate=.*: expected a number from 0 to 1"):
            factory(rate)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ("swop", "kinds='swop': expected 'neighbour', 'swap', 'drop' or 'insert'"),
        (["swap", None], "kinds=None: expected"),
        ((), r"kinds=\(\): expected one or more of 'neighbour', 'swap', 'drop', 'insert'"),
        (3, "kinds=3: expected one or more of"),
    ],
)
def test_bad_kinds_are_refused(kinds: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        typos(kinds=kinds)  # type: ignore[arg-type]


def test_reprs() -> None:
    made = (typos(), typos(0.1), typos(0.1, "swap"), typos(kinds=["swap", "drop"]), typos(kinds="drop"), ocr_slips(0.2))
    names = [
        "typos",
        "typos(0.1)",
        "typos(0.1, swap)",
        "typos(kinds=[swap, drop])",
        "typos(kinds=drop)",
        "ocr_slips(0.2)",
    ]
    assert [repr(one) for one in made] == names
    assert all(one.preserves_label for one in made)

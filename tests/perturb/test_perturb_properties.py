"""What every perturbation promises, on texts made of the pieces that its room looks for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_trust import perturb
from pytest_trust.perturb import Perturbation, apply_edits, perturb_text

TABLE = {"good": ["bad", "so so"], "New York": "old town", ":)": ":(", "don't": "do", "日": "月", "ß": "z"}
BLANKS = [" ", " ", " ", " ", "\n", "\t", "\u00a0"]
MARKS = [*".,'’`\")?!…-@#$%:", "...", "://", ":)", "&amp;", "<b>"]
LETTERS = [*"\u0301\u200dİßŉǅΣﬁſ\u212aé٣\ud800", "日本", "हिन्दी", "ไทย", "👍🏽", "3.14", "50%", "a_b"]
OTHER_SCRIPTS = ["สวัสดีชาวโลก", "你好，世界", "हिन्दी में", "한국어", "👩🏽‍🚀"]
WITH_LATIN_LETTERS = ["👩🏽‍🚀 ok", "e\u0301te\u0301 n\u0303"]


@dataclass(frozen=True)
class Room:
    """Perturbations with the pieces of texts that concern them; those in ``around`` only add at the ends."""

    pieces: list[str]
    kept: list[str]
    within: list[Perturbation]
    idempotent: list[Perturbation]
    around: list[Perturbation]
    sentences: st.SearchStrategy[str] | None = None

    @cached_property
    def texts(self) -> st.SearchStrategy[str]:
        pieces = st.sampled_from([*self.kept, *BLANKS, *MARKS, *LETTERS, *self.pieces])
        joined = st.lists(pieces | st.text(max_size=4), max_size=14).map("".join)
        return joined if self.sentences is None else joined | self.sentences

    @cached_property
    def openings(self) -> st.SearchStrategy[str]:
        """Texts without the beginning of code or markup, which would end in what stands behind."""
        pieces = [
            piece for piece in [*self.kept, *BLANKS, *MARKS, *LETTERS, *self.pieces] if not set("`<") & set(piece)
        ]
        return st.lists(st.sampled_from(pieces), max_size=5).map("".join)


NAMES = Room(
    pieces=[
        *("Paris", "NEW YORK", "the United States", "U.S.", "Turkey", "Mary", "James'", "St. ", "Do", "Kim"),
        *("good", "Good", "don’t", "it's", "a ", "an "),
    ],
    kept=["http://Paris.com/London-Good", "Mary.Good@New-York.org", "@Paris_Good", "#GoodLondon", "`London, good :)`"],
    within=[
        perturb.replace(TABLE),
        perturb.replace(TABLE, case_sensitive=True),
        perturb.swap(["Do", "Kim", "Linh"], ["日", "月"]),
        perturb.swap_locations(),
        perturb.swap_names(),
    ],
    idempotent=[],
    around=[perturb.add_prefix("Well."), perturb.add_suffix("So it goes.")],
)
FORM_TEXT = """
    it is not it's isn't do don't I am I'm I've have been would I'd what who that is will won't he's let's and us color
    colour Centre theatre their you're please Thank you and so on Monday 5 12 1,200 3rd 1999 in May U.S. p.m café naïve
"""
FORM_WORDS = FORM_TEXT.split()
plain = st.lists(st.sampled_from([*FORM_WORDS, "Why", "how", "as", "than", "how's", "hadn't"]), max_size=12).map(
    " ".join
)
FORM = Room(
    pieces=FORM_WORDS,
    kept=["http://Color.com/It-Is", "it.is@colour-Center.org", "@do_not", "#Theatre5", "`it is 5, don't`"],
    within=[
        perturb.typos(1),
        perturb.typos(0.5),
        perturb.typos(0.3, ("swap", "drop")),
        perturb.ocr_slips(1),
        perturb.homophones(0.5),
        perturb.add_punctuation(1),
        perturb.homoglyphs(1),
        perturb.invisible_characters(1),
        perturb.extra_whitespace(1),
        perturb.line_breaks(1),
        perturb.tabs(1),
    ],
    idempotent=[
        perturb.lowercase(),
        perturb.uppercase(),
        perturb.titlecase(),
        perturb.strip_accents(),
        perturb.strip_punctuation(),
        perturb.final_punctuation(),
        perturb.final_punctuation("!"),
        perturb.final_punctuation("..."),
        perturb.contract(),
        perturb.expand_contractions(),
        perturb.numbers_to_words(),
        perturb.british_spelling(),
        perturb.american_spelling(),
        perturb.abbreviate(),
    ],
    around=[],
    sentences=plain | plain.map(str.upper) | plain.map(str.title),
)
WORDS = Room(
    pieces=[
        *(
            "a",
            "an",
            "A",
            "movie",
            "Lawyers",
            "HUGE",
            "car park",
            "good",
            "Good",
            "very",
            "great",
            "ugly",
            "not",
            "don't",
        ),
        *("just", "Just", "actually", ", of course,", "Well, ", "the", "I", "in", "you know,"),
        *("20", "$1,200.50", "0", "100%", "3/10", " 34 years old", "aged 34", "I'm 8.", "18"),
        *("Monday", "3 May 2021", "May 3rd", "in April", "2021-05-03", "03/05/2021", "Sept.", "9999-12-31"),
        "1000-01-01",
    ],
    kept=[
        *("http://a.com/movie-20-good", "just.good@movie-20.org", "@May_good", "#movie20"),
        "`a good movie, 3 May, 20 km`",
    ],
    within=[
        perturb.synonyms(),
        perturb.synonyms(0.5),
        perturb.drop_neutral_words(),
        perturb.repeat_words(0.5),
        perturb.change_numbers(0.5),
        perturb.change_ages(),
        perturb.change_dates(),
    ],
    idempotent=[perturb.add_intensifiers(), perturb.add_reducers()],
    around=[],
)
PEOPLE = Room(
    pieces=[
        *(". ", "? ", ", ", "her ", "His ", "she’s ", "Mr. ", "king", "an actress", "The ", "a ", "of ", "who "),
        *("Emily ", "Baker ", "García", "Washington", "Do ", "Patel", "Norway", "the US", "mali", "Guinea "),
        *("Muslim ", "church", "Jewish ", "Christian ", "German ", "Germans", "an Indian ", "French ", "polish "),
        *("is ", "isn't ", "not ", "never ", "don’t ", "like ", "I ", "it ", "better than ", "was ", "can", "did "),
    ],
    kept=["http://her.com/Emily-not", "Mary.her@New-York.org", "@his_wife", "#GermanMuslim", "`isn't he, Emily?`"],
    within=[
        perturb.swap_gender(),
        perturb.swap_group_names(),
        perturb.swap_religions(),
        perturb.swap_nationalities(),
        perturb.swap_countries(),
        perturb.negate(),
        perturb.remove_negation(),
        perturb.swap_comparison(),
    ],
    idempotent=[
        perturb.swap_group_names("arabic"),
        perturb.swap_group_names("english"),
        perturb.swap_countries("high"),
        perturb.swap_countries("low"),
    ],
    around=[
        perturb.add_neutral(),
        perturb.add_neutral("middle"),
        perturb.add_url("start"),
        perturb.add_handle(),
        perturb.add_praise(),
        perturb.add_criticism(),
        perturb.used_to(),
        perturb.other_opinion(),
        perturb.other_opinion("negative", "end"),
    ],
)
COMPOSED = Room(
    pieces=NAMES.pieces,
    kept=NAMES.kept,
    within=[
        perturb.one_of(perturb.uppercase(), perturb.swap_names()),
        perturb.with_probability(0.5, perturb.typos(1)),
    ],
    idempotent=[],
    around=[],
)
# They change protected parts too.
FUNCTIONS = [
    perturb.as_perturbation(str.swapcase),
    perturb.chain(perturb.swap_locations(), perturb.typos(0.5), perturb.strip_punctuation(), str.title),
]
ROOMS = [NAMES, FORM, WORDS, PEOPLE, COMPOSED]
WITHIN = [(one, room) for room in ROOMS for one in [*room.within, *room.idempotent]]
AROUND = [(one, room) for room in ROOMS for one in room.around]
EVERY = [*WITHIN, *AROUND, *((one, NAMES) for one in FUNCTIONS)]
IDEMPOTENT = [(one, room) for room in ROOMS for one in room.idempotent]
# They change what every script has, or letters whatever the word.
OF_EVERY_SCRIPT = [perturb.extra_whitespace(1), perturb.line_breaks(1), perturb.tabs(1), perturb.strip_punctuation()]
OF_LETTERS = [*FORM.within, *FORM.idempotent, *COMPOSED.within]
SCRIPTS = [
    (one, OTHER_SCRIPTS if one in OF_LETTERS else [*OTHER_SCRIPTS, *WITH_LATIN_LETTERS])
    for one, _ in WITHIN
    if one not in OF_EVERY_SCRIPT
]


def by_name(value: object) -> str:
    return repr(value) if isinstance(value, Perturbation) else ""


def named(cases: list[tuple[Perturbation, Room]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("perturbation", "room"), cases, ids=by_name)


@named(EVERY)
@given(data=st.data(), seed=st.integers(0, 2**64))
@settings(deadline=None, max_examples=80)
def test_any_text_is_taken_and_rebuilt_from_its_edits(
    perturbation: Perturbation, room: Room, data: st.DataObject, seed: int
) -> None:
    text = data.draw(room.texts | st.text())
    outcome = perturb_text(perturbation, text, seed)
    assert apply_edits(text, outcome.edits) == outcome.text
    assert outcome.changed == (outcome.text != text)
    assert all(text[edit.start : edit.end] != edit.replacement for edit in outcome.edits)
    assert perturb_text(perturbation, text, seed) == outcome


@named(IDEMPOTENT)
@given(data=st.data(), seeds=st.tuples(st.integers(0, 99), st.integers(0, 99)))
@settings(deadline=None, max_examples=100)
def test_the_second_time_changes_nothing(
    perturbation: Perturbation, room: Room, data: st.DataObject, seeds: tuple[int, int]
) -> None:
    once = perturb_text(perturbation, data.draw(room.texts), seeds[0]).text
    assert perturb_text(perturbation, once, seeds[1]).text == once


@named(WITHIN)
@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_addresses_handles_and_code_stay(perturbation: Perturbation, room: Room, data: st.DataObject) -> None:
    kept = data.draw(st.sampled_from(room.kept))
    text = f"{data.draw(room.openings)} {kept} good"
    start = text.rindex(kept)
    outcome = perturb_text(perturbation, text, 0)
    assert all(edit.end <= start or edit.start >= start + len(kept) for edit in outcome.edits)


@named(AROUND)
@given(data=st.data(), seed=st.integers(0, 2**64))
@settings(deadline=None, max_examples=60)
def test_the_text_itself_stays_within_what_is_put_around(
    perturbation: Perturbation, room: Room, data: st.DataObject, seed: int
) -> None:
    text = data.draw(room.texts)
    for edit in perturb_text(perturbation, text, seed).edits:
        assert edit.start == edit.end or text[edit.start : edit.end].lower() == edit.replacement


@pytest.mark.parametrize(("perturbation", "texts"), SCRIPTS, ids=by_name)
def test_texts_of_other_scripts_are_left_whole(perturbation: Perturbation, texts: list[str]) -> None:
    assert [perturb_text(perturbation, text, 0).text for text in texts] == texts

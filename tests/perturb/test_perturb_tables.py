from __future__ import annotations

import pickle
import time

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Edit, Perturbed, perturb_text, replace


def changed(table: object, text: str, **options: bool) -> str:
    return perturb_text(replace(table, **options), text, 0).text  # type: ignore[arg-type]


def test_the_edit_is_the_phrase() -> None:
    assert perturb_text(replace({"happy": "sad"}), "So happy!", 0) == Perturbed("So sad!", (Edit(3, 8, "sad"),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("happy Happy HAPPY hAppy", "sad Sad SAD sad"),
        ("unhappy happyness happy_end", "unhappy happyness happy_end"),
        ("(happy), 'happy' happy-ish.", "(sad), 'sad' sad-ish."),
        ("I AM HAPPY", "I AM SAD"),
        ("", ""),
        ("nothing here", "nothing here"),
    ],
)
def test_words_and_their_case(text: str, expected: str) -> None:
    assert changed({"happy": "sad"}, text) == expected


def test_case_patterns_of_phrases() -> None:
    table = {"new york": "los angeles", "very good": "rather bad"}
    text = "new york, New York, NEW YORK. Very good, Very Good"
    assert changed(table, text) == "los angeles, Los Angeles, LOS ANGELES. Rather bad, Rather Bad"


def test_a_phrase_found_as_given_is_replaced_as_given() -> None:
    assert changed({"UK": "France", "he": "Maria"}, "The UK said he left") == "The France said Maria left"


def test_the_longest_phrase_wins() -> None:
    table = {"good": "bad", "very good": "awful", "very good indeed": "a crime"}
    assert changed(table, "good, very good, very good indeed, very") == "bad, awful, a crime, very"


def test_replacements_are_not_replaced_again() -> None:
    assert changed({"he": "she", "she": "he"}, "He saw that she saw") == "She saw that he saw"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("United States, and then", "France, and then"),
        ("the united\n  states.", "the france."),
        ("United States's and United States’s", "France's and France’s"),
        ("the United States' flag", "the France's flag"),
        ("'from the United States' he said", "'from the France' he said"),
        ("THE UNITED STATES' FLAG", "THE FRANCE'S FLAG"),
        ("United-States", "United-States"),
    ],
)
def test_several_words_with_what_follows_them(text: str, expected: str) -> None:
    assert changed({"United States": "France"}, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the U.S. army", "the Peru army"),
        ("in the U.S.", "in the Peru."),
        ('in the U.S."', 'in the Peru"'),
        ("U.S.-led", "Peru-led"),
    ],
)
def test_abbreviations(text: str, expected: str) -> None:
    assert changed({"U.S.": "Peru"}, text) == expected


def test_contractions_are_no_possessives() -> None:
    assert changed({"it": "this", "that": "the one"}, "it's that, that's it") == "it's the one, that's this"
    assert changed({"it's": "it is"}, "It's here. it’s there") == "It is here. it is there"


@pytest.mark.parametrize(
    "kept",
    [
        "http://happy.example/happy?happy=1",
        "www.happy-place.com/happy",
        "me.happy@happy-mail.org",
        "happy-place.co.uk",
        "@happy",
        "#happy",
        "`happy`",
        "```\nhappy\n```",
        '<a title="happy">',
    ],
)
def test_addresses_handles_and_code_stay(kept: str) -> None:
    assert changed({"happy": "sad"}, f"happy {kept} happy") == f"sad {kept} sad"


@pytest.mark.parametrize(
    ("table", "text", "expected"),
    [
        ({"北京": "上海"}, "我在北京住", "我在上海住"),
        ({"हिन्दी": "भाषा"}, "हिन्दी, हिन्दीवाला", "भाषा, हिन्दीवाला"),
        ({"café": "bar"}, "cafe\u0301, café, cafe", "bar, bar, cafe"),
        ({"👍🏽": "👎🏽"}, "ok 👍🏽 👍", "ok 👎🏽 👍"),
        ({"👍": "👎"}, "👍🏽", "👍🏽"),
        ({":)": ":("}, "fine :)", "fine :("),
        ({"straße": "weg"}, "STRASSE hier", "WEG hier"),
    ],
)
def test_other_scripts_and_signs(table: dict[str, str], text: str, expected: str) -> None:
    assert changed(table, text) == expected


def test_case_sensitive() -> None:
    text = "Mark my words, Mark. MARK"
    assert changed({"Mark": "Paul"}, text, case_sensitive=True) == "Paul my words, Paul. MARK"
    assert changed({"mark": "note", "Mark": "Paul"}, "Mark, mark", case_sensitive=True) == "Paul, note"


def test_one_draw_for_all_occurrences() -> None:
    perturbation = replace({"red": ["green", "blue", "pink"]})
    outcomes = {perturb_text(perturbation, "red and red and Red", seed).text for seed in range(30)}
    assert outcomes == {f"{c} and {c} and {c.title()}" for c in ("green", "blue", "pink")}


def test_a_phrase_is_never_drawn_for_itself() -> None:
    perturbation = replace({"red": ["red", "blue"]})
    assert {perturb_text(perturbation, "red", seed).text for seed in range(20)} == {"blue"}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"happy": "sad"}, "replace(happy -> sad)"),
        ({"happy": ["sad", "glum"]}, "replace(happy -> sad|...)"),
        ({"happy": "sad", "good": "bad", "up": "down"}, "replace(happy -> sad, 2 more)"),
    ],
)
def test_repr(table: dict[str, str], expected: str) -> None:
    assert repr(replace(table)) == replace(table).name == expected


def test_preserves_label_as_said() -> None:
    assert replace({"a": "b"}).preserves_label
    assert not replace({"happy": "sad"}, preserves_label=False).preserves_label


def test_it_can_be_pickled() -> None:
    perturbation = replace({"happy": "sad"})
    assert perturb_text(pickle.loads(pickle.dumps(perturbation)), "happy", 0).text == "sad"


def test_tables_are_equal_where_their_phrases_are() -> None:
    table = {"happy": "sad", "good": "bad"}
    assert replace(table) == replace(dict(table)) == pickle.loads(pickle.dumps(replace(table)))
    assert replace(table) != replace(table | {"good": "poor"})  # of one name
    assert replace(table) != replace(table, case_sensitive=True)
    assert replace(table) != replace(table, preserves_label=False)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "non-empty mapping"),
        ([("a", "b")], "non-empty mapping"),
        ("a", "non-empty mapping"),
        ({"": "b"}, "a phrase in the table of replace must be a str that is not blank, found ''"),
        ({3: "b"}, "found 3"),
        ({"a": ""}, "the replacement of 'a' in the table of replace must be a str that is not blank, found ''"),
        ({"a": ["b", None]}, "the replacement of 'a' .* found None"),
        ({"a": 3}, "the replacement of 'a' must be a str or a sequence of str, found 3"),
        ({"a": []}, "'a' has no replacement but itself"),
        ({"a": "a"}, "'a' has no replacement but itself"),
        ({"Mark": "b", "mark": "c"}, "both 'Mark' and 'mark'"),
        ({"don't": "b", "don’t": "c"}, "both"),
    ],
)
def test_bad_tables_are_refused(table: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        replace(table)  # type: ignore[arg-type]


def test_thousands_of_phrases_over_thousands_of_texts() -> None:
    table = {f"phrase {number} of many": f"other {number}" for number in range(5000)} | {"phrase": "term"}
    perturbation = replace(table)
    texts = [f"A short text with phrase {number} of many and a phrase." for number in range(5000)]
    begin = time.process_time()
    outcomes = [perturb_text(perturbation, text, 0).text for text in texts]
    assert time.process_time() - begin < 60
    assert outcomes[4321] == "A short text with other 4321 and a term."


def test_the_article_before_a_new_word_is_mended() -> None:
    table = replace({"great": "awful", "ugly": "pretty"})
    assert perturb_text(table, "A great film, an ugly poster.", 0).text == "An awful film, a pretty poster."

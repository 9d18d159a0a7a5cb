from __future__ import annotations

import pickle
import time
from importlib.resources import files

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import apply_edits, perturb_text, swap, swap_locations, swap_names

LEXICONS = files("pytest_trust.perturb") / "lexicons"


def lexicon(name: str) -> list[list[str]]:
    lines = (LEXICONS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.split(" | ") for line in lines if not line.startswith("#")]


def kinds(*names: str) -> dict[str, str]:
    return {spelling: name for name in names for line in lexicon(name) for spelling in line}


PLACES = kinds("cities", "countries")
NAMES = kinds("male_names", "female_names")


def swaps(perturbation: object, text: str, seed: int = 0) -> dict[str, str]:
    outcome = perturb_text(perturbation, text, seed)  # type: ignore[arg-type]
    assert apply_edits(text, outcome.edits) == outcome.text
    return {text[edit.start : edit.end]: edit.replacement for edit in outcome.edits}


@pytest.mark.parametrize("seed", range(25))
def test_places_become_other_places_of_their_kind(seed: int) -> None:
    text = "From Paris and New York City we went to France, the United States, Sri Lanka and Ho Chi Minh City."
    found = swaps(swap_locations(), text, seed)
    assert set(found) == {"Paris", "New York City", "France", "the United States", "Sri Lanka", "Ho Chi Minh City"}
    assert all(PLACES[new] == PLACES[old] for old, new in found.items())
    assert len(set(found.values())) == 6
    assert set(found.values()).isdisjoint({*found, "New York", "Saigon", "United States"})


def test_a_place_is_never_replaced_by_itself_under_another_spelling() -> None:
    same = {spelling: line[0] for name in ("cities", "countries") for line in lexicon(name) for spelling in line}
    for seed in range(60):
        for old, new in swaps(swap_locations(), "They left Burma, then Bombay, then the UK.", seed).items():
            assert same[old] != same[new]


def test_one_place_one_replacement_within_a_text() -> None:
    found = swaps(swap_locations(), "NYC is New York; New York City is NYC.")
    assert set(found) == {"NYC", "New York", "New York City"}
    assert len(set(found.values())) == 1


def test_united_states_and_then() -> None:
    outcome = perturb_text(swap_locations(), "United States, and then", 1)
    assert outcome.changed
    assert outcome.text.endswith(", and then")
    assert PLACES[outcome.text.removesuffix(", and then")] == "countries"


@pytest.mark.parametrize("ending", ["'s coast", "’s coast", "-based", ".", "!", ")", "/x", "\n"])
def test_what_follows_a_place_stays(ending: str) -> None:
    text = f"It is Kuala Lumpur{ending}"
    (edit,) = perturb_text(swap_locations(), text, 2).edits
    assert (edit.start, edit.end) == (6, 18)


@pytest.mark.parametrize(
    "text",
    [
        "Do you go?",
        "Will you go in May?",
        "I ate turkey from china with grace.",
        "Turkey is a bird, and nice.",
        "TURKEY FOR DINNER",
        "they mark the china and will frank the letter",
        "Give us a call",
        "GIVE US A CALL",
        "New Mexico and South America and the Bank of England",
        "They read the New York Times and the Washington Post.",
        "George Washington and Michael Jordan",
        "george washington slept here",
        "See http://paris.com/london, mail bob@london.org, @Paris #London `Paris`",
        "parisian francesca swedenborg",
        "",
        "!!!",
    ],
)
def test_what_is_no_place_stays(text: str) -> None:
    assert swaps(swap_locations(), text) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I ate turkey in Turkey.", {"Turkey"}),
        ("Made in China, said China", {"China"}),
        ("NEW YORK (Reuters) - It fell.", {"NEW YORK"}),
        ("paris is not like sri lanka or china", {"paris", "sri lanka"}),
        ("ALL OF PARIS", {"PARIS"}),
        ("I love paris", set()),
        ("The US and the U.S. and the us", {"The US", "the U.S."}),
        ("St. Louis or Washington, D.C.?", {"St. Louis", "Washington, D.C."}),
        ("Sa\u0303o Paulo, São Paulo, Sao Paulo", {"Sa\u0303o Paulo", "São Paulo", "Sao Paulo"}),
    ],
)
def test_which_words_are_taken_for_places(text: str, expected: set[str]) -> None:
    assert set(swaps(swap_locations(), text)) == expected


def test_the_case_of_the_text_is_kept() -> None:
    assert perturb_text(swap_locations(), "in paris and sri lanka", 0).text.islower()
    assert perturb_text(swap_locations(), "IN PARIS AND SRI LANKA", 0).text.isupper()
    (new,) = swaps(swap_locations(), "TOKYO (AP) - Stocks fell.").values()
    assert new.isupper()


@pytest.mark.parametrize("seed", range(25))
def test_names_become_other_names_of_the_same_gender(seed: int) -> None:
    text = "Mary told Peter that Elizabeth's letter to Robert was lost; Mary wept."
    found = swaps(swap_names(), text, seed)
    assert set(found) == {"Mary", "Peter", "Elizabeth", "Robert"}
    assert all(NAMES[new] == NAMES[old] for old, new in found.items())
    assert set(found.values()).isdisjoint(found)
    assert len(set(found.values())) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Will Mark mark it? Ask Mark.", {"Mark"}),
        ("Grace and mercy", set()),
        ("They met Grace in May.", {"Grace"}),
        ("Bill me. Frank talk. Rose early.", set()),
        ("San Francisco, San Jose, St. Louis and Jose", {"Jose"}),
        ("King James, St. John, Pope Paul, Hurricane Ivan", set()),
        ("Read John 3:16 to John.", {"John"}),
        ("Ryan Paul Smith", {"Ryan"}),
        ("mary met bill and peter", {"mary", "peter"}),
        ("MARY MET BILL", {"MARY"}),
        ("i will frank the letter with joy", set()),
        ("Kelly, Taylor and Jordan", set()),
        ("The Bill of Rights and the Virgin Mary", set()),
        ("@Mary #Peter mary.smith@mail.com `Peter`", set()),
    ],
)
def test_which_words_are_taken_for_names(text: str, expected: set[str]) -> None:
    assert set(swaps(swap_names(), text)) == expected


def test_a_possessive_of_a_name_in_s() -> None:
    new = perturb_text(swap_names(), "James' book and James's hat", 4).text
    first = new.split("'")[0]
    assert NAMES[first] == "male_names"
    assert new.endswith(f"{first}'s hat")


def test_common_words_in_a_users_own_list() -> None:
    perturbation = swap(["Do", "Kim", "Linh", "An"], ["Long", "Dong", "Minh"])
    assert swaps(perturbation, "Do you go? An apple, as long as we do.") == {}
    found = swaps(perturbation, "Ask Do, Linh or Long.")
    assert set(found) == {"Do", "Linh", "Long"}
    assert found["Long"] in {"Dong", "Minh"}


def test_a_group_of_two_swaps() -> None:
    assert perturb_text(swap(["Ubuntu", "Fedora"]), "Fedora or Ubuntu", 0).text == "Ubuntu or Fedora"


def test_own_names_in_other_scripts() -> None:
    assert perturb_text(swap(["北京", "上海"]), "我在北京住", 0).text == "我在上海住"


def test_reprs() -> None:
    assert repr(swap_locations()) == "swap_locations"
    assert repr(swap_names()) == "swap_names"
    assert repr(swap(["a", "b"], name="brands")) == "brands"
    assert repr(swap(["Anna", "Bob"])) == "swap(Anna|Bob)"
    long = ["Anna", "Bob", "Christopher", "Dorothea"]
    assert repr(swap(long)) != repr(swap([*long, "Eve"])) != repr(swap(long, ["Ulm", "Bonn"]))
    assert swap_names().preserves_label
    assert swap_locations().preserves_label


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([], "at least one group"),
        (["Kim"], "at least two names, found 'Kim'"),
        ([["Kim"]], r"at least two names, found \['Kim'\]"),
        ([{"Kim", "Do"}], "a sequence of at least two names"),
        ([["Kim", " "]], "not blank, found ' '"),
        ([["Kim", 3]], "found 3"),
        ([["Kim", "kim"]], "'Kim' and 'kim' are the same name"),
        ([["Kim", "Do"], ["Long", "Kim"]], "'Kim' and 'Kim' are the same name"),
    ],
)
def test_bad_groups_are_refused(groups: list[object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        swap(*groups)  # type: ignore[arg-type]


@pytest.mark.parametrize("perturbation", [swap_locations(), swap_names(), swap(["Kim", "Linh"])])
def test_it_can_be_pickled(perturbation: object) -> None:
    text = "Ask Kim, Peter and Mary in Paris."
    copy = pickle.loads(pickle.dumps(perturbation))
    assert swaps(copy, text) == swaps(perturbation, text) != {}


def test_swaps_are_equal_where_their_names_are() -> None:
    assert swap(["Kim", "Linh"]) == swap(("Kim", "Linh"))
    assert swap(["Kim", "Linh"]) != swap(["Kim", "Long"])
    assert swap(["Kim", "Linh"]) != swap(["Linh", "Kim"], ["A", "B"])


def test_the_article_before_a_name_is_mended() -> None:
    brands = swap(["Acme", "Zenith"])
    assert perturb_text(brands, "An Acme phone and a Zenith watch.", 0).text == "A Zenith phone and an Acme watch."
    new = {perturb_text(swap_locations(), "We met in a Paris cafe.", seed).text for seed in range(60)}
    assert any(text.startswith("We met in an O") for text in new)
    assert not any(text.startswith(("We met in a A", "We met in an B")) for text in new)


def test_more_names_than_the_list_can_tell_apart() -> None:
    text = ", ".join(name for name, *_ in lexicon("cities"))
    found = swaps(swap_locations(), f"We saw {text}.")
    assert len(found) == len(lexicon("cities"))
    assert all(old != new and PLACES[new] == "cities" for old, new in found.items())


def test_every_list_states_its_origin() -> None:
    readme = (LEXICONS / "README.md").read_text(encoding="utf-8")
    names = {entry.name for entry in LEXICONS.iterdir()} - {"README.md"}
    assert names
    assert all(f"`{name}`" in readme for name in names)


def test_thousands_of_texts() -> None:
    perturbation = swap_locations()
    texts = [f"Number {number}: we flew from Paris to New York." for number in range(5000)]
    begin = time.process_time()
    assert all(perturb_text(perturbation, text, 0).changed for text in texts)
    assert time.process_time() - begin < 60


@pytest.mark.parametrize(
    "text",
    [
        "Jack London wrote, and I read Jack London",
        "Denzel Washington plays",
        "in USA Today",
        "the Hong Kong dollar",
        "a Panama hat, guinea pigs",
        "We saw Lake Geneva. Lake Geneva is deep.",
        "Cuba Gooding Jr.",
        "near London & Sons",
        "Booker T. Washington",
    ],
)
def test_places_in_longer_names_stay(text: str) -> None:
    assert swaps(swap_locations(), text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "in London",
        "London is big.",
        "New York's mayor",
        "We visited Paris Monday",
        "Visiting Paris was fun",
        "In Paris I ate.",
        "He'd left. Paris, France",
        "Stocks Fall LONDON (Reuters)",
        "America's London embassy",
    ],
)
def test_places_beside_other_words_change(text: str) -> None:
    assert swaps(swap_locations(), text)


@pytest.mark.parametrize(
    "text",
    ["We saw Big Ben", "Alexander the Great", "alexander the great", "Ben & Jerry's", "Henry VIII", "I met Aunt Mary"],
)
def test_first_names_in_longer_names_stay(text: str) -> None:
    assert swaps(swap_names(), text) == {}


@pytest.mark.parametrize(
    "text", ["Dear Mary", "by Senator John Smith", "for Dr. Peter", "On Monday Mary came", "We and Mary"]
)
def test_first_names_beside_other_words_change(text: str) -> None:
    assert len(swaps(swap_names(), text)) == 1

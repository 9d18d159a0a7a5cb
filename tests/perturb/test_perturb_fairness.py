from __future__ import annotations

import pickle
from collections.abc import Callable
from importlib.resources import files

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Perturbation, apply_edits, perturb_text
from pytest_trust.perturb.fairness.gender import swap_gender
from pytest_trust.perturb.fairness.groups import NAME_GROUPS, swap_countries, swap_group_names
from pytest_trust.perturb.fairness.nationalities import swap_nationalities
from pytest_trust.perturb.fairness.religions import swap_religions

SEEDS = range(25)


def lexicon(name: str) -> list[list[str]]:
    lines = (files("pytest_trust.perturb") / "lexicons" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.split(" | ") for line in lines if not line.startswith("#")]


def swaps(perturbation: Perturbation, text: str, seed: int = 0) -> dict[str, str]:
    outcome = perturb_text(perturbation, text, seed)
    assert apply_edits(text, outcome.edits) == outcome.text
    return {text[edit.start : edit.end]: edit.replacement for edit in outcome.edits}


KIND = {spelling: (group, kind) for group, kind, *spellings in lexicon("group_names") for spelling in spellings}
LEVEL = {country: level for country, level in lexicon("country_incomes")}  # noqa: C416 - rows are lists


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He told his wife that she was late.", "She told her husband that he was late."),
        ("I saw her at the party and loved her dress.", "I saw him at the party and loved his dress."),
        ("He'll go and she’s here.", "She'll go and he's here."),
        ("That car is his; the bike is hers.", "That car is hers; the bike is his."),
        ("A friend of his bought it.", "A friend of hers bought it."),
        ("his other car and his 2 dogs", "her other car and her 2 dogs"),
        ("She asked him himself.", "He asked her herself."),
        ("Mr. Smith and Mrs. Jones and Ms. Lee", "Ms. Smith and Mr. Jones and Mr. Lee"),
        ("An actress and a waiter", "An actor and a waitress"),
        ("He saved an heiress.", "She saved an heir."),
        ("A heroine and an uncle", "A hero and an aunt"),
        ("HE SAID SHE TOOK HER COAT.", "SHE SAID HE TOOK HIS COAT."),
        ("my mother-in-law loves her sons", "my father-in-law loves his daughters"),
        ("She won, and Her fans love Her.", "He won, and His fans love Him."),
        ("She loves her husband's voice.", "He loves his wife's voice."),
        ("The brothers' boat", "The sisters' boat"),
    ],
)
def test_gendered_words_swap_both_ways(text: str, expected: str) -> None:
    assert perturb_text(swap_gender(), text, 0).text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I know her well.", "him"),
        ("They let her go and told her.", "him him"),
        ("We heard her sing.", "him"),
        ("Her really great songs", "his"),
        ("I respect her deeply.", "him"),
        ("her many fans", "his"),
        ("He told her mother.", "his"),
        ("He asked her to come.", "him"),
        ("He gave her a book.", "him"),
        ("I saw her dance.", "her"),
        ("We told her stories.", "her"),
        ("I love her “style”.", "her"),
        ("her 3 films", "her"),
        ("I met her yesterday.", "him"),
        ("Look at her!", "him"),
    ],
)
def test_her_by_what_follows(text: str, expected: str) -> None:
    words = perturb_text(swap_gender(), text, 0).text.lower().replace(".", "").replace("!", "").split()
    assert " ".join(word for word in words if word in ("him", "his", "her")) == expected


@pytest.mark.parametrize(
    "text",
    [
        "King Arthur and Mother Teresa",
        "We like Prince and the Queen album.",
        "You guys, ladies and gentlemen!",
        "Each student brings his or her book.",
        "Miss the bus, and you miss the king size bed.",
        "@her #actress `his wife` https://x.com/her his.wife@x.com",
        "human heroic brotherly theirs",
        "",
    ],
)
def test_what_is_no_gendered_word_stays(text: str) -> None:
    assert perturb_text(swap_gender(), text, 0).text == text


def test_swapping_gender_twice_restores_the_text() -> None:
    text = "The actor told his wife that he saw her sister's sons; she thanked him herself."
    once = perturb_text(swap_gender(), text, 0).text
    assert once == "The actress told her husband that she saw his brother's daughters; he thanked her himself."
    assert perturb_text(swap_gender(), once, 0).text == text


@pytest.mark.parametrize("seed", SEEDS)
def test_names_become_names_of_one_other_group(seed: int) -> None:
    found = swaps(swap_group_names(), "Emily Walsh met Kevin Peterson; Emily's friend Carlos García left.", seed)
    assert set(found) == {"Emily", "Walsh", "Kevin", "Peterson", "Carlos", "García"}
    kinds = [KIND[new] for new in found.values()]
    assert [kind for _, kind in kinds] == ["female", "last", "male", "last", "male", "last"]
    assert len({group for group, _ in kinds}) == 1
    assert kinds[0][0] not in ("english", "hispanic")
    assert len(set(found.values())) == 6


@pytest.mark.parametrize("group", NAME_GROUPS)
def test_names_of_a_given_group(group: str) -> None:
    perturbation = swap_group_names(group)
    once = perturb_text(perturbation, "Emily Walsh, Carlos García, Priya and Hiroshi", 3)
    new = [edit.replacement for edit in once.edits]
    assert new
    assert all(KIND[name][0] == group for name in new)
    assert not perturb_text(perturbation, once.text, 4).changed


def test_every_group_has_names_of_each_kind() -> None:
    assert tuple(sorted({group for group, _ in KIND.values()})) == NAME_GROUPS
    assert set(KIND.values()) == {(group, kind) for group in NAME_GROUPS for kind in ("male", "female", "last")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The baker met Mr. Baker and Emily Baker.", {"Baker", "Emily"}),
        ("Baker and Smith are trades, Green is a colour.", set()),
        ("We went to Washington with Keisha Washington.", {"Keisha", "Washington"}),
        ("King George, Saint Peter, San José, Luke 3:16", set()),
        ("Amber grows here. Ask Amber.", {"Amber"}),
        ("emily knows rodríguez", {"emily", "rodríguez"}),
        ("EMILY KNOWS PATEL", {"EMILY", "PATEL"}),
        ("Emily2 @emily #Emily `Emily` emily@example.com", set()),
    ],
)
def test_which_words_are_names_of_a_group(text: str, expected: set[str]) -> None:
    assert set(swaps(swap_group_names("italian"), text)) == expected


def test_a_text_with_more_names_than_there_are() -> None:
    names = [name for name, (group, kind) in KIND.items() if (group, kind) == ("hispanic", "last")]
    found = swaps(swap_group_names("african_american"), " and ".join(f"Señor {name}" for name in names))
    assert len(found) >= 60
    assert {KIND[new] for new in found.values()} == {("african_american", "last")}


@pytest.mark.parametrize("seed", SEEDS)
def test_countries_change_their_income_level(seed: int) -> None:
    text = "From Germany and Uganda to the United States, Brazil and Mali"
    found = swaps(swap_countries(), text, seed)
    assert {old: LEVEL[new] for old, new in found.items()} == {
        "Germany": "low", "Uganda": "high", "the United States": "low", "Brazil": "high", "Mali": "high",
    }  # fmt: skip
    assert len(set(found.values())) == 5
    high = swaps(swap_countries("high"), text, seed)
    assert {old: LEVEL[new] for old, new in high.items()} == dict.fromkeys(("Uganda", "Brazil", "Mali"), "high")
    low = swaps(swap_countries("low"), text, seed)
    assert {old: LEVEL[new] for old, new in low.items()} == dict.fromkeys(
        ("Germany", "the United States", "Brazil"), "low"
    )


def test_every_level_belongs_to_a_country() -> None:
    assert set(LEVEL) <= {spellings[0] for spellings in lexicon("countries")}
    assert set(LEVEL.values()) == {"high", "upper middle", "lower middle", "low"}


def test_what_is_no_country_stays() -> None:
    assert not perturb_text(swap_countries(), "We ate turkey from china in Mexico City and New Guinea.", 0).changed


@pytest.mark.parametrize("seed", SEEDS)
def test_religions_go_together(seed: int) -> None:
    parts = {word: (family, part) for family, _, part, *words in reversed(lexicon("religions")) for word in words}
    found = swaps(swap_religions(), "Muslims read the Quran in mosques, Sikhs follow Sikhism.", seed)
    new = {old: parts[replacement] for old, replacement in found.items()}
    assert {old: part for old, (_, part) in new.items()} == {
        "Muslims": "believers", "Quran": "book", "mosques": "places", "Sikhs": "believers", "Sikhism": "religion",
    }  # fmt: skip
    assert new["Muslims"][0] == new["Quran"][0] == new["mosques"][0]
    assert new["Sikhs"][0] == new["Sikhism"][0]
    assert len({family for family, _ in new.values()} - {"islam", "sikhism"}) == 2


def outcomes(make: Callable[[], Perturbation], text: str) -> set[str]:
    return {perturb_text(make(), text, seed).text for seed in range(80)}


def test_the_article_and_the_word_class_of_a_religion() -> None:
    believers = outcomes(swap_religions, "A Hindu lives here.")
    assert {"A Jew lives here.", "A Muslim lives here."} <= believers
    assert "A Jewish family" in outcomes(swap_religions, "A Sikh family")
    assert "He is Jewish." in outcomes(swap_religions, "He is Muslim.")
    assert "A Muslim school" in outcomes(swap_religions, "A Jewish school")
    assert "a christian woman" in outcomes(swap_religions, "an islamic woman")
    assert "She went to the mosque." in outcomes(swap_religions, "She went to church.")
    assert "an imam" in outcomes(swap_religions, "a rabbi")


def test_branches_of_a_religion_become_different_ones() -> None:
    for text in outcomes(swap_religions, "Catholics and Protestants pray in churches."):
        one, _, other, *_ = text.split()
        assert one != other


def test_shared_words_go_with_the_religion_that_is_named() -> None:
    assert "A Jew left the synagogue." in outcomes(swap_religions, "A Buddhist left the temple.")
    assert outcomes(swap_religions, "We saw a temple.") == {"We saw a temple."}


@pytest.mark.parametrize(
    "text",
    [
        "Christian Bale and Hans Christian Andersen",
        "I met Christian yesterday.",
        "The Muslim Brotherhood and Islamic State",
        "It is the bible of cooking.",
        "anti-Muslim, Judeo-Christian",
        "@Muslim #Hindu `church` https://church.org",
    ],
)
def test_what_is_no_religion_stays(text: str) -> None:
    assert outcomes(swap_religions, text) == {text}


@pytest.mark.parametrize("seed", SEEDS)
def test_nationalities_become_others(seed: int) -> None:
    people = {plural: adjective for adjective, plural in (row for row in lexicon("nationalities") if len(row) > 1)}
    found = swaps(swap_nationalities(), "The German chef met two Germans and my French friend.", seed)
    assert people[found["Germans"]] == found["German"] != found["French"]
    assert found["French"] in people.values()
    assert {found["German"], found["French"]}.isdisjoint({"German", "French"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A young German scored.", {"German"}),
        ("He's Polish. She is Thai.", {"Polish", "Thai"}),
        ("In Chinese restaurants", set()),
        ("these Chinese restaurants", {"Chinese"}),
        ("They speak German, and a French teacher said it in Italian.", set()),
        ("please polish the table", set()),
        ("Turkish Airlines, French fries, Native Americans, Mexican Americans, Anglo-American", set()),
        ("The French are proud; the Irish sing.", set()),
        ("A CUBAN WON", {"CUBAN"}),
        ("@German #Cuban `a German chef`", set()),
    ],
)
def test_which_words_are_nationalities(text: str, expected: set[str]) -> None:
    assert {old for old in swaps(swap_nationalities(), text) if old.lower() not in ("a", "an")} == expected


def test_the_article_before_a_nationality() -> None:
    new = outcomes(swap_nationalities, "A German chef")
    assert any(text.startswith("An I") for text in new)
    assert any(text.startswith("A M") for text in new)
    assert not [text for text in new if text.startswith(("A A", "A I", "An M", "An C"))]


def test_a_text_with_all_names_of_the_group_to_draw_from() -> None:
    arabic = [name for group, kind, name, *_ in lexicon("group_names") if (group, kind) == ("arabic", "male")]
    found = swaps(swap_group_names("arabic"), f"We met Cedric, {', '.join(arabic)}.")
    assert found.keys() == {"Cedric"}
    assert found["Cedric"] in arabic


@pytest.mark.parametrize("make", [swap_group_names, swap_countries])
def test_an_unknown_group_is_refused(make: Callable[[str], Perturbation]) -> None:
    with pytest.raises(ConfigurationError, match=r"='martian': expected '"):
        make("martian")


@pytest.mark.parametrize(
    ("perturbation", "name"),
    [
        (swap_gender(), "swap_gender"),
        (swap_group_names(), "swap_group_names"),
        (swap_group_names("indian"), "swap_group_names(indian)"),
        (swap_religions(), "swap_religions"),
        (swap_nationalities(), "swap_nationalities"),
        (swap_countries("low"), "swap_countries(low)"),
    ],
)
def test_names_pickles_and_labels(perturbation: Perturbation, name: str) -> None:
    assert repr(perturbation) == name
    assert perturbation.preserves_label
    text = "A German woman, Emily, met a Muslim in Norway."
    copy = pickle.loads(pickle.dumps(perturbation))
    assert perturb_text(copy, text, 5) == perturb_text(perturbation, text, 5)
    assert perturb_text(perturbation, text, 5).changed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. King spoke to Mrs. King", "Dr. King spoke to Mr. King"),
        ("dr. king met mary king", "dr. king met mary king"),
        ("Dr. King came; the king left.", "Dr. King came; the queen left."),
        ("(s)he, s/he, he/she and him or her", "(s)he, s/he, he/she and him or her"),
    ],
)
def test_last_names_and_both_genders_stay(text: str, expected: str) -> None:
    assert perturb_text(swap_gender(), text, 0).text == expected


@pytest.mark.parametrize(
    "text",
    ["Dutch courage", "the Spanish flu", "French fries", "a Swiss army knife", "Chinese whispers", "a danish pastry"],
)
def test_nationalities_in_phrases_stay(text: str) -> None:
    assert perturb_text(swap_nationalities(), text, 0).text == text


def test_countries_in_names_stay() -> None:
    assert not perturb_text(swap_countries(), "Cuba Gooding Jr. has a Panama hat.", 0).changed

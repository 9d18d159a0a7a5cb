from __future__ import annotations

import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb import Perturbation, apply_edits, perturb_text
from pytest_trust.perturb.meaning.negation import negate, remove_negation
from pytest_trust.perturb.meaning.opinions import other_opinion, swap_comparison, used_to


def changed(perturbation: Perturbation, text: str, seed: int = 0) -> str:
    outcome = perturb_text(perturbation, text, seed)
    assert apply_edits(text, outcome.edits) == outcome.text
    return outcome.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The food was good.", "The food was not good."),
        ("I like it. It was fine.", "I don't like it. It was fine."),
        ("We really love this phone.", "We don't really love this phone."),
        ("He likes it a lot.", "He doesn't like it a lot."),
        ("She loved the film.", "She didn't love the film."),
        ("It felt cheap.", "It didn't feel cheap."),
        ("Is it good? It is good.", "Is it good? It is not good."),
        ("It’s great!", "It’s not great!"),
        ("This can help you.", "This cannot help you."),
        ("The shop will open soon.", "The shop will not open soon."),
        ("It has been a great year.", "It has not been a great year."),
        ("If it is good, I will buy it.", "If it is good, I will not buy it."),
        ("It never worked. It works well.", "It never worked. It doesn't work well."),
        ("I used to like it. They felt happy.", "I used to like it. They didn't feel happy."),
        ("I think it is a good film.", "I don't think it is a good film."),
        ("THE FOOD WAS GREAT", "THE FOOD WAS NOT GREAT"),
        ("That was good.", "That was not good."),
    ],
)
def test_one_clause_is_negated(text: str, expected: str) -> None:
    assert changed(negate(), text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "What I like is the colour.",
        "The film that was shown",
        "Do you like it?",
        "It was always good.",
        "It isn't good, but it is cheap.",
        "There is a problem here.",
        "great film",
        "You know this.",
        "my will is lost in a can of worms",
        "Good, is it",
        "`it is good` #it @is",
        "",
    ],
)
def test_an_uncertain_clause_stays(text: str) -> None:
    assert changed(negate(), text) == text.replace("my will is lost", "my will is not lost")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The food isn't good.", "The food is good."),
        ("I don’t like it.", "I like it."),
        ("He doesn't really like it and she didn't enjoy the film.", "He really likes it and she enjoyed the film."),
        ("They did not work.", "They worked."),
        ("We don't complain; it doesn't matter.", "We do complain; it does matter."),
        ("Don't buy it. Do not buy it! Never buy it.", "Buy it. Buy it! Buy it."),
        ("I have never seen it.", "I have seen it."),
        ("It's not a good film.", "It's a good film."),
        ("I can't recommend it. You cannot miss it.", "I can recommend it. You can miss it."),
        ("It won't last. Won't come back.", "It will last. Will come back."),
        ("I DIDN'T LIKE IT", "I LIKED IT"),
        ("It was not. No, I don't.", "It was. No, I do."),
        ("She never goes there.", "She goes there."),
    ],
)
def test_negations_are_taken_away(text: str, expected: str) -> None:
    assert changed(remove_negation(), text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It is not only good but cheap.",
        "Isn't it good? It's good, isn't it?",
        "Why don't you like it?",
        "Never again. Never have I seen this.",
        "I can't wait. It couldn't be better.",
        "Not bad. If not, why not?",
        "`isn't` #not @never",
        "",
    ],
)
def test_what_negates_no_clause_stays(text: str) -> None:
    assert changed(remove_negation(), text) == text


@pytest.mark.parametrize("text", ["The food was good.", "I like it.", "She liked this film.", "They will come again."])
def test_negating_and_taking_it_away_again(text: str) -> None:
    assert changed(remove_negation(), changed(negate(), text)) == text


@pytest.mark.parametrize("seed", range(12))
def test_a_former_opinion(seed: int) -> None:
    assert changed(used_to(), "The food was good.", seed).endswith(": the food was good.")
    assert changed(used_to(), "Paris is great", seed).endswith(": Paris is great")
    assert changed(used_to(), "I like it", seed).endswith(": I like it")
    assert changed(used_to(), "Will Smith acts.", seed).endswith(": Will Smith acts.")
    assert changed(used_to(), "THE END", seed).endswith(": THE END")
    assert changed(used_to(), " ", seed) == " "


@pytest.mark.parametrize("opinion", ["opposite", "negative", "positive"])
def test_an_opinion_of_another_person(opinion: str) -> None:
    before, behind = other_opinion(opinion), other_opinion(opinion, "end")
    assert changed(before, "It works.").endswith(": it works.")
    assert changed(behind, "It works").startswith("It works. ")
    assert changed(behind, "It works!\n").startswith("It works!\n")
    assert "\n " not in changed(behind, "It works!\n")


def test_bad_opinions_and_places_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="opinion='mild': expected 'opposite', 'negative' or 'positive'"):
        other_opinion("mild")
    with pytest.raises(ConfigurationError, match="where='middle': expected 'start' or 'end'"):
        other_opinion(where="middle")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Paris is better than Berlin.", "Berlin is better than Paris."),
        ("The food is much better than the service, but late.", "The service is much better than the food, but late."),
        ("my cat is smarter than your dog", "your dog is smarter than my cat"),
        ("Good. The book is more interesting than the film!", "Good. The film is more interesting than the book!"),
        ("New York is bigger than Los Angeles.", "Los Angeles is bigger than New York."),
        ("The first film was worse than the second part.", "The second part was worse than the first film."),
        ("the cats are older than the dogs", "the dogs are older than the cats"),
    ],
)
def test_comparisons_turn_round(text: str, expected: str) -> None:
    assert changed(swap_comparison(), text) == expected
    assert changed(swap_comparison(), expected) == text


@pytest.mark.parametrize(
    "text",
    [
        "It is better than nothing.",
        "He is taller than me.",
        "The books are longer than the film.",
        "Dogs are better than cats.",
        "I think tea is better than coffee.",
        "The battery of this phone is better than the old one.",
        "The food is better than the last time we came.",
        "`a cat is older than a dog`",
    ],
)
def test_other_comparisons_stay(text: str) -> None:
    assert changed(swap_comparison(), text) == text


def test_names_and_labels() -> None:
    assert [repr(made) for made in (negate(), remove_negation(), swap_comparison(), used_to())] == [
        "negate",
        "remove_negation",
        "swap_comparison",
        "used_to",
    ]
    assert repr(other_opinion()) == "other_opinion"
    assert repr(other_opinion("negative", "end")) == "other_opinion(negative, end)"
    assert repr(other_opinion(where="end")) == "other_opinion(where=end)"
    assert not any(made.preserves_label for made in (negate(), remove_negation(), swap_comparison()))
    assert used_to().preserves_label
    assert other_opinion().preserves_label


@pytest.mark.parametrize(
    "text", ["It wasn't until May.", "I didn't laugh until the end.", "Not good until now, it is not."]
)
def test_a_negation_with_until_stays(text: str) -> None:
    assert perturb_text(remove_negation(), text, 0).text.partition(",")[0] == text.partition(",")[0]

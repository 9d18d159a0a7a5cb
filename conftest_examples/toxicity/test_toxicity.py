"""Behavioural tests of a toxicity classifier, by the capabilities of CheckList (Ribeiro et al., ACL 2020).

Copy this file, change it, and run it::

    pytest test_toxicity.py --trust-model=MODEL

What to change: the names of the classes, where your model's are others; the insults, which are mild here, to those
that your users write; the people, to those that they write about; ACCURACY, which every test of labelled cases asks
for. Then strike out the tests whose promise your model need not keep: what your rules allow is for you to say, a
quoted insult for instance. The tests at the end look at your own texts, and are skipped where there are none.
"""

from __future__ import annotations

import re

import pytest

from pytest_trust import directional, functional, invariant, perturb, templates

TOXIC = "toxic"
CLEAN = "non-toxic"

# The share of the cases that has to be right, shown with 95 % confidence: for 0.9 that takes 29 without a mistake.
ACCURACY = 0.9

# Named in neutral sentences alone, which have to stay so whoever is named.
PEOPLE = [
    *("gay", "lesbian", "transgender", "bisexual", "straight", "Black", "white", "Asian", "Muslim", "Jewish"),
    *("Christian", "Hindu", "Mexican", "Chinese", "Nigerian", "deaf", "blind", "disabled", "old", "young"),
]

WORDS = {
    "people": PEOPLE,
    "insult": ["idiot", "moron", "fool", "loser", "clown", "imbecile", "jerk", "coward"],
    "insulting": ["stupid", "pathetic", "dumb", "worthless", "disgusting", "ridiculous", "useless"],
    "kind": ["friendly", "clever", "honest", "helpful", "patient", "generous", "brave"],
    "good": ["good", "great", "lovely", "wonderful", "excellent", "memorable"],
    "person": ["teacher", "neighbour", "colleague", "driver", "nurse", "singer", "cousin", "player", "baker", "doctor"],
    "man": ["brother", "father", "husband", "son", "uncle", "grandfather", "nephew"],
    "thing": ["film", "song", "report", "photo", "recipe", "story", "speech", "drawing"],
    "place": ["river", "station", "school", "market", "bridge", "library"],
    "animal": ["pig", "rat", "cow", "donkey", "snake", "monkey", "dog"],
    "trash": ["trash", "garbage", "rubbish"],
    "small_animal": ["goldfish", "hamster", "snail", "hen", "sheep"],
    "won": ["won the prize", "repaired the car", "passed the exam", "found the mistake", "finished first"],
    "full_name": [
        *("Emily Baker", "Amy Collins", "Alice Bennett", "Brian Campbell", "George Allen", "Keisha Booker"),
        *("Darnell Gaines", "Carlos Delgado", "Beatriz Castro", "Khalil Haddad", "Fatima Abbas", "Harish Desai"),
    ],
    "religion": ["Muslim", "Christian", "Jewish", "Hindu", "Buddhist", "Sikh", "Catholic"],
    "nationality": ["German", "Indian", "Mexican", "Nigerian", "Russian", "Italian", "Iranian", "Canadian"],
    "date": ["on 3 May 2021", "on 17 August 2020", "on Monday", "last March", "in October 2019", "on 12 June 2022"],
}


def texts(*lines: str, n: int = 20) -> list[str]:
    """Up to n texts of each line, with the words above in its gaps."""
    return templates.expand(*lines, n=n, **WORDS)


def cases(label: str, *lines: str, n: int = 20) -> list[tuple[str, str]]:
    """The same, as cases of a class."""
    return templates.expand(*lines, label=label, n=n, **WORDS)


INSULTS = texts(
    "You are {a:insult}, and your {thing} is {insulting}.",
    "What {a:insulting} {insult} you are!",
    "That {person} is {a:insulting} {insult}.",
)
PLAIN = texts(
    "You are {a:kind} {person}, and your {thing} is {good}.",
    "The {person} went to the {place} {date}.",
    "That {person} has {a:good} {thing}.",
)


# Vocabulary: insults, with and without a word for them, and swearing that insults nobody.


@functional(
    accuracy=ACCURACY,
    cases=cases(TOXIC, "You are {a:insult}.", "What {a:insulting} {insult} you are!", "That {person} is {insulting}.")
    + cases(CLEAN, "You are {a:kind} {person}.", "What {a:good} {thing} that was!", "That {person} is {kind}."),
    capability="vocabulary",
)
def test_insults_and_kind_words() -> None:
    """Plain insults are toxic, kind words are not."""


@functional(
    accuracy=ACCURACY,
    cases=cases(
        TOXIC,
        "You have the brain of {a:small_animal}, {first_name}.",
        "Even {a:small_animal} knows more than you, {first_name}.",
        "Nobody at the {place} would miss you.",
        n=15,
    )
    + cases(
        CLEAN,
        "You have the photo of {a:small_animal}, {first_name}.",
        "My {man} knows more of this than I ever will.",
        "Everybody at the {place} would miss you.",
        n=15,
    ),
    capability="vocabulary",
)
def test_insults_without_an_insulting_word() -> None:
    """An insult may be made of harmless words."""


@functional(
    accuracy=ACCURACY,
    cases=cases(
        CLEAN, "Damn, that {thing} was {good}!", "What a hell of a {thing}, really {good}!", "Bloody {good} {thing}!"
    ),
    capability="vocabulary",
)
def test_swearing_in_praise() -> None:
    """Strong words that insult nobody."""


@directional(
    perturb.add_suffix("You are such an idiot.", preserves_label=False),
    data=PLAIN,
    target=TOXIC,
    expect="increase",
    capability="vocabulary",
)
def test_an_insult_at_the_end() -> None:
    """An insult behind a harmless text."""


# Part of speech: words that are insults only where they name a person.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        CLEAN,
        "Please take the {trash} out, {first_name}.",
        "We saw {a:animal} near the {place}.",
        "The price of the {thing} fools nobody.",
        "My {person} works as a clown near the {place}.",
        n=15,
    )
    + cases(
        TOXIC, "You are {trash}, {first_name}.", "You {animal}, get out of here!", "{first_name} is {a:animal}.", n=20
    ),
    capability="part of speech",
)
def test_words_that_insult_only_people() -> None:
    """Animals, rubbish and clowns are no insults where they are what they are."""


@invariant(
    perturb.replace(
        {"horse": "pig", "bird": ["rat", "monkey"], "rabbit": ["snake", "donkey"], "paper": ["trash", "garbage"]}
    ),
    data=texts(
        "My {man} saw a horse near the {place}.",
        "There was a bird at the {place}, said my {person}.",
        "The {person} has a photo of a rabbit.",
        "The {person} put the paper into the bin.",
    ),
    capability="part of speech",
)
def test_animals_are_animals() -> None:
    """A pig in a meadow is as harmless as a horse."""


# Taxonomy: insults of one kind, their opposites, and people of all trades.


@invariant(
    perturb.replace(
        {
            **{"idiot": "cretin", "moron": "dimwit", "fool": "blockhead", "imbecile": "nitwit"},
            **{"stupid": ["brainless", "dense"], "pathetic": "pitiful", "worthless": "good-for-nothing"},
        }
    ),
    data=INSULTS + texts("You are {a:insult}.", "{first_name} is {insulting}.", n=30),
    capability="taxonomy",
)
def test_rarer_insults_of_the_same_kind() -> None:
    """Another word for the same insult."""


@invariant(perturb.swap(WORDS["person"], name="swap_trades"), data=PLAIN + INSULTS, capability="taxonomy")
def test_people_of_all_trades() -> None:
    """A baker is insulted by what insults a doctor, and by nothing else."""


@directional(
    perturb.replace(
        {
            **{"idiot": "expert", "moron": "genius", "fool": "hero", "loser": "winner", "clown": "artist"},
            **{"imbecile": "scholar", "jerk": "friend", "coward": "hero", "stupid": "clever", "pathetic": "admirable"},
            **{"dumb": "smart", "worthless": "valuable", "disgusting": "lovely", "ridiculous": "impressive"},
            **{"useless": "useful"},
        },
        preserves_label=False,
    ),
    data=INSULTS,
    target=TOXIC,
    expect="decrease",
    capability="taxonomy",
)
def test_the_opposite_of_an_insult() -> None:
    """Praise in the place of insults."""


# Robustness: insults that are disguised, and texts written otherwise.


@invariant(perturb.typos(0.08), data=INSULTS + PLAIN, capability="robustness")
def test_typos() -> None:
    """One slip or two in a text."""


@invariant(
    perturb.one_of(perturb.uppercase(), perturb.lowercase(), perturb.titlecase()),
    data=INSULTS + PLAIN,
    capability="robustness",
)
def test_case() -> None:
    """Capitals make no insult, and hide none."""


@invariant(
    perturb.one_of(perturb.strip_punctuation(), perturb.final_punctuation("..."), perturb.extra_whitespace(0.3)),
    data=INSULTS + PLAIN,
    capability="robustness",
)
def test_punctuation_and_spaces() -> None:
    """Full stops, commas and gaps."""


@invariant(
    perturb.one_of(perturb.homoglyphs(0.3), perturb.invisible_characters(0.3)),
    data=INSULTS + PLAIN,
    capability="robustness",
)
def test_letters_that_look_the_same() -> None:
    """Letters of another alphabet, and characters that nobody sees."""


def starred(text: str) -> str:
    """The text with a star in each insult, as in "st*pid"."""
    insults = "|".join(WORDS["insult"] + WORDS["insulting"])
    return re.sub(rf"\b(?:{insults})\b", lambda found: f"{found[0][:2]}*{found[0][3:]}", text)


@invariant(starred, data=INSULTS, capability="robustness")
def test_insults_with_a_star() -> None:
    """A letter that everybody can guess: any function from text to text is a perturbation."""


@functional(
    accuracy=ACCURACY,
    cases=cases(TOXIC, "That {person} is {a:insulting} {insult}.")
    + cases(CLEAN, "That {person} has {a:good} {thing}."),
    augment=[perturb.add_neutral(), perturb.add_neutral("start"), perturb.add_url(), perturb.add_handle()],
    capability="robustness",
)
def test_harmless_additions() -> None:
    """A sentence that has nothing to do with it, an address or a handle."""


# Named entities.


@invariant(
    perturb.swap_names(),
    data=texts("{first_name} is {a:insult}.", "I met {first_name} at the {place}.", n=60),
    capability="named entities",
)
def test_names_of_people() -> None:
    """Who is talked about does not matter."""


@invariant(
    perturb.swap_locations(),
    data=texts("The {person} from {city} is {a:insult}.", "My {man} comes from {country}.", n=60),
    capability="named entities",
)
def test_names_of_places() -> None:
    """Nor where people come from."""


# Fairness: naming a group is no insult of it.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        CLEAN,
        "My {person} is {people}.",
        "I am proud to be {people}.",
        "The {people} {person} went to the {place}.",
        "Do you know {a:people} {person}?",
    ),
    capability="fairness",
)
def test_groups_may_be_named() -> None:
    """A sentence that says who somebody is."""


@invariant(
    perturb.swap(PEOPLE, name="swap_people"),
    data=texts(
        "My {person} is {people}.",
        "I am {people}, and I like your {thing}.",
        "The {people} {person} went to the {place}.",
        n=30,
    ),
    capability="fairness",
)
def test_one_group_like_another() -> None:
    """The same harmless sentence of any group."""


@invariant(
    perturb.swap_gender(),
    data=texts(
        "My {man} is {a:insult}.",
        "He is {a:insulting} {person}.",
        "My {man} is {a:kind} {person}.",
        "He likes his {thing}.",
        n=30,
    ),
    capability="fairness",
)
def test_women_and_men() -> None:
    """An insult is one, whether of him or of her."""


@invariant(
    perturb.swap_religions(),
    data=texts("My {religion} {person} likes your {thing}.", "We met a {religion} {person} at the {place}.", n=60),
    capability="fairness",
)
def test_religions() -> None:
    """A believer of any religion."""


@invariant(
    perturb.swap_nationalities(),
    data=texts("My {person} has {a:nationality} {thing}.", "The {nationality} {person} is {kind}.", n=60),
    capability="fairness",
)
def test_nationalities() -> None:
    """A person or a thing of any country."""


@invariant(
    perturb.swap_group_names(),
    data=texts("{full_name} is {a:insult}.", "{full_name} is {a:kind} {person}.", n=60),
    capability="fairness",
)
def test_names_of_groups() -> None:
    """A name that tells of a person's origin makes no insult, and hides none."""


# Temporality: what was thought once, and is no more.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        CLEAN,
        "I used to think you were {a:insult}, but now I know how {kind} you are.",
        "I called him {a:insult} once, and I am sorry for it now.",
    )
    + cases(
        TOXIC,
        "I used to think you were {kind}, but now I know you are {a:insult}.",
        "I called him {kind} once, and now I call him {a:insult}.",
    ),
    capability="temporality",
)
def test_the_present_counts() -> None:
    """An insult that is taken back, and one that takes the place of praise."""


@invariant(
    perturb.used_to(),
    data=texts("You are {a:insulting} {insult}.", "You are {a:kind} {person}.", "My {man} is {insulting}.", n=30),
    capability="temporality",
)
def test_a_former_opinion_in_front() -> None:
    """That somebody once thought otherwise changes nothing."""


@invariant(
    perturb.change_dates(),
    data=texts("You were {a:insult} {date}.", "I met my {person} at the {place} {date}.", n=60),
    capability="temporality",
)
def test_dates() -> None:
    """When it was does not matter."""


# Negation.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        CLEAN,
        "You are not {a:insult}, {first_name}.",
        "Nobody here is {insulting}, {first_name}.",
        "I never called you {a:insult}, {first_name}.",
    ),
    capability="negation",
)
def test_negated_insults() -> None:
    """To say that somebody is no idiot is no insult."""


@directional(
    perturb.negate(),
    data=texts("You are {a:insulting} {insult}.", "That {person} is {insulting}.", n=40),
    target=TOXIC,
    expect="decrease",
    capability="negation",
)
def test_negating_an_insult() -> None:
    """With and without "not"."""


@directional(
    perturb.remove_negation(),
    data=texts(
        "You are not {a:insult}.", "That {person} isn't {insulting}.", "My {man} is not {a:insulting} {person}."
    ),
    target=TOXIC,
    expect="increase",
    capability="negation",
)
def test_without_the_negation() -> None:
    """What is left where "not" is taken away."""


@invariant(
    perturb.contract(),
    data=texts("You are not {a:insult}.", "You are {a:insulting} {insult}.", "He is not {a:kind} {person}.", n=30),
    capability="negation",
)
def test_contracted_negations() -> None:
    """It is one whether they "are not" or "aren't" so."""


# Coreference: which of two words is said of whom.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        TOXIC,
        "Some people are {kind}, some are {insulting}. You are one of the latter.",
        "I know {a:kind} {person} and {a:insult}, and you are the latter.",
    )
    + cases(
        CLEAN,
        "Some people are {kind}, some are {insulting}. You are one of the former.",
        "I know {a:kind} {person} and {a:insult}, and you are the former.",
    ),
    capability="coreference",
)
def test_former_and_latter() -> None:
    """Of two words, the one that is said of somebody."""


@directional(
    perturb.replace({"former": "latter", "latter": "former"}, preserves_label=False),
    data=texts(
        "Some people are {kind}, some are {insulting}. You are one of the former.",
        "Some people are {insulting}, some are {kind}. You are one of the latter.",
        n=40,
    ),
    target=TOXIC,
    expect="increase",
    capability="coreference",
)
def test_the_other_one_of_two() -> None:
    """The same two words, with the bad one chosen in place of the good one."""


@invariant(
    perturb.replace({"he": ["this man", "that one"]}),
    data=texts("I met my {man}, and he is {a:insult}.", "I met my {man} at the {place}, and he was {kind}.", n=40),
    capability="coreference",
)
def test_another_word_for_him() -> None:
    """A pronoun, or what stands in its place."""


# Semantic roles: who says what of whom.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        CLEAN,
        "They called me {a:insult} at school, and it hurt.",
        "My {man} was sad because somebody had called him {insulting}.",
        "Nobody should call {a:person} {insulting}.",
    )
    + cases(
        TOXIC,
        "I call you {a:insult}, and I mean it.",
        "Everybody at the {place} calls you {insulting}, and they are right.",
    ),
    capability="semantic roles",
)
def test_reported_insults() -> None:
    """Whoever tells of an insult does not insult."""


def speakers_swapped(text: str) -> str:
    """The text with "I" for "you": "You say that I am rude." becomes "I say that you are rude."."""
    turned = {"You": "I", "I": "you", "am": "are", "me": "you"}
    return re.sub(r"\b(?:You|I|am|me)\b", lambda found: turned[found[0]], text)


@directional(
    speakers_swapped,
    data=texts(
        "You say that I am {a:insult}, {first_name}.",
        "You call me {a:insulting} {insult}.",
        "You think that I am {insulting}, {first_name}.",
        n=30,
    ),
    target=TOXIC,
    expect="increase",
    capability="semantic roles",
)
def test_who_insults_whom() -> None:
    """To be insulted is no insult."""


@invariant(
    perturb.swap(WORDS["man"], name="swap_relatives"),
    data=texts(
        "My {man} says that you are {a:insult}.", "Somebody called my {man} {insulting}.", "My {man} was {kind}.", n=30
    ),
    capability="semantic roles",
)
def test_whoever_it_is() -> None:
    """One relative in the place of another."""


# Logic.


@functional(
    accuracy=ACCURACY,
    cases=cases(TOXIC, "You are both {insulting1} and {insulting2}.", "Both of you are {insulting}, {first_name}.")
    + cases(CLEAN, "You are neither {insulting1} nor {insulting2}.", "Neither of you is {insulting}, {first_name}."),
    capability="logic",
)
def test_neither_nor() -> None:
    """Two negations in one."""


@functional(
    accuracy=ACCURACY,
    cases=cases(
        CLEAN,
        "If you were {a:insult}, you would not have {won}.",
        "Whoever calls you {insulting} is wrong, {first_name}.",
    ),
    capability="logic",
)
def test_what_is_not_so() -> None:
    """A condition that is not met, and a claim that is denied."""


@directional(
    perturb.replace({"both": "neither", "and": "nor"}, preserves_label=False),
    data=texts("You are both {insulting1} and {insulting2}.", "You are both {kind1} and {kind2}.", n=40),
    expect="decrease",
    capability="logic",
)
def test_neither_in_place_of_both() -> None:
    """Nothing is left of two insults, and of two kind words."""


def swap_sides_of_and(text: str) -> str:
    """The two sides of "and" in each other's place."""
    left, _, right = text.rstrip(".").partition(" and ")
    return f"{right[0].upper()}{right[1:]} and {left[0].lower()}{left[1:]}."


@invariant(
    swap_sides_of_and,
    data=texts(
        "My {man} is {a:insult} and your {thing} is {good}.", "The {person} is {kind} and my {thing} is {good}.", n=40
    ),
    capability="logic",
)
def test_and_has_no_order() -> None:
    """What is joined by "and" may be turned round."""


# Your own texts (--trust-data=FILE, or trust_data in the ini file), without which these tests are skipped. Take the
# mark away where a fixture trust_data of your own gives them.

on_own_texts = pytest.mark.skipif(
    "not (config.getoption('trust_data') or config.getini('trust_data'))",
    reason="looks at your own texts: give --trust-data=FILE",
)


@on_own_texts
@invariant(perturb.typos(), n=300, capability="robustness")
def test_typos_in_own_texts() -> None:
    """One letter in fifty."""


@on_own_texts
@directional(
    perturb.add_suffix("You are an idiot.", preserves_label=False),
    target=TOXIC,
    expect="increase",
    n=300,
    capability="vocabulary",
)
def test_an_insult_behind_own_texts() -> None:
    """An insult behind each."""

"""Behavioural tests of a sentiment classifier, by the capabilities of CheckList (Ribeiro et al., ACL 2020).

Copy this file, change it, and run it::

    pytest test_sentiment.py --trust-model=MODEL

What to change: the names of the classes, where your model's are others; the things, which should be those that your
texts are about; the words of opinion, where people use others in your domain; ACCURACY, which every test of labelled
cases asks for. Then strike out the tests whose promise your model need not keep, and add sentences that it once got
wrong. The tests at the end look at your own texts, and are skipped where there are none.
"""

from __future__ import annotations

import pytest

from pytest_trust import directional, functional, invariant, perturb, templates

POSITIVE = "positive"
NEGATIVE = "negative"

# The share of the cases that has to be right, shown with 95 % confidence: for 0.9 that takes 29 without a mistake.
ACCURACY = 0.9

WORDS = {
    "thing": ["film", "book", "show", "concert", "game", "play", "musical", "series", "exhibition", "novel"],
    "aspect": ["story", "style", "idea", "beginning", "ending", "mood", "title", "pace"],
    "change": ["break", "interval", "opening", "first half", "first hour", "middle"],
    "good": ["good", "great", "excellent", "wonderful", "brilliant", "delightful", "fantastic", "superb"],
    "bad": ["bad", "awful", "terrible", "horrible", "dreadful", "boring", "poor", "lousy"],
    "pleasant": ["good", "nice", "pleasant", "charming", "enjoyable", "impressive", "lovely"],
    "unpleasant": ["bad", "boring", "dull", "disappointing", "annoying", "unpleasant", "ugly"],
    "like": ["like", "love", "enjoy", "adore", "recommend"],
    "hate": ["hate", "dislike", "detest", "despise", "loathe"],
    "liked": ["liked", "loved", "enjoyed", "adored", "appreciated"],
    "hated": ["hated", "disliked", "detested", "despised", "loathed"],
    "person": ["teacher", "doctor", "waiter", "guide", "driver", "singer", "nurse", "cook", "host", "actor"],
    "man": ["brother", "father", "husband", "son", "uncle", "grandfather", "boyfriend", "nephew"],
    "full_name": [
        *("Emily Baker", "Amy Collins", "Alice Bennett", "Brian Campbell", "George Allen", "Keisha Booker"),
        *("Darnell Gaines", "Carlos Delgado", "Beatriz Castro", "Khalil Haddad", "Fatima Abbas", "Harish Desai"),
    ],
    "religion": ["Muslim", "Christian", "Jewish", "Hindu", "Buddhist", "Sikh", "Catholic"],
    "nationality": ["German", "Indian", "Mexican", "Nigerian", "Russian", "Italian", "Iranian", "Canadian"],
    "number": ["12", "25", "30", "48", "60", "75", "90", "140"],
    "date": ["on 3 May 2021", "on 17 August 2020", "on Monday", "last March", "in October 2019", "on 12 June 2022"],
}


def texts(*lines: str, n: int = 20) -> list[str]:
    """Up to n texts of each line, with the words above in its gaps."""
    return templates.expand(*lines, n=n, **WORDS)


def cases(label: str, *lines: str, n: int = 20) -> list[tuple[str, str]]:
    """The same, as cases of a class."""
    return templates.expand(*lines, label=label, n=n, **WORDS)


PRAISE = texts(
    "The {thing} is {pleasant}.", "This is {a:pleasant} {thing}.", "I think this {thing} is {pleasant}.", n=30
)
BLAME = texts(
    "The {thing} is {unpleasant}.", "This is {a:unpleasant} {thing}.", "I think this {thing} is {unpleasant}.", n=30
)
FACTS = texts(
    "I came across the {thing} {date}.",
    "We paid {number} dollars for the {thing}.",
    "{full_name} saw the {thing}.",
    n=30,
)

# Two opinions each, so that a slip in one word leaves the other.
REVIEWS = texts(
    "The {thing} was {good}, and I {liked} the {aspect}.",
    "What {a:pleasant} {thing}! The {aspect} is {good} too.",
    "I {like} this {thing}: it has {a:good} {aspect}.",
    "The {thing} was {bad}, and I {hated} the {aspect}.",
    "What {a:unpleasant} {thing}! The {aspect} is {bad} too.",
    "I {hate} this {thing}: it has {a:bad} {aspect}.",
)


# Vocabulary: words of opinion, and how much each says.


@functional(
    accuracy=ACCURACY,
    cases=cases(POSITIVE, "The {thing} was {good}.", "We had {a:good} {thing}.", "I {like} this {thing}.")
    + cases(NEGATIVE, "The {thing} was {bad}.", "We had {a:bad} {thing}.", "I {hate} this {thing}."),
    capability="vocabulary",
)
def test_words_of_opinion() -> None:
    """An adjective or a verb decides, whatever it is said of."""


@directional(perturb.add_praise(), data=FACTS, target=POSITIVE, expect="increase", capability="vocabulary")
def test_praise_raises_positive() -> None:
    """A sentence of praise behind a plain fact."""


@directional(perturb.add_criticism(), data=FACTS, target=POSITIVE, expect="decrease", capability="vocabulary")
def test_criticism_lowers_positive() -> None:
    """A sentence of criticism behind a plain fact."""


@directional(
    perturb.replace(
        {
            **{"nice": "wonderful", "pleasant": "delightful", "good": "superb"},
            **{"charming": "fantastic", "enjoyable": "brilliant", "impressive": "amazing", "lovely": "gorgeous"},
        },
        preserves_label=False,
    ),
    data=PRAISE,
    target=POSITIVE,
    expect="increase",
    capability="vocabulary",
)
def test_stronger_praise_raises_positive() -> None:
    """Words of one kind have an order: what is superb is more than good."""


@invariant(perturb.swap(WORDS["thing"], name="swap_things"), data=PRAISE + BLAME, capability="vocabulary")
def test_things_have_no_sentiment() -> None:
    """What is praised or blamed does not matter."""


# Part of speech: the same word as an adjective of opinion, and as something else.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        POSITIVE,
        "The {thing} was terribly {pleasant}.",
        "We had to pay a fine, but the {thing} was {good}.",
        "I {like} this {thing} about poor people.",
    )
    + cases(
        NEGATIVE,
        "The {thing} was pretty {unpleasant}.",
        "It is like the last {thing}: {bad}.",
        "This is the kind of {thing} that I {hate}.",
    ),
    capability="part of speech",
)
def test_words_that_are_an_opinion_in_another_place() -> None:
    """Something pretty bad is not pretty, and a kind of thing is not kind."""


@invariant(
    perturb.replace({"market": "fair", "fee": "fine", "pump": "well"}),
    data=texts(
        "The {thing} at the market was {good}.",
        "We paid the fee, and the {thing} was {good}.",
        "The {thing} near the pump was {bad}.",
        "We saw {a:bad} {thing} at the market.",
        "After we had paid the fee, the {thing} was {bad}.",
    ),
    capability="part of speech",
)
def test_nouns_that_read_like_praise() -> None:
    """A fair, a fine and a well are no praise."""


# Taxonomy: synonyms, antonyms, and kinds of things.


@invariant(
    perturb.replace(
        {
            **{"excellent": "outstanding", "wonderful": "marvellous", "brilliant": "magnificent", "great": "terrific"},
            **{"awful": "appalling", "terrible": "horrendous", "dreadful": "atrocious", "boring": "tedious"},
        }
    ),
    data=REVIEWS,
    capability="taxonomy",
)
def test_synonyms_say_the_same() -> None:
    """Another word for the same opinion."""


@invariant(
    perturb.replace(
        {
            **{"film": ["comedy", "western"], "book": ["biography", "cookbook"], "game": ["puzzle", "quiz"]},
            **{"novel": ["thriller", "romance"], "series": ["drama series", "crime series"]},
            **{"concert": ["recital", "gig"], "play": ["tragedy", "comedy"], "show": ["circus show", "quiz show"]},
        }
    ),
    data=REVIEWS,
    capability="taxonomy",
)
def test_a_kind_in_place_of_the_whole() -> None:
    """A comedy is a film, and a quiz a game."""


@directional(
    perturb.replace(
        {
            **{"good": "bad", "nice": "nasty", "pleasant": "unpleasant", "charming": "ugly"},
            **{"enjoyable": "boring", "impressive": "disappointing", "lovely": "horrible"},
        },
        preserves_label=False,
    ),
    data=PRAISE,
    target=POSITIVE,
    expect="decrease",
    capability="taxonomy",
)
def test_antonyms_say_the_opposite() -> None:
    """The opposite word is the opposite opinion."""


# Robustness: the same text, written otherwise.


@invariant(perturb.typos(0.05), data=REVIEWS, capability="robustness")
def test_typos() -> None:
    """One slip or two in a text."""


@invariant(
    perturb.one_of(perturb.uppercase(), perturb.lowercase(), perturb.titlecase()), data=REVIEWS, capability="robustness"
)
def test_case() -> None:
    """Capitals are no opinion."""


@invariant(
    perturb.one_of(perturb.strip_punctuation(), perturb.final_punctuation("..."), perturb.extra_whitespace(0.3)),
    data=REVIEWS,
    capability="robustness",
)
def test_punctuation_and_spaces() -> None:
    """Full stops, commas and gaps."""


@invariant(
    perturb.contract(),
    data=texts(
        "The {thing} is not {pleasant}.",
        "It is {a:good} {thing}.",
        "I do not {like} the {thing}.",
        "It was not {a:bad} {thing}.",
    ),
    capability="robustness",
)
def test_contractions() -> None:
    """It is one whether it "is not" or "isn't" so."""


@functional(
    accuracy=ACCURACY,
    cases=cases(POSITIVE, "The {thing} was {good}, I {liked} it.")
    + cases(NEGATIVE, "The {thing} was {bad}, I {hated} it."),
    augment=[perturb.add_neutral(), perturb.add_neutral("start"), perturb.add_url(), perturb.add_handle()],
    capability="robustness",
)
def test_additions_without_an_opinion() -> None:
    """A sentence that has nothing to do with it, an address or a handle."""


# Named entities: who, where, when and how many.


@invariant(
    perturb.swap_names(),
    data=texts(
        "{first_name} told me: the {thing} is {good}.", "I met {first_name} at the {thing}. It was {bad}.", n=60
    ),
    capability="named entities",
)
def test_names_of_people() -> None:
    """Who was there does not matter."""


@invariant(
    perturb.swap_locations(),
    data=texts("The {thing} in {city} was {good}.", "In {country} we had {a:bad} {thing}.", n=60),
    capability="named entities",
)
def test_names_of_places() -> None:
    """Where it was does not matter."""


@invariant(
    perturb.change_numbers(),
    data=texts(
        "The {thing} costs {number} dollars and is {good}.", "After {number} minutes the {thing} got {bad}.", n=40
    ),
    capability="named entities",
)
def test_numbers() -> None:
    """Prices and times within some bounds."""


# Fairness: the same words of different people.


@invariant(
    perturb.swap_gender(),
    data=texts(
        "My {man} is {a:good} {person}, and he has been one for years.",
        "My {man} said that his {thing} was {bad}.",
        "He is {a:bad} {person}.",
        "My {man} {liked} the {thing}.",
    ),
    capability="fairness",
)
def test_women_and_men() -> None:
    """Her work is as good as his."""


@invariant(
    perturb.swap_group_names(),
    data=texts("{full_name} is {a:good} {person}.", "I think that {full_name} was {bad}.", n=40),
    capability="fairness",
)
def test_names_of_groups() -> None:
    """A name that tells of a person's origin is no opinion."""


@invariant(
    perturb.swap_religions(),
    data=texts(
        "My {religion} {person} is {good}.", "We met a {religion} {person} at the {thing}, which was {bad}.", n=40
    ),
    capability="fairness",
)
def test_religions() -> None:
    """Nor is a religion."""


@invariant(
    perturb.swap_nationalities(),
    data=texts("The {nationality} {person} was {good}.", "I saw {a:bad} {nationality} {thing}.", n=40),
    capability="fairness",
)
def test_nationalities() -> None:
    """Nor is a nationality."""


@functional(
    accuracy=ACCURACY,
    cases=cases(POSITIVE, "The {religion} {person} is {good}.", "The {nationality} {person} gave {a:good} speech.")
    + cases(
        NEGATIVE, "The speech of the {religion} {person} was {bad}.", "The {nationality} {person} gave {a:bad} speech."
    ),
    capability="fairness",
)
def test_opinions_of_people_of_any_group() -> None:
    """Praise and blame are recognised, whomever they are of."""


# Temporality: what is thought now counts.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        POSITIVE, "I used to {hate} this {thing}, but now I {like} it.", "The {thing} was {bad} once, now it is {good}."
    )
    + cases(
        NEGATIVE, "I used to {like} this {thing}, but now I {hate} it.", "The {thing} was {good} once, now it is {bad}."
    ),
    capability="temporality",
)
def test_the_present_counts() -> None:
    """A former opinion is over."""


@invariant(perturb.used_to(), data=PRAISE + BLAME, capability="temporality")
def test_a_former_opinion_in_front() -> None:
    """That somebody once thought otherwise changes nothing."""


@directional(
    perturb.replace({"before": "after", "after": "before"}, preserves_label=False),
    data=texts(
        "Before the {change} the {thing} was {bad}, after it {good}.",
        "After the {change} the {thing} was {good}, before it {bad}.",
        "The {thing} was {good} after the {change}, and {bad} before.",
        n=40,
    ),
    target=POSITIVE,
    expect="decrease",
    capability="temporality",
)
def test_before_and_after() -> None:
    """What came after is what counts."""


# Negation.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        NEGATIVE,
        "The {thing} was not {good}.",
        "I don't {like} this {thing}.",
        "There is nothing {good} about this {thing}.",
    ),
    capability="negation",
)
def test_negated_praise_is_negative() -> None:
    """The word "not" turns praise into blame."""


@functional(
    accuracy=ACCURACY,
    cases=cases(POSITIVE, "The {thing} is not {unpleasant} at all.", "I don't {hate} this {thing}, not at all."),
    capability="negation",
)
def test_negated_blame_is_positive() -> None:
    """What is not bad at all is good."""


@functional(
    accuracy=ACCURACY,
    cases=cases(
        NEGATIVE,
        "I thought I would {like} the {thing}, but I did not.",
        "I wanted {a:good} {thing}, and this is not one.",
    ),
    capability="negation",
)
def test_negation_at_the_end() -> None:
    """The word that is negated may stand far away."""


@directional(perturb.negate(), data=PRAISE, target=POSITIVE, expect="decrease", capability="negation")
def test_negating_praise_lowers_positive() -> None:
    """With and without "not"."""


@directional(perturb.negate(), data=BLAME, target=POSITIVE, expect="increase", capability="negation")
def test_negating_blame_raises_positive() -> None:
    """What is not bad is at least better than what is."""


# Coreference: what "it", "the former" and "the latter" stand for.

OF_TWO = texts(
    "The {thing1} was {good}, the {thing2} {bad}. This review is of the former.",
    "The {thing1} was {bad}, the {thing2} {good}. This review is of the latter.",
    n=40,
)


@functional(
    accuracy=ACCURACY,
    cases=cases(POSITIVE, "The {thing1} was {good}, the {thing2} {bad}. This review is of the former.")
    + cases(NEGATIVE, "The {thing1} was {good}, the {thing2} {bad}. This review is of the latter."),
    capability="coreference",
)
def test_former_and_latter() -> None:
    """Of two things, the one that the text is about counts."""


@directional(
    perturb.replace({"former": "latter", "latter": "former"}, preserves_label=False),
    data=OF_TWO,
    target=POSITIVE,
    expect="decrease",
    capability="coreference",
)
def test_the_other_one_of_two() -> None:
    """The same two opinions, with the bad one chosen in place of the good one."""


@invariant(
    perturb.replace({"it": ["that", "the whole thing"]}),
    data=texts("I saw the {thing} {date} and it was {good}.", "We paid for the {thing}, but it was {bad}.", n=40),
    capability="coreference",
)
def test_another_word_for_it() -> None:
    """A pronoun, or what stands in its place."""


# Semantic roles: whose opinion it is, and of what.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        POSITIVE,
        "My {man} {hated} the {thing}, but I {like} it.",
        "Some say the {thing} is {bad}. I think it is {good}.",
    )
    + cases(
        NEGATIVE,
        "My {man} {liked} the {thing}, but I {hate} it.",
        "Some say the {thing} is {good}. I think it is {bad}.",
    ),
    capability="semantic roles",
)
def test_the_authors_opinion_counts() -> None:
    """Other people's opinions are no part of it."""


@functional(
    accuracy=ACCURACY,
    cases=cases(NEGATIVE, "Did I {like} the {thing}? No.", "Is the {thing} {good}? I would not say so.")
    + cases(POSITIVE, "Do I {hate} the {thing}? No.", "Is the {thing} {good}? Yes."),
    capability="semantic roles",
)
def test_answers_to_questions() -> None:
    """The answer tells what the question's words are worth."""


@invariant(perturb.other_opinion(), data=PRAISE + BLAME, capability="semantic roles")
def test_people_who_think_otherwise() -> None:
    """Somebody's opposite opinion, which the author does not share."""


@directional(
    perturb.swap_comparison(),
    data=texts(
        "This {thing1} is better than the last {thing2}.", "The last {thing1} is worse than this {thing2}.", n=40
    ),
    target=POSITIVE,
    expect="decrease",
    capability="semantic roles",
)
def test_sides_of_a_comparison() -> None:
    """Better than others is praise, others are better is none."""


# Logic.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        POSITIVE, "The {thing} was neither {bad} nor {unpleasant}.", "The {thing} was both {good} and {pleasant}."
    )
    + cases(NEGATIVE, "The {thing} was neither {good} nor {pleasant}.", "The {thing} was both {bad} and {unpleasant}."),
    capability="logic",
)
def test_neither_nor() -> None:
    """Two negations in one."""


@functional(
    accuracy=ACCURACY,
    cases=cases(
        NEGATIVE, "If only the {thing} were {good}!", "If the {aspect} were {good}, I might {like} the {thing}.", n=30
    ),
    capability="logic",
)
def test_what_is_not_so() -> None:
    """A wish tells that it did not come true."""


def swap_sides_of_and(text: str) -> str:
    """The two sides of "and" in each other's place."""
    left, _, right = text.rstrip(".").partition(" and ")
    return f"{right[0].upper()}{right[1:]} and {left[0].lower()}{left[1:]}."


@invariant(
    swap_sides_of_and,
    data=texts(
        "The {thing} was {good} and the {aspect} was {pleasant}.",
        "The {thing} is {bad1} and the {aspect} is {bad2}.",
        n=40,
    ),
    capability="logic",
)
def test_and_has_no_order() -> None:
    """What is joined by "and" may be turned round: any function from text to text is a perturbation."""


@directional(
    perturb.replace({"both": "neither", "and": "nor"}, preserves_label=False),
    data=texts("The {thing} was both {good} and {pleasant}.", "The {thing} was both {bad} and {unpleasant}.", n=40),
    expect="decrease",
    capability="logic",
)
def test_neither_in_place_of_both() -> None:
    """Nothing is left of two kinds of praise, and of two kinds of blame."""


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
@directional(perturb.add_criticism(), target=POSITIVE, expect="decrease", n=300, capability="vocabulary")
def test_criticism_of_own_texts() -> None:
    """A sentence of criticism behind each."""

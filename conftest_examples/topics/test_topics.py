"""Behavioural tests of a classifier of news topics, by the capabilities of CheckList (Ribeiro et al., ACL 2020).

Copy this file, change it, and run it::

    pytest test_topics.py --trust-model=MODEL

What to change: the names of the classes, where your model's are others; for other topics, the clauses and subjects of
each (TOPICS, SUBJECTS), from which most tests are made, and the sentences that single tests give; ACCURACY, which all
tests of labelled cases ask for. Then strike out the tests whose promise your model need not keep, and add sentences
that it once got wrong. The tests at the end look at your own texts, and are skipped where there are none.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from pytest_trust import directional, functional, invariant, perturb, templates

WORLD = "World"
SPORTS = "Sports"
BUSINESS = "Business"
SCIENCE = "Sci/Tech"

# The share of the cases that has to be right, shown with 95 % confidence: for 0.9 that takes 29 without a mistake.
ACCURACY = 0.9

# What happens in each topic.
TOPICS = {
    WORLD: [
        "the president met the foreign minister",
        "soldiers fired at the rebels",
        "voters elected a new parliament",
        "rebels attacked a village near the border",
        "the two governments signed a peace treaty",
        "the army lifted the curfew",
        "diplomats left the embassy",
        "the prime minister resigned after protests",
        "a bomb killed six soldiers",
        "police arrested the leader of the opposition",
    ],
    SPORTS: [
        "the team won the match",
        "the striker scored twice",
        "the coach praised the goalkeeper",
        "the champion lost the final",
        "the club hired a midfielder for the season",
        "the sprinter won the gold medal",
        "the referee stopped the game",
        "the tennis player reached the semifinal",
        "the quarterback threw three touchdowns",
        "fans cheered the players in the stadium",
    ],
    BUSINESS: [
        "the company reported higher profits",
        "shares fell on the stock exchange",
        "the central bank raised interest rates",
        "the retailer cut its sales forecast",
        "investors sold their bonds",
        "oil prices rose by five percent",
        "the airline filed for bankruptcy",
        "the carmaker agreed to the merger",
        "quarterly earnings beat the forecast of analysts",
        "consumer spending raised the profits of retailers",
    ],
    SCIENCE: [
        "researchers sequenced the genome of a plant",
        "the space probe sent images of the planet",
        "astronomers discovered a distant star",
        "hackers spread a computer virus",
        "engineers built a faster processor",
        "the browser has a security flaw",
        "physicists measured a new particle",
        "scientists found the fossil of a dinosaur",
        "the telescope observed a comet",
        "a new version of the software runs on mobile phones",
    ],
}

# What a text of each topic is about.
SUBJECTS = {
    WORLD: ["peace talks", "rebel soldiers", "foreign ministers", "the elections", "a military coup", "refugees"],
    SPORTS: ["football players", "tennis tournaments", "the championship", "goalkeepers", "olympic medals", "baseball"],
    BUSINESS: ["stock prices", "quarterly profits", "interest rates", "investors", "company mergers", "bond markets"],
    SCIENCE: ["computer viruses", "distant planets", "software", "telescopes", "space probes", "internet browsers"],
}

WORDS = {
    "weekday": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
    "date": ["on 3 May 2021", "on 17 August 2020", "last March", "in October 2019", "on 12 June 2022"],
    "number": ["12", "25", "30", "48", "60", "75", "90", "140"],
    "full_name": [
        *("Emily Baker", "Amy Collins", "Alice Bennett", "Brian Campbell", "George Allen", "Keisha Booker"),
        *("Darnell Gaines", "Carlos Delgado", "Beatriz Castro", "Khalil Haddad", "Fatima Abbas", "Harish Desai"),
    ],
    "nationality": ["German", "Indian", "Mexican", "Nigerian", "Russian", "Italian", "Iranian", "Canadian"],
    "religion": ["Muslim", "Christian", "Jewish", "Hindu", "Buddhist", "Sikh", "Catholic"],
    "sport": ["football", "tennis", "basketball", "hockey", "rugby", "baseball"],
    "rare_sport": ["handball", "badminton", "water polo", "curling", "fencing", "judo", "volleyball"],
    "trade": ["brewer", "insurer", "shipbuilder", "steelmaker", "drugmaker", "publisher", "retailer", "airline"],
    "science": ["botanists", "geologists", "chemists", "biologists", "physicists", "neuroscientists"],
    "planet": ["Mars", "Venus", "Saturn", "Jupiter", "Neptune"],
    "currency": ["dollar", "euro", "yen", "pound", "rouble"],
}


def cases(topic: str, *lines: str, n: int = 10) -> list[tuple[str, str]]:
    """Up to n texts of each line as cases of a topic, with its clauses as {clause} and its subjects as {subject}."""
    return templates.expand(*lines, label=topic, n=n, clause=TOPICS[topic], subject=SUBJECTS[topic], **WORDS)


def news(*lines: str, n: int = 10, but: str | None = None) -> list[tuple[str, str]]:
    """The same of all topics, or of all but one."""
    return [case for topic in TOPICS if topic != but for case in cases(topic, *lines, n=n)]


def of_two(*lines: str, n: int = 5) -> list[tuple[str, str]]:
    """Cases that name subjects of two topics, of which {right} is the one that counts."""
    return [
        case
        for right, wrong in permutations(TOPICS, 2)
        for case in templates.expand(*lines, label=right, n=n, right=SUBJECTS[right], wrong=SUBJECTS[wrong])
    ]


def texts_of(given: list[tuple[str, str]]) -> list[str]:
    """The texts of cases, alone."""
    return [text for text, _ in given]


def texts(*lines: str, n: int = 10, but: str | None = None) -> list[str]:
    """As news, the texts alone."""
    return texts_of(news(*lines, n=n, but=but))


REPORTS = texts("Reports say that {clause}.", "On {weekday} {clause}.", "It is certain that {clause}.")


# Vocabulary: the words of each topic.


@functional(
    accuracy=ACCURACY,
    cases=news("Reports say that {clause}.", "On {weekday} {clause}.", "We learnt {date} that {clause}."),
    capability="vocabulary",
)
def test_what_happens() -> None:
    """One clause is enough to tell the topic."""


@functional(
    accuracy=ACCURACY,
    cases=news("A report on {subject}.", "More about {subject1} and {subject2}.", "All about {subject}."),
    capability="vocabulary",
)
def test_subjects() -> None:
    """So is a subject."""


@invariant(
    perturb.replace(
        {"reports say": ["sources confirm", "we can report"], "it is certain": ["it turned out", "we heard"]}
    ),
    data=texts("Reports say that {clause}.", "It is certain that {clause}."),
    capability="vocabulary",
)
def test_words_of_reporting() -> None:
    """How a report begins says nothing of its topic."""


@directional(
    perturb.add_suffix("The team won the match.", preserves_label=False),
    data=texts("Reports say that {clause}.", "On {weekday} {clause}.", but=SPORTS),
    target=SPORTS,
    expect="increase",
    capability="vocabulary",
)
def test_a_match_speaks_for_sports() -> None:
    """A sentence of sports behind other news."""


@directional(
    perturb.add_suffix("Its shares rose and the profits were higher.", preserves_label=False),
    data=texts("Reports say that {clause}.", "On {weekday} {clause}.", but=BUSINESS),
    target=BUSINESS,
    expect="increase",
    capability="vocabulary",
)
def test_profits_speak_for_business() -> None:
    """A sentence of business behind other news."""


# Part of speech: words of several senses.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        SPORTS,
        "On {weekday} the tennis players left the court.",
        "On {weekday} rowers passed the bank of the river.",
        "On {weekday} the batsman broke his cricket bat.",
        "On {weekday} the goalkeeper touched the net.",
        n=4,
    )
    + cases(
        BUSINESS,
        "On {weekday} the court approved the takeover.",
        "On {weekday} the bank raised its interest rates.",
        "On {weekday} the net profit of the retailer rose.",
        "On {weekday} investors lost the race for shares.",
        n=4,
    )
    + cases(
        WORLD,
        "On {weekday} the court sentenced him for war crimes.",
        "On {weekday} soldiers crossed the bank of the river.",
        "On {weekday} the race for the presidency began.",
        "On {weekday} air strikes killed rebels in the north.",
        n=4,
    )
    + cases(
        SCIENCE,
        "On {weekday} researchers learnt how a bat hears.",
        "On {weekday} scientists won the genome race.",
        "On {weekday} hackers attacked the computer driver.",
        "On {weekday} astronomers saw a comet strike.",
        n=4,
    ),
    capability="part of speech",
)
def test_words_of_several_senses() -> None:
    """Courts, banks, bats, nets, races and strikes."""


@invariant(
    perturb.replace({"began": "kicked off", "solved": "tackled", "talked about": "fielded questions on"}),
    data=texts(
        "They began the talk about {subject} on {weekday}.",
        "They solved the problem of {subject}.",
        "They talked about {subject} on {weekday}.",
        but=SPORTS,
    ),
    capability="part of speech",
)
def test_words_of_sports_in_another_sense() -> None:
    """Talks may kick off, and problems be tackled, without any ball."""


# Taxonomy: kinds of sports, of companies, of sciences.


@functional(
    accuracy=ACCURACY,
    cases=cases(SPORTS, "The {rare_sport} team won the championship.", "The {rare_sport} player lost the final.")
    + cases(BUSINESS, "The {trade} reported higher profits.", "Shares of the {trade} fell.")
    + cases(SCIENCE, "A team of {science} discovered a new species.", "Most {science} use the computer for research.")
    + cases(WORLD, "The {nationality} parliament elected a president.", "The {nationality} army fired at rebels."),
    capability="taxonomy",
)
def test_rarer_kinds() -> None:
    """A curling team plays a sport, and a brewer is a company."""


@invariant(
    perturb.swap(WORDS["sport"], WORDS["trade"], WORDS["planet"], WORDS["currency"], name="swap_kinds"),
    data=templates.expand(
        "The {sport} team won the championship.",
        "The {sport} team lost on {weekday}.",
        "The {trade} reported higher profits.",
        "The {currency} fell on {weekday}.",
        "Astronomers saw {planet} on {weekday}.",
        "The probe reached {planet} {date}.",
        n=15,
        **WORDS,
    ),
    capability="taxonomy",
)
def test_one_kind_in_place_of_another() -> None:
    """Hockey is as much a sport as football."""


@directional(
    perturb.replace(
        {
            **{"team": "company", "match": "contract", "player": "investor", "coach": "manager", "final": "merger"},
            **{"championship": "takeover", "season": "quarter", "club": "bank"},
        },
        preserves_label=False,
    ),
    data=templates.expand(
        "The {who} lost the {what} {date}.",
        "The {who} spoke about the {what} {date}.",
        who=["team", "player", "coach", "club"],
        what=["match", "final", "championship", "season"],
        date=WORDS["date"],
        n=40,
    ),
    target=SPORTS,
    expect="decrease",
    capability="taxonomy",
)
def test_business_in_place_of_sports() -> None:
    """The same sentence with words of another field."""


# Robustness: the same text, written otherwise.


@invariant(perturb.typos(0.03), data=REPORTS, capability="robustness")
def test_typos() -> None:
    """One slip or two in a text."""


@invariant(
    perturb.one_of(perturb.uppercase(), perturb.lowercase(), perturb.titlecase()), data=REPORTS, capability="robustness"
)
def test_case() -> None:
    """Headlines have capitals."""


@invariant(
    perturb.one_of(perturb.strip_punctuation(), perturb.final_punctuation("..."), perturb.extra_whitespace(0.3)),
    data=REPORTS,
    capability="robustness",
)
def test_punctuation_and_spaces() -> None:
    """Full stops, commas and gaps."""


@invariant(
    perturb.one_of(perturb.add_prefix("AP -"), perturb.add_prefix("(Reuters)"), perturb.add_suffix("[Read more]")),
    data=REPORTS,
    capability="robustness",
)
def test_agencies() -> None:
    """Who sent the news does not tell its topic."""


@functional(
    accuracy=ACCURACY,
    cases=news("Reports say that {clause}."),
    augment=[perturb.add_neutral(), perturb.add_neutral("start"), perturb.add_url(), perturb.add_handle()],
    capability="robustness",
)
def test_additions_beside_the_topic() -> None:
    """A sentence that has nothing to do with it, an address or a handle."""


# Named entities.


@invariant(
    perturb.swap_names(),
    data=texts("{first_name} said that {clause}.", "We heard from {first_name} that {clause}.", n=15),
    capability="named entities",
)
def test_names_of_people() -> None:
    """Whoever tells it."""


@invariant(
    perturb.swap_locations(),
    data=texts("In {city} {clause}.", "We heard from {country} that {clause}.", n=15),
    capability="named entities",
)
def test_names_of_places() -> None:
    """Wherever it is."""


@invariant(
    perturb.change_numbers(),
    data=texts("After {number} minutes {clause}.", "For {number} people it was news that {clause}.", n=15),
    capability="named entities",
)
def test_numbers() -> None:
    """Times and counts within some bounds."""


# Fairness: the same news of different people.


@invariant(
    perturb.swap_gender(),
    data=texts("He said that {clause}.", "His brother confirmed that {clause}.", "A man told us that {clause}."),
    capability="fairness",
)
def test_women_and_men() -> None:
    """Sports are not of men, nor other topics of women."""


@invariant(
    perturb.swap_group_names(),
    data=texts("{full_name} said that {clause}.", "{full_name} confirmed {date} that {clause}.", n=15),
    capability="fairness",
)
def test_names_of_groups() -> None:
    """A name that tells of a person's origin does not make news of the world."""


@invariant(
    perturb.swap_nationalities(),
    data=texts("In {a:nationality} town {clause}.", "We read in {a:nationality} paper that {clause}.", n=15),
    capability="fairness",
)
def test_nationalities() -> None:
    """Nor does a nationality."""


@invariant(
    perturb.swap_religions(),
    data=texts("A {religion} reader wrote that {clause}.", "Our {religion} neighbour heard that {clause}.", n=20),
    capability="fairness",
)
def test_religions() -> None:
    """Nor does a religion."""


@functional(
    accuracy=ACCURACY,
    cases=cases(SPORTS, "She scored twice for the {sport} team.", "The girls won the {sport} championship.")
    + cases(
        BUSINESS, "The businesswoman sold the shares of the {trade}.", "Her company reported higher profits {date}."
    )
    + cases(
        SCIENCE, "She wrote the software of the computer {date}.", "Women led the team of {science} in the laboratory."
    )
    + cases(WORLD, "She was elected president {date}.", "The queen met the {nationality} prime minister."),
    capability="fairness",
)
def test_women_in_all_topics() -> None:
    """Each topic has its women."""


# Temporality: what is so now counts, and when it happens does not.


@functional(
    accuracy=ACCURACY,
    cases=of_two(
        "I used to write about {wrong}, but now I write about {right}.", "Today: {right}. Last week it was {wrong}."
    ),
    capability="temporality",
)
def test_the_present_counts() -> None:
    """What a text was about once is over."""


@directional(
    perturb.replace({"today": "last week", "last week": "today"}, preserves_label=False),
    data=texts_of(of_two("Today: {right}. Last week: {wrong}.", "Last week: {wrong}. Today: {right}.")),
    expect="decrease",
    capability="temporality",
)
def test_today_and_last_week() -> None:
    """With the two exchanged the other topic counts."""


@invariant(
    perturb.change_dates(),
    data=texts("On 3 May 2021 {clause}.", "It was on {weekday} that {clause}.", n=15),
    capability="temporality",
)
def test_dates() -> None:
    """When it happened does not matter."""


# Negation: what is not so has a topic all the same, and what a text is not about is not its topic.


@functional(
    accuracy=ACCURACY,
    cases=of_two("This is not about {wrong}, this is about {right}.", "All about {right}, and not about {wrong}."),
    capability="negation",
)
def test_what_it_is_not_about() -> None:
    """A subject that is named and excluded."""


@invariant(
    perturb.negate(),
    data=texts("It is true that {clause}.", "I believe that {clause}.", "It was in the paper that {clause}."),
    capability="negation",
)
def test_denied_news() -> None:
    """News that is denied has the same topic."""


@directional(
    perturb.replace({"is": "is not", "is not": "is"}, preserves_label=False),
    data=texts_of(
        of_two("This is not about {wrong}, it is about {right}.", "The text is about {right}. It is not about {wrong}.")
    ),
    expect="decrease",
    capability="negation",
)
def test_the_other_one_excluded() -> None:
    """With the other subject excluded the other topic counts."""


# Coreference: what "the former" and "the latter" stand for.


@functional(
    accuracy=ACCURACY,
    cases=of_two(
        "There is news of {right} and of {wrong}. This text is about the former.",
        "There is news of {wrong} and of {right}. This text is about the latter.",
    ),
    capability="coreference",
)
def test_former_and_latter() -> None:
    """Of two subjects, the one that is chosen."""


@directional(
    perturb.replace({"former": "latter", "latter": "former"}, preserves_label=False),
    data=texts_of(
        of_two(
            "There is news of {right} and of {wrong}. This text is about the former.",
            "There is news of {wrong} and of {right}. This text is about the latter.",
        )
    ),
    expect="decrease",
    capability="coreference",
)
def test_the_other_one_of_two() -> None:
    """With the other one chosen the other topic counts."""


@invariant(
    perturb.replace({"it": ["that", "this"]}),
    data=texts("On {weekday} {clause}; it was a surprise.", "We knew it: {clause}.", n=15),
    capability="coreference",
)
def test_another_word_for_it() -> None:
    """A pronoun, or what stands in its place."""


# Semantic roles: who does what to whom.


@functional(
    accuracy=ACCURACY,
    cases=cases(
        SPORTS,
        "The {sport} team of the {trade} won the final against that of the bank.",
        "The {science} lost the {sport} match against the soldiers.",
    )
    + cases(
        BUSINESS,
        "Shares of the {sport} club fell, and investors sold their bonds.",
        "The maker of {sport} shoes reported higher profits {date}.",
    )
    + cases(
        SCIENCE,
        "Researchers measured the brains of {sport} players with a new computer.",
        "Physicists explained the flight of the {sport} ball in a laboratory.",
    )
    + cases(
        WORLD,
        "Soldiers arrested the {sport} fans after protests against the president.",
        "Rebels bombed the building of the {trade} near the border.",
    ),
    capability="semantic roles",
)
def test_what_is_done_counts() -> None:
    """Who plays a match may be a bank, and who sells shares a club."""


@directional(
    perturb.replace({"for readers of": "about", "about": "for readers of"}, preserves_label=False),
    data=texts_of(
        of_two("A book about {right}, for readers of {wrong}.", "For readers of {wrong}: more about {right}.")
    ),
    expect="decrease",
    capability="semantic roles",
)
def test_what_it_is_about_and_whom_for() -> None:
    """With the two exchanged the other topic counts."""


PASSIVE = {
    "the president met the foreign minister": "the foreign minister was met by the president",
    "rebels attacked a village near the border": "a village near the border was attacked by rebels",
    "the army lifted the curfew": "the curfew was lifted by the army",
    "the team won the match": "the match was won by the team",
    "the coach praised the goalkeeper": "the goalkeeper was praised by the coach",
    "the champion lost the final": "the final was lost by the champion",
    "the referee stopped the game": "the game was stopped by the referee",
    "the central bank raised interest rates": "interest rates were raised by the central bank",
    "the retailer cut its sales forecast": "the sales forecast was cut by the retailer",
    "investors sold their bonds": "the bonds were sold by investors",
    "astronomers discovered a distant star": "a distant star was discovered by astronomers",
    "hackers spread a computer virus": "a computer virus was spread by hackers",
    "engineers built a faster processor": "a faster processor was built by engineers",
    "the telescope observed a comet": "a comet was observed by the telescope",
}


@invariant(
    perturb.replace(PASSIVE),
    data=templates.expand(
        "Reports say that {clause}.",
        "On {weekday} {clause}.",
        "We heard that {clause}.",
        "In {city} {clause}.",
        clause=list(PASSIVE),
        weekday=WORDS["weekday"],
        n=25,
    ),
    capability="semantic roles",
)
def test_active_and_passive() -> None:
    """The same event, told from the other side."""


# Logic.


@functional(
    accuracy=ACCURACY,
    cases=of_two(
        "Either {right} or {wrong}: it is not {wrong}.", "It is about {wrong} or {right}, and {wrong} it is not."
    ),
    capability="logic",
)
def test_one_of_two_is_excluded() -> None:
    """What is left of two is the topic."""


@invariant(
    perturb.replace({"if": "whenever", "although": "even though", "because": "since"}),
    data=texts("If {clause}, you read it here.", "They left because {clause}.", "I slept although {clause}."),
    capability="logic",
)
def test_conjunctions() -> None:
    """Words that join sentences have no topic."""


def swap_sides_of_and(text: str) -> str:
    """The two sides of "and" in each other's place: any function from text to text is a perturbation."""
    left, _, right = text.rstrip(".").partition(" and ")
    return f"{right[0].upper()}{right[1:]} and {left[0].lower()}{left[1:]}."


@invariant(
    swap_sides_of_and, data=texts("It is raining and {clause}.", "The sun is shining and {clause}."), capability="logic"
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
    perturb.add_suffix("The team won the match.", preserves_label=False),
    target=SPORTS,
    expect="increase",
    n=300,
    capability="vocabulary",
)
def test_a_match_behind_own_texts() -> None:
    """A sentence of sports behind each."""

"""The words that describe the classes: names, a user's words, and pool words near to them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

import pytest

from pytest_trust.embeddings.common import common_vectors
from pytest_trust.embeddings.kept import Keep
from pytest_trust.errors import ConfigurationError, TrustWarning
from pytest_trust.keywords import ClassKeywords, IndexOrigin, IndexSettings, KeywordIndex, PoolWord
from pytest_trust.keywords.descriptions import ClassDescription
from pytest_trust.oracles.described import describe_classes, negated
from tests.oracles.planes import axes, two_topics

NAMES = (("good",), ("bad",))
FIVE = ("fine", "nice", "great", "lovely", "pleasant")
NOTHING = ClassDescription()


def index_of(good: Iterable[tuple[str, float, int]] = (), bad: Iterable[tuple[str, float, int]] = ()) -> KeywordIndex:
    settings = IndexSettings({}, 0, (), NAMES)
    classes = tuple(
        ClassKeywords(name, (name,), tuple(PoolWord(*word) for word in pool), frozenset())
        for name, pool in (("good", good), ("bad", bad))
    )
    return KeywordIndex(IndexOrigin("m", "d", settings, "model", "data"), classes, {}, explained=1)


@pytest.fixture
def member(make_embedding):
    # z is four times the contrast: 2, 1.6, 1.2, 0.8 and -2.
    return make_embedding(two_topics(superb=0.5, glad=0.4, sunny=0.3, mild=0.2, rotten=-0.5, ox=0.5))


def described(
    member, good: ClassDescription = NOTHING, bad: ClassDescription = NOTHING, index=None, names=NAMES
) -> tuple[tuple[str, ...], ...]:
    return describe_classes(names, (good, bad), index, [member], [common_vectors(member, Keep(None))]).words


def both(words: Sequence[str]) -> tuple[ClassDescription, ClassDescription]:
    return ClassDescription(tuple(words)), ClassDescription(tuple(words))


def test_names_and_described_words_in_order_each_once(member) -> None:
    good, bad = both(("good", *FIVE, "fine"))
    assert described(member, good, bad) == (("good", *FIVE), ("bad", "good", *FIVE))


def test_five_words_need_no_index(member) -> None:
    assert described(member, *both(FIVE))[0] == ("good", *FIVE)
    # Its name is none of the five.
    four = ClassDescription((*FIVE[:4], "good"))
    with pytest.raises(ConfigurationError, match=r"class 'good' is described by 4 words beside its name \(good, fine"):
        described(member, four, ClassDescription(FIVE))


def test_five_words_leave_the_index_alone(member) -> None:
    assert described(member, *both(FIVE), index_of([("superb", 0.5, 9)])) == (("good", *FIVE), ("bad", *FIVE))


def test_near_pool_words_join_a_short_description_nearest_first(member) -> None:
    pool = [("glad", 0.9, 9), ("rotten", 0.8, 9), ("superb", 0.1, 1), ("mild", 0.1, 1), ("sunny", 0.1, 1)]
    with pytest.warns(TrustWarning, match=r"class 'bad' is described by 0 words beside its name \(bad\)"):
        found = described(member, ClassDescription(("fine", "nice")), index=index_of(pool))
    # "mild" lies less than a standard deviation above common words.
    assert found == (("good", "fine", "nice", "superb", "glad", "sunny"), ("bad",))


def test_what_joins_is_there_once_and_longer_than_two_letters(member) -> None:
    pool = [("ox", 0.9, 9), ("superb", 0.5, 9), ("good", 0.5, 9), ("xyzzy", 0.5, 9)]
    good = ClassDescription(("glad", "sunny", "superb"))
    with pytest.warns(TrustWarning):
        assert described(member, good, index=index_of(pool))[0] == ("good", "glad", "sunny", "superb")


def test_only_leading_pool_words_join(make_embedding) -> None:
    # The 401st word by score times count is one of many like it.
    words = [f"w{i:03}" for i in range(401)]
    member = make_embedding(two_topics(**dict.fromkeys(words, 0.3) | {"w400": 0.5, "w007": 0.4}))
    pool = [(word, 0.01, 1 if word == "w400" else 2) for word in words]
    with pytest.warns(TrustWarning):
        found = described(member, index=index_of(pool))[0]
    assert found == ("good", "w007", *[word for word in words if word != "w007"][:19])


def test_empty_pools_are_warned_of(member) -> None:
    with pytest.warns(TrustWarning) as caught:
        assert described(member, index=index_of()) == NAMES
    assert [str(item.message).split(" is ")[0] for item in caught] == ["class 'good'", "class 'bad'"]
    assert "describe it in the file of --trust-descriptions" in str(caught[0].message)


@pytest.mark.parametrize(
    ("name", "others", "expected"),
    [
        ("non-toxic", ["toxic"], "toxic"),
        ("non toxic", ["toxic"], "toxic"),
        ("nontoxic", ["toxic"], "toxic"),
        ("not toxic", ["severe", "toxic"], "toxic"),
        ("no hate", ["hate"], "hate"),
        ("unrelated", ["related"], "related"),
        ("non-toxic", ["offensive"], None),
        ("toxic", ["toxic", "non-toxic"], None),
        ("notable", ["sport", "able bodied"], None),
        ("unions", ["sport"], None),
        ("not", ["toxic"], None),
        ("toxic", [], None),
    ],
)
def test_negated_names(name: str, others: list[str], expected: str | None) -> None:
    assert negated(name, others) == expected


class TestNegatedClass:
    NAMES = (("non-toxic",), ("toxic",))

    @pytest.fixture
    def member(self, make_embedding):
        return make_embedding(two_topics() | axes(["polite"], ["toxic"]) | {"non-toxic": (0.0, 0.9, 0.4)})

    def test_needs_words_of_its_own(self, member) -> None:
        with pytest.raises(ConfigurationError, match="'non-toxic' is named as the opposite of another: describe it"):
            described(member, index=index_of(), names=self.NAMES)

    def test_is_described_without_its_name(self, member) -> None:
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            found = described(member, ClassDescription(("polite",)), index=index_of(), names=self.NAMES)
        assert found == (("polite",), ("toxic",))

    def test_keeps_its_other_names(self, member) -> None:
        names = (("non-toxic", "polite"), ("toxic",))
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            assert described(member, index=index_of(), names=names)[0] == ("polite",)

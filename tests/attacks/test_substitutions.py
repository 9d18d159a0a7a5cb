"""What takes a word's place: by a keyword index, and by a table of vectors."""

from __future__ import annotations

import numpy as np
import pytest

from pytest_trust.attacks import SynonymSubstitution, TokiSettings, TokiSubstitution
from pytest_trust.attacks.loading import load_synonyms
from pytest_trust.attacks.neighbours import WordRows, highest
from pytest_trust.embeddings import load_ensemble
from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords import ClassKeywords, IndexOrigin, IndexSettings, KeywordIndex, PoolWord
from pytest_trust.keywords.index import member_settings, vocabulary_of

BAD, GOOD = 0, 1


def pool(**scores: float) -> tuple[PoolWord, ...]:
    items = [PoolWord(word, score, 1) for word, score in scores.items()]
    return tuple(sorted(items, key=lambda item: (-item.mean_score, item.word)))


def index_of(members, *classes: tuple[str, tuple[PoolWord, ...], set[str]]) -> KeywordIndex:
    found = tuple(ClassKeywords(label, (label,), words, frozenset(keywords)) for label, words, keywords in classes)
    settings = IndexSettings({}, 0, member_settings(members), tuple((item.label,) for item in found))
    vectors = {member.name: member.vectors(vocabulary_of(found)) for member in members}
    return KeywordIndex(IndexOrigin("m", "d", settings, "model", "data"), found, vectors, 1)


# Words about quality lie on the first axis, words about cinemas on the second.
QUALITY = {"great": 0.0, "superb": 0.1, "fine": 0.2, "decent": 0.3, "poor": 0.15, "awful": 0.25}
CINEMA = {"film": 0.0, "movie": 0.1, "picture": 0.2, "screen": 0.3, "cinema": 0.15}
TABLE = {word: (1.0, angle, 0.0) for word, angle in QUALITY.items()} | {
    word: (angle, 1.0, 0.0) for word, angle in CINEMA.items()
}
CLASSES = (
    ("bad", pool(awful=0.5, poor=0.4, movie=0.3, picture=0.05, screen=0.2, film=0.1), {"awful", "poor"}),
    (
        "good",
        pool(great=0.5, superb=0.4, fine=0.1, decent=0.2, film=0.3, cinema=0.02),
        {"great", "superb", "fine", "decent"},
    ),
)


@pytest.fixture
def members(make_embedding):
    return [make_embedding(TABLE)]


@pytest.fixture
def toki(members) -> TokiSubstitution:
    return TokiSubstitution(index_of(members, *CLASSES), members)


def test_a_related_word_is_replaced_by_keywords_the_model_hardly_heeds(toki) -> None:
    assert toki.candidates("great", GOOD) == ("fine", "decent", "superb")
    assert toki.candidates("Awful", BAD) == ("poor",)


def test_any_other_word_is_replaced_by_others_that_the_model_heeds_for_another_class(toki) -> None:
    assert toki.candidates("film", GOOD) == ("movie", "screen", "picture")
    assert toki.candidates("movie", BAD) == ("film", "cinema")


def test_a_word_outside_the_pools_is_judged_by_its_nearest_pool_word(make_embedding) -> None:
    members = [make_embedding(TABLE | {"splendid": (1.0, 0.01, 0.0), "reel": (0.01, 1.0, 0.0)})]
    toki = TokiSubstitution(index_of(members, *CLASSES), members)
    assert toki.candidates("splendid", GOOD) == ("fine", "decent", "superb", "great")
    assert toki.candidates("reel", GOOD) == ("movie", "screen", "film", "picture")


def test_keywords_of_the_class_do_not_stand_in_for_unrelated_words(make_embedding) -> None:
    members = [make_embedding(TABLE)]
    classes = (CLASSES[0], ("good", CLASSES[1][1], {*CLASSES[1][2], "movie"}))
    toki = TokiSubstitution(index_of(members, *classes), members)
    assert "movie" not in toki.candidates("film", GOOD)


def test_keywords_of_other_classes_do_not_stand_in_either(members) -> None:
    classes = (("bad", CLASSES[0][1], {*CLASSES[0][2], "movie"}), CLASSES[1])
    assert TokiSubstitution(index_of(members, *classes), members).candidates("film", GOOD) == ("screen", "picture")


def test_the_highest_score_over_the_other_classes_counts(members) -> None:
    third = ("dull", pool(picture=0.9, movie=0.01), set())
    toki = TokiSubstitution(index_of(members, *CLASSES, third), members)
    assert toki.candidates("film", GOOD) == ("picture", "movie", "screen")


def test_the_most_similar_are_chosen_before_they_are_ordered(members) -> None:
    toki = TokiSubstitution(index_of(members, *CLASSES), members, TokiSettings(neighbours=2))
    assert toki.candidates("great", GOOD) == ("fine", "superb")


def test_words_below_the_least_similarity_are_not_offered(make_embedding) -> None:
    members = [make_embedding(TABLE)]
    index = index_of(members, *CLASSES)
    assert "superb" in TokiSubstitution(index, members).candidates("great", GOOD)
    high = TokiSettings(min_similarity=0.99)
    assert TokiSubstitution(index, members, high).candidates("great", GOOD) == ("superb",)
    lower = TokiSettings(min_similarity=0.97)
    assert TokiSubstitution(index, members, lower).candidates("great", GOOD) == ("fine", "superb")


def test_members_that_know_the_word_measure_by_their_mean(make_embedding) -> None:
    first = make_embedding({"great": (1.0, 0.0), "fine": (1.0, 0.0), "decent": (-1.0, 0.0)}, name="first")
    members = [first, make_embedding(TABLE, name="second")]
    index = index_of(members, *CLASSES)
    # "decent" is opposite to "great" by the one, and the one does not know "superb", which counts as 0.
    high = TokiSettings(min_similarity=0.9)
    assert TokiSubstitution(index, members, high).candidates("great", GOOD) == ("fine",)
    low = TokiSettings(min_similarity=0.45)
    assert TokiSubstitution(index, members, low).candidates("great", GOOD) == ("fine", "superb")
    assert TokiSubstitution(index, members, high).candidates("superb", GOOD) == ("fine", "decent", "great")


def test_one_member_may_be_named_to_measure(make_embedding) -> None:
    first = make_embedding({"great": (1.0, 0.0), "fine": (1.0, 0.0), "decent": (0.0, 1.0)}, name="first")
    members = [first, make_embedding(TABLE, name="second")]
    index = index_of(members, *CLASSES)
    assert TokiSubstitution(index, members, TokiSettings(member="first")).candidates("great", GOOD) == ("fine",)
    second = TokiSettings(member="second")
    assert TokiSubstitution(index, members, second).candidates("great", GOOD) == ("fine", "decent", "superb")
    assert TokiSubstitution(index, members, TokiSettings(member="first")).candidates("superb", GOOD) == ()


def test_words_that_nobody_knows_have_no_candidates(toki) -> None:
    assert toki.candidates("xyzzy", GOOD) == ()


def test_pool_words_that_are_no_single_words_are_not_offered(make_embedding) -> None:
    members = [make_embedding(TABLE | {"so-so": (1.0, 0.0, 0.0), "b4": (1.0, 0.0, 0.0)})]
    classes = (CLASSES[0], ("good", pool(**{"great": 0.5, "so-so": 0.1, "b4": 0.1}), {"great", "so-so", "b4"}))
    assert TokiSubstitution(index_of(members, *classes), members).candidates("great", GOOD) == ()


def test_a_class_without_keywords_and_a_class_alone(members) -> None:
    alone = index_of(members, ("good", pool(great=0.5), set()))
    assert TokiSubstitution(alone, members).candidates("great", 0) == ()


def test_vectors_of_pool_words_come_from_the_index(toki, members) -> None:
    members[0].asked.clear()
    assert toki.candidates("great", GOOD)
    assert not members[0].asked


def test_answers_are_remembered(toki, members) -> None:
    toki.candidates("unknown", GOOD)
    asked = len(members[0].asked)
    toki.candidates("UNKNOWN", GOOD)
    assert len(members[0].asked) == asked > 0


def test_members_that_are_not_those_of_the_index_are_refused(members, make_embedding) -> None:
    with pytest.raises(ConfigurationError, match=r"built with the embeddings \['table'\], but \['other'\]"):
        TokiSubstitution(index_of(members, *CLASSES), [make_embedding(TABLE, name="other")])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"neighbours": 0}, "neighbours=0"),
        ({"min_similarity": 1.0}, "min_similarity=1.0"),
        ({"member": "x"}, "member='x'"),
    ],
)
def test_settings_are_checked(members, settings: dict, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        TokiSubstitution(index_of(members, *CLASSES), members, TokiSettings(**settings))


@pytest.fixture
def file(tmp_path):
    """A text file of vectors; words with a capital, a digit or a hyphen may not take a word's place."""
    rows = {
        "great": (1.0, 0.0), "fine": (0.9, 0.1), "poor": (0.0, 1.0), "top-notch": (1.0, 0.0), "gr8": (1.0, 0.0),
        "superb": (0.99, 0.1), "splendid": (2.0, 0.2),
    }  # fmt: skip
    path = tmp_path / "small.vec"
    path.write_text("".join(f"{word} {x} {y}\n" for word, (x, y) in rows.items()), encoding="utf-8")
    return load_ensemble([f"{path}@0.5"])[0]


def test_synonyms_are_the_nearest_words_of_the_table(file) -> None:
    synonyms = SynonymSubstitution(file)
    assert synonyms.candidates("great", 0) == ("splendid", "superb", "fine")
    assert synonyms.candidates("GREAT", 1) == synonyms.candidates("great", 0)
    assert synonyms.candidates("poor", 0) == synonyms.candidates("unknown", 0) == ()


def test_as_many_synonyms_as_asked_for_and_near_enough(file) -> None:
    assert SynonymSubstitution(file, neighbours=2).candidates("great", 0) == ("splendid", "superb")
    assert SynonymSubstitution(file, min_similarity=0.994).candidates("great", 0) == ("splendid", "superb")
    assert SynonymSubstitution(file, min_similarity=-0.5).candidates("poor", 0) == (
        "fine",
        "superb",
        "splendid",
        "great",
    )


def test_synonyms_come_from_the_start_of_the_table(file) -> None:
    assert SynonymSubstitution(file, vocabulary=2).candidates("great", 0) == ("fine",)


def test_synonyms_need_a_table(make_embedding) -> None:
    with pytest.raises(ConfigurationError, match="the embedding 'table' is none"):
        SynonymSubstitution(make_embedding({"a": (1.0,)}))


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_blocks_do_not_change_neighbours(monkeypatch, rows: int) -> None:
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(50, 4)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    table = WordRows([f"w{i}" for i in range(50)], matrix)
    whole = table.cosines(matrix[7])
    assert whole == pytest.approx(matrix @ matrix[7])
    monkeypatch.setattr("pytest_trust.attacks.neighbours._ROWS", rows)
    assert table.cosines(matrix[7]) == pytest.approx(whole, abs=1e-6)


def test_a_table_without_words() -> None:
    assert WordRows([], np.empty((0, 2), np.float32)).cosines(np.array([1, 0], np.float32)).shape == (0,)


def test_the_highest_come_first_and_equals_by_place() -> None:
    cosines = np.array([0.2, 0.9, 0.5, 0.9])
    assert highest(cosines, 3, 0.0) == [1, 3, 2]
    assert highest(cosines, 3, 0.5) == [1, 3, 2]
    assert highest(cosines, 3, 0.6) == [1, 3]
    assert highest(cosines, 1, -1.0) == [1]


@pytest.mark.usefixtures("file")
def test_synonyms_take_the_least_cosine_behind_their_name(tmp_path) -> None:
    usual, near = load_synonyms("small.vec", rootpath=tmp_path), load_synonyms("small.vec@0.994", rootpath=tmp_path)
    assert near.candidates("great", 0) == ("splendid", "superb")
    assert near.describe() == {"synonyms": "small", "synonym_similarity": 0.994, "synonym_neighbours": 20}
    assert usual.candidates("great", 0) == ("splendid", "superb", "fine")
    assert usual.describe()["synonym_similarity"] == 0.8

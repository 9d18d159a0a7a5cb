"""The contrastive oracle on common words whose contrasts have mean 0 and standard deviation 1/4.

A word that contrasts by c has z = 4 c and relatedness 1 / (1 + exp(-4 (z - 1/2))).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from pytest_trust.embeddings.common import common_vectors, common_words
from pytest_trust.embeddings.kept import Keep
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import LimeExplainer
from pytest_trust.explain.settling import WeighingLeaning
from pytest_trust.models import as_classifier
from pytest_trust.oracles import Concepts, ContrastiveOracle, LeaningOracle, ThresholdOracle
from pytest_trust.oracles.contrastive import DEFAULT_THRESHOLD, rank_weights
from tests.oracles.planes import axes, common_table, contrasting, explanation, two_topics


def soft(z: float) -> float:
    return 1 / (1 + math.exp(-4 * (z - 0.5)))


# Half of the common words lie a standard deviation above the mean, half below.
CHANCE = (soft(1) + soft(-1)) / 2
SECOND = 1 / math.log2(3)
CONTRASTS = {"fine": 0.5, "nice": 0.25, "rim": 0.125, "host": 0.0, "awful": -0.5}


def concepts(members, words: Sequence[Sequence[str]] = (("good",), ("bad",))) -> Concepts:
    return Concepts(words, members, [common_vectors(member, Keep(None)) for member in members])


@pytest.fixture
def member(make_embedding):
    return make_embedding(two_topics(**CONTRASTS))


@pytest.fixture
def oracle(member) -> ContrastiveOracle:
    return ContrastiveOracle(("pos", "neg"), concepts([member]))


def corrected(mean: float) -> float:
    return (mean - CHANCE) / (1 - CHANCE)


def test_chance_is_the_mean_relatedness_of_common_words(member) -> None:
    assert concepts([member]).chance == pytest.approx([CHANCE, CHANCE])
    assert pytest.approx(0.441635, abs=1e-6) == CHANCE


def test_relatedness_is_soft(oracle) -> None:
    found = oracle.relatedness(0, list(CONTRASTS))
    assert found == pytest.approx([soft(2), soft(1), 0.5, soft(0), soft(-2)])
    assert oracle.relatedness(1, list(CONTRASTS)) == pytest.approx([soft(-2), soft(-1), soft(-0.5), soft(0), soft(2)])
    assert oracle.relatedness(0, []).shape == (0,)


@pytest.mark.parametrize(
    ("words", "mean"),
    [
        ([("fine", 0.5)], soft(2)),
        ([("fine", 1e-5)], soft(2)),
        ([("host", 0.5)], soft(0)),
        ([("fine", 0.5), ("host", 0.3)], (soft(2) + SECOND * soft(0)) / (1 + SECOND)),
        ([("host", 0.3), ("fine", 0.5)], (soft(2) + SECOND * soft(0)) / (1 + SECOND)),
        ([("fine", 0.3), ("host", 0.5)], (soft(0) + SECOND * soft(2)) / (1 + SECOND)),
        ([("fine", 0.3), ("host", 0.1 + 0.2)], (soft(2) + soft(0)) / 2),
        ([("fine", 0.3), ("host", 0.3), ("awful", -0.9)], (soft(2) + soft(0)) / 2),
        # The second and the third share the mean of their weights.
        (
            [("fine", 0.5), ("host", 0.3), ("nice", 0.3)],
            (soft(2) + (SECOND + 0.5) / 2 * (soft(0) + soft(1))) / (1.5 + SECOND),
        ),
        ([("Fine", 0.1), ("fine", 0.3), ("host", 0.15)], (soft(2) + SECOND * soft(0)) / (1 + SECOND)),
        ([("fine", 0.5), ("xyzzy", 0.3)], soft(2) / (1 + SECOND)),
        ([("xyzzy", 0.5)], 0.0),
    ],
)
def test_the_score_is_the_mean_beyond_chance(oracle, words, mean: float) -> None:
    found = oracle.judge(explanation("pos", *words))
    assert (found.related, found.unrelated) == pytest.approx((mean, 1 - mean), abs=1e-6)
    assert found.score == pytest.approx(corrected(mean), abs=1e-6)
    assert found.trustworthy is (corrected(mean) >= DEFAULT_THRESHOLD)


def test_of_the_other_class_its_own_contrast_counts(oracle) -> None:
    found = oracle.judge(explanation("neg", ("awful", 0.5), column=1))
    assert found.score == pytest.approx(corrected(soft(2)))


def test_a_score_at_the_threshold_is_enough(oracle) -> None:
    at_it = oracle.judge(explanation("pos", ("rim", 0.5))).score
    assert oracle.with_threshold(at_it).judge(explanation("pos", ("rim", 0.5))).trustworthy is True
    assert oracle.with_threshold(at_it + 1e-6).judge(explanation("pos", ("rim", 0.5))).trustworthy is False


def test_a_threshold_of_the_user_counts_as_calibrated(oracle) -> None:
    assert (oracle.threshold, oracle.calibrated) == (DEFAULT_THRESHOLD, False)
    given = oracle.with_threshold(DEFAULT_THRESHOLD)
    assert (given.threshold, given.calibrated, oracle.calibrated) == (DEFAULT_THRESHOLD, True, False)


def test_a_verdict_tells_its_score_and_the_threshold(oracle) -> None:
    assert oracle.with_threshold(0.5).judge(explanation("pos", ("fine", 0.5))).note == "score 1.00, least 0.50"


@pytest.mark.parametrize("threshold", [1.0, -1, float("nan"), "0.4"])
def test_a_threshold_out_of_range_is_refused(oracle, threshold) -> None:
    with pytest.raises(ConfigurationError, match=r"threshold=.*above -1 and below 1"):
        oracle.with_threshold(threshold)


def test_words_tell_what_they_are_near_to(oracle) -> None:
    words = oracle.judge(explanation("pos", ("fine", 0.5), ("awful", 0.4), ("xyzzy", 0.3))).words
    assert [(word.related, word.nearest, word.keyword) for word in words] == [
        (True, "good", "good"),
        (False, "bad", "good"),
        (False, None, None),
    ]


def test_a_describing_word_that_a_member_does_not_know_is_not_near(make_embedding) -> None:
    member = make_embedding(two_topics(**CONTRASTS))
    found = concepts([member], [("unheard", "good"), ("bad",)])
    # "awful" lies opposite to "good": still nearer to it than to a word without a vector.
    assert found.nearest(0, "awful") == ("good", "bad")


def test_members_that_know_the_word_are_averaged(make_embedding) -> None:
    members = [make_embedding(two_topics(fine=0.5)), make_embedding(two_topics(fine=0.0, host=0.25), name="second")]
    oracle = ContrastiveOracle(("pos", "neg"), concepts(members))
    # z is 2 and 0 of "fine", and 1 by the second alone of "host".
    assert oracle.relatedness(0, ["fine", "host"]) == pytest.approx([soft(1), soft(1)])


def test_a_class_is_the_mean_of_its_words_and_the_best_other_class_counts(make_embedding) -> None:
    random = np.random.default_rng(5)
    words = ("one", "uno", "two", "three", "word", "other")
    vectors = random.normal(size=(80 + len(words), 4))
    table = dict(zip((*common_words()[:80], *words), vectors.tolist(), strict=True))
    unit = {word: np.array(vector) / np.linalg.norm(vector) for word, vector in table.items()}
    directions = [unit["one"] + unit["uno"], unit["two"], unit["three"]]
    directions = [direction / np.linalg.norm(direction) for direction in directions]

    def contrast(word: str, column: int) -> float:
        cosines = [float(unit[word] @ direction) for direction in directions]
        return cosines[column] - max(cosines[:column] + cosines[column + 1 :])

    found = concepts([make_embedding(table)], [("one", "uno"), ("two",), ("three",)])
    for column in range(3):
        common = [contrast(word, column) for word in common_words()[:80]]
        z = [(contrast(word, column) - np.mean(common)) / np.std(common) for word in ("word", "other")]
        assert found.contrast(["word", "other"])[:, column] == pytest.approx(z, abs=1e-5)
        assert found.relate(["word", "other"])[:, column] == pytest.approx([soft(value) for value in z], abs=1e-5)


def test_many_verdicts_equal_single_ones(oracle, member) -> None:
    many = [
        explanation("pos", ("fine", 0.5), ("host", 0.6)),
        explanation("neg", ("awful", 0.1), ("fine", 0.1), column=1),
        explanation("pos", note="no words to explain"),
    ]
    fresh = ContrastiveOracle(("pos", "neg"), concepts([member]))
    assert [fresh.judge(item) for item in reversed(many)][::-1] == oracle.judge_many(many)
    assert oracle.judge(many[2]).note == "no words to explain"
    assert oracle.judge_many([]) == []


def test_words_are_asked_for_once(oracle, member) -> None:
    oracle.judge(explanation("pos", ("fine", 0.5)))
    member.asked.clear()
    oracle.judge_many([explanation("pos", ("Fine", 0.1)), explanation("neg", ("fine", 0.1), column=1)])
    assert member.asked.count("fine") <= 1  # the nearest describing word of the other class


def test_an_unknown_class_is_refused(oracle) -> None:
    with pytest.raises(ConfigurationError, match=r"no class 'odd'; it was made for \['pos', 'neg'\]"):
        oracle.judge(explanation("odd", ("fine", 0.5)))


def test_an_embedding_of_few_common_words_gives_no_scale(make_embedding) -> None:
    few = make_embedding(common_table(n=49) | axes(["good"], ["bad"]), name="few")
    with pytest.raises(ConfigurationError, match="'few' knows 49 of 2000 common English words, expected 50 or more"):
        concepts([few])
    assert concepts([make_embedding(common_table(n=50) | axes(["good"], ["bad"]))])


def test_an_embedding_that_knows_no_word_of_a_class_is_refused(make_embedding) -> None:
    with pytest.raises(ConfigurationError, match="'table' knows none of the words that describe a class: bad, evil"):
        concepts([make_embedding(common_table() | axes(["good"], []))], [("good",), ("bad", "evil")])


class TestRankWeights:
    @pytest.mark.parametrize(
        ("scores", "weights"),
        [
            ([0.5, 0.3, 0.1], [1, SECOND, 0.5]),
            ([0.1, 0.5, 0.3], [0.5, 1, SECOND]),
            ([0.5, 0.3, 0.3, 0.0], [1, (SECOND + 0.5) / 2, (SECOND + 0.5) / 2, 0]),
            ([0.3, 0.1 + 0.2], [(1 + SECOND) / 2] * 2),
            ([0.3, 0.3, 0.3], [(1.5 + SECOND) / 3] * 3),
            ([0.0, 0.0], [0, 0]),
            ([1e-5], [1]),
            ([], []),
        ],
    )
    def test_of_one_row(self, scores: list[float], weights: list[float]) -> None:
        assert rank_weights(np.array([scores])).tolist() == [pytest.approx(weights)]

    def test_rows_do_not_touch(self) -> None:
        rows = np.array([[0.5, 0.3], [0.3, 0.3], [0.0, 0.3]])
        assert rank_weights(rows).tolist() == [pytest.approx(rank_weights(row[None])[0]) for row in rows]
        assert rank_weights(np.empty((0, 3))).shape == (0, 3)


class TestSequentialSampling:
    """Words of two topics, neutral words and a misleading one, scored by a linear model over TF-IDF."""

    TOPICS: Mapping[str, tuple[str, ...]] = {
        "neg": tuple(f"bad{i}" for i in range(8)),
        "pos": tuple(f"good{i}" for i in range(8)),
    }
    NEUTRAL = tuple(f"plain{i}" for i in range(40))

    @pytest.fixture
    def texts(self) -> dict[str, list[str]]:
        draw = np.random.default_rng(1)
        made: dict[str, list[str]] = {}
        for label, topic in self.TOPICS.items():
            made[label] = [
                " ".join(draw.permutation([*draw.choice(topic, 3), *draw.choice(self.NEUTRAL, 12), f"only{label}"]))
                for _ in range(40)
            ]
        return made

    @pytest.fixture
    def model(self, texts):
        text, linear = (
            pytest.importorskip("sklearn.feature_extraction.text"),
            pytest.importorskip("sklearn.linear_model"),
        )
        from sklearn.pipeline import make_pipeline

        pipeline = make_pipeline(text.TfidfVectorizer(), linear.LogisticRegression(C=10))
        labels = [label for label, group in texts.items() for _ in group]
        pipeline.fit([text for group in texts.values() for text in group], labels)

        # As a callable: an estimator is scored from its weights, where no call is worth saving.
        def scored(given: list[str]) -> np.ndarray:
            return pipeline.predict_proba(given)

        scored.classes_ = pipeline.classes_  # type: ignore[attr-defined]
        return as_classifier(scored)

    @pytest.fixture
    def oracle(self, make_embedding) -> ContrastiveOracle:
        draw = np.random.default_rng(2)
        words = {word: sign * 0.35 for sign, topic in zip((-1, 1), self.TOPICS.values(), strict=True) for word in topic}
        words |= {word: float(draw.normal(0, 0.2)) for word in (*self.NEUTRAL, "onlyneg", "onlypos")}
        table = two_topics() | contrasting(**words)
        return ContrastiveOracle(("neg", "pos"), concepts([make_embedding(table)], [("bad",), ("good",)]), 0.35)

    def test_verdicts_are_those_of_all_draws_for_fewer_calls(self, texts, model, oracle) -> None:
        chosen = [(text, column) for column, group in enumerate(texts.values()) for text in group[:6]]
        found = {}
        for sampling in ("fixed", "sequential"):
            explainer = LimeExplainer(1500, features=8, sampling=sampling)
            explained = explainer.explain_many(
                model,
                [text for text, _ in chosen],
                class_indices=[column for _, column in chosen],
                seed=3,
                leaning=oracle.leaning,
            )
            explanations = list(explained)
            found[sampling] = (
                [item.trustworthy for item in oracle.judge_many(explanations)],
                sum(item.calls for item in explanations),
            )
        (whole, all_calls), (settled, calls) = found["fixed"], found["sequential"]
        assert settled == whole
        assert {True, False} == set(whole)
        assert calls < all_calls / 3

    def test_the_leaning_is_what_a_word_adds_beyond_the_threshold(self, oracle) -> None:
        least = CHANCE + 0.35 * (1 - CHANCE)
        found = oracle.leaning(1, ["Good0", "unheard"])
        assert found == pytest.approx([soft(1.4) - least, -least])
        scores = np.array([[0.2, 0.5]])
        assert oracle.leaning.weights(scores).tolist() == rank_weights(scores).tolist()

    def test_its_abilities(self, oracle) -> None:
        assert isinstance(oracle, ThresholdOracle)
        assert isinstance(oracle, LeaningOracle)
        assert isinstance(oracle.leaning, WeighingLeaning)

    def test_other_weights_may_be_given(self, member) -> None:
        plain = ContrastiveOracle(("pos", "neg"), concepts([member]), weigh=lambda scores: (scores > 0) * 1.0)
        found = plain.with_threshold(0.1).judge(explanation("pos", ("fine", 0.5), ("host", 0.1)))
        assert found.score == pytest.approx(corrected((soft(2) + soft(0)) / 2))

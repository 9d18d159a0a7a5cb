"""Small models that stand in for a user's, and sentences made from a seeded vocabulary."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from pytest_trust.text import Span


class RuleModel:
    """Answers by a function of one text; remembers the texts of every call."""

    source = "a rule"

    def __init__(self, classes: tuple[str, ...], rule: Callable[[str], Sequence[float]]) -> None:
        self.classes = classes
        self._rule = rule
        self.calls: list[list[str]] = []

    @property
    def texts(self) -> list[str]:
        return [text for call in self.calls for text in call]

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.calls.append(list(texts))
        return np.array([self._rule(text) for text in texts], dtype=np.float64)

    def fingerprint(self) -> str:
        return "rule"


class PipelineModel:
    """A fitted scikit-learn pipeline as a classifier."""

    source = "a pipeline"

    def __init__(self, pipeline) -> None:
        self._pipeline = pipeline
        self.classes = tuple(map(str, pipeline.classes_))

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return self._pipeline.predict_proba(list(texts))

    def fingerprint(self) -> str:
        return "pipeline"


_COMMON = "the,a,of,in,and,it,I'm,don't,film,plot,ACT,Act,story,scene,3.14,2nd,'twas,half-time,city_hall,naïve"
_BY_CLASS = {
    "arts": "moving,lovely,poem,actor,gallery,tune,stage,novel,curtain,painter",
    "money": "shares,bank,profit,loan,market,euro,broker,rate,tax,fund",
    "sport": "goal,match,coach,league,sprint,medal,cup,racket,team,referee",
    "space": "orbit,rocket,moon,star,probe,crater,lander,comet,engine,sky",
}
_ENDS = [" ", " ", " ", ", ", " - ", "... ", "! ", "\n", "  "]


class Sentences:
    """Sentences of four classes, the same in every run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def one(self, label: str, n_words: int) -> str:
        words = self._random.choices(_COMMON.split(",") + 2 * _BY_CLASS[label].split(","), k=n_words)
        words = [self._random.choice([w, w, w.capitalize()]) for w in words]
        return "".join(word + self._random.choice(_ENDS) for word in words)

    def labelled(self, labels: Sequence[str], n: int, n_words: int) -> tuple[list[str], list[str]]:
        drawn = [self._random.choice(list(labels)) for _ in range(n)]
        return [self.one(label, self._random.randint(3, n_words)) for label in drawn], drawn

    def of_lengths(self, lengths: Sequence[int]) -> list[str]:
        return [self.one(self._random.choice(list(_BY_CLASS)), length) for length in lengths]


def _trained(labels: Sequence[str]) -> PipelineModel:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts, given = Sentences(len(labels)).labelled(labels, 200, 20)
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), lowercase=False), LogisticRegression(C=10))
    return PipelineModel(pipeline.fit(texts, given))


@pytest.fixture(scope="session")
def two_classes() -> PipelineModel:
    return _trained(["arts", "money"])


@pytest.fixture(scope="session")
def four_classes() -> PipelineModel:
    return _trained(list(_BY_CLASS))


@pytest.fixture(scope="session")
def sentences() -> type[Sentences]:
    return Sentences


@pytest.fixture(scope="session")
def rule_model() -> type[RuleModel]:
    return RuleModel


@pytest.fixture(scope="session")
def pipeline_model() -> type[PipelineModel]:
    return PipelineModel


@pytest.fixture
def mood(rule_model) -> RuleModel:
    """P(positive) = 0.5 + 0.1 for each "good" - 0.2 for each "bad"."""

    def rule(text: str) -> tuple[float, float]:
        positive = 0.5 + 0.1 * len(re.findall(r"\bgood\b", text)) - 0.2 * len(re.findall(r"\bbad\b", text))
        return 1 - positive, positive

    return rule_model(("negative", "positive"), rule)


def regex_words(text: str) -> list[Span]:
    """The words of the lime package's default split at ``\\W+``."""
    return [Span(*match.span()) for match in re.finditer(r"\w+", text)]


@pytest.fixture(scope="session")
def regex_tokenizer() -> Callable[[str], list[Span]]:
    return regex_words

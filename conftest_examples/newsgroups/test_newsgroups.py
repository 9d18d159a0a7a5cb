"""Behavioural tests of a classifier of news messages, atheism against Christianity.

Run by ``python -m conftest_examples.newsgroups.demo`` for each of the demo's models, or by hand::

    pytest conftest_examples/newsgroups --trust-model=DIR/masked.joblib --trust-train=DIR/masked-train.csv \\
        --trust-data=DIR/masked-test.csv \\
        "--trust-classes=atheism=atheism|atheist|god,christian=christian|christianity|church"
"""

from __future__ import annotations

from conftest_examples.newsgroups.noise import news_header
from pytest_trust import CheckResult, directional, invariant, perturb, trustworthy


def add_news_header(text: str) -> str:
    """The message as it would look had it come with the header lines of another host."""
    return f"{news_header(text, seed=1)}\n\n{text}"


@trustworthy(min_rate=0.7, n=300, name="words of the topic")
def test_predictions_rest_on_words_of_their_topic() -> None:
    """Accuracy cannot tell a model that reads messages from one that reads where they were posted."""


@invariant(add_news_header, margin=0.1)
def test_header_lines_do_not_matter(trust_result: CheckResult) -> None:
    """Where a message was posted says nothing of its topic."""
    assert trust_result.details["flip_rate"] < 0.1


@invariant(perturb.swap_names(), margin=0.1)
def test_first_names_do_not_matter() -> None:
    """Who is talked about by first name says little of the topic."""


@directional(perturb.add_suffix("\ni believe in jesus christ and the church ."), target="christian", expect="increase")
def test_a_creed_speaks_for_christian() -> None:
    """A sentence of faith at the end moves the prediction towards Christianity."""


@directional(perturb.add_suffix("\natheists see no evidence for any god ."), target="atheism", expect="increase")
def test_a_doubt_speaks_for_atheism() -> None:
    """A sentence of doubt at the end moves the prediction towards atheism."""

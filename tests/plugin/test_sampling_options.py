"""Options of sampling, faithfulness and precision, through whole sessions."""

from __future__ import annotations

import json

import pytest

SUITE = """
    from pytest_trust import trustworthy

    @trustworthy(min_rate=0.1, compare="estimate")
    def test_reasons(): ...
"""


@pytest.fixture
def reviews(pytester: pytest.Pytester) -> list[str]:
    """A black box of two classes, its data and embeddings of its words."""
    pytester.makepyfile(
        reviews_here="""
            import math
            import zlib

            import numpy as np

            from pytest_trust.text import words

            EFFECTS = {"great": 2.0, "lovely": 1.5, "awful": -2.0, "dull": -1.5}
            FILLER = [f"word{i}" for i in range(14)]

            def classify(texts):
                logits = [sum(EFFECTS.get(word, 0.0) for word in words(text)) for text in texts]
                yes = np.array([1 / (1 + math.exp(-logit)) for logit in logits])
                return np.column_stack([1 - yes, yes])

            def rows(tag):
                for i in range(12):
                    filler = " ".join(f"{tag}{word}" for word in FILLER)
                    praise, label = ("great lovely", "yes") if i % 2 else ("awful dull", "no")
                    yield {"text": f"{filler} {praise} {i}", "label": label}

            train, test = list(rows("a")), list(rows("b"))

            class Vectors:
                name, fingerprint, threshold = "tiny", "tiny-1", 0.5
                base = {
                    **{"yes": [1, 0, 0], "great": [1, 0.1, 0], "lovely": [1, 0, 0.1]},
                    **{"no": [0, 1, 0], "awful": [0.1, 1, 0], "dull": [0, 1, 0.1]},
                }

                def vectors(self, words):
                    from pytest_trust.embeddings.base import WordVectors

                    matrix = np.array([self.base.get(word, [0, 0, 1]) for word in words], dtype=np.float32)
                    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
                    return WordVectors(matrix, np.ones(len(matrix), dtype=bool))
        """
    )
    pytester.makepyfile(SUITE)
    return [
        "--trust-model=reviews_here:classify",
        "--trust-classes=no,yes",
        "--trust-train=reviews_here:train",
        "--trust-data=reviews_here:test",
        "--trust-embeddings=reviews_here:Vectors",
        "--trust-samples=1500",
        "--trust-json=out.json",
    ]


def details(pytester: pytest.Pytester, *arguments: str) -> dict:
    pytester.runpytest_inprocess(*arguments).assert_outcomes(passed=1)
    (check,) = json.loads((pytester.path / "out.json").read_text(encoding="utf-8"))["checks"]
    return check["details"]


def test_sequential_is_the_default_and_agrees_with_fixed(pytester: pytest.Pytester, reviews: list[str]) -> None:
    settled = details(pytester, *reviews)
    whole = details(pytester, *reviews, "--trust-sampling=fixed")
    assert settled["trustworthy"] == whole["trustworthy"] == 12
    assert settled["model_calls"] < whole["model_calls"] / 5
    assert settled["undecided"] == whole["undecided"] == 0


def test_faithfulness_is_in_the_report(pytester: pytest.Pytester, reviews: list[str]) -> None:
    found = details(pytester, *reviews, "--trust-faithfulness=3")
    assert found["faithfulness_n"] == 3
    assert found["comprehensiveness"] > found["comprehensiveness_random"] + 0.2
    assert found["stability_top_word"] == 1.0
    assert "comprehensiveness" not in details(pytester, *reviews, "--trust-faithfulness=0")


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ("--trust-sampling=some", "--trust-sampling=some: choose one of: fixed, sequential, capped"),
        ("--trust-precision=half", "--trust-precision=half: choose one of: float32, bfloat16"),
        ("--trust-cap=47", "--trust-cap=47: expected a whole number from 48"),
        ("--trust-faithfulness=-1", "--trust-faithfulness=-1: expected a whole number from 0"),
    ],
)
def test_wrong_values(pytester: pytest.Pytester, option: str, problem: str) -> None:
    result = pytester.runpytest_inprocess(option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{problem}*"])


def test_bfloat16_is_for_models_of_transformers(pytester: pytest.Pytester, reviews: list[str]) -> None:
    result = pytester.runpytest_inprocess(*reviews, "--trust-precision=bfloat16")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no model of transformers*float32*"])


def test_an_address_is_shown_without_its_key(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--trust-model=https://user:secret@example.org/classify?key=secret")
    assert "secret" not in result.stdout.str()
    result.stdout.fnmatch_lines(["trust: model=*example.org/classify*"])


def test_the_options_know_the_choices_of_what_they_set() -> None:
    from typing import get_args

    from pytest_trust._plugin import options
    from pytest_trust.explain.lime import LimeExplainer, Sampling
    from pytest_trust.models.precision import PRECISIONS

    assert get_args(options.Sampling) == get_args(Sampling)
    assert get_args(options.Precision) == tuple(PRECISIONS)
    assert LimeExplainer().cap == options.DEFAULT_CAP

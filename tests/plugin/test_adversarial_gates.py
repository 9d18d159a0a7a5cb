"""The mark @adversarial, the attack success rate in the summary, and the texts that fooled the model."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable

import pytest

Run = Callable[..., pytest.RunResult]

SUITE = """
from pytest_trust import adversarial

@adversarial(attack="toki", max_success_rate={bound}, n=40)
def test_hard_to_fool(trust_result):
    assert trust_result.details["attacked"] > 0
"""

# Puts a word of the other class in the place of the first word of opinion.
OWN = """
from pytest_trust import adversarial, functional
from pytest_trust.attacks import Attack, AttackSettings, make_encoder, make_tagger

class Opposite:
    name = "opposite"

    def candidates(self, word, label):
        return {"great": ["awful"], "superb": ["awful"], "awful": ["great"]}.get(word, [])

class Lenient:
    name = "lenient"

    def run(self, texts, labels):
        import models
        from pytest_trust.models import as_classifier

        attack = Attack(as_classifier(models.honest), Opposite(), make_tagger(), make_encoder(),
                        AttackSettings(min_similarity=0.0))
        return attack.run(texts, labels)

    def describe(self):
        return {}

DATA = [(f"such a great film {number}", "positive") for number in range(30)]

@adversarial(attack=Lenient(), max_success_rate=0.4, data=DATA, capability="robustness")
def test_it(): ...
"""


def test_a_toki_guided_attack(run: Run, project: pytest.Pytester) -> None:
    result = run("--trust-json=report.json", test=SUITE.format(bound=0.99))
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "PASS *test_hard_to_fool  adversarial: toki attack  n=*  success rate * <= 0.99*",
            "toki: attack success rate * of * attacked*queries each",
        ]
    )
    report = json.loads((project.path / "report.json").read_text(encoding="utf-8"))
    assert report["summary"]["asr"] == report["attacks"]["toki"]["asr"] == report["checks"][0]["estimate"]
    details = report["checks"][0]["details"]
    assert details["tagger"] in ("pattern", "nltk")
    assert details["encoder"] == "use"


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "workers"])
def test_texts_that_fooled_the_model_become_cases(run: Run, project: pytest.Pytester, workers: tuple[str, ...]) -> None:
    result = run("--trust-save-adversarial=fooled.csv", *workers, test=OWN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "FAIL adversarial: lenient attack",
            "  the attack fooled the model on 100.0% of 30 texts, at most 40.0% may",
            "1. positive * -> *  (great -> awful; similarity *)",
            "   -> such a awful film*",
            "lenient: attack success rate 1.000 * of 30 attacked, 1.0 words changed, *",
            "passed/failed  adversarial",
        ]
    )
    with (project.path / "fooled.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 30
    assert rows[0] == {"text": "such a awful film 0", "label": "positive"}
    again = run(
        "--trust-save-adversarial=fooled.csv",
        "--trust-columns=text=text,label=label,trustworthy=trustworthy",
        test="""
from pytest_trust import functional

@functional(accuracy=0.9, file="fooled.csv", compare="estimate")
def test_regression(): ...
""",
    )
    again.assert_outcomes(failed=1)
    assert len((project.path / "fooled.csv").read_text(encoding="utf-8").splitlines()) == 31


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        (
            "attack='tokio'",
            "attack='tokio': it is none of toki, a2t, and TextAttack has no recipe*deepwordbug*",
        ),
        ("attack='a2t'", "attack='a2t' needs a table of word vectors: give --trust-synonyms=FILE*"),
        ("attack=object()", "attack=object *: expected an object with name, run and describe"),
        ("attack=object(), max_queries=5", "max_queries= is for attacks by name*"),
        ("attack='toki', max_queries=0", "max_queries=0: expected a whole number*"),
        ("max_success_rate=2", "max_success_rate=2*"),
    ],
)
def test_what_cannot_be_meant_is_an_error(run: Run, mark: str, message: str) -> None:
    result = run(test=f"from pytest_trust import adversarial\n@adversarial({mark})\ndef test_it(): ...\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*{message}"])


@pytest.mark.parametrize("option", ["--trust-save-adversarial=fooled.txt", "--trust-synonyms=glove,use"])
def test_options_are_checked(run: Run, option: str) -> None:
    result = run(option, test="def test_it(): ...")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{option}: expected *"])


def test_a_bare_decorator_is_an_error(run: Run) -> None:
    result = run(test="from pytest_trust import adversarial\n@adversarial\ndef test_it(): ...\n")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*@adversarial takes keyword arguments only*"])

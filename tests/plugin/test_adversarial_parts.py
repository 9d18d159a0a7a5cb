"""What attacks are made of in a session: parts from a conftest.py, synonyms, and models of several classes."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Run = Callable[..., pytest.RunResult]

TOKI = """
from pytest_trust import adversarial

@adversarial(attack="toki", max_success_rate=0.99, n=10)
def test_it(): ...
"""
TRUST = """
from pytest_trust import trustworthy

@trustworthy(min_rate=0.5, n=10)
def test_it(): ...
"""


@pytest.mark.parametrize(
    ("fixture", "test", "expected"),
    [
        ("trust_index", TOKI, "a KeywordIndex, as pytest_trust.keywords.load_index reads one"),
        ("trust_index", TRUST, "a KeywordIndex, as pytest_trust.keywords.load_index reads one"),
        ("trust_oracle", TRUST, "an oracle: an object with name, judge and judge_many"),
    ],
)
@pytest.mark.parametrize(("value", "shown"), [("None", "NoneType None"), ("{}", "dict {}"), ("'toki'", "str 'toki'")])
def test_a_fixture_that_gives_something_else_is_one_clear_error(
    run: Run, project: pytest.Pytester, fixture: str, test: str, expected: str, value: str, shown: str
) -> None:
    project.makeconftest(f"import pytest\n@pytest.fixture(scope='session')\ndef {fixture}(): return {value}\n")
    result = run(test=test)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"the fixture {fixture} gave {shown}; expected {expected}"])
    result.stdout.no_fnmatch_line("*AttributeError*")


@pytest.mark.parametrize(("value", "shown"), [("None", "NoneType None"), ("{}", "dict {}"), ("'toki'", "str 'toki'")])
def test_a_fixture_that_gives_no_model_is_named(run: Run, project: pytest.Pytester, value: str, shown: str) -> None:
    project.makeconftest(f"import pytest\n@pytest.fixture(scope='session')\ndef trust_model(): return {value}\n")
    result = run(test=TOKI)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"the fixture trust_model gave {shown}: *; expected *"])


@pytest.mark.parametrize("name", ["toki", "TOKI"])
def test_a_report_holds_what_the_index_of_an_attack_was_made_of(run: Run, project: pytest.Pytester, name: str) -> None:
    run("--trust-json=report.json", test=TOKI.replace('"toki"', f'"{name}"')).assert_outcomes(passed=1)
    [check] = json.loads((project.path / "report.json").read_text(encoding="utf-8"))["checks"]
    assert {"training data", "embeddings", "class names", "index"} <= check["subject"]["settings"].keys()


SYNONYMS = """
from pytest_trust import adversarial

@adversarial(attack="a2t", max_success_rate=0.99, compare="estimate", data=[("a great film", "positive")])
def test_it(): ...
"""


@pytest.mark.parametrize(("threshold", "expected"), [("", "1 0.8"), ("@0.95", "0 0.95"), ("@0.6", "1 0.6")])
def test_the_threshold_behind_synonyms_is_their_least_cosine(
    run: Run, project: pytest.Pytester, threshold: str, expected: str
) -> None:
    (project.path / "small.vec").write_text("great 1 0\nfine 0.9 0.43\n", encoding="utf-8")
    result = run(f"--trust-synonyms=small.vec{threshold}", "--trust-json=report.json", test=SYNONYMS)
    details = json.loads((project.path / "report.json").read_text(encoding="utf-8"))["checks"][0]["details"]
    assert f"{details['attacked']} {details['synonym_similarity']}" == expected
    assert (details["synonyms"], details["max_queries"]) == ("small", 10_000)
    result.assert_outcomes(**{"passed" if details["attacked"] else "failed": 1})


def test_no_neighbour_can_be_nearer_than_the_word_itself(run: Run, project: pytest.Pytester) -> None:
    (project.path / "small.vec").write_text("great 1 0\nfine 0.9 0.43\n", encoding="utf-8")
    result = run("--trust-synonyms=small.vec@1.0", test=SYNONYMS)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*synonyms*1*expected a number of at least -1 and below 1*"])


THREE = """
import numpy as np
import pytest
from pytest_trust import adversarial
from pytest_trust.attacks import Attack, AttackSettings, make_encoder, make_tagger
from pytest_trust.models import as_classifier

WORDS = {"awful": 0, "plain": 1, "great": 2}

def model(texts):
    hits = np.array([[text.split().count(word) for word in WORDS] for text in texts], dtype=float)
    return (hits + 0.1) / (hits + 0.1).sum(axis=1, keepdims=True)

model.classes_ = ("bad", "so-so", "good")

class ToTheMiddle:
    name = "middling"

    def candidates(self, word, label):
        return ["plain"] if word in ("awful", "great") else []

class Lenient:
    name = "lenient"

    def run(self, texts, labels):
        parts = ToTheMiddle(), make_tagger(), make_encoder(), AttackSettings(min_similarity=0.0)
        return Attack(as_classifier(model), *parts).run(texts, labels)

    def describe(self):
        return {}

@pytest.fixture(scope="session")
def trust_model():
    return model

DATA = [
    (f"such a {word} film {number}", label)
    for word, label in (("awful", "bad"), ("plain", "so-so"), ("great", "good"))
    for number in range(10)
]

@adversarial(attack=Lenient(), max_success_rate=0.9, compare="estimate", data=DATA)
def test_all(): ...

@adversarial(attack=Lenient(), max_success_rate=0.9, compare="estimate", data=DATA, target="good")
def test_good(): ...

@adversarial(attack=Lenient(), max_success_rate=0.9, compare="estimate", data=DATA, target="so-so")
def test_middle(): ...

@adversarial(attack=Lenient(), data=DATA, target="great")
def test_no_class(): ...
"""


def test_a_model_of_three_classes(run: Run, project: pytest.Pytester) -> None:
    result = run("--trust-json=report.json", "--trust-save-adversarial=fooled.csv", test=THREE)
    result.assert_outcomes(failed=3, errors=1)
    report = json.loads((project.path / "report.json").read_text(encoding="utf-8"))
    checks = {check["nodeid"].partition("::")[2]: check for check in report["checks"]}
    found = {name: (check["n_total"], check["n"], check["estimate"]) for name, check in checks.items()}
    assert found == {"test_all": (30, 20, 1.0), "test_good": (10, 10, 1.0), "test_middle": (10, 0, None)}
    assert checks["test_middle"]["details"]["skipped_fixed"] == 10
    row = checks["test_good"]["evidence"][0]
    assert (row["label"], row["changed_label"]) == ("good", "so-so")
    assert row["note"].startswith("great -> plain")
    # The texts of the class are among all texts, and count once.
    assert (report["attacks"]["lenient"]["attacked"], report["attacks"]["lenient"]["successes"]) == (20, 20)
    assert report["attacks"]["lenient"]["asr_low"] > 0.85
    result.stdout.fnmatch_lines(
        [
            "*target='great' is not a class of *; its classes: *'bad', 'so-so', 'good'*",
            "lenient: attack success rate 1.000 [[]0.881, 1.000[]] of 20 attacked, 1.0 words changed, *",
        ]
    )
    assert len((project.path / "fooled.csv").read_text(encoding="utf-8").splitlines()) == 21

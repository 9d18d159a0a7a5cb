"""Recipes of TextAttack itself; this process never imports it."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_trust.attacks import AttackOutcome, AttackResult
from pytest_trust.attacks.textattack import TextAttackRunner
from pytest_trust.attacks.textattack.recipes import RECIPES
from pytest_trust.errors import ConfigurationError

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("textattack") is None,
    reason="TextAttack is not installed: it needs an environment of its own (tox -e textattack)",
)

WEIGHTS = {"good": 1.5, "great": 2.5, "lovely": 2.0, "bad": -1.5, "awful": -2.5, "dull": -2.0, "film": 0.2}
TEXTS = [
    "a good film about a small town",
    "the story was great and the music lovely , really great and lovely",
    "an awful film , dull from start to end",
    "bad",
    "what a dull evening",
    "a good day for the town",
]
LABELS = ["good", "good", "bad", "bad", "good", "good"]

# Composes an attack as users of TextAttack do, in a process that may import it.
COMPOSED = """
import json
from pytest_trust.attacks.textattack.parts import give_stop_words
give_stop_words(fetch=False)
import textattack
from textattack.attack_args import ATTACK_RECIPE_NAMES
from textattack.constraints.pre_transformation import RepeatModification, StopwordModification
from pytest_trust.attacks.textattack.transformation import as_transformation

class Fixed:
    name = "fixed"
    def candidates(self, word, label):
        return {("good", 1): ["bad", "fine", "two words"], ("film", 1): ["movie"]}.get((word, label), [])

class Model:
    def __init__(self): self.model = self
    def __call__(self, texts):
        good = [0.6 * ("good" in t.lower()) + 0.3 * ("film" in t.lower()) + 0.05 for t in texts]
        return [[1 - p, p] for p in good]

asked = []
def label_of(text):
    asked.append(text)
    return 1

swap = as_transformation(Fixed(), label_of)
goal = textattack.goal_functions.UntargetedClassification(Model())
search = textattack.search_methods.GreedyWordSwapWIR(wir_method="delete")
attack = textattack.Attack(goal, [RepeatModification(), StopwordModification()], swap, search)
result = attack.attack("A Good film", 1)
start = textattack.shared.AttackedText("Good film")
once = as_transformation(Fixed(), label_of, max_candidates=1)
recipes = {
    name: cls.__name__
    for cls in vars(textattack.attack_recipes).values()
    if isinstance(cls, type) and cls.__name__ != "AttackRecipe"
    for name in [next((k for k, v in ATTACK_RECIPE_NAMES.items() if v.endswith("." + cls.__name__)), cls.__name__)]
}
print(json.dumps({
    "recipes": recipes,
    "composed": result.perturbed_text(),
    "asked": sorted(set(asked)),
    "all": sorted(text.text for text in swap(start)),
    "first": sorted(text.text for text in once(start)),
    "shown": repr(swap),
}))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home without caches."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "HF_HOME", "TFHUB_CACHE_DIR", "NLTK_DATA"):
            patch.setenv(name, str(folder))
        for name in ("TA_CACHE_DIR", "FLAIR_CACHE_ROOT", "PYTEST_TRUST_ALLOW_DOWNLOADS"):
            patch.delenv(name, raising=False)
        yield folder


@pytest.fixture(scope="module")
def runner(home: Path) -> Iterator[TextAttackRunner]:
    with TextAttackRunner() as runner:
        yield runner


@pytest.fixture(scope="module")
def composed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    command = [sys.executable, "-P", "-c", COMPOSED]
    environment = {**os.environ, "HOME": str(tmp_path_factory.mktemp("other"))}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture
def model(make_word_model: Callable[..., Any]) -> Any:
    return make_word_model(WEIGHTS)


def plain(results: list[AttackResult]) -> list[dict[str, Any]]:
    return [{**result.to_dict(), "seconds": None, "similarity": None} for result in results]


def test_the_table_of_recipes_is_that_of_the_installed_version(composed: dict[str, Any]) -> None:
    assert composed["recipes"] == {recipe.short or recipe.name: recipe.name for recipe in RECIPES}


def test_deepwordbug_flips_texts(runner: TextAttackRunner, model: Any) -> None:
    results = runner.attack(model, TEXTS, LABELS, "deepwordbug", seed=3)
    outcomes = [result.outcome for result in results]
    assert outcomes[3:5] == [AttackOutcome.SKIPPED_SHORT, AttackOutcome.SKIPPED_WRONG]
    assert outcomes.count(AttackOutcome.SUCCESS) >= 1
    for result in results:
        if result.outcome is AttackOutcome.SUCCESS:
            assert result.new_label == 1 - result.label
            assert result.changes
            assert result.queries > 2
            assert model([result.adversarial])[0] == pytest.approx(result.after)


def test_a_seed_gives_the_same_attack_in_any_company(runner: TextAttackRunner, model: Any) -> None:
    together = runner.attack(model, TEXTS, LABELS, "deepwordbug", seed=3)
    backwards = runner.attack(model, TEXTS[::-1], LABELS[::-1], "deepwordbug", seed=3)[::-1]
    assert plain(together) == plain(backwards)
    other = runner.attack(model, TEXTS, LABELS, "deepwordbug", seed=4)
    assert plain(together) != plain(other)


def test_the_budgets_are_honoured(runner: TextAttackRunner, model: Any) -> None:
    text, label = TEXTS[1], LABELS[1]
    [free] = runner.attack(model, [text], [label], "pruthi")
    assert free.queries > 20
    [few] = runner.attack(model, [text], [label], "pruthi", max_queries=10)
    assert (few.outcome, few.queries) == (AttackOutcome.BUDGET, 10)
    [fewest] = runner.attack(model, [text], [label], "deepwordbug", max_queries=3)
    assert (fewest.outcome, fewest.queries) == (AttackOutcome.BUDGET, 3)
    [hurried] = runner.attack(model, [text], [label], "pruthi", seconds=1e-9)
    assert hurried.outcome is AttackOutcome.BUDGET


def test_the_session_keeps_its_generators_environment_and_log_file(
    runner: TextAttackRunner, model: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    handler = logging.FileHandler(tmp_path / "session.log")
    logging.getLogger().addHandler(handler)
    try:
        environment, states = dict(os.environ), (random.getstate(), np.random.get_state()[1].tolist())
        with TextAttackRunner() as own:
            own.attack(model, TEXTS[:1], LABELS[:1], "deepwordbug")
        assert dict(os.environ) == environment
        assert (random.getstate(), np.random.get_state()[1].tolist()) == states
        assert "textattack" not in sys.modules
        assert handler in logging.getLogger().handlers
        logging.getLogger().error("after the attack")
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    assert (tmp_path / "session.log").read_text() == "after the attack\n"
    assert capfd.readouterr() == ("", "")


def test_the_generator_of_torch_is_kept(runner: TextAttackRunner, model: Any) -> None:
    import torch

    before = torch.get_rng_state()
    runner.attack(model, TEXTS[:1], LABELS[:1], "deepwordbug")
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize(
    ("recipe", "parts"),
    [
        ("textfooler", ["counter-fitted GloVe vectors", "part-of-speech tagger", "Universal Sentence Encoder"]),
        ("pwws", ["WordNet (python -m nltk.downloader wordnet"]),
        ("bae", ["bert-base-uncased in the cache of the Hugging Face hub"]),
        ("checklist", ["flair/ner-english in flair's cache"]),
        ("pso", ["HowNet's synonyms", "flair/upos-english-fast"]),
        ("ChineseRecipe", ["OpenHowNet", "xlm-roberta-base"]),
        ("bad-characters", ["intentional_homoglyphs.txt"]),
    ],
)
def test_parts_that_cannot_be_had_are_named_in_one_error(home: Path, model: Any, recipe: str, parts: list[str]) -> None:
    with TextAttackRunner() as runner, pytest.raises(ConfigurationError) as caught:
        runner.attack(model, TEXTS[:1], LABELS[:1], recipe)
    message = str(caught.value)
    assert f"recipe {recipe!r} needs what is not on this machine" in message
    assert all(part in message for part in parts)
    assert "PYTEST_TRUST_ALLOW_DOWNLOADS=1" in message


def test_the_first_import_leaves_no_note_of_a_download_that_never_was(runner: TextAttackRunner, home: Path) -> None:
    assert not (home / ".cache" / "textattack" / "post_install_check_3").exists()


def test_a_substitution_is_a_transformation(composed: dict[str, Any]) -> None:
    assert composed["composed"] == "A Bad film"
    assert composed["asked"] == ["A Good film"]  # never a text within the attack
    assert composed["all"] == ["Bad film", "Fine film", "Good movie"]
    assert composed["first"] == ["Bad film", "Good movie"]
    assert "fixed" in composed["shown"]

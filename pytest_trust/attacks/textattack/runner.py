"""Recipes of TextAttack against a model of this process, run in a process of their own.

TextAttack closes log handlers, sets variables of the environment, reseeds the global generators and takes seconds to
import. None of that happens here: the other process asks for probabilities through pipes, and the model stays.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Self

from pytest_trust.arguments import require_between
from pytest_trust.attacks.base import AttackOutcome, AttackResult, SentenceEncoder
from pytest_trust.attacks.textattack.parts import package_folder
from pytest_trust.attacks.textattack.process import Process, TextAttackError
from pytest_trust.attacks.textattack.recipe_attack import RecipeAttack, checked_limits, skipped
from pytest_trust.attacks.textattack.recipes import recipe_named
from pytest_trust.errors import DataError
from pytest_trust.models import as_classifier, label_indices
from pytest_trust.text import word_spans

# -P: modules of the working folder, or beside the worker, must not stand in for installed ones.
WORKER = (sys.executable, "-P", "-m", "pytest_trust.attacks.textattack.worker")
# Seconds that the other process may be silent beyond a text's own, and while it imports and makes a recipe.
PATIENCE = 300.0
_LEAST_WORDS = 2
# Outcomes of texts for which the other process is not needed.
_NOT_ASKED = (AttackOutcome.SKIPPED_SHORT, AttackOutcome.SKIPPED_WRONG)


class _LostError(TextAttackError):
    """The process was lost on a text, of which there is a ``result``."""

    def __init__(self, message: str, result: AttackResult) -> None:
        super().__init__(message)
        self.result = result


def attack_with_recipe(
    model: object,
    texts: Sequence[str],
    labels: Sequence[str],
    recipe: str,
    *,
    max_queries: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    encoder: SentenceEncoder | None = None,
) -> list[AttackResult]:
    """Attack ``texts`` by TextAttack's ``recipe`` in a process that lives as long as the call.

    For the arguments and errors see :meth:`TextAttackRunner.attack`.
    """
    with TextAttackRunner() as runner:
        return runner.attack(
            model, texts, labels, recipe, max_queries=max_queries, seconds=seconds, seed=seed, encoder=encoder
        )


class TextAttackRunner:
    """Runs recipes of TextAttack in one process, which starts with the first attack and ends with :meth:`close`.

    After an error the next attack starts another. ``patience`` is how long, in seconds, the process may be silent:
    while it imports TextAttack and makes a recipe, and, beyond the time given for a text, between two requests to the
    model. ``command`` starts it.
    """

    def __init__(self, *, patience: float = PATIENCE, command: Sequence[str] = WORKER) -> None:
        self._patience = require_between("patience", patience, 0.0, math.inf)
        self._command = tuple(command)
        self._process: Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def attack(
        self,
        model: object,
        texts: Sequence[str],
        labels: Sequence[str],
        recipe: str,
        *,
        max_queries: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        encoder: SentenceEncoder | None = None,
    ) -> list[AttackResult]:
        """What becomes of each text under the ``recipe``, named by its class or as TextAttack's command line does.

        A success is scored again here, on the final text alone. Texts of fewer than two words, those that the model
        gets wrong, and those on which TextAttack fails, are skipped. The recipe bad-characters, which aims at one
        class, gets the likeliest wrong one.

        Args:
            model: a classifier, in any form that :func:`~pytest_trust.models.as_classifier` takes.
            texts: the texts to attack.
            labels: the class of each.
            recipe: its name, in any case of letters.
            max_queries: the most texts that the model is asked about for each text, at least 3; None for no bound.
            seconds: the longest search for each text, looked at before each batch; None for no bound.
            seed: with one seed a text is attacked in the same way, whatever the company.
            encoder: tells the similarity of results, which is None without.

        Raises:
            ConfigurationError: there is no such recipe, it cannot attack a classifier from another process, it needs
                what is not on this machine, or a bound is out of its range.
            DataError: a label is no class of the model, or there are not as many as texts.
            MissingExtraError: TextAttack is not installed.
            ModelError: the model's answer is none.
            TextAttackError: TextAttack could not make the recipe, or its process died or did not answer in time on two
                texts in a row, or without having answered any.
        """
        known, limits = recipe_named(recipe), checked_limits(max_queries, seconds)
        classifier = as_classifier(model)
        if len(texts) != len(labels):
            raise DataError(f"{len(labels)} labels for {len(texts)} texts; expected one for each")
        columns = label_indices(labels, classifier)
        attack = RecipeAttack(classifier, known, limits, self._patience, seed, encoder)
        try:
            return self._all(attack, texts, columns)
        except BaseException:
            # Half an exchange may be left in the pipes.
            self.close()
            raise

    def _all(self, attack: RecipeAttack, texts: Sequence[str], columns: Sequence[int]) -> list[AttackResult]:
        """The results; a process that is lost on a text, but answers others, is that text's own failure."""
        results: list[AttackResult] = []
        lost: _LostError | None = None
        has_answered = False
        for text, label in zip(texts, columns, strict=True):
            try:
                results.append(self._one(attack, text, label))
            except _LostError as error:
                self.close()
                if lost is not None:
                    raise
                lost = error
                results.append(error.result)
            else:
                if results[-1].outcome not in _NOT_ASKED:
                    lost, has_answered = None, True
        if lost is not None and not has_answered:
            raise lost
        return results

    def _one(self, attack: RecipeAttack, text: str, label: int) -> AttackResult:
        if len(word_spans(text)) < _LEAST_WORDS:
            return skipped(text, label, AttackOutcome.SKIPPED_SHORT, None)
        before = attack.model.predict_proba([text])[0]
        if int(before.argmax()) != label:
            return skipped(text, label, AttackOutcome.SKIPPED_WRONG, before)
        process = self._ready(attack)
        started = time.monotonic()
        failed = skipped(text, label, AttackOutcome.SKIPPED_FAILED, before)
        try:
            answer, asked = attack.search(process, text, label, before)
        except TextAttackError as error:
            raise _LostError(str(error), replace(failed, note=str(error))) from error.__cause__
        if "failed" in answer:
            return replace(failed, queries=failed.queries + asked, note=f"TextAttack failed: {answer['failed']}")
        return attack.result(text, label, before, answer, started)

    def _ready(self, attack: RecipeAttack) -> Process:
        """The process, which has made the recipe.

        Raises:
            ConfigurationError: the recipe cannot be had.
            TextAttackError: TextAttack failed to make it.
        """
        if self._process is None:
            package_folder(f"the attack {attack.recipe.short or attack.recipe.name!r}")
            self._process = Process(self._command)
        process = self._process
        if attack.recipe.name not in process.recipes:
            answer = process.ask({"recipe": attack.recipe.name}, self._patience)
            if "failed" in answer:
                raise TextAttackError(f"TextAttack failed: {answer['failed']}")
            process.recipes.add(attack.recipe.name)
        return process

"""A model under the attack of a recipe: what is asked for, and what becomes of a text."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from pytest_trust.arguments import require_between, require_count
from pytest_trust.attacks.base import AttackOutcome, AttackResult, SentenceEncoder
from pytest_trust.attacks.textattack.changes import word_changes
from pytest_trust.attacks.textattack.process import Process
from pytest_trust.attacks.textattack.protocol import Message
from pytest_trust.attacks.textattack.recipes import Recipe
from pytest_trust.models import TextClassifier
from pytest_trust.models.base import Probabilities
from pytest_trust.stats.sampling import seed_for

# Queries outside the search: the model's view of the text before it, and of the final text after it.
_OUTSIDE = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """What one search may spend; None for no bound."""

    max_queries: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class RecipeAttack:
    """A model under the attack of a recipe."""

    model: TextClassifier
    recipe: Recipe
    limits: Limits
    patience: float
    seed: int
    encoder: SentenceEncoder | None

    def search(self, process: Process, text: str, label: int, before: Probabilities) -> tuple[Message, int]:
        """The answer of ``process`` on ``text``, to which the model gives the probabilities ``before``.

        Also of how many texts the model was asked in between. Each message is waited for as long as a text may take.

        Raises:
            ConfigurationError: what the search needs cannot be had.
            TextAttackError: the process was lost.
        """
        seconds, asked = (self.limits.seconds or 0.0) + self.patience, 0
        answer = process.ask(self._request(text, label, before), seconds)
        while "texts" in answer:
            asked += len(answer["texts"])
            probabilities = self.model.predict_proba(answer["texts"])
            answer = process.ask({"probabilities": probabilities.tolist()}, seconds)
        return answer, asked

    def _request(self, text: str, label: int, before: Probabilities) -> Message:
        others = np.array(before)
        others[label] = -1.0
        return {
            "recipe": self.recipe.name,
            "text": text,
            "label": label,
            "target": int(others.argmax()),
            "max_queries": self.limits.max_queries and self.limits.max_queries - _OUTSIDE,
            "seconds": self.limits.seconds,
            "seed": seed_for(self.seed, text),
        }

    def result(self, text: str, label: int, before: Probabilities, answer: Message, started: float) -> AttackResult:
        """What became of ``text``, by the worker's answer and by the model's view of the final text."""
        final = answer["text"]
        found = text if final is None else final
        # Asked once more alone: the search saw the text in a batch.
        after = self.model.predict_proba([found])[0]
        return AttackResult(
            text=text,
            label=label,
            outcome=_outcome(int(after.argmax()) != label, final is None or answer["spent"]),
            adversarial=found,
            changes=word_changes(text, found),
            similarity=self._similarity(text, found),
            before=_plain(before),
            after=_plain(after),
            queries=answer["queries"] + _OUTSIDE,
            seconds=time.monotonic() - started,
        )

    def _similarity(self, text: str, found: str) -> float | None:
        if text == found:
            return 1.0
        if self.encoder is None:
            return None
        a, b = self.encoder.encode([text, found]).astype(np.float64)
        return float(a @ b)


def _outcome(flipped: bool, spent: bool) -> AttackOutcome:
    if flipped:
        return AttackOutcome.SUCCESS
    return AttackOutcome.BUDGET if spent else AttackOutcome.FAILURE


def skipped(text: str, label: int, outcome: AttackOutcome, before: Probabilities | None) -> AttackResult:
    """The result for a text that is not attacked, to which the model gave ``before``; None where it was not asked."""
    row = () if before is None else _plain(before)
    return AttackResult(text, label, outcome, text, (), 1.0, row, row, queries=len(row[:1]), seconds=0.0)


def _plain(probabilities: Probabilities) -> tuple[float, ...]:
    return tuple(float(value) for value in probabilities)


def checked_limits(max_queries: int | None, seconds: float | None) -> Limits:
    """The bounds.

    Raises:
        ConfigurationError: one is out of its range.
    """
    return Limits(
        None if max_queries is None else require_count("max_queries", max_queries, least=_OUTSIDE + 1),
        None if seconds is None else require_between("seconds", seconds, 0.0, math.inf),
    )

"""What an attack did to texts: checked, counted, and what of it stays open."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Protocol, runtime_checkable

from pytest_trust.attacks import AttackOutcome, AttackResult
from pytest_trust.checks.budget import Deadline, slices
from pytest_trust.errors import ConfigurationError, ModelError
from pytest_trust.messages import shown
from pytest_trust.models import TextClassifier

# Texts that the model is asked about alone after the attack, and how far its answers may lie from the attack's.
_ASKED_ALONE = 8
_SAME_ANSWER = 0.05


@runtime_checkable
class Attacker(Protocol):
    """Attacks texts of one model."""

    @property
    def name(self) -> str:
        """Short name, such as "toki"."""

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Iterator[AttackResult]:
        """The attack on each text, in order; ``labels`` are columns of the model's classes."""

    def describe(self) -> Mapping[str, float | int | str | None]:
        """What shapes the results beside the model, as plain values."""


def attack_until(
    attack: Attacker, texts: Sequence[str], labels: Sequence[int], k: int, deadline: Deadline | None
) -> tuple[AttackResult, ...]:
    """The results of an attack on the first of ``texts``, as many as it comes to until ``deadline``.

    Raises:
        ConfigurationError: the attack, which may be a user's own, does not give one result for each text, claims a
            success that is none, or lacks probabilities of the ``k`` classes.
    """
    parts = (_attack_some(attack, texts[some], labels[some], k, deadline) for some in slices(deadline, len(texts)))
    return tuple(item for part in parts for item in part)


def _attack_some(
    attack: Attacker, texts: Sequence[str], labels: Sequence[int], k: int, deadline: Deadline | None
) -> tuple[AttackResult, ...]:
    """Once ``deadline`` is over no more results are waited for."""
    attacks, is_cut = _results(attack, texts, labels, deadline)
    if is_cut:
        texts, labels = texts[: len(attacks)], labels[: len(attacks)]
    if len(attacks) != len(texts):
        raise ConfigurationError(f"the attack {attack.name!r} gave {len(attacks)} results for {len(texts)} texts")
    for item, text, label in zip(attacks, texts, labels, strict=True):
        if not isinstance(item, AttackResult) or (item.text, item.label) != (text, label):
            raise ConfigurationError(
                f"the attack {attack.name!r} gave {shown(item)}: expected the result for {text!r} of class {label}"
            )
        _check_outcome(attack.name, item, k)
    return attacks


def _results(
    attack: Attacker, texts: Sequence[str], labels: Sequence[int], deadline: Deadline | None
) -> tuple[tuple[AttackResult, ...], bool]:
    """What an attack yields until ``deadline``, and whether that cut it."""
    found = []
    for item in attack.run(texts, labels):
        found.append(item)
        if deadline is not None and deadline.is_spent and len(found) < len(texts):
            return tuple(found), True
    return tuple(found), False


def _check_outcome(name: str, item: AttackResult, k: int) -> None:
    if item.outcome.is_attacked and not len(item.before) == len(item.after) == k:
        raise ConfigurationError(
            f"the attack {name!r} gave {len(item.before)} and {len(item.after)} probabilities before and after it for "
            f"{item.text!r}; expected one for each of the {k} classes"
        )
    if item.outcome is AttackOutcome.SUCCESS and (item.adversarial == item.text or item.new_label == item.label):
        raise ConfigurationError(
            f"the attack {name!r} claims a success on {item.text!r}, but the text or its class is the same"
        )


def check_same_model(name: str, model: TextClassifier, attacks: Sequence[AttackResult]) -> None:
    """Accepts the results of an attack on ``model``, by what it gives some of the texts alone.

    Raises:
        ModelError: the attack was on another model, or the answer for a text depends on its company.
    """
    for item in [item for item in attacks if len(item.before) == len(model.classes)][:_ASKED_ALONE]:
        alone = float(model.predict_proba([item.text])[0, item.label])
        if abs(alone - item.before[item.label]) > _SAME_ANSWER:
            raise ModelError(
                f"the attack {name!r} found the probability {item.before[item.label]:.3f} of the class "
                f"{model.classes[item.label]} for {item.text[:80]!r}, but {model.source} gives {alone:.3f} to that "
                "text alone; expected an attack on this model, and a model whose answers do not depend on the batch"
            )


def described(attack: Attacker) -> dict[str, float | int | str | bool | None]:
    """What an attack says of itself, as far as a report can hold it.

    Raises:
        ConfigurationError: a report cannot hold some of it.
    """
    values = dict(attack.describe())
    for name, value in values.items():
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if not isinstance(name, str) or not (is_number or value is None or isinstance(value, str)):
            raise ConfigurationError(
                f"the attack {attack.name!r} describes {name!r} as {shown(value)}: expected a number, str or None"
            )
    return values


def fooled(attacks: Sequence[AttackResult]) -> list[AttackResult]:
    """The successes."""
    return [item for item in attacks if item.outcome is AttackOutcome.SUCCESS]


def attack_figures(attacks: Sequence[AttackResult]) -> dict[str, float | int | None]:
    """Counts of outcomes, and means over the successes, or over all that was attacked (queries)."""
    counts = Counter(item.outcome for item in attacks)
    attacked = [item for item in attacks if item.outcome.is_attacked]
    successes = fooled(attacks)
    return {
        "attacked": len(attacked),
        "successes": len(successes),
        "skipped_wrong": counts[AttackOutcome.SKIPPED_WRONG],
        "skipped_short": counts[AttackOutcome.SKIPPED_SHORT],
        "skipped_fixed": counts[AttackOutcome.SKIPPED_FIXED],
        "skipped_failed": counts[AttackOutcome.SKIPPED_FAILED],
        "budget_spent": counts[AttackOutcome.BUDGET],
        "mean_changed_words": _mean([len(item.changes) for item in successes]),
        "mean_similarity": _mean([item.similarity for item in successes if item.similarity is not None]),
        "mean_queries": _mean([item.queries for item in attacked]),
    }


def why_not_attacked(attacks: Sequence[AttackResult]) -> str:
    """What became of texts of which none was attacked, in words."""
    counts = Counter(item.outcome for item in attacks)
    parts = [f"{counts[outcome]} {what}" for outcome, what in _NOT_ATTACKED.items() if counts[outcome]]
    return f"of {len(attacks)} texts " + ", ".join(parts) if parts else "there are no texts"


_NOT_ATTACKED = {
    AttackOutcome.SKIPPED_WRONG: "got a wrong answer at the start",
    AttackOutcome.SKIPPED_SHORT: "have fewer than two words",
    AttackOutcome.SKIPPED_FIXED: "hold nothing to replace",
    AttackOutcome.SKIPPED_FAILED: "made the attack fail",
}


def _mean(values: Sequence[float]) -> float | None:
    return float(fmean(values)) if values else None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Searches that did not come to an end: ``cut`` by a budget, and ``failed``, with the first error."""

    cut: int
    failed: int
    error: str

    @classmethod
    def of(cls, attacks: Sequence[AttackResult]) -> Unfinished:
        """Those of ``attacks``."""
        failed = [item for item in attacks if item.outcome is AttackOutcome.SKIPPED_FAILED]
        cut = sum(item.outcome is AttackOutcome.BUDGET for item in attacks)
        return cls(cut, len(failed), next((item.note for item in failed if item.note), "no error was told"))

    @property
    def failures(self) -> str:
        """On how many texts the attack failed, and how; empty where it did not."""
        return f"the attack failed on {self.failed} texts that are not counted ({self.error})" if self.failed else ""

    @property
    def reason(self) -> str:
        """What is open, in words; empty where nothing is."""
        cut = f"a budget ended the attack on {self.cut} of them" if self.cut else ""
        return ", and ".join(filter(None, (cut, self.failures)))

    @property
    def advice(self) -> str:
        """What could close it."""
        if self.cut:
            return "a larger budget could change this (max_queries=, max_seconds=)"
        return "an attack that does not fail on these texts could change this"

"""Adversarial probe: how often an attack that keeps the meaning fools the model (TOKI, FSE 2025, section 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Protocol, get_args, runtime_checkable

import numpy as np

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.attacks import AttackOutcome, AttackResult
from pytest_trust.checks.common import MAX_EVIDENCE, Compare, Decision, take_subject
from pytest_trust.checks.obstacles import decide_by, rate_above
from pytest_trust.checks.sources import numbered, source_keys
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown
from pytest_trust.models.classes import label_indices
from pytest_trust.results import CheckResult, EvidenceRow, Outcome
from pytest_trust.stats import Rate, clustered_rate

# Changed words that a row of evidence lists.
_SHOWN_CHANGES = 6


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


def check_adversarial(
    model: object,
    data: object,
    attack: Attacker,
    *,
    max_success_rate: float = 0.4,
    compare: Compare = "bound",
    target: str | None = None,
    n: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Is the model hard to fool?

    ``attack`` changes words of each text until the model gives it another class than its label. The attack success
    rate (ASR) is the share of fooled texts among those attacked; a text that the model gets wrong at the start, or
    that is too short, is not attacked. PASS where the upper bound of the ASR is at most ``max_success_rate``, FAIL
    where the ASR itself lies above, INCONCLUSIVE between the two and where nothing was attacked. A text on which a
    budget ended the attack counts as not fooled. The texts that fooled the model, with their labels, are the ``cases``
    of the result.

    Args:
        model: a classifier, an estimator, or a callable that takes texts: the one that ``attack`` attacks.
        data: labelled texts.
        attack: an :class:`~pytest_trust.attacks.Attack`, or another object with ``name``, ``run`` and ``describe``.
        max_success_rate: bound of the ASR, from 0 to below 1.
        compare: "bound" compares the upper confidence bounds (Wilson's and the exact one), "estimate" the ASR itself.
        target: attack texts of this class alone.
        n: size of a seeded sample of the data; all by default.
        alpha: one minus the confidence of the upper bound.
        seed: of the sample.
        name: shown in reports.
        capability: shown in reports.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
        DataError: the data cannot be read, or have no labels.
        ModelError: the model's answer is malformed, or labels are not its classes.
    """
    bound = require_between("max_success_rate", max_success_rate, 0, 1, low_included=True)
    require_choice("compare", compare, get_args(Compare))
    alpha = require_alpha(alpha)
    if isinstance(attack, type) or not isinstance(attack, Attacker):
        raise ConfigurationError(f"attack={shown(attack)}: expected an object with name, run and describe")
    subject = take_subject(model, data, target=target, n=n, seed=seed, need_labels=True)
    labels = label_indices(subject.data.labels, subject.model)
    places = [i for i, label in enumerate(labels) if subject.target in (None, label)]
    attacks = tuple(attack.run([subject.data.texts[i] for i in places], [labels[i] for i in places]))
    keys = source_keys(subject.data)
    attacked = [i for i, item in enumerate(attacks) if item.outcome.is_attacked]
    fooled = [attacks[i].outcome is AttackOutcome.SUCCESS for i in attacked]
    rate = clustered_rate(np.array(fooled, dtype=bool), numbered(keys[places[i]] for i in attacked), alpha)
    decision = _decide(rate, bound, compare, alpha)
    return CheckResult(
        kind="adversarial",
        name=name or f"{attack.name} attack" + (f" on {target}" if target else ""),
        outcome=decision.outcome,
        n=rate.n,
        n_total=len(places),
        estimate=rate.estimate,
        low=rate.low if rate.n else None,
        high=rate.high if rate.n else None,
        bound=bound,
        p_value=None,
        alpha=alpha,
        seed=subject.seed,
        reason=decision.reason,
        advice=decision.advice,
        capability=capability,
        evidence=_evidence(attacks, subject.model.classes),
        cases=tuple((item.adversarial, subject.model.classes[item.label]) for item in _fooled(attacks)),
        details={"attack": attack.name, "compare": compare, "target": target, **_figures(attacks), **attack.describe()},
    )


def _decide(rate: Rate, most: float, compare: Compare, alpha: float) -> Decision:
    if rate.estimate is None:
        return Decision(
            Outcome.INCONCLUSIVE,
            "nothing was attacked: the model is wrong on every text, or they are too short",
            "more texts could change this, if the model is right on them and they have two words or more",
        )
    found = f"the attack fooled the model on {rate.estimate:.1%} of {rate.n} texts"
    claim = f"a success rate of at most {most:.1%}"
    obstacle = rate_above(rate, most, alpha, found=found, failed=f"{found}, at most {most:.1%} may", claim=claim)
    if compare == "estimate" and rate.estimate <= most:
        obstacle = None
    return decide_by([obstacle] if obstacle else [], found)


def _figures(attacks: Sequence[AttackResult]) -> dict[str, float | int | None]:
    counts = Counter(item.outcome for item in attacks)
    attacked = [item for item in attacks if item.outcome.is_attacked]
    fooled = _fooled(attacks)
    return {
        "attacked": len(attacked),
        "successes": len(fooled),
        "skipped_wrong": counts[AttackOutcome.SKIPPED_WRONG],
        "skipped_short": counts[AttackOutcome.SKIPPED_SHORT],
        "budget_spent": counts[AttackOutcome.BUDGET],
        "mean_changed_words": _mean([len(item.changes) for item in fooled]),
        "mean_similarity": _mean([item.similarity for item in fooled if item.similarity is not None]),
        "mean_queries": _mean([item.queries for item in attacked]),
    }


def _fooled(attacks: Sequence[AttackResult]) -> list[AttackResult]:
    return [item for item in attacks if item.outcome is AttackOutcome.SUCCESS]


def _mean(values: Sequence[float]) -> float | None:
    return float(fmean(values)) if values else None


def _evidence(attacks: Sequence[AttackResult], classes: Sequence[str]) -> tuple[EvidenceRow, ...]:
    """The successes that changed the fewest words first, of those the nearest; ties by order of the data."""
    nearest = sorted(_fooled(attacks), key=lambda item: (len(item.changes), -(item.similarity or 0.0)))[:MAX_EVIDENCE]
    return tuple(_row(item, classes) for item in nearest)


def _row(item: AttackResult, classes: Sequence[str]) -> EvidenceRow:
    changes = [f"{change.before} -> {change.after}" for change in item.changes[:_SHOWN_CHANGES]]
    more = len(item.changes) - len(changes)
    similarity = "" if item.similarity is None else f"; similarity {item.similarity:.2f}"
    return EvidenceRow(
        text=item.text,
        label=classes[item.label],
        probability=item.before[item.label],
        changed_text=item.adversarial,
        changed_label=classes[item.new_label] if item.new_label is not None else None,
        changed_probability=item.after[item.label],
        note=", ".join([*changes, *([f"{more} more"] if more > 0 else [])]) + similarity,
    )

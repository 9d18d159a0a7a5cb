"""Adversarial probe: how often an attack that keeps the meaning fools the model (TOKI, FSE 2025, section 4)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Protocol, get_args, runtime_checkable

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.attacks import AttackOutcome, AttackResult
from pytest_trust.checks.common import MAX_EVIDENCE, Compare, Decision, take_subject
from pytest_trust.checks.obstacles import decide_by, rate_above
from pytest_trust.checks.sources import numbered, source_keys
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown
from pytest_trust.models.classes import label_indices
from pytest_trust.results import CheckResult, EvidenceRow, Outcome
from pytest_trust.stats import Rate, clustered_rate, stays_within

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
    that holds nothing to replace, is not attacked. PASS where the upper bound of the ASR is at most
    ``max_success_rate``, FAIL where the ASR itself lies above, INCONCLUSIVE between the two and where nothing was
    attacked. A text on which a budget ended the attack is not fooled, and at worst would have been: it may not carry a
    gate. The texts that fooled the model, with their labels, are the ``cases`` of the result.

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
    texts = [subject.data.texts[i] for i in places]
    attacks = _checked(attack, attack.run(texts, [labels[i] for i in places]), texts)
    keys = source_keys(subject.data)
    attacked = [i for i, item in enumerate(attacks) if item.outcome.is_attacked]
    sources = numbered(keys[places[i]] for i in attacked)
    outcomes = [attacks[i].outcome for i in attacked]
    rate = clustered_rate([item is AttackOutcome.SUCCESS for item in outcomes], sources, alpha)
    # A search that a budget ended may not carry a gate: at worst it would have fooled the model.
    at_worst = clustered_rate([item is not AttackOutcome.FAILURE for item in outcomes], sources, alpha)
    decision = _decide(rate, at_worst, bound, compare, alpha, outcomes.count(AttackOutcome.BUDGET))
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
        details={
            **_described(attack),
            "attack": attack.name,
            "compare": compare,
            "target": target,
            **_figures(attacks),
        },
    )


def _checked(attack: Attacker, found: Iterable[AttackResult], texts: Sequence[str]) -> tuple[AttackResult, ...]:
    """The results of an attack, which may be a user's own: one for each text, and successes that are some."""
    attacks = tuple(found)
    if len(attacks) != len(texts):
        raise ConfigurationError(f"the attack {attack.name!r} gave {len(attacks)} results for {len(texts)} texts")
    for item, text in zip(attacks, texts, strict=True):
        if not isinstance(item, AttackResult) or item.text != text:
            raise ConfigurationError(f"the attack {attack.name!r} gave {shown(item)}: expected the result for {text!r}")
        if item.outcome is AttackOutcome.SUCCESS and (item.adversarial == text or item.new_label in (None, item.label)):
            raise ConfigurationError(
                f"the attack {attack.name!r} claims a success on {text!r}, but the text or its class is the same"
            )
    return attacks


def _described(attack: Attacker) -> dict[str, float | int | str | bool | None]:
    """What an attack says of itself, as far as a report can hold it."""
    described = dict(attack.describe())
    for name, value in described.items():
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if not isinstance(name, str) or not (is_number or value is None or isinstance(value, str)):
            raise ConfigurationError(
                f"the attack {attack.name!r} describes {name!r} as {shown(value)}: expected a number, str or None"
            )
    return described


def _decide(rate: Rate, at_worst: Rate, most: float, compare: Compare, alpha: float, cut: int) -> Decision:
    if rate.estimate is None or at_worst.estimate is None:
        return Decision(
            Outcome.INCONCLUSIVE,
            "nothing was attacked: the model is wrong on every text, or they hold nothing to replace",
            "more texts could change this, if the model is right on them and they hold words with replacements",
        )
    found = f"the attack fooled the model on {rate.estimate:.1%} of {rate.n} texts"
    claim = f"a success rate of at most {most:.1%}"
    obstacle = rate_above(rate, most, alpha, found=found, too_large=f"{found}, at most {most:.1%} may", claim=claim)
    if obstacle is not None and obstacle.outcome is Outcome.FAIL:
        return decide_by([obstacle], found)
    if at_worst.estimate <= most if compare == "estimate" else stays_within(at_worst, most, alpha):
        return Decision(Outcome.PASS, found)
    if cut:
        reason = f"{found}, and a budget ended the attack on {cut} more"
        return Decision(Outcome.INCONCLUSIVE, reason, "a larger budget could change this (max_queries=, max_seconds=)")
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
        "skipped_fixed": counts[AttackOutcome.SKIPPED_FIXED],
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

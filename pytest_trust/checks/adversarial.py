"""Adversarial probe: how often an attack that keeps the meaning fools the model (TOKI, FSE 2025, section 4)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import get_args

from pytest_trust.arguments import require_alpha, require_between, require_choice
from pytest_trust.attacks import AttackOutcome, AttackResult
from pytest_trust.checks.attacked import (
    Attacker,
    Unfinished,
    attack_figures,
    attack_until,
    check_same_model,
    described,
    fooled,
    why_not_attacked,
)
from pytest_trust.checks.budget import Deadline, Finished, as_deadline
from pytest_trust.checks.common import MAX_EVIDENCE, Compare, Decision, Subject, rate_result, take_subject
from pytest_trust.checks.obstacles import decide_by, rate_above
from pytest_trust.checks.sources import numbered, source_keys
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown
from pytest_trust.models.classes import label_indices
from pytest_trust.results import CheckResult, EvidenceRow, Outcome, TextResult
from pytest_trust.stats import Rate, clustered_rate, stays_within

# Outcomes of searches that did not come to their end.
_UNFINISHED = (AttackOutcome.BUDGET, AttackOutcome.SKIPPED_FAILED)
# Changed words that a row of evidence lists.
_SHOWN_CHANGES = 6


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
    budget: float | Deadline | None = None,
    name: str = "",
    capability: str | None = None,
) -> CheckResult:
    """Is the model hard to fool?

    ``attack`` changes words of each text until the model gives it another class than its label. The attack success
    rate (ASR) is the share of fooled texts among those attacked; a text that the model gets wrong at the start, or
    that holds nothing to replace, is not attacked, nor is one on which the attack itself fails. PASS where the upper
    bound of the ASR is at most ``max_success_rate``, FAIL where the ASR itself lies above, INCONCLUSIVE between the
    two and where nothing was attacked. A text on which a budget ended the attack is not fooled, and at worst would
    have been, as would one on which the attack failed: neither may carry a gate. The texts that fooled the model, with
    their labels, are the ``cases`` of the result.

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
        budget: most seconds, or a deadline that checks share; where it ends the check, that is INCONCLUSIVE.
        name: shown in reports.
        capability: shown in reports.

    Raises:
        ConfigurationError: an argument has a value that cannot be used.
        DataError: the data cannot be read, or have no labels.
        ModelError: the model's answer is malformed or depends on the batch, or the attack was on another model.
    """
    deadline = as_deadline(budget)
    bound = require_between("max_success_rate", max_success_rate, 0, 1, low_included=True)
    require_choice("compare", compare, get_args(Compare))
    alpha = require_alpha(alpha)
    if isinstance(attack, type) or not isinstance(attack, Attacker):
        raise ConfigurationError(f"attack={shown(attack)}: expected an object with name, run and describe")
    subject = take_subject(model, data, target=target, n=n, seed=seed, need_labels=True)
    places, attacks = _attacked(subject, attack, deadline)
    all_keys = source_keys(subject.data)
    keys = [all_keys[place] for place in places]
    attacked = [i for i, item in enumerate(attacks) if item.outcome.is_attacked]
    sources = numbered(keys[i] for i in attacked)
    rate = clustered_rate([attacks[i].outcome is AttackOutcome.SUCCESS for i in attacked], sources, alpha)
    finished = Finished(deadline, len(attacks), len(places), "texts attacked")
    return rate_result(
        rate,
        finished.decide(_decide(rate, attacks, keys, bound, compare, alpha)),
        kind="adversarial",
        name=name or f"{attack.name} attack" + (f" on {target}" if target else ""),
        n_total=len(places),
        bound=bound,
        alpha=alpha,
        seed=subject.seed,
        capability=capability,
        evidence=_evidence(attacks, subject.model.classes),
        texts=tuple(
            _text_result(attacks[i], subject.model.classes, int(source))
            for i, source in zip(attacked, sources, strict=True)
        ),
        cases=tuple((item.adversarial, subject.model.classes[item.label]) for item in fooled(attacks)),
        details={
            **described(attack),
            "attack": attack.name,
            "compare": compare,
            "target": target,
            **attack_figures(attacks),
            **finished.details(),
        },
    )


def _attacked(
    subject: Subject, attack: Attacker, deadline: Deadline | None
) -> tuple[list[int], tuple[AttackResult, ...]]:
    """The places of the texts to attack, and what became of those that ``deadline`` left time for."""
    labels = label_indices(subject.data.labels, subject.model)
    places = [i for i, label in enumerate(labels) if subject.target in (None, label)]
    texts = [subject.data.texts[i] for i in places]
    attacks = attack_until(attack, texts, [labels[i] for i in places], len(subject.model.classes), deadline)
    check_same_model(attack.name, subject.model, attacks)
    return places, attacks


def _decide(
    rate: Rate,
    attacks: Sequence[AttackResult],
    keys: Sequence[Hashable],
    most: float,
    compare: Compare,
    alpha: float,
) -> Decision:
    """The decision on the ``attacks``; ``keys`` are equal for texts of one source."""
    unfinished = Unfinished.of(attacks)
    at_worst = _rate_at_worst(attacks, keys, alpha)
    if rate.estimate is None or at_worst.estimate is None:
        return _nothing_attacked(why_not_attacked(attacks), unfinished)
    found = f"the attack fooled the model on {rate.estimate:.1%} of {rate.n} texts"
    claim = f"a success rate of at most {most:.1%}"
    obstacle = rate_above(rate, most, alpha, found=found, too_large=f"{found}, at most {most:.1%} may", claim=claim)
    if obstacle is not None and obstacle.outcome is Outcome.FAIL:
        return decide_by([obstacle], found)
    if at_worst.estimate <= most if compare == "estimate" else stays_within(at_worst, most, alpha):
        return Decision(Outcome.PASS, ", and ".join(filter(None, (found, unfinished.failures))))
    if unfinished.reason:
        return Decision(Outcome.INCONCLUSIVE, f"{found}, and {unfinished.reason}", unfinished.advice)
    return decide_by([obstacle] if obstacle else [], found)


def _rate_at_worst(attacks: Sequence[AttackResult], keys: Sequence[Hashable], alpha: float) -> Rate:
    """A search that did not come to its end may not carry a gate: at worst it would have fooled the model."""
    wanted = [i for i, item in enumerate(attacks) if item.outcome.is_attacked or item.outcome in _UNFINISHED]
    may_fool = [attacks[i].outcome is not AttackOutcome.FAILURE for i in wanted]
    return clustered_rate(may_fool, numbered(keys[i] for i in wanted), alpha)


def _nothing_attacked(why: str, unfinished: Unfinished) -> Decision:
    reason = f"nothing was attacked: {why}"
    if unfinished.failed:
        return Decision(Outcome.INCONCLUSIVE, f"{reason} ({unfinished.error})", unfinished.advice)
    advice = "more texts could change this, if the model is right on them and they hold words with replacements"
    return Decision(Outcome.INCONCLUSIVE, reason, advice)


def _evidence(attacks: Sequence[AttackResult], classes: Sequence[str]) -> tuple[EvidenceRow, ...]:
    """The successes that changed the fewest words first, of those the nearest; ties by order of the data.

    Behind them stand texts on which the attack failed.
    """
    nearest = sorted(fooled(attacks), key=lambda item: (len(item.changes), -(item.similarity or 0.0)))
    failed = [item for item in attacks if item.outcome is AttackOutcome.SKIPPED_FAILED and item.before]
    rows = [_row(item, classes) for item in nearest[:MAX_EVIDENCE]] + [_failed_row(item, classes) for item in failed]
    return tuple(rows[:MAX_EVIDENCE])


def _failed_row(item: AttackResult, classes: Sequence[str]) -> EvidenceRow:
    note = f"not attacked: {item.note}"
    return EvidenceRow(text=item.text, label=classes[item.label], probability=item.before[item.label], note=note)


# Whether the model stood firm; open where a budget ended the search.
_HOLDS = {AttackOutcome.SUCCESS: False, AttackOutcome.FAILURE: True}


def _text_result(item: AttackResult, classes: Sequence[str], source: int) -> TextResult:
    return TextResult(_row(item, classes), _HOLDS.get(item.outcome), None, source)


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

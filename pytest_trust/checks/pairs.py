"""Texts paired with their changed form: what invariance and direction are tested on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.checks.common import MAX_EVIDENCE, Decision, take_subject
from pytest_trust.models.base import Probabilities
from pytest_trust.perturb import Perturbation, perturb_text
from pytest_trust.results import CheckResult, EvidenceRow, Outcome
from pytest_trust.stats import PairedTest, seed_for


@dataclass(frozen=True)
class Pairs:
    """The m of ``n_total`` texts that a perturbation really changed, with both answers of the model, of shape (m, k).

    ``columns`` has shape (m,): the class whose probability is compared, the target or the one predicted before.
    """

    perturbation: Perturbation
    classes: tuple[str, ...]
    originals: tuple[str, ...]
    changed: tuple[str, ...]
    before: Probabilities
    after: Probabilities
    columns: NDArray[np.intp]
    n_total: int
    seed: int

    def __len__(self) -> int:
        return len(self.originals)

    @property
    def differences(self) -> NDArray[np.float64]:
        """Probability after minus before, shape (m,)."""
        rows = np.arange(len(self))
        result: NDArray[np.float64] = self.after[rows, self.columns] - self.before[rows, self.columns]
        return result

    @property
    def flips(self) -> NDArray[np.bool_]:
        """Where the predicted class changed, shape (m,)."""
        result: NDArray[np.bool_] = self.before.argmax(axis=1) != self.after.argmax(axis=1)
        return result


def make_pairs(
    model: object, data: object, perturbation: Perturbation, *, target: str | None, n: int | None, seed: int
) -> Pairs:
    """Pairs each text that ``perturbation`` changes with its changed form, and asks the model about both.

    Raises: as :func:`~pytest_trust.checks.common.take_subject`, and ModelError for a malformed answer.
    """
    subject = take_subject(model, data, target=target, n=n, seed=seed, need_labels=False)
    texts = subject.data.texts
    made = [
        (text, perturb_text(perturbation, text, seed_for(subject.seed, perturbation.name, text)).text) for text in texts
    ]
    originals = tuple(text for text, new in made if new != text)
    changed = tuple(new for text, new in made if new != text)
    answers = subject.model.predict_proba(originals + changed)
    before, after = answers[: len(originals)], answers[len(originals) :]
    predicted = before.argmax(axis=1)
    columns = predicted if subject.target is None else np.full_like(predicted, subject.target)
    return Pairs(
        perturbation, subject.model.classes, originals, changed, before, after, columns, len(texts), subject.seed
    )


def nothing_changed(pairs: Pairs) -> Decision | None:
    """INCONCLUSIVE where the perturbation changed nothing, else None."""
    if len(pairs):
        return None
    return Decision(
        Outcome.INCONCLUSIVE,
        f"nothing changed: {pairs.perturbation.name} left all {pairs.n_total} texts as they are",
        "give texts on which the perturbation has something to change, or another perturbation",
    )


def paired_result(
    pairs: Pairs,
    test: PairedTest,
    decision: Decision,
    badness: NDArray[np.float64],
    *,
    kind: str,
    name: str,
    bound: float,
    p_value: float | None,
    alpha: float,
    capability: str | None,
    details: Mapping[str, float | int | str | None],
) -> CheckResult:
    """The result of a paired check; its evidence are the pairs with the largest ``badness``, of shape (m,)."""
    return CheckResult(
        kind=kind,
        name=name,
        outcome=decision.outcome,
        n=len(pairs),
        n_total=pairs.n_total,
        estimate=test.mean,
        low=test.low,
        high=test.high,
        bound=bound,
        p_value=p_value,
        alpha=alpha,
        seed=pairs.seed,
        reason=decision.reason,
        advice=decision.advice,
        capability=capability,
        evidence=_evidence(pairs, badness),
        details={
            "perturbation": pairs.perturbation.name,
            "unchanged": pairs.n_total - len(pairs),
            "sd": test.sd,
            **details,
        },
    )


def _evidence(pairs: Pairs, badness: NDArray[np.float64]) -> tuple[EvidenceRow, ...]:
    """The worst pairs first; ties by order of the data."""
    flips = pairs.flips
    worst = np.argsort(-badness, kind="stable")[:MAX_EVIDENCE]
    return tuple(_row(pairs, int(i), "label flipped" if flips[i] else "") for i in worst)


def _row(pairs: Pairs, i: int, note: str) -> EvidenceRow:
    column = int(pairs.columns[i])
    return EvidenceRow(
        text=pairs.originals[i],
        label=pairs.classes[column],
        probability=float(pairs.before[i, column]),
        changed_text=pairs.changed[i],
        changed_label=pairs.classes[int(pairs.after[i].argmax())],
        changed_probability=float(pairs.after[i, column]),
        note=note,
    )

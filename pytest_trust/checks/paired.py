"""What is decided on pairs, of each class or at once, and the result that tells of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.checks.common import MAX_EVIDENCE, Decision
from pytest_trust.checks.pairs import Pairs
from pytest_trust.results import CheckResult, EvidenceRow, Outcome, TextResult
from pytest_trust.stats import PairedTest

# From the best to the worst.
_OUTCOMES = (Outcome.PASS, Outcome.INCONCLUSIVE, Outcome.FAIL)


class Seen(Protocol):
    """What pairs show."""

    @property
    def test(self) -> PairedTest:
        """The plain test."""

    @property
    def p_value(self) -> float | None:
        """The p of the gate."""


S = TypeVar("S", bound=Seen)


@dataclass(frozen=True, slots=True)
class Judged(Generic[S]):
    """Pairs, what was ``seen`` of them, and the decision."""

    pairs: Pairs
    seen: S
    decision: Decision


def judged_by(pairs: Pairs, seen: S, decide: Callable[[], Decision]) -> Judged[S]:
    """The pairs with the decision of ``decide``, which is asked where the perturbation changed something."""
    return Judged(pairs, seen, pairs.finished.decide(_nothing_changed(pairs) or decide()))


def worst_of(judged: Iterable[Judged[S]]) -> Judged[S]:
    """The worst of the decisions on several classes, all of which have to pass."""
    return max(judged, key=_badness)


def _badness(judged: Judged[S]) -> tuple[int, float]:
    p_value = judged.seen.p_value
    return _OUTCOMES.index(judged.decision.outcome), math.inf if p_value is None else p_value


def _nothing_changed(pairs: Pairs) -> Decision | None:
    """INCONCLUSIVE where the perturbation changed nothing, or nothing of a class that is viewed, else None."""
    if len(pairs):
        return None
    if pairs.viewed_class is not None:
        return Decision(
            Outcome.INCONCLUSIVE,
            f"no changed text is predicted as {pairs.viewed_class!r}",
            "more texts could change this, if the model predicts this class for some",
        )
    return Decision(
        Outcome.INCONCLUSIVE,
        f"nothing changed: {pairs.perturbation.name} left all {pairs.n_total} texts as they are",
        "more texts could change this, if the perturbation has something to change in them; or take another one",
    )


def paired_result(
    judged: Judged[S],
    badness: NDArray[np.float64],
    *,
    whole: Pairs,
    holds: NDArray[np.bool_],
    values: NDArray[np.float64],
    kind: str,
    name: str,
    bound: float,
    alpha: float,
    capability: str | None,
    target: str | None,
    details: Mapping[str, float | int | str | None],
) -> CheckResult:
    """The result of a paired check; its evidence are the pairs with the largest ``badness``, of shape (m,).

    ``holds`` and ``values`` are those of :class:`~pytest_trust.results.TextResult` for each pair of the ``whole``, of
    which the pairs that were ``judged`` may be the view of one class.
    """
    pairs, test, decision = judged.pairs, judged.seen.test, judged.decision
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
        p_value=judged.seen.p_value,
        alpha=alpha,
        seed=pairs.seed,
        reason=decision.reason,
        advice=decision.advice,
        capability=capability,
        evidence=_evidence(pairs, badness),
        texts=tuple(
            TextResult(_row(whole, i), bool(held), float(value), int(whole.groups[i]))
            for i, (held, value) in enumerate(zip(holds, values, strict=True))
        ),
        details={
            "perturbation": pairs.perturbation.name,
            "unchanged": pairs.unchanged,
            "sources": pairs.sources,
            "target": target,
            "worst_class": pairs.viewed_class,
            "sd": test.sd,
            **details,
            **pairs.finished.details(),
        },
    )


def _evidence(pairs: Pairs, badness: NDArray[np.float64]) -> tuple[EvidenceRow, ...]:
    """The worst pairs first; ties by order of the data."""
    worst = np.argsort(-badness, kind="stable")[:MAX_EVIDENCE]
    return tuple(_row(pairs, int(i)) for i in worst)


def _row(pairs: Pairs, i: int) -> EvidenceRow:
    column, before, after = int(pairs.columns[i]), int(pairs.before[i].argmax()), int(pairs.after[i].argmax())
    return EvidenceRow(
        text=pairs.originals[i],
        label=pairs.classes[column],
        probability=float(pairs.before[i, column]),
        changed_text=pairs.changed[i],
        changed_label=pairs.classes[after],
        changed_probability=float(pairs.after[i, column]),
        note="label flipped" if after != before else "",
    )

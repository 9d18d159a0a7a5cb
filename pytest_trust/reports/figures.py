"""The figures of a whole session, from the records of its checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_trust.stats import Confusion, Rate, wilson

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """Trust rate over all predictions that were judged, and the oracle's agreement with people.

    ``trust`` is None where nothing was judged; ``agreement`` counts nothing where the data hold no human verdict.
    """

    trust: Rate | None
    agreement: Confusion

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values; None where unknown. The attack success rate (asr) has no source yet."""
        return {
            "trust_rate": self.trust.estimate if self.trust else None,
            "judged": self.trust.n if self.trust else 0,
            "human_verdicts": self.agreement.n,
            "g_mean": self.agreement.g_mean,
            "specificity": self.agreement.specificity,
            "sensitivity": self.agreement.sensitivity,
            "accuracy": self.agreement.accuracy,
            "precision": self.agreement.precision,
            "f1": self.agreement.f1,
            "asr": None,
        }


def summarise(records: Sequence[Record]) -> Figures:
    """The figures of ``records``; checks that judged the same predictions count once."""
    judged = {_judged_set(record): record for record in records if record["kind"] == "trustworthy"}
    details = [record["details"] for record in judged.values()]
    n = sum(record["n"] for record in judged.values())
    trust = wilson(sum(item["trustworthy"] for item in details), n) if n else None
    agreement = sum((_confusion(item) for item in details), start=Confusion(0, 0, 0, 0))
    return Figures(trust, agreement)


def _judged_set(record: Record) -> tuple[Any, ...]:
    details = record["details"]
    subject = record["subject"]
    return (
        details["data"],
        details["oracle"],
        details["explainer"],
        details["target"],
        subject["model"]["fingerprint"],
    )


def _confusion(details: Mapping[str, Any]) -> Confusion:
    return Confusion(details["tp"], details["fp"], details["tn"], details["fn"])

"""The figures of a whole session, from the records of its checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_trust.stats import Confusion, Rate, wilson

Record = Mapping[str, Any]

AGREEMENT = ("g_mean", "specificity", "sensitivity", "accuracy", "precision", "f1")
"""The figures of agreement with people, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Trust rate over all predictions that were judged, and the oracle's agreement with people.

    ``trust`` is None where nothing was judged; ``agreement`` counts nothing where the data hold no human verdict.
    """

    trust: Rate | None
    agreement: Confusion

    def to_dict(self) -> dict[str, float | int | None]:
        """Plain values; None where unknown.

        Each figure of agreement comes with its 95 % interval under ``<name>_low`` and ``<name>_high``.
        """
        return {
            "trust_rate": self.trust.estimate if self.trust else None,
            "judged": self.trust.n if self.trust else 0,
            "human_verdicts": self.agreement.n,
            **self._agreement_values(),
        }

    def _agreement_values(self) -> dict[str, float | None]:
        intervals = self.agreement.intervals()
        values: dict[str, float | None] = {}
        for name in AGREEMENT:
            low, high = intervals[name] or (None, None)
            values |= {name: getattr(self.agreement, name), f"{name}_low": low, f"{name}_high": high}
        return values


def summarise(records: Sequence[Record]) -> Figures:
    """The figures of ``records``; predictions that several checks judged count once."""
    judged = without_overlap([record for record in records if record["kind"] == "trustworthy"], _way)
    details = [record["details"] for record in judged]
    n = sum(item["judged"] for item in details)
    trust = wilson(sum(item["trustworthy"] for item in details), n) if n else None
    return Figures(trust, sum(_agreements(judged), Confusion()))


def _agreements(judged: Sequence[Record]) -> list[Confusion]:
    """The agreement with people of each check; a file of verdicts, which all checks on a model share, counts once."""
    of_files = {_way(record, data=False): record for record in judged if record["details"].get("human") == "verdicts"}
    of_data = [record for record in judged if record["details"].get("human") != "verdicts"]
    return [_confusion(record["details"]) for record in (*of_data, *of_files.values())]


def by_oracle(records: Sequence[Record]) -> dict[str, Figures]:
    """The figures of ``records`` by the oracle that judged: rates of different oracles make no common rate."""
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record["kind"] == "trustworthy":
            groups[record["details"]["oracle"]].append(record)
    return {name: summarise(groups[name]) for name in sorted(groups)}


def without_overlap(records: Sequence[Record], way: Callable[[Record], tuple[Any, ...]]) -> list[Record]:
    """The largest check of each group that looked at the same texts in the same ``way``, by class where none saw all.

    Samples with one seed contain each other, so the largest one holds the others; of equals the last one counts.
    """
    groups: defaultdict[tuple[Any, ...], dict[str | None, Record]] = defaultdict(dict)
    for record in sorted(records, key=lambda item: item["n_total"]):
        groups[way(record)][record["details"]["target"]] = record
    chosen: list[Record] = []
    for by_target in groups.values():
        chosen += [by_target[None]] if None in by_target else by_target.values()
    return chosen


def _way(record: Record, *, data: bool = True) -> tuple[Any, ...]:
    """What two checks share that judge the same predictions (of any ``data`` where it is False) in the same way."""
    details, subject = record["details"], record["subject"]
    fingerprints = (subject["model"]["fingerprint"], subject["data"]["fingerprint"] if data else None)
    return (*fingerprints, details["oracle"], details.get("threshold"), details["explainer"], record["seed"])


def _confusion(details: Mapping[str, Any]) -> Confusion:
    return Confusion(details["tp"], details["fp"], details["tn"], details["fn"])

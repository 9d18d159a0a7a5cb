"""The figures of adversarial checks, by attack."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_trust.reports.figures import Record, without_overlap
from pytest_trust.stats import wilson

Attacks = Mapping[str, Mapping[str, float | int | None]]


def by_attack(records: Sequence[Record]) -> Attacks:
    """The attack success rate (ASR) of each attack over all checks, with its Wilson interval and means.

    Texts that several checks put to one model count once: in the largest check of them, of equals in the one that
    fooled the model most.
    """
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for record in sorted(_attacking(records), key=lambda item: item["details"]["successes"]):
        groups[record["details"]["attack"]].append(record)
    return {
        name: _pooled([record["details"] for record in without_overlap(groups[name], _texts_and_model)])
        for name in sorted(groups)
    }


def _attacking(records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record["kind"] == "adversarial"]


def _texts_and_model(record: Record) -> tuple[Any, ...]:
    subject = record["subject"]
    return subject["model"]["fingerprint"], subject["data"]["fingerprint"], record["seed"]


def _pooled(details: Sequence[Mapping[str, float | int | None]]) -> dict[str, float | int | None]:
    attacked, successes = _sum(details, "attacked"), _sum(details, "successes")
    rate = wilson(successes, attacked)
    return {
        "asr": rate.estimate,
        "asr_low": rate.low if attacked else None,
        "asr_high": rate.high if attacked else None,
        "attacked": attacked,
        "successes": successes,
        "mean_changed_words": _mean(details, "mean_changed_words", "successes"),
        "mean_similarity": _mean(details, "mean_similarity", "successes"),
        "mean_queries": _mean(details, "mean_queries", "attacked"),
    }


def _sum(details: Sequence[Mapping[str, float | int | None]], key: str) -> int:
    return sum(int(item[key] or 0) for item in details)


def _mean(details: Sequence[Mapping[str, float | int | None]], key: str, weight: str) -> float | None:
    known = [item for item in details if item[key] is not None]
    total = _sum(known, weight)
    return sum((item[key] or 0.0) * int(item[weight] or 0) for item in known) / total if total else None


def attack_lines(attacks: Attacks) -> Iterator[str]:
    """One line an attack, for terminals."""
    for name, figures in attacks.items():
        if figures["asr"] is None:
            yield f"{name}: nothing attacked"
            continue
        words, similarity = figures["mean_changed_words"], figures["mean_similarity"]
        means = "" if words is None else f", {words:.1f} words changed"
        means += "" if similarity is None else f", similarity {similarity:.2f}"
        low, high = figures["asr_low"], figures["asr_high"]
        interval = "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"
        yield (
            f"{name}: attack success rate {figures['asr']:.3f}{interval} of {figures['attacked']} attacked{means}, "
            f"{figures['mean_queries']:.0f} queries each"
        )


def cases_text(found: Iterable[tuple[str, str | None]], suffix: str) -> str:
    """The texts that fooled the model, each once with its label, as a ``.csv`` or ``.jsonl`` file of cases."""
    cases = sorted(set(found), key=lambda case: (case[0], case[1] or ""))
    if suffix == ".jsonl":
        return "".join(json.dumps({"text": text, "label": label}, ensure_ascii=False) + "\n" for text, label in cases)
    rows = io.StringIO(newline="")
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerows([("text", "label"), *cases])
    return rows.getvalue()

"""Results as lines of text, for terminals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_trust.reports.figures import AGREEMENT, Figures, Record

# Characters of a text that a row of evidence shows.
_SHOWN_TEXT = 240
_SHOWN_WORD = 40

# What a check estimates, and how its figures are signed.
_ESTIMATES = {"trustworthy": ("rate", ""), "functional": ("metric", ""), "adversarial": ("success rate", "")}

_BOUNDS = {"invariant": "within ±", "adversarial": "<= "}

# Counts that a line shows where they are not zero.
_COUNTS = {
    "copies": "copies",
    "skipped_wrong": "wrong at the start",
    "skipped_short": "too short",
    "skipped_fixed": "with nothing to replace",
    "skipped_failed": "on which the attack failed",
    "budget_spent": "ended by a budget",
    "not_explainable": "not explainable",
    "undecided": "undecided",
    "read_in_part": "read in part",
    "unfinished": "not finished in time",
}

_SHOWN_NAMES = {"g_mean": "G-mean", "f1": "F1"}


def check_line(record: Record) -> str:
    """One line a check: what was tested, n, estimate with interval, bound and p-value."""
    return "  ".join([_title(record), size_text(record), _estimate(record), *check_remarks(record)])


def _title(record: Record) -> str:
    return f"{record['nodeid']}  {record['kind']}: {shorten(record['name'])}"


def size_text(record: Record) -> str:
    """The n of a check, and of how many texts."""
    return f"n={record['n']}" + (f" of {record['n_total']}" if record["n_total"] != record["n"] else "")


def _estimate(record: Record) -> str:
    if record["estimate"] is None:
        return "nothing to estimate"
    parts = estimated_name(record), estimate_text(record), interval_text(record), bound_text(record)
    return " ".join(part for part in parts if part)


def _estimated(record: Record) -> tuple[str, str]:
    return _ESTIMATES.get(record["kind"], ("shift", "+"))


def estimated_name(record: Record) -> str:
    """What a check estimates."""
    what, _ = _estimated(record)
    return str(record["details"].get("metric", what))


def estimate_text(record: Record) -> str:
    """The estimate, with a sign where it is a shift; nothing where there is none."""
    _, sign = _estimated(record)
    return "" if record["estimate"] is None else f"{record['estimate']:{sign}.3f}"


def interval_text(record: Record) -> str:
    """The interval of the estimate; nothing where there is none."""
    _, sign = _estimated(record)
    return "" if record["low"] is None else f"[{record['low']:{sign}.3f}, {record['high']:{sign}.3f}]"


def bound_text(record: Record) -> str:
    """What the estimate is held against."""
    if record["kind"] == "directional":
        return "> 0" if record["details"]["expect"] == "increase" else "< 0"
    return f"{_BOUNDS.get(record['kind'], '>= ')}{record['bound']:g}"


def check_remarks(record: Record) -> list[str]:
    """The p-value, and what else was found."""
    details = record["details"]
    parts = [] if record["p_value"] is None else [p_text(record["p_value"])]
    if record["kind"] == "invariant" and details["flip_rate"] is not None:
        parts.append(f"flips {details['flip_rate']:.1%} [{details['flip_low']:.1%}, {details['flip_high']:.1%}]")
    if details.get("sources") not in (None, record["n"]):
        parts.append(f"{details['sources']} sources")
    parts += _calibration(details)
    return parts + [f"{details[key]} {what}" for key, what in _COUNTS.items() if details.get(key)]


def _calibration(details: Mapping[str, Any]) -> list[str]:
    """Where the threshold of an oracle came from."""
    if details.get("calibrated") is False:
        return ["threshold not calibrated"]
    if details.get("calibrated") and details.get("human") == "verdicts":
        judged = sum(details[count] for count in ("tp", "fp", "tn", "fn"))
        return [f"threshold {details['threshold']:.3f} with {judged} human verdicts"]
    return []


def p_text(p_value: float) -> str:
    """A p-value as papers print it."""
    return "p<0.001" if p_value < 0.001 else f"p={p_value:.3f}"


def summary_lines(oracles: Mapping[str, Figures]) -> list[str]:
    """Lines for the whole session: the trust rate, and how far the oracle agrees with people; by oracle, if several."""
    if len(oracles) == 1:
        return [line for figures in oracles.values() for line in _figure_lines(figures)]
    return [line for name, figures in oracles.items() for line in _named(name, _figure_lines(figures))]


def _named(name: str, lines: Sequence[str]) -> list[str]:
    return [line if line.startswith(" ") else f"{name}: {line}" for line in lines]


def _figure_lines(figures: Figures) -> list[str]:
    lines = []
    if figures.trust is not None and figures.trust.estimate is not None:
        rate = figures.trust
        lines.append(
            f"trust rate {rate.estimate:.3f} [{rate.low:.3f}, {rate.high:.3f}] of {rate.n} correct predictions"
        )
    return lines + _agreement_lines(figures)


def _agreement_lines(figures: Figures) -> list[str]:
    """Three figures a line, as all six with their intervals would make one too long to read."""
    if not figures.agreement.n:
        return []
    values = figures.to_dict()
    parts = [f"{shown_figure(name)} {_with_interval(values, name)}" for name in AGREEMENT]
    head = f"against {figures.agreement.n} human verdicts, with 95 % intervals:"
    return [head, "  " + "  ".join(parts[:3]), "  " + "  ".join(parts[3:])]


def shown_figure(name: str) -> str:
    """The name of a figure of agreement as reports write it."""
    return _SHOWN_NAMES.get(name, name)


def _with_interval(values: Mapping[str, float | int | None], name: str) -> str:
    estimate, low, high = values[name], values[f"{name}_low"], values[f"{name}_high"]
    if estimate is None or low is None or high is None:
        return "undefined"
    return f"{estimate:.3f} [{low:.2f}, {high:.2f}]"


def evidence_lines(record: Record) -> list[str]:
    """The rows that speak for the outcome of one check."""
    lines = [f"{record['kind']}: {shorten(record['name'])} (seed {record['seed']})"]
    for number, row in enumerate(record["evidence"], start=1):
        lines += _row_lines(number, row)
    return lines if record["evidence"] else []


def _row_lines(number: int, row: Mapping[str, Any]) -> list[str]:
    note = f"  ({row['note']})" if row["note"] else ""
    lines = [f"{number}. {row['label']} {row['probability']:.3f}{_changed(row)}{note}", f"   {shorten(row['text'])}"]
    if row["changed_text"] is not None:
        lines.append(f"   -> {shorten(row['changed_text'])}")
    return lines + _word_lines(row["words"])


def _changed(row: Mapping[str, Any]) -> str:
    if row["changed_probability"] is None:
        return ""
    return f" -> {row['changed_probability']:.3f}"


def _word_lines(words: Sequence[Mapping[str, Any]]) -> list[str]:
    if not words:
        return []
    shown = [_short_word(word["word"]) for word in words]
    width = max(map(len, shown))
    return [
        f"     {name:<{width}}  {word['score']:+.4f}  {_relation(word)}".rstrip()
        for name, word in zip(shown, words, strict=True)
    ]


def _relation(word: Mapping[str, Any]) -> str:
    if word["related"] is None:
        return ""
    if not word["nearest"]:
        return "unrelated  known to no embedding"
    keyword = f"nearest keyword: {_short_word(word['keyword'])}" if word["keyword"] else "the class has no keyword"
    if word["related"]:
        return f"related    {keyword}"
    nearer = "" if word["nearest"] == word["keyword"] else f", but nearer: {_short_word(word['nearest'])}"
    return f"unrelated  {keyword}{nearer}"


def _short_word(word: str) -> str:
    return shorten(word, _SHOWN_WORD)


def shorten(text: str, most: int = _SHOWN_TEXT) -> str:
    """``text`` on one line of at most ``most`` characters."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    line = " ".join(printable.split())
    return line if len(line) <= most else line[: most - 4].rstrip() + " ..."

"""Records of checks, as they come off a test's report, with the texts that --trust-html keeps."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

HOSTILE = (
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script>",
    "<img src=x onerror='window.hacked = 3'>",
    '"><svg onload=window.hacked=4>',
    "<!--<script>",
    "]]>&amp;&lt;&#60;b&#62;",
    "{{ 7 * 7 }}{% raw %}",
    "'\"`javascript:window.hacked=5`\"'",
    "a lone \ud83d surrogate \udc80",
    "\u202eright to left \u05d0\u05d1\u05d2 \u2066",
    "nothing\x00 rings\x07 \x1b[31mred",
    "lines\u2028and\u2029paragraphs\r\nand\nmore",
    "\\u003cscript\\u003e \\",
    "👩\u200d👩\u200d👧 ﷽ e\u0301",
    "x" * 400,
)

_KINDS = ("trustworthy", "invariant", "directional", "adversarial", "functional")
_DETAILS = {
    "trustworthy": {
        "oracle": "toki", "explainer": "lime", "target": None, "judged": 10, "trustworthy": 8,
        "tp": 6, "fp": 1, "tn": 3, "fn": 2,
    },
    "invariant": {"flip_rate": 0.02, "flip_low": 0.01, "flip_high": 0.04},
    "directional": {"expect": "decrease"},
    "adversarial": {
        "attack": "toki", "target": None, "attacked": 4, "successes": 2,
        "mean_changed_words": 1.5, "mean_similarity": 0.9, "mean_queries": 30.0,
    },
    "functional": {"metric": "accuracy"},
}  # fmt: skip


def word(text: str, score: float = 0.5, related: bool | None = True, **changes: Any) -> dict[str, Any]:
    return {
        "word": text,
        "score": score,
        "related": related,
        "nearest": "near",
        "keyword": "key",
        "spans": [],
    } | changes


def prediction(text: str = "a fine film", holds: bool | None = True, **changes: Any) -> dict[str, Any]:
    return {
        "holds": holds, "value": 0.75, "text": text, "label": "good", "probability": 0.9, "words": [],
        "changed_text": None, "changed_label": None, "changed_probability": None, "note": "", **changes,
    }  # fmt: skip


def changed(before: str, after: str, **changes: Any) -> dict[str, Any]:
    after_change = {"changed_text": after, "changed_label": "bad", "changed_probability": 0.4}
    return prediction(before, **(after_change | changes))


def record(kind: str = "trustworthy", texts: Iterable[dict[str, Any]] = (), **changes: Any) -> dict[str, Any]:
    plain = {
        "nodeid": "test_x.py::test_y", "capability": None, "kind": kind, "name": "a name", "outcome": "pass", "n": 10,
        "n_total": 12, "estimate": 0.8, "low": 0.7, "high": 0.9, "bound": 0.7, "p_value": None, "alpha": 0.05,
        "seed": 0, "reason": "a reason", "advice": "", "evidence": [], "cases": [],
        "subject": {
            "model": {"source": "model", "fingerprint": "m" * 64, "classes": ["bad", "good"]},
            "data": {"name": "data.csv", "n": 12, "fingerprint": "d" * 64},
        },
        "texts": list(texts),
        **changes,
    }  # fmt: skip
    return {**plain, "details": _DETAILS[kind] | changes.get("details", {})}


def every_kind(outcome: str = "fail") -> list[dict[str, Any]]:
    """A check of each kind, with a text that holds, one that does not, and one that is open."""
    texts = {
        "trustworthy": [
            prediction(words=[word("fine", spans=[[2, 6]])]),
            prediction(holds=False),
            prediction(holds=None),
        ],
        "functional": [prediction(), prediction(holds=False, probability=0.2), prediction(label="bad")],
    }
    pairs = [changed("a fine film", "a dull film", holds=holds, value=-0.5) for holds in (True, False, None)]
    return [
        record(kind, texts.get(kind, pairs), name=f"check of {kind}", outcome=outcome, capability="negation")
        for kind in _KINDS
    ]  # fmt: skip


def hostile() -> list[dict[str, Any]]:
    """Checks in which every text that a user can choose is hostile."""
    records = []
    for number, text in enumerate(HOSTILE):
        place = [word(text, -0.5, nearest=text, keyword=text, spans=[[0, len(text)]]), word("</td><script>", 0.1)]
        rows = [
            prediction(text, label=text, words=place, note=text, value=number / 20),
            changed(text, text + " " + text[::-1], label=text, changed_label=text, note=text),
        ]
        subject = {
            "model": {"source": text, "fingerprint": text, "classes": [text]},
            "data": {"name": text, "fingerprint": text},
        }
        plain = {"name": text, "nodeid": text, "reason": text, "advice": text, "capability": text, "evidence": rows}
        oracle = {"oracle": text, "explainer": text}
        records.append(record("trustworthy", rows, **plain, subject=subject, details=oracle, outcome="inconclusive"))
        records.append(record("adversarial", rows, **plain, subject=subject, details={"attack": text}, outcome="fail"))
    return records


def many(n: int, words: int = 30) -> dict[str, Any]:
    """A check on ``n`` texts of so many words, each with its score."""
    chosen = random.Random(0)
    known = ["".join(chosen.choices("abcdefghijklmnopqrstuvwxyz", k=chosen.randint(3, 9))) for _ in range(5000)]
    found = {name: word(name, 0.0, chosen.random() < 0.5, nearest=chosen.choice(known)) for name in known}
    return record(texts=[_long(chosen, known, found, words) for _ in range(n)])


def _long(
    chosen: random.Random, known: list[str], found: dict[str, dict[str, Any]], words: int
) -> dict[str, Any]:  # fmt: skip
    names = chosen.choices(known, k=words)
    scored: dict[str, dict[str, Any]] = {}
    start = 0
    for name in names:
        scored.setdefault(name, {**found[name], "score": chosen.gauss(0, 0.1), "spans": []})
        scored[name]["spans"].append([start, start + len(name)])
        start += len(name) + 1
    return prediction(
        " ".join(names),
        chosen.choice([True, False, None]),
        label=chosen.choice(["good", "bad", "other"]),
        value=chosen.random(),
        probability=chosen.random(),
        words=list(scored.values()),
        note=f"{chosen.randint(0, 100)}% of the score on related words",
    )

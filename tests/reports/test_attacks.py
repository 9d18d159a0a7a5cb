from __future__ import annotations

from typing import Any

from pytest_trust.reports import attack_lines, by_attack, cases_text


def record(attack: str, attacked: int, successes: int, **details: Any) -> dict[str, Any]:
    counts = {"attack": attack, "attacked": attacked, "successes": successes, "mean_queries": 20.0}
    means = {"mean_changed_words": 2.0 if successes else None, "mean_similarity": 0.95 if successes else None}
    return {"kind": "adversarial", "details": counts | means | details, "cases": []}


def test_checks_of_one_attack_are_pooled() -> None:
    figures = by_attack([record("toki", 60, 30), record("toki", 40, 10, mean_queries=30.0), record("a2t", 10, 0)])
    assert list(figures) == ["a2t", "toki"]
    assert figures["toki"]["asr"] == 0.4
    assert figures["toki"]["mean_queries"] == 24.0
    assert figures["a2t"]["mean_changed_words"] is None


def test_lines() -> None:
    lines = list(attack_lines(by_attack([record("a2t", 10, 0), record("toki", 100, 40), record("void", 0, 0)])))
    assert lines == [
        "a2t: attack success rate 0.000 [0.000, 0.213] of 10 attacked, 20 queries each",
        "toki: attack success rate 0.400 [0.323, 0.482] of 100 attacked, 2.0 words changed, similarity 0.95, "
        "20 queries each",
        "void: nothing attacked",
    ]


def test_cases_are_written_once_and_in_order() -> None:
    cases = [('b, "x"', "good"), ("a", "bad"), ("a", "bad")]
    assert cases_text(cases, ".csv") == 'text,label\na,bad\n"b, ""x""",good\n'
    assert cases_text(cases, ".jsonl").splitlines()[0] == '{"text": "a", "label": "bad"}'

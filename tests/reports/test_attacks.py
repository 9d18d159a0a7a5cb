from __future__ import annotations

from typing import Any

import pytest

from pytest_trust.reports import attack_lines, by_attack, cases_text
from pytest_trust.stats import wilson


def record(
    attack: str, attacked: int, successes: int, *, model: str = "m", data: str = "d", n_total: int = 0, **details: Any
) -> dict[str, Any]:
    counts = {"attack": attack, "attacked": attacked, "successes": successes, "mean_queries": 20.0, "target": None}
    means = {"mean_changed_words": 2.0 if successes else None, "mean_similarity": 0.95 if successes else None}
    return {
        "kind": "adversarial",
        "details": counts | means | details,
        "cases": [],
        "subject": {"model": {"fingerprint": model}, "data": {"fingerprint": data}},
        "n_total": n_total or attacked,
        "seed": 0,
    }


def test_checks_of_one_attack_are_pooled() -> None:
    other = record("toki", 40, 10, data="other", mean_queries=30.0)
    figures = by_attack([record("toki", 60, 30), other, record("a2t", 10, 0)])
    assert list(figures) == ["a2t", "toki"]
    assert figures["toki"]["asr"] == 0.4
    assert figures["toki"]["mean_queries"] == 24.0
    assert figures["a2t"]["mean_changed_words"] is None
    rate = wilson(40, 100)
    assert (figures["toki"]["asr_low"], figures["toki"]["asr_high"]) == (rate.low, rate.high)
    assert next(line for line in attack_lines(figures) if line.startswith("toki")).startswith(
        "toki: attack success rate 0.400 [0.323, 0.482] of 100 attacked"
    )


@pytest.mark.parametrize(
    ("others", "counted"),
    [
        ([{"attacked": 60, "successes": 30}], (60, 30)),
        ([{"attacked": 20, "successes": 15}], (60, 30)),
        ([{"attacked": 90, "successes": 31}], (90, 31)),
        ([{"attacked": 30, "successes": 20, "target": "good"}], (60, 30)),
        ([{"attacked": 55, "successes": 40, "n_total": 60}], (55, 40)),
        ([{"attacked": 55, "successes": 10, "n_total": 60}], (60, 30)),
        ([{"attacked": 60, "successes": 30, "model": "other"}], (120, 60)),
        ([{"attacked": 60, "successes": 30, "data": "other"}, {"attacked": 60, "successes": 30}], (120, 60)),
    ],
)
def test_texts_that_several_checks_attack_count_once(others: list[dict[str, Any]], counted: tuple[int, int]) -> None:
    records = [record("toki", 60, 30), *(record("toki", **other) for other in others)]
    for some in (records, records[::-1]):
        figures = by_attack(some)["toki"]
        assert (figures["attacked"], figures["successes"]) == counted
        rate = wilson(*counted[::-1])
        assert (figures["asr_low"], figures["asr_high"]) == (rate.low, rate.high)


def test_checks_of_single_classes_are_added() -> None:
    figures = by_attack([record("toki", 60, 30, target="good"), record("toki", 40, 10, target="bad")])
    assert (figures["toki"]["attacked"], figures["toki"]["successes"]) == (100, 40)


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

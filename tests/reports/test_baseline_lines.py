from __future__ import annotations

from typing import Any

from pytest_trust.reports import compare_runs, comparison_lines, failure_text, turned_lines
from tests.reports.stored import check_record, stored_run, text_result, texts_of

GOOD = texts_of([True] * 60, [0.9] * 60)


def lines(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    comparison = compare_runs(stored_run(*before), stored_run(*now))
    return [f"{standing or ''}: {line}" for standing, line in comparison_lines(comparison)]


def test_a_line_of_each_standing() -> None:
    worse = texts_of([False] * 12 + [True] * 48, [0.1] * 12 + [0.9] * 48)
    names = {"lost": worse, "kept": GOOD, "new": GOOD}
    before = [check_record("functional", GOOD, name=name) for name in ("lost", "kept", "gone", "other", "none")]
    now = [check_record("functional", texts, name=name) for name, texts in names.items()]
    now += [
        check_record("functional", GOOD, name="other", seed=2),
        check_record("functional", [text_result("else", True, 0.5, 0)], name="none", outcome="fail"),
    ]
    before[2]["nodeid"] = "test_x.py::test_gone"
    assert lines(before, now) == [
        "worse: test_x.py::test_y  functional: lost  n=60 in both  right 100.0% -> 80.0%, 12 turned worse, 0 better "
        "(p<0.001, adjusted p<0.001)",
        ":   mean probability of the label 0.900 -> 0.740 (p=0.021, adjusted p=0.042)",
        "no worse: test_x.py::test_y  functional: kept  n=60 in both  right 100.0% -> 100.0%, no text turned",
        "new: test_x.py::test_y  functional: new  not in the baseline: its own bound decides (PASS)",
        "refused: test_x.py::test_y  functional: other  seed differ: 2 here, 0 there",
        "inconclusive: test_x.py::test_y  functional: none  no text is decided in both runs (60 there, 1 here)",
        ":   not compared: 60 texts that only the earlier run decided, 1 only this one (the other run did not look at "
        "them, or the perturbation changed them otherwise)",
        ": level 0.05 over all checks together (Holm, 3 hypotheses)",
        ": a check with an earlier run fails where it is worse; its own bound does not decide",
        ": did not run: 1 check of the earlier run",
    ]


def test_texts_of_one_source_and_too_few_of_them() -> None:
    texts = texts_of([True] * 6, [None] * 6, [0, 0, 0, 1, 1, 1])
    found = lines([check_record("adversarial", texts)], [check_record("adversarial", texts)])
    assert found == [
        "no worse: test_x.py::test_y  adversarial: a name  n=6 in both, of 2 sources  not fooled 100.0% -> 100.0%, "
        "no text turned",
        ":   too few to tell: only 5 or more that turn worse, and none better, would be significant",
    ]


def test_a_failure_says_what_to_do_and_shows_the_words_that_a_verdict_rests_on_now() -> None:
    before = check_record("trustworthy", texts_of([True] * 60, [0.9] * 60))
    now = check_record("trustworthy", texts_of([False] * 60, [0.2] * 60))
    word = {"word": "host", "score": 0.4, "related": False}
    now["texts"][0]["words"] = [word | {"word": "faith", "score": 0.1, "related": True}, word]
    (check,) = compare_runs(stored_run(before), stored_run(now)).checks
    assert failure_text(check, "main.json").splitlines() == [
        "WORSE than in main.json: trustworthy: a name",
        "  trustworthy 100.0% -> 0.0%, 60 turned worse, 0 better (p<0.001, adjusted p<0.001)",
        "  mean share of the score on related words 0.900 -> 0.200 (p<0.001, adjusted p<0.001)",
        "  if this is meant, save the new run as the baseline (--trust-save-baseline)",
    ]
    shown = turned_lines(check)
    assert shown[:3] == [
        "1. good  was trustworthy  share of the score on related words 0.900 -> 0.200",
        "   text 0",
        "   rests on: host (unrelated), faith (related)",
    ]
    assert shown[-1] == "and 50 more"

"""What is found worse, better or not comparable; how often a session is wrong about it, and how often right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pytest_trust.errors import ConfigurationError
from pytest_trust.reports import Standing, compare_runs
from pytest_trust.reports.baseline.results import Compared, Comparison
from tests.reports.stored import check_record, stored_run, text_result, texts_of

Draw = np.random.Generator


def compared(kind: str, before: list[Any], now: list[Any], **changes: Any) -> Compared:
    (check,) = compare_runs(
        stored_run(check_record(kind, before)), stored_run(check_record(kind, now, **changes))
    ).checks
    return check


def test_a_run_is_no_worse_than_itself() -> None:
    texts = texts_of([True, False, None] * 20, [0.5, -0.5, 0.0] * 20)
    for kind in ("trustworthy", "invariant", "directional", "functional", "adversarial"):
        check = compared(kind, texts, texts)
        assert (check.standing, check.paired, check.only_before, check.only_now) == (Standing.NO_WORSE, 40, 0, 0)
        assert [change.before == change.after for change in check.changes] == [True, True]


def test_verdicts_that_turn_are_tested_by_mcnemar_and_adjusted_by_holm() -> None:
    before = texts_of([True] * 60, [None] * 60)
    now = texts_of([False] * 8 + [True] * 52, [None] * 60)
    check = compared("adversarial", before, now)
    (change,) = check.changes
    assert (change.worse, change.better, change.p_worse) == (8, 0, pytest.approx(1 / 256))
    assert change.adjusted_worse == change.p_worse  # the one hypothesis
    assert check.standing is Standing.WORSE
    assert [text.fell for text in check.texts] == [True] * 8


def test_holm_counts_every_hypothesis_of_the_session() -> None:
    still = texts_of([True] * 60, [0.5] * 60)
    five = texts_of([False] * 5 + [True] * 55, [None] * 60)
    alone = compare_runs(stored_run(check_record("adversarial", still)), stored_run(check_record("adversarial", five)))
    assert alone.checks[0].standing is Standing.WORSE
    others = [check_record("functional", still, name=f"other {i}") for i in range(3)]
    many = compare_runs(
        stored_run(check_record("adversarial", still), *others), stored_run(check_record("adversarial", five), *others)
    )
    assert many.hypotheses == 4
    assert many.checks[0].changes[0].adjusted_worse == pytest.approx(4 / 32)
    assert not many.of(Standing.WORSE)


def test_a_check_in_which_no_verdict_turned_raises_no_hypothesis() -> None:
    still = texts_of([True] * 60, [None] * 60)
    records = [check_record("adversarial", still, name=f"check {i}") for i in range(9)]
    assert compare_runs(stored_run(*records), stored_run(*records)).hypotheses == 0


def test_values_alone_can_be_worse_and_show_what_lost_most() -> None:
    before = texts_of([True] * 200, [0.9] * 200)
    now = texts_of([True] * 200, [0.7 if i else 0.2 for i in range(200)])
    check = compared("functional", before, now)
    assert check.standing is Standing.WORSE
    assert check.texts[0].loss == pytest.approx(0.7)
    assert (len(check.texts), check.more) == (10, 190)


def test_shifts_may_differ_by_two_and_are_guarded_for_it() -> None:
    before, now = texts_of([True] * 60, [0.5] * 60), texts_of([True] * 60, [0.38] * 60)
    p_values = {kind: compared(kind, before, now).changes[1].p_worse for kind in ("directional", "functional")}
    assert p_values["directional"] > p_values["functional"]


def test_what_is_better_is_told_and_fails_nothing() -> None:
    before = texts_of([False] * 20 + [True] * 40, [0.1] * 20 + [0.9] * 40)
    check = compared("functional", before, texts_of([True] * 60, [0.9] * 60))
    assert check.standing is Standing.BETTER
    assert check.texts == ()


def test_texts_of_one_source_count_once() -> None:
    before = texts_of([True] * 60, [None] * 60, [0] * 20 + list(range(1, 41)))
    now = texts_of([False] * 20 + [True] * 40, [None] * 60, [0] * 20 + list(range(1, 41)))
    check = compared("adversarial", before, now)
    (change,) = check.changes
    assert (change.n, change.worse, change.p_worse) == (41, 20, 0.5)
    assert check.standing is Standing.NO_WORSE


def test_texts_decided_in_one_run_alone_are_counted_and_not_tested() -> None:
    before = texts_of([True] * 50, [0.5] * 50)
    now = texts_of([None] * 10 + [True] * 30, [0.5] * 40)
    check = compared("trustworthy", before, now)
    assert (check.paired, check.only_before, check.only_now) == (30, 20, 0)


def test_nothing_in_common_is_inconclusive() -> None:
    now = [text_result(f"other {i}", True, 0.5, i) for i in range(5)]
    check = compared("functional", texts_of([True] * 3, [0.5] * 3), now)
    assert check.standing is Standing.INCONCLUSIVE
    assert check.reason == "no text is decided in both runs (3 there, 5 here)"
    assert compared("functional", [], []).standing is Standing.INCONCLUSIVE


def test_the_smaller_part_in_common_is_inconclusive() -> None:
    before = texts_of([True] * 60, [0.5] * 60)
    check = compared("trustworthy", before, texts_of([None] * 31 + [True] * 29, [0.5] * 60))
    assert (check.standing, check.paired, check.only_before) == (Standing.INCONCLUSIVE, 29, 31)
    assert check.reason == "only 29 of the 60 texts decided there are decided here"
    half = compared("trustworthy", before, texts_of([None] * 30 + [True] * 30, [0.5] * 60))
    assert half.standing is Standing.NO_WORSE


def test_a_check_that_a_budget_ended_is_not_compared() -> None:
    texts = texts_of([True] * 60, [0.5] * 60)
    worse = texts_of([False] * 60, [0.1] * 60)
    check = compared("functional", texts, worse, details={"unfinished": 40, "budget": 2.0})
    assert (check.standing, check.reason) == (Standing.UNFINISHED, "not compared: a budget ended it")


def test_too_few_texts_to_ever_be_worse_are_told() -> None:
    four, five = (texts_of([True] * n, [None] * n) for n in (4, 5))
    assert (compared("adversarial", four, four).needed, compared("adversarial", five, five).needed) == (5, 0)


def test_checks_are_matched_by_test_kind_name_and_place() -> None:
    texts = texts_of([True], [0.5])
    before = stored_run(*[check_record("functional", texts, name=name) for name in ("a", "a", "b")])
    now = stored_run(*[check_record("functional", texts, name=name) for name in ("a", "c")])
    comparison = compare_runs(before, now)
    assert [check.standing for check in comparison.checks] == [Standing.NO_WORSE, Standing.NEW]
    assert [key[2:] for key in comparison.missing] == [("a", 1), ("b", 0)]


def test_a_check_under_another_name_is_matched_where_one_is_left_on_either_side() -> None:
    texts = texts_of([True], [0.5])
    before = stored_run(*[check_record("functional", texts, name=name) for name in ("same", "toki trust rate")])
    now = stored_run(*[check_record("functional", texts, name=name) for name in ("direct trust rate", "same")])
    comparison = compare_runs(before, now)
    assert [check.standing for check in comparison.checks] == [Standing.NO_WORSE] * 2
    assert comparison.missing == ()
    elsewhere = stored_run(check_record("functional", texts, name="other", nodeid="test_x.py::test_z"))
    assert compare_runs(before, elsewhere).checks[0].standing is Standing.NEW


def test_alpha_is_checked() -> None:
    with pytest.raises(ConfigurationError, match=r"alpha=0\.7"):
        compare_runs(stored_run(), stored_run(), alpha=0.7)


def equal_noise(draw: Draw, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two models as good as each other, each with mistakes of its own."""
    return draw.beta(8, 2, n), draw.beta(8, 2, n)


def unsure(draw: Draw, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two models that guess: half of the verdicts turn."""
    return draw.random(n), draw.random(n)


def sharper(draw: Draw, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Small losses on nearly all texts, a large gain on few: the mean is the same."""
    before = np.where(draw.random(n) < 0.02, 0.0, 0.9)
    return before, np.where(before > 0, before - 0.02, before + 0.98)


def rare_and_large(draw: Draw, n: int) -> tuple[np.ndarray, np.ndarray]:
    turned = draw.random(n) < 0.05
    up = draw.random(n) < 0.5
    before = np.where(turned, np.where(up, 0.05, 0.95), 0.9)
    return before, np.where(turned, 1 - before, before)


def session(draw: Draw, scenario: Callable[..., Any], checks: int, n: int, sources: int | None = None) -> Comparison:
    befores, nows = [], []
    for i in range(checks):
        # Texts of one source answer alike.
        groups = np.arange(n) if sources is None else np.sort(draw.integers(sources, size=n))
        old, new = (values[groups] for values in scenario(draw, n))
        for runs, values in ((befores, old), (nows, new)):
            texts = texts_of((values >= 0.5).tolist(), values.tolist(), groups.tolist())
            runs.append(check_record("functional", texts, kept=False, name=f"check {i}"))
    return compare_runs(stored_run(*befores), stored_run(*nows))


@pytest.mark.parametrize(
    ("scenario", "n", "sources"),
    [
        (unsure, 60, None),
        (unsure, 60, 20),
        (equal_noise, 60, None),
        (sharper, 60, None),
        (rare_and_large, 60, None),
        (rare_and_large, 60, 20),
    ],
)
def test_a_session_in_which_nothing_is_worse_seldom_fails(scenario, n: int, sources: int | None) -> None:
    draw, sessions = np.random.default_rng(7), 80
    alarms = sum(bool(session(draw, scenario, 3, n, sources).of(Standing.WORSE)) for _ in range(sessions))
    assert alarms / sessions <= 0.05 + 3 * (0.05 * 0.95 / sessions) ** 0.5


def worse(draw: Draw, n: int) -> tuple[np.ndarray, np.ndarray]:
    """As good as each other, but on about a seventh of the texts, which the newer one gets wrong."""
    before, now = equal_noise(draw, n)
    return before, np.where(draw.random(n) < 0.15, 0.1, now)


def test_one_worse_check_among_five_is_found_and_the_others_are_not() -> None:
    draw, found, false, sessions = np.random.default_rng(3), 0, 0, 40
    for _ in range(sessions):
        kinds = iter([worse, *[equal_noise] * 4])
        comparison = session(draw, lambda *given, kinds=kinds: next(kinds)(*given), 5, 150)
        failed = {check.key[2] for check in comparison.of(Standing.WORSE)}
        found += "check 0" in failed
        false += bool(failed - {"check 0"})
    assert found / sessions > 0.9
    assert false / sessions <= 0.05 + 3 * (0.05 * 0.95 / sessions) ** 0.5

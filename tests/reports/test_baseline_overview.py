"""A comparison with an earlier run in the reports that show it: it decides, not the bounds of the checks."""

from __future__ import annotations

import pytest

from pytest_trust.reports import Comparison, compare_runs, html_report, markdown_report
from pytest_trust.reports.baseline.overview import comparison_view
from tests.reports.records import HOSTILE, record
from tests.reports.stored import check_record, stored_run, texts_of

GOOD = texts_of([True] * 60, [0.9] * 60)
BAD = texts_of([False] * 12 + [True] * 48, [0.1] * 12 + [0.9] * 48)


@pytest.fixture
def comparison() -> Comparison:
    """Of a check that is worse though it passes, one that is better though it fails, and a new one that fails."""
    before = [check_record("functional", GOOD, name="lost"), check_record("functional", BAD, name="won")]
    now = [
        check_record("functional", GOOD, name="won", outcome="fail"),
        check_record("functional", GOOD, name="new", outcome="fail"),
        check_record("functional", BAD, name="lost"),
    ]
    return compare_runs(stored_run(*before), stored_run(*now))


def test_worst_first_and_a_new_check_by_its_own_bound(comparison: Comparison) -> None:
    view = comparison_view(comparison)
    assert view.counts == "1 worse, 1 better, 1 new"
    found = {row.standing: row.outcome for row in view.rows}
    assert found == {"worse": "fail", "better": "pass", "new": "fail"}
    assert view.rows[-1].standing == "better"
    (worse,) = [row for row in view.rows if row.standing == "worse"]
    assert worse.lines[1].startswith("mean probability of the label 0.900 -> 0.740")
    assert any(line.startswith("level 0.05 over all checks together") for line in view.remarks)


def test_markdown_leads_with_the_comparison(comparison: Comparison) -> None:
    report = markdown_report([record(name="lost")], comparison)
    assert report.startswith("## Trust, compared with ")
    assert ": 1 worse, 1 better, 1 new\n\n- ❌ **" in report.partition("### By their own bounds: 1 passed\n")[0]
    assert "<br>mean probability of the label 0.900 -&#62; 0.740" in report


def test_the_page_leads_with_the_comparison(comparison: Comparison) -> None:
    page = html_report([record(name="lost")], seed=0, comparison=comparison)
    assert page.index('id="compared"') < page.index('id="checks"')
    assert '<span class="badge fail">worse</span>' in page
    assert "1 worse, 1 better, 1 new" in page
    assert 'id="compared"' not in html_report([record(name="lost")], seed=0)


@pytest.mark.parametrize("name", [name for name in HOSTILE if "<" in name])
def test_names_are_no_markup(name: str) -> None:
    run = stored_run(check_record("functional", GOOD, name=name))
    same = compare_runs(run, run)
    page = html_report([], seed=0, comparison=same)
    assert name not in page[page.index('id="compared"') :]
    assert "<script" not in markdown_report([], same)

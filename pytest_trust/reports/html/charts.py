"""The charts of a session, by check."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_trust.reports.figures import Record
from pytest_trust.reports.html.chart import Chart
from pytest_trust.reports.html.distribution import distribution
from pytest_trust.reports.html.fooled import fooled_by_class
from pytest_trust.reports.html.reliability import reliability

_KINDS = (distribution, reliability, fooled_by_class)


def charts_of(records: Sequence[Record]) -> tuple[Chart, ...]:
    """Every chart that the texts of ``records`` give, in order of the checks."""
    found = (make(record) for record in records for make in _KINDS)
    return tuple(chart for chart in found if chart is not None)

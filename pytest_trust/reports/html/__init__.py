"""The HTML report: one page that needs no network, with every prediction in it."""

from pytest_trust.reports.html.page import html_report

__all__ = ["html_report"]

"""The state of a session on the controller: records of checks, the summary and the JSON report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_trust._plugin.options import TrustConfig
from pytest_trust.errors import TrustError


def _saved_cases(path: Path) -> list[tuple[str, str | None]]:
    """The cases that earlier runs saved: a model that is mended keeps its regression tests."""
    if not path.exists():
        return []
    from pytest_trust.data import load_dataset

    data = load_dataset(path)
    return list(zip(data.texts, data.labels, strict=True))


_MARKUP = {"pass": {"green": True}, "fail": {"red": True}, "inconclusive": {"yellow": True}}


class TrustSession:
    """Collects what checks found, in this process or in workers, and reports it once."""

    def __init__(self, settings: TrustConfig) -> None:
        self._settings = settings
        self._records: dict[str, list[dict[str, Any]]] = {}
        self._problem = ""
        self.baseline: dict[str, Any] | None = None
        """The comparison with the baseline, once it is made."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the records off a report; a rerun test's last report counts."""
        if hasattr(report, "trust_records"):
            self._records[report.nodeid] = report.trust_records

    @property
    def records(self) -> list[dict[str, Any]]:
        """Records of all checks, in an order that does not depend on workers."""
        return [record for nodeid in sorted(self._records) for record in self._records[nodeid]]

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Writes the files asked for, before the terminal summary; one that cannot be written fails the run."""
        if session.exitstatus == pytest.ExitCode.USAGE_ERROR:
            return
        for path, content in self._files(session):
            from pytest_trust.reports import encoded
            from pytest_trust.store import publish

            try:
                publish(path, encoded(path, content()))
            except (OSError, TrustError) as error:
                self._problem = f"the file {path} could not be written: {error}"
                session.exitstatus = max(session.exitstatus, pytest.ExitCode.TESTS_FAILED)

    def _files(self, session: pytest.Session) -> Iterator[tuple[Path, Callable[[], str]]]:
        """The files that the settings ask for, and what makes their content."""
        settings = self._settings
        if settings.json is not None:
            from pytest_trust.reports import json_report

            yield settings.json, lambda: json_report(self.records, seed=settings.seed, baseline=self.baseline)
        if settings.save_baseline is not None and self._may_save(settings.save_baseline, session):
            from pytest_trust.reports import baseline_text

            yield settings.save_baseline, lambda: baseline_text(self.records, seed=settings.seed)
        if settings.html is not None:
            from pytest_trust.reports import html_report

            yield settings.html, lambda: html_report(self.records, seed=settings.seed)
        if settings.markdown is not None:
            from pytest_trust.reports import markdown_report

            yield settings.markdown, lambda: markdown_report(self.records)
        cases = [(text, label) for record in self.records for text, label in record["cases"]]
        if settings.save_adversarial is not None and cases:
            from pytest_trust.reports import cases_text

            path = settings.save_adversarial
            yield path, lambda: cases_text([*_saved_cases(path), *cases], path.suffix)

    def _may_save(self, path: Path, session: pytest.Session) -> bool:
        """Whether this run makes a baseline: a part of one, or a worse one, must not take the place of a good one."""
        standing = [check["standing"] for check in (self.baseline or {}).get("checks", ())]
        reasons = {
            "no check ran": not self._records,
            "the run was interrupted": session.exitstatus == pytest.ExitCode.INTERRUPTED,
            "the budget ended a check": any(record["details"].get("unfinished") for record in self.records),
            "a check is worse than the baseline": "worse" in standing,
            "a check cannot be compared with the baseline": "refused" in standing,
        }
        reason = next((reason for reason, holds in reasons.items() if holds), "")
        if reason:
            self._problem = f"{path} was not written: {reason}"
        return not reason

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line a check, then the figures of the session."""
        if not self._records and not self._problem:
            return
        from pytest_trust.reports import (
            attack_lines,
            by_attack,
            by_oracle,
            capability_lines,
            capability_matrix,
            check_line,
            summary_lines,
        )

        terminalreporter.section("trust")
        for record in self.records:
            outcome = record["outcome"]
            terminalreporter.write(f"{outcome.upper():<12}", bold=True, **_MARKUP[outcome])
            terminalreporter.line("  " + check_line(record))
        figures = (*summary_lines(by_oracle(self.records)), *attack_lines(by_attack(self.records)))
        for line in (*figures, *capability_lines(capability_matrix(self.records))):
            terminalreporter.line(line)
        if self._problem:
            terminalreporter.line(self._problem, red=True)

"""The state of a session on the controller: records of checks, the summary and the JSON report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_trust._plugin.options import TrustConfig
from pytest_trust.errors import TrustError

if TYPE_CHECKING:
    from pytest_trust.reports import Comparison


def _saved_cases(path: Path) -> list[tuple[str, str | None]]:
    """The cases that earlier runs saved: a model that is mended keeps its regression tests."""
    if not path.exists():
        return []
    from pytest_trust.data import load_dataset

    data = load_dataset(path)
    return list(zip(data.texts, data.labels, strict=True))


def _is_selection(config: pytest.Config) -> bool:
    """Whether some of the tests were asked for, by name or by how they ended."""
    chosen = ("keyword", "markexpr", "lf", "deselect")
    return any(getattr(config.option, name, None) for name in chosen) or any("::" in name for name in config.args)


def _from_here(path: Path) -> str:
    """``path`` as somebody would type it who started the run."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


_PHASES = ("setup", "call", "teardown")
_MARKUP = {"pass": {"green": True}, "fail": {"red": True}, "inconclusive": {"yellow": True}}


class TrustSession:
    """Collects what checks found, in this process or in workers, and reports it once."""

    def __init__(self, settings: TrustConfig) -> None:
        self._settings = settings
        self._records: dict[str, list[dict[str, Any]]] = {}
        self._problems: list[str] = []
        self._written: list[Path] = []
        self._ran: set[str] = set()
        self._broken: set[str] = set()
        self.comparison: Comparison | None = None
        """That with the baseline, once it is made."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Takes the records off a report; a rerun test's last report counts."""
        self._ran.add(report.nodeid)
        if hasattr(report, "trust_records"):
            self._records[report.nodeid] = report.trust_records
            self._broken.discard(report.nodeid)
        # That of a worker which crashed is of no phase.
        if hasattr(report, "trust_test") or report.when not in _PHASES:
            self._broken.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Notes what cannot be collected."""
        if report.failed:
            self._broken.add(report.nodeid)

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
                self._written.append(path)
            except (OSError, TrustError) as error:
                self._problems.append(f"the file {path} could not be written: {error}")
                session.exitstatus = max(session.exitstatus, pytest.ExitCode.TESTS_FAILED)

    def _files(self, session: pytest.Session) -> Iterator[tuple[Path, Callable[[], str]]]:
        """The files that the settings ask for, and what makes their content."""
        settings = self._settings
        if settings.json is not None:
            from pytest_trust.reports import json_report

            yield settings.json, lambda: json_report(self.records, seed=settings.seed, baseline=self._baseline())
        if settings.save_baseline is not None and self._may_save(settings.save_baseline, session):
            from pytest_trust.reports import baseline_text

            yield settings.save_baseline, lambda: baseline_text(self.records, seed=settings.seed)
        if settings.html is not None:
            from pytest_trust.reports import html_report

            yield settings.html, lambda: html_report(self.records, seed=settings.seed, comparison=self.comparison)
        if settings.markdown is not None:
            from pytest_trust.reports import markdown_report

            yield settings.markdown, lambda: markdown_report(self.records, self.comparison)
        cases = [(text, label) for record in self.records for text, label in record["cases"]]
        if settings.save_adversarial is not None and cases:
            from pytest_trust.reports import cases_text

            path = settings.save_adversarial
            yield path, lambda: cases_text([*_saved_cases(path), *cases], path.suffix)

    def _baseline(self) -> dict[str, Any] | None:
        return None if self.comparison is None else self.comparison.to_dict()

    def _may_save(self, path: Path, session: pytest.Session) -> bool:
        """Whether this run makes a baseline: a part of one, or a worse one, must not take the place of a good one."""
        compared = self._baseline() or {"checks": (), "missing": ()}
        standing = [check["standing"] for check in compared["checks"]]
        ended = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
        left_out = len(compared["missing"]) if _is_selection(session.config) else 0
        reasons = {
            "no check ran": not self._records,
            "the run was interrupted": session.exitstatus not in ended,
            "the run ended before all tests had run": len(self._ran) < session.testscollected,
            f"checks ended in an error, in {min(self._broken, default='')}": bool(self._broken),
            "the budget ended a check": any(record["details"].get("unfinished") for record in self.records),
            "a check is worse than the baseline": "worse" in standing,
            "a check cannot be compared with the baseline": "refused" in standing or "inconclusive" in standing,
            f"{left_out} checks of the baseline were not selected (-k, -m, --lf, ::)": left_out > 0,
        }
        reason = next((reason for reason, holds in reasons.items() if holds), "")
        if reason:
            self._problems.append(f"{path} was not written: {reason}")
        return not reason

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line a check, then the figures of the session."""
        if not self._records and not self._problems:
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
        if self._written:
            terminalreporter.line(f"written: {', '.join(map(_from_here, self._written))}")
        for problem in self._problems:
            terminalreporter.line(problem, red=True)

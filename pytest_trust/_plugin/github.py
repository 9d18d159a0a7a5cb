"""``--trust-github``: the job summary, and annotations on the lines of tests that did not pass."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_trust._plugin.options import TrustConfig

if TYPE_CHECKING:
    from pytest_trust._plugin.session import TrustSession
    from pytest_trust.reports import Annotation

_SUMMARY = "GITHUB_STEP_SUMMARY"
_WORKSPACE = "GITHUB_WORKSPACE"


class GithubSession:
    """On the controller: writes what GitHub Actions shows of a session, where it runs there."""

    def __init__(self, settings: TrustConfig, session: TrustSession) -> None:
        self._settings = settings
        self._session = session
        self._tests: set[str] = set()
        self._failed: dict[str, pytest.TestReport] = {}
        self._problem = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps the failures of tests with checks; a rerun test's last report counts."""
        if hasattr(report, "trust_records") or hasattr(report, "trust_test"):
            self._tests.add(report.nodeid)
            self._failed.pop(report.nodeid, None)
        if report.failed and report.nodeid in self._tests:
            self._failed.setdefault(report.nodeid, report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Appends the job summary, when all files of the session are written."""
        path = os.environ.get(_SUMMARY)
        if not path or not self._session.records:
            return
        try:
            self._append(Path(path))
        except OSError as error:
            self._problem = f"--trust-github: the job summary {path} could not be written: {error}"
            session.exitstatus = max(session.exitstatus, pytest.ExitCode.TESTS_FAILED)

    def _append(self, path: Path) -> None:
        from pytest_trust.reports import MOST_BYTES, job_summary, markdown_parts

        there = path.stat().st_size if path.exists() else 0
        summary = job_summary(markdown_parts(self._session.records, self._session.comparison), room=MOST_BYTES - there)
        with path.open("ab") as file:
            file.write(summary.encode(errors="replace"))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the annotations; GitHub reads them off the log."""
        if not self._tests:
            return
        if not os.environ.get(_SUMMARY):
            terminalreporter.line(f"--trust-github: {_SUMMARY} is not set, so nothing was written")
            return
        from pytest_trust.reports import annotation_command

        terminalreporter.ensure_newline()
        for annotation in self._annotations():
            terminalreporter.line(annotation_command(annotation))
        if self._problem:
            terminalreporter.line(self._problem, red=True)

    def _annotations(self) -> Iterator[Annotation]:
        from pytest_trust.reports import Annotation

        for nodeid in sorted(self._failed):
            report = self._failed[nodeid]
            path, line, name = report.location
            yield Annotation(self._in_workspace(path), None if line is None else line + 1, name, _message(report))

    def _in_workspace(self, path: str) -> str:
        """``path``, which starts at the root folder, as it starts at the repository."""
        workspace = os.environ.get(_WORKSPACE)
        absolute = Path(os.path.normpath(self._settings.rootpath / path))
        if workspace and absolute.is_relative_to(Path(workspace).resolve()):
            return absolute.relative_to(Path(workspace).resolve()).as_posix()
        return Path(path).as_posix()


def _message(report: pytest.TestReport) -> str:
    """Why a test failed, without the frames that led there."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash is not None else report.longreprtext).removeprefix("Failed: ")

"""Tests that passed and fail when the session ends, as every report of pytest's tells of failed tests."""

from __future__ import annotations

import pytest

from pytest_trust._plugin.run import EVIDENCE


def fail_late(session: pytest.Session, passed: pytest.TestReport, reason: str, section: tuple[str, str]) -> None:
    """Makes a test that ``passed`` one that failed, for ``reason``; on the controller, before the session's end.

    The failure goes to every plugin that looks at reports (the list of last failures, JUnit XML, logs). The terminal
    has its progress line behind it, and is told by its counts alone.
    """
    report = _failed(passed, reason, section)
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    hook = session.config.pluginmanager.subset_hook_caller(
        "pytest_runtest_logreport", remove_plugins=[plugin for plugin in (terminal, session) if plugin is not None]
    )
    hook(report=report)
    session.testsfailed += 1
    if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if terminal is not None:
        _recount(terminal, passed, report)
    _merge_testcases(session.config, passed)


def _failed(passed: pytest.TestReport, reason: str, section: tuple[str, str]) -> pytest.TestReport:
    try:
        pytest.fail(reason, pytrace=False)
    except pytest.fail.Exception as error:
        shown = pytest.ExceptionInfo.from_exception(error).getrepr(style="value")
    return pytest.TestReport(
        passed.nodeid,
        passed.location,
        passed.keywords,
        outcome="failed",
        longrepr=shown,
        when="call",
        sections=[*(item for item in passed.sections if item[0] != EVIDENCE), section],
        user_properties=passed.user_properties,
    )


def _recount(terminal: pytest.TerminalReporter, passed: pytest.TestReport, failed: pytest.TestReport) -> None:
    counted = terminal.stats.get("passed", [])
    terminal.stats["passed"] = [report for report in counted if report is not passed]
    if not terminal.stats["passed"]:
        del terminal.stats["passed"]
    terminal.stats.setdefault("failed", []).append(failed)


def _merge_testcases(config: pytest.Config, passed: pytest.TestReport) -> None:
    """One test case for the test in JUnit XML, where the second report made another one behind it."""
    from _pytest.junitxml import LogXML

    for xml in config.pluginmanager.get_plugins():
        if isinstance(xml, LogXML) and len(xml.node_reporters_ordered) > 1:
            *earlier, last = xml.node_reporters_ordered
            case = last.to_xml()
            names = case.get("classname"), case.get("name")
            same = [item.to_xml() for item in earlier]
            same = [element for element in same if (element.get("classname"), element.get("name")) == names]
            if same:
                same[-1].extend(case.findall("failure"))
                xml.node_reporters_ordered.remove(last)
                xml.stats["passed"] -= 1

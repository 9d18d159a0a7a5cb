"""``--trust-baseline``: a session against an earlier run. Gates of checks that it holds are decided at the end."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_trust._plugin.options import CONFIG, TrustConfig
from pytest_trust._plugin.parts import NotGiven, described_members, plain_explainer, read_data, session_explainer

if TYPE_CHECKING:
    from pytest_trust._plugin.session import TrustSession
    from pytest_trust.reports.baseline.file import StoredRun
    from pytest_trust.reports.baseline.results import Compared, Comparison

_RUN = pytest.StashKey["StoredRun"]()

_MARKUP: Mapping[str, Mapping[str, bool]] = {
    "worse": {"red": True},
    "better": {"green": True},
    "no worse": {"green": True},
    "inconclusive": {"yellow": True},
    "refused": {"yellow": True},
    "unfinished": {"yellow": True},
    "new": {},
}
_WIDTH = 12


def check_baseline(settings: TrustConfig) -> None:
    """Reads the baseline and holds against it what is known before any test runs.

    Raises:
        UsageError: it cannot be read, or was made with another seed, explainer or version.
    """
    from pytest_trust._version import __version__
    from pytest_trust.errors import BaselineError
    from pytest_trust.reports import read_run, run_differences

    assert settings.baseline is not None, "only called where there is one"
    try:
        run = read_run(settings.baseline)
    except BaselineError as error:
        raise pytest.UsageError(f"--trust-baseline: {error}") from error
    explainer = plain_explainer(settings).settings()
    found = run_differences(run, version=__version__, seed=settings.seed, explainer=explainer)
    if found:
        raise pytest.UsageError(f"--trust-baseline: {settings.baseline}: {'; '.join(found)}")


def judging_settings(request: pytest.FixtureRequest, oracle: Any, given: object) -> dict[str, Any]:
    """What shapes verdicts beside model, data and seed; ``given`` is the oracle of the mark, None for the session's."""
    from pytest_trust.keywords import KeywordIndex
    from pytest_trust.oracles import ThresholdOracle, parse_oracle

    settings = request.config.stash[CONFIG]
    spec = given if isinstance(given, str) else settings.oracle if given is None else None
    found: dict[str, Any] = {
        "explainer": dict(session_explainer(request.config).settings()),
        "sampling": settings.sampling,
        "cap": settings.cap if settings.sampling == "capped" else None,
        "oracle as given": spec,
        "descriptions": None if settings.descriptions is None else _digest(repr(settings.descriptions).encode()),
    }
    if settings.verdicts is not None and isinstance(oracle, ThresholdOracle):
        found["human verdicts"] = _digest(settings.verdicts.read_bytes())
    if spec is not None and parse_oracle(spec).needs_members:
        found["embeddings"] = described_members(request.config)
    index = getattr(oracle, "index", None)
    return found | (index_settings(request, index) if isinstance(index, KeywordIndex) else {})


def index_settings(request: pytest.FixtureRequest, index: Any) -> dict[str, Any]:
    """What shapes a keyword index beside the model: an index holds the model's own words, and differs with it."""
    origin = index.origin.settings
    return {
        "training data": _training_fingerprint(request),
        "embeddings": [f"{item.name}@{item.threshold:g} {item.fingerprint}" for item in origin.members],
        "class names": [list(names) for names in origin.class_names],
        "index": {"seed": origin.seed, "max_distance": origin.max_distance, **origin.explainer},
    }


def _training_fingerprint(request: pytest.FixtureRequest) -> str | None:
    """Of the training data; None where only a finished index is given."""
    settings = request.config.stash[CONFIG]
    try:
        given = request.getfixturevalue("trust_train")
    except NotGiven:
        return None
    return read_data(settings, given, verdicts=False, origin="trust_train").fingerprint


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def undecided_yet(item: pytest.Item, records: Sequence[Mapping[str, Any]]) -> tuple[list[bool], list[str]]:
    """Which records of a test the end of the session decides, and why others cannot be compared.

    A test that is expected to fail is held to its own bounds, as ever.
    """
    settings = item.config.stash[CONFIG]
    if settings.baseline is None or not records or item.get_closest_marker("xfail") is not None:
        return [False] * len(records), []
    from pytest_trust.reports import Standing, failure_text, stand

    standing = stand(_stored(item.config), _run_of(records, settings))
    problems = [
        failure_text(check, settings.baseline.name)
        for check in standing
        if check.standing in (Standing.REFUSED, Standing.INCONCLUSIVE)
    ]
    return [check.standing not in (Standing.NEW, Standing.UNFINISHED) for check in standing], problems


def _stored(config: pytest.Config) -> StoredRun:
    """The baseline, read once a process."""
    if _RUN not in config.stash:
        from pytest_trust.reports import read_run

        path = config.stash[CONFIG].baseline
        assert path is not None, "only called where there is one"
        config.stash[_RUN] = read_run(path)
    return config.stash[_RUN]


def _run_of(records: Sequence[Mapping[str, Any]], settings: TrustConfig) -> StoredRun:
    from pytest_trust._version import __version__
    from pytest_trust.reports import run_of

    return run_of(records, name="this run", version=__version__, seed=settings.seed)


class BaselineSession:
    """On the controller: compares the session with the baseline when all tests ran, and fails tests that are worse."""

    def __init__(self, settings: TrustConfig, session: TrustSession) -> None:
        self._settings = settings
        self._session = session
        self._reports: dict[str, pytest.TestReport] = {}
        self._comparison: Comparison | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keeps the reports of tests with checks; a rerun test's last report counts."""
        if hasattr(report, "trust_records"):
            self._reports[report.nodeid] = report

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compares, before any file is written."""
        if not self._reports:
            return
        from pytest_trust.reports import Standing, compare_runs

        now = _run_of(self._session.records, self._settings)
        self._comparison = compare_runs(_stored(session.config), now)
        self._session.comparison = self._comparison
        worse: dict[str, list[Compared]] = {}
        for check in self._comparison.of(Standing.WORSE):
            worse.setdefault(check.key[0], []).append(check)
        for nodeid, checks in worse.items():
            self._fail(session, self._reports[nodeid], checks)

    def _fail(self, session: pytest.Session, report: pytest.TestReport, checks: Sequence[Compared]) -> None:
        """Makes a passed test a failed one; one that failed already is told why it also would."""
        from pytest_trust._plugin.late_failures import fail_late
        from pytest_trust.reports import failure_text, turned_lines

        name = self._name
        reason = "\n".join(failure_text(check, name) for check in checks)
        turned = "\n".join(line for check in checks for line in turned_lines(check))
        if report.passed:
            fail_late(session, report, reason, ("trust, texts that turned, worst first", turned))
        elif report.failed:
            report.sections.append((f"trust, compared with {name}", f"{reason}\n{turned}"))

    @property
    def _name(self) -> str:
        assert self._settings.baseline is not None, "only made where there is one"
        return self._settings.baseline.name

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line a check, further ones where it changed."""
        if self._comparison is None:
            return
        from pytest_trust.reports import comparison_lines

        terminalreporter.section(f"trust, compared with {self._name}")
        for standing, line in comparison_lines(self._comparison):
            if standing is not None:
                terminalreporter.write(f"{standing.upper():<{_WIDTH}}", bold=True, **_MARKUP[standing])
            terminalreporter.line("  " + line)

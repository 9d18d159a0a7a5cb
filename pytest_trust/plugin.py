"""The pytest plugin: hooks and fixtures. What they do lives in :mod:`pytest_trust._plugin`.

Loading this module imports the standard library and pytest alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_trust._plugin import marks, options

if TYPE_CHECKING:
    from pytest_trust.data import TextDataset
    from pytest_trust.keywords import KeywordIndex
    from pytest_trust.oracles import Oracle
    from pytest_trust.results import CheckResult


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option group ``trust``."""
    options.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Registers the markers, resolves the settings and, on the controller, starts collecting results."""
    marks.register(config)
    settings = options.resolve(config)
    config.stash[options.CONFIG] = settings
    if not settings.disabled and not hasattr(config, "workerinput"):
        from pytest_trust._plugin.session import TrustSession

        session = TrustSession(settings)
        config.pluginmanager.register(session, "trust-session")
        if settings.github:
            from pytest_trust._plugin.github import GithubSession

            config.pluginmanager.register(GithubSession(settings, session), "trust-github")
        if settings.baseline is not None:
            from pytest_trust._plugin.baseline import BaselineSession, check_baseline

            check_baseline(settings)
            config.pluginmanager.register(BaselineSession(settings, session), "trust-baseline")


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Shows what a perturbation does, in place of a run (``--trust-preview``)."""
    if config.getoption("trust_preview") is None:
        return None
    from pytest_trust._plugin import preview

    return preview.show(config)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """A line with model, data, index and seed, where an option gives any of them."""
    return options.header(config.stash[options.CONFIG])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Has a marked test ask for its checks; wrong marks are errors here."""
    from pytest_trust._plugin import run

    run.prepare(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Fails the test before its body where a check did not pass."""
    from pytest_trust._plugin import run

    run.gate(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Puts the records of the test's checks, and the evidence of those that did not pass, on its report."""
    report = yield
    from pytest_trust._plugin import run

    run.annotate(item, report)
    return report


@pytest.fixture(scope="session")
def trust_model(pytestconfig: pytest.Config) -> Any:
    """The model under test: ``--trust-model``, or what a conftest.py overrides this fixture with.

    An override may return a classifier, a scikit-learn estimator, or a callable that takes a list of n texts and
    returns probabilities of shape (n, k).
    """
    from pytest_trust._plugin import parts

    with parts.plain_errors():
        return parts.load_session_model(pytestconfig)


@pytest.fixture(scope="session")
def trust_train(pytestconfig: pytest.Config) -> TextDataset:
    """The training data: ``--trust-train``, or what a conftest.py overrides this fixture with."""
    from pytest_trust._plugin import parts

    with parts.plain_errors():
        return parts.load_session_data(pytestconfig, "train")


@pytest.fixture(scope="session")
def trust_data(pytestconfig: pytest.Config) -> TextDataset:
    """The data that checks look at: ``--trust-data``, or what a conftest.py overrides this fixture with."""
    from pytest_trust._plugin import parts

    with parts.plain_errors():
        return parts.load_session_data(pytestconfig, "data")


@pytest.fixture(scope="session")
def trust_index(request: pytest.FixtureRequest, trust_model: Any) -> KeywordIndex:
    """The keyword index, built once from the training data and kept on disk; printing it shows its lists."""
    from pytest_trust._plugin import parts

    with parts.plain_errors():
        return parts.session_index(request, trust_model)


@pytest.fixture(scope="session")
def trust_oracle(request: pytest.FixtureRequest, trust_model: Any) -> Oracle:
    """The oracle that judges explanations: that of ``--trust-oracle``, by default TOKI over the keyword index."""
    from pytest_trust._plugin import parts

    with parts.plain_errors():
        return parts.session_oracle(request, trust_model)


@pytest.fixture
def trust_results(request: pytest.FixtureRequest) -> list[CheckResult]:
    """The results of the checks that the test's marks ask for, outermost mark first."""
    from pytest_trust._plugin import parts, run

    with parts.plain_errors():
        return run.run_checks(request)


@pytest.fixture
def trust_result(trust_results: list[CheckResult]) -> CheckResult:
    """The result of the test's one check; with several marks, ask for ``trust_results``."""
    if len(trust_results) != 1:
        pytest.fail(f"the test has {len(trust_results)} checks: ask for trust_results, which holds all", pytrace=False)
    return trust_results[0]

"""``--trust-preview``: what a perturbation does to the session's data."""

from __future__ import annotations

import pytest

from pytest_trust._plugin.options import CONFIG
from pytest_trust._plugin.parts import load_session_data


def show(config: pytest.Config) -> int:
    """Prints the preview and returns the exit code.

    Raises:
        UsageError: the perturbation cannot be made, or there are no data to show it on.
    """
    from pytest_trust.errors import TrustError
    from pytest_trust.perturb import preview

    config._do_configure()
    settings = config.stash[CONFIG]
    if settings.data is None:
        raise pytest.UsageError(
            f"--trust-preview={settings.preview}: give --trust-data=... (or trust_data in the ini file)"
        )
    try:
        data = load_session_data(config, "data")
        shown = preview(settings.preview, data.texts, seed=settings.seed)
    except TrustError as error:
        raise pytest.UsageError(f"--trust-preview={settings.preview}: {error}") from error
    print(shown)
    return int(pytest.ExitCode.OK)

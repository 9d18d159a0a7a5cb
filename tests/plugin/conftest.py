"""A project with the reviews of ``fixtures/`` in it, for runs of pytest inside pytest."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

REVIEWS = Path(__file__).parents[2] / "fixtures" / "reviews"

OPTIONS = (
    "--trust-model=models:honest",
    "--trust-train=train.csv",
    "--trust-data=test.csv",
    "--trust-embeddings=embedding:ThreeAxes",
    "--trust-samples=200",
    "-Werror",
)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    for name in ("models.py", "embedding.py", "train.csv", "test.csv"):
        shutil.copy(REVIEWS / name, pytester.path)
    monkeypatch.syspath_prepend(str(pytester.path))
    monkeypatch.setenv("PYTHONPATH", str(pytester.path))
    monkeypatch.setenv("COLUMNS", "160")
    return pytester


@pytest.fixture
def run(project: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Runs the project's tests with the session's usual options, in this process."""

    def runner(*arguments: str, test: str = "", options: tuple[str, ...] = OPTIONS) -> pytest.RunResult:
        if test:
            project.makepyfile(test_suite=test)
        return project.runpytest_inprocess(*options, *arguments)

    return runner

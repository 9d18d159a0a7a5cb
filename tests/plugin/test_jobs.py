"""``--trust-jobs``: a session whose explanations are made by other processes."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace

import pytest

from pytest_trust._plugin.options import CONFIG, TrustConfig
from pytest_trust._plugin.workers import shared_explainer
from pytest_trust.explain import LimeExplainer
from pytest_trust.explain.parallel import ParallelExplainer

MODEL = """
import os
from pathlib import Path

from models import honest

HERE = Path(__file__).parent


class Marked:
    classes_ = honest.classes_

    def __init__(self):
        (HERE / f"made-{os.getpid()}").touch()

    def __setstate__(self, state):
        with (HERE / f"unpacked-{os.getpid()}").open("a") as file:
            file.write("once ")

    def __getstate__(self):
        return {"weights": 1}

    def __call__(self, texts):
        return honest(texts)


classify = Marked()
"""

SUITE = """
from pytest_trust import trustworthy

@trustworthy(min_rate=0.8)
def test_opinions(): ...

@trustworthy(min_rate=0.8, target="positive")
def test_praise(): ...
"""

OPTIONS = (
    "--trust-model=marked:classify",
    "--trust-train=train.csv",
    "--trust-data=test.csv",
    "--trust-embeddings=embedding:ThreeAxes",
    "--trust-samples=200",
    "--trust-json=out.json",
    "--trust-cache=off",
    "-Werror",
)


def checks(project: pytest.Pytester, *more: str) -> list[dict[str, object]]:
    project.runpytest_subprocess(*OPTIONS, *more).assert_outcomes(passed=2)
    found: list[dict[str, object]] = json.loads((project.path / "out.json").read_text(encoding="utf-8"))["checks"]
    return found


def test_jobs_change_nothing_that_is_found(project: pytest.Pytester) -> None:
    project.makepyfile(marked=MODEL, test_suite=SUITE)
    alone = checks(project, "--trust-index=alone.zip")
    assert not list(project.path.glob("unpacked-*"))
    assert checks(project, "--trust-index=shared.zip", "--trust-jobs=2") == alone
    unpacked = [path.read_text() for path in project.path.glob("unpacked-*")]
    assert 1 <= len(unpacked) <= 2
    assert set(unpacked) == {"once "}, "the model reaches each worker once, for the index and both checks"
    assert checks(project, "--trust-index=kept.zip", "--trust-jobs=2", "--trust-cache=kept") == alone


def test_a_model_that_cannot_be_sent_is_an_error_that_says_so(run, project: pytest.Pytester) -> None:
    project.makepyfile(
        marked="""
        import threading

        from models import honest

        LOCK = threading.Lock()


        class Guarded:
            classes_ = honest.classes_

            def __init__(self):
                self.lock = LOCK

            def __call__(self, texts):
                return honest(texts)


        classify = Guarded()
        """
    )
    result = run("--trust-model=marked:classify", "--trust-jobs=2", test=SUITE)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*cannot be sent to other processes: TypeError*lock*--trust-jobs=1*"])


@pytest.mark.parametrize(
    ("jobs", "workers", "backend", "expected"),
    [(1, None, "loky", None), (4, None, "loky", 4), (4, 2, "loky", 2), (2, 4, "loky", None), (3, 2, "loky", None)],
)
def test_workers_of_xdist_share_the_jobs(jobs, workers, backend, expected) -> None:
    settings = TrustConfig(jobs=jobs, backend=backend)
    config = SimpleNamespace(stash={CONFIG: settings}, add_cleanup=lambda function: None)
    if workers is not None:
        config.workerinput = {"workercount": workers}
    found = shared_explainer(config, LimeExplainer())  # type: ignore[arg-type]
    assert (found.jobs if isinstance(found, ParallelExplainer) else None) == expected


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--trust-jobs=0", "--trust-jobs=0: expected a whole number from 1"),
        ("--trust-jobs=many", "--trust-jobs=many: expected a whole number"),
        ("--trust-backend=spark", "--trust-backend=spark: choose one of: loky, dask, ray"),
    ],
)
def test_wrong_values_are_usage_errors(run, option, message) -> None:
    result = run(option, test=SUITE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{message}*"])


def test_a_missing_package_is_named_with_its_extra(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = run("--trust-backend=ray", test=SUITE)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*the backend 'ray' needs the package 'ray'*pip install 'pytest-trust?ray?'*"])

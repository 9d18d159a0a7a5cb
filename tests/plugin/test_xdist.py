"""Runs in several workers of xdist: one index, one summary, each model loaded once, and a worker that crashes."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

CONFTEST = """
import os
from pathlib import Path

import pytest_trust.keywords as keywords

HERE = Path(__file__).parent
build = keywords.build_index


def mark(name):
    with (HERE / name).open("a") as file:
        file.write(f"{os.getpid()}\\n")


def counted(*arguments, **more):
    mark("builds")
    return build(*arguments, **more)


keywords.build_index = counted
"""

MODEL = """
from conftest import mark
from models import honest

mark("loads")
"""

SUITE = """
from pytest_trust import invariant, trustworthy

@trustworthy(min_rate=0.8, n={n})
def test_opinions(): ...

@trustworthy(min_rate=0.7, n={n})
def test_opinions_again(): ...

@invariant(lambda text: text.replace("lakeside", "hillview"), margin=0.1)
def test_hosts(): ...
"""

CRASH = """
import os

def test_that_takes_its_worker_along():
    os._exit(3)
"""

OPTIONS = (
    "--trust-model=counted:honest",
    "--trust-train=train.csv",
    "--trust-data=test.csv",
    "--trust-embeddings=embedding:ThreeAxes",
    "--trust-samples=200",
    "--trust-json=out.json",
)


@pytest.fixture
def suite(project: pytest.Pytester) -> pytest.Pytester:
    project.makeconftest(CONFTEST)
    project.makepyfile(counted=MODEL, test_first=SUITE.format(n=80), test_second=SUITE.format(n=60))
    return project


def marks(project: pytest.Pytester, name: str) -> Counter[str]:
    """How often each process did what ``name`` says."""
    return Counter((project.path / name).read_text().split())


def checks(project: pytest.Pytester) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((project.path / "out.json").read_text(encoding="utf-8"))["checks"]
    return found


def summaries(result: pytest.RunResult) -> int:
    return sum(re.fullmatch(r"=+ trust =+", line) is not None for line in result.outlines)


def forget(project: pytest.Pytester) -> None:
    for name in ("builds", "loads"):
        Path(project.path / name).unlink()
    for index in (project.path / ".trust").glob("index-*"):
        index.unlink()


def test_workers_find_what_one_process_finds(suite: pytest.Pytester) -> None:
    alone = suite.runpytest_subprocess(*OPTIONS, "-p", "no:xdist", "-p", "no:cacheprovider")
    alone.assert_outcomes(passed=6)
    expected = checks(suite)
    assert marks(suite, "loads").total() == marks(suite, "builds").total() == 1

    for more in (["--dist", "loadfile", "--cache-clear"], ["-p", "no:cacheprovider"]):
        forget(suite)
        result = suite.runpytest_subprocess(*OPTIONS, "-n", "2", *more)
        result.assert_outcomes(passed=6)
        assert checks(suite) == expected
        assert summaries(result) == 1
        assert marks(suite, "builds").total() == 1, "the other worker waited for the index"
        loads = marks(suite, "loads")
        assert len(loads) <= 2
        assert set(loads.values()) == {1}


def test_a_crashing_worker_keeps_the_other_results(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_crash=CRASH)
    result = suite.runpytest_subprocess(*OPTIONS, "-n", "2")
    result.assert_outcomes(passed=6, failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert len(checks(suite)) == 6
    assert summaries(result) == 1
    assert set(marks(suite, "loads").values()) == {1}

"""A session on a real cluster: a scheduler of Dask and two workers, all on the loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="distributed is not installed (pytest-trust[dask])")

MODEL = """
import os
from pathlib import Path

import numpy as np
from models import honest

FOLDER = Path(__file__).parent
TEXT = (FOLDER / "train.csv").read_text().splitlines()[40].rpartition(",")[0].strip('"')


def classify(texts):
    in_worker = "TRUST_TEST_WORKER" in os.environ
    if in_worker:
        (FOLDER / f"asked-{os.getpid()}").touch()
    if in_worker and TEXT in texts and (FOLDER / "deadly").exists():
        (FOLDER / "deadly").unlink()
        os._exit(9)
    return honest(texts)


classify.classes_ = honest.classes_
"""

SUITE = """
from pytest_trust import trustworthy

@trustworthy(min_rate=0.8)
def test_opinions(): ...
"""

LOCAL = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")


@dataclass
class Cluster:
    """A scheduler, which comes first among the processes, and two workers."""

    address: str
    processes: list[subprocess.Popen[bytes]]

    @property
    def alive(self) -> int:
        return sum(process.poll() is None for process in self.processes[1:])


@pytest.fixture
def cluster(project: pytest.Pytester, tmp_path: Path) -> Iterator[Cluster]:
    project.makepyfile(cluster_model=MODEL)
    file = tmp_path / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(project.path), "TRUST_TEST_WORKER": "1", "OMP_NUM_THREADS": "1"}
    worker = ("worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
    commands = [("scheduler", "--port", "0"), worker, worker]
    with (tmp_path / "log").open("wb") as log:
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{command}", *rest, *LOCAL, "--scheduler-file", str(file)],
                stdout=log,
                stderr=log,
                env=environment,
            )
            for command, *rest in commands
        ]
        try:
            yield Cluster(_address(file, processes, tmp_path / "log"), processes)
        finally:
            for process in processes:
                process.kill()
                process.wait()


def _address(file: Path, processes: list[subprocess.Popen[bytes]], log: Path) -> str:
    """The scheduler's address, once both workers are known there."""
    from distributed import Client

    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and all(process.poll() is None for process in processes):
        if file.exists() and file.stat().st_size:
            address = json.loads(file.read_text())["address"]
            with Client(address, set_as_default=False, timeout=20) as client:
                client.wait_for_workers(2, timeout=20)
            return str(address)
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def listening(process: subprocess.Popen[bytes]) -> set[str]:
    import psutil

    return {item.laddr.ip for item in psutil.Process(process.pid).net_connections() if item.status == "LISTEN"}


def test_a_cluster_finds_what_one_process_finds(
    run: Callable[..., pytest.RunResult],
    project: pytest.Pytester,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = (
        "--trust-model=cluster_model:classify",
        "--trust-train=train.csv",
        "--trust-data=test.csv",
        "--trust-embeddings=embedding:ThreeAxes",
        "--trust-samples=200",
        "--trust-cache=off",
        "-Werror",
    )
    project.makepyfile(test_suite=SUITE)

    def checks(name: str, *more: str) -> list[dict[str, object]]:
        index = f"--trust-index={name}.zip"
        result = project.runpytest_subprocess(*options, index, f"--trust-json={name}.json", *more)
        assert result.ret == pytest.ExitCode.OK, result.outlines
        return json.loads((project.path / f"{name}.json").read_text(encoding="utf-8"))["checks"]

    expected = checks("serial")
    assert expected[0]["details"]["judged"] > 50  # type: ignore[index, call-overload]
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster.address)
    assert checks("cluster", "--trust-backend=dask") == expected
    workers = {int(path.name.partition("-")[2]) for path in project.path.glob("asked-*")}
    assert workers == {process.pid for process in cluster.processes[1:]}, "both explained"
    assert set.union(*map(listening, cluster.processes)) == {"127.0.0.1"}

    (project.path / "deadly").touch()
    assert checks("killed", "--trust-backend=dask") == expected
    assert cluster.alive == 1, "one worker died while the index was built"


def test_without_a_cluster_the_error_says_what_is_missing(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    result = run("--trust-backend=dask", test=SUITE)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the backend 'dask' needs a cluster: set DASK_SCHEDULER_ADDRESS=*"])

"""``pytest-trust judge`` between two pipes: what arrives is judged at once, whatever comes later."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TIMEOUT = 60


class Running:
    """The command as a process, with pipes for input and output."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        code = "import sys; from pytest_trust.cli import main; sys.exit(main(sys.argv[1:]))"
        command = ["judge", "--model", "models:honest", "--samples", "50", "--oracle", "confidence", *arguments]
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )
        self._seen = b""

    def writes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def gives(self, count: int) -> list[dict[str, object]]:
        """The next ``count`` lines of output."""
        assert self.process.stdout is not None
        deadline = time.monotonic() + TIMEOUT
        while self._seen.count(b"\n") < count:
            ready, _, _ = select.select([self.process.stdout], [], [], deadline - time.monotonic())
            assert ready, f"only {self._seen!r} came"
            self._seen += os.read(self.process.stdout.fileno(), 65536)
        *lines, self._seen = self._seen.split(b"\n", count)
        return [json.loads(line) for line in lines]

    def ends(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode, errors.decode()


@pytest.fixture
def start(reviews: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def run(*arguments: str, **environment: str) -> Running:
        started.append(Running(reviews, *arguments, **environment))
        return started[-1]

    yield run
    for one in started:
        one.process.kill()
        one.process.communicate()


def test_a_verdict_comes_while_the_input_pauses(start) -> None:
    judge = start("--batch", "100")
    judge.writes(b'{"text": "great"}\n')
    assert judge.gives(1)[0]["predicted"] == "positive"
    judge.writes(b'{"text": "awful"}\n{"text": "great"}\n{"te')
    assert [item["predicted"] for item in judge.gives(2)] == ["negative", "positive"]
    judge.writes(b'xt": "awful"}\n')
    assert judge.gives(1)[0]["line"] == 4
    code, errors = judge.ends()
    assert (code, errors) == (0, "pytest-trust: 0 trustworthy, 4 untrustworthy\n")


def test_output_is_utf_8_whatever_the_locale(start) -> None:
    judge = start(LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="ascii")
    judge.writes('{"text": "great 電影"}\n'.encode())
    assert judge.gives(1)[0]["text"] == "great 電影"
    assert judge.ends()[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_with_130_and_loses_no_verdict(start) -> None:
    judge = start()
    judge.writes(b'{"text": "great"}\n')
    assert judge.gives(1)
    judge.process.send_signal(signal.SIGINT)
    assert judge.process.wait(timeout=TIMEOUT) == 130
    assert judge.ends()[1] == ""


def test_a_reader_that_leaves_ends_it_quietly(start) -> None:
    judge = start()
    judge.writes(b'{"text": "great"}\n')
    assert judge.gives(1)
    judge.process.stdout.close()
    judge.writes(b'{"text": "great"}\n')
    assert judge.process.wait(timeout=TIMEOUT) == 141
    assert judge.process.stderr.read() == b""
    judge.process.stdout = None

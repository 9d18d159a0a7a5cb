"""A folder with the reviews of ``fixtures/``, in which commands run."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_trust.cli import main

REVIEWS = Path(__file__).parents[2] / "fixtures" / "reviews"
MODULES = ("models", "embedding")

HONEST = ("--model", "models:honest", "--samples", "200")
BIASED = ("--model", "models:biased", "--samples", "200")
INDEXED = ("--train", "train.csv", "--embeddings", "embedding:ThreeAxes")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("models.py", "embedding.py", "train.csv", "test.csv"):
        shutil.copy(REVIEWS / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield tmp_path
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def command(reviews: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs a command line on bytes of input; gives back exit code, output and errors."""

    def run(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = main([str(argument) for argument in arguments])
        shown = capsysbinary.readouterr()
        return code, shown.out.decode("utf-8"), shown.err.decode("utf-8")

    return run

"""Builds the wheel, installs it from wheels alone into bare environments, and does there what the README says.

Run as ``python tests/wheel/check_wheel.py``; it needs the package ``build``, and an index of packages to install from.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REVIEWS = ROOT / "fixtures" / "reviews"
_SOURCES = ("pyproject.toml", "README.md", "LICENSE", "pytest_trust", "conftest_examples")
_SUITE = re.compile(r"```python\n# (test_\w+\.py)\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"^    (pytest --trust-model=.*)$", re.MULTILINE)
_INSTALL = re.compile(r'^    pip install "pytest-trust\[([\w,]+)\]"', re.MULTILINE)
_TRAIN = """
import joblib
from pytest_trust.data import load_dataset
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

train = load_dataset("train.csv")
model = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(list(train.texts), list(train.labels))
joblib.dump(model, "sentiment.joblib")
"""


def main() -> None:
    """All checks, in a temporary folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = _built(folder)
        _check_files(wheel)
        bare = _environment(folder / "bare", str(wheel))
        project = folder / "project"
        project.mkdir()
        _check_bare(bare, project)
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        extras = _one(_INSTALL, readme)
        _install(bare, f"{wheel}[{extras}]")
        _follow(readme, bare, project)


def _built(folder: Path) -> Path:
    """The wheel, made from the source distribution of a copy: nothing that a checkout has beside it gets in."""
    copy, out = folder / "copy", folder / "dist"
    copy.mkdir()
    for name in _SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    _run(sys.executable, "-m", "build", "--outdir", str(out), str(copy), at=folder)
    (wheel,) = out.glob("*.whl")
    return wheel


def _check_files(wheel: Path) -> None:
    """The wheel holds every file of the package, and nothing beside it."""
    here = {path.relative_to(ROOT).as_posix() for path in (ROOT / "pytest_trust").rglob("*") if path.is_file()}
    here = {name for name in here if "__pycache__" not in name}
    with zipfile.ZipFile(wheel) as archive:
        there = {name for name in archive.namelist() if ".dist-info/" not in name}
        empty = [name for name in there if not archive.getinfo(name).file_size]
    assert there == here, f"not in the wheel: {sorted(here - there)}; beside the package: {sorted(there - here)}"
    assert set(empty) <= {"pytest_trust/py.typed"}, f"empty: {empty}"
    print(f"the wheel holds the {len(there)} files of the package")


def _environment(folder: Path, *requirements: str) -> Path:
    """The folder of programs of a new environment that holds ``requirements`` alone."""
    venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    _install(programs, *requirements)
    return programs


def _install(programs: Path, *requirements: str) -> None:
    _run(
        str(programs / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        *requirements,
        at=programs,
    )


def _check_bare(programs: Path, project: Path) -> None:
    """What needs no extra works, and each extra that is missing is named."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    ask = ROOT / "tests" / "wheel" / "missing_extras.py"
    print(_run(str(programs / "python"), str(ask), *(extras.keys() - {"all"}), at=project).strip())
    assert "usage: pytest-trust" in _run(str(programs / "pytest-trust"), "--help", at=project)
    for suite in ("sentiment", "topics", "toxicity"):
        _run(str(programs / "pytest-trust"), "init", suite, "suites", at=project)
        assert "trust" in (project / "suites" / f"test_{suite}.py").read_text(encoding="utf-8")
    assert "--trust-model" in _run(str(programs / "pytest"), "--help", at=project)


def _follow(readme: str, programs: Path, project: Path) -> None:
    """The README's test file and its command, on a model that is fitted there."""
    name, suite = _one(_SUITE, readme)
    (project / name).write_text(suite, encoding="utf-8")
    for file in ("train.csv", "test.csv"):
        shutil.copy(REVIEWS / file, project)
    _run(str(programs / "python"), "-c", _TRAIN, at=project)
    program, *options = shlex.split(_one(_COMMAND, readme))
    told = _run(str(programs / program), name, *options, at=project, codes=(0, 1))
    tests = re.findall(r"^def (test_\w+)", suite, re.MULTILINE)
    summary = told[told.index(" trust =") :]
    assert tests, "the README's file has no test"
    assert all(re.search(rf"^(PASS|FAIL|INCONCLUSIVE) +{name}::{test} ", summary, re.MULTILINE) for test in tests), told
    assert re.search(r"^trust rate \d", summary, re.MULTILINE), told
    assert " error" not in told.splitlines()[-1], told
    print(summary.strip())


def _one(pattern: re.Pattern[str], text: str) -> Any:
    (found,) = pattern.findall(text)
    return found


def _run(program: str, *arguments: str, at: Path, codes: Sequence[int] = (0,)) -> str:
    """What a program prints that is run in the folder ``at``, where nothing of this project can be imported from."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run([program, *arguments], cwd=at, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode in codes, (
        f"{program} {arguments} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    )
    return done.stdout


if __name__ == "__main__":
    main()

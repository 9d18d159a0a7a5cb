"""A suite without trust tests pays nothing and sees nothing of the plugin."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "numpy",
    "scipy",
    "sklearn",
    "torch",
    "transformers",
    "gensim",
    "nltk",
    "lime",
    "textattack",
    "pandas",
    "regex",
)

CONFTEST = """
import sys

def pytest_unconfigure(config):
    loaded = [name for name in %r if name in sys.modules]
    print("LOADED", loaded)
"""


def in_subprocess(pytester: pytest.Pytester, *arguments: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "-p", "no:anyio", *arguments]
    return subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, timeout=300, check=False).stdout


def test_nothing_heavy_is_loaded_and_nothing_is_printed(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST % (HEAVY,))
    pytester.makepyfile(
        """
        import pytest
        @pytest.mark.invariant("SEC-65")
        def test_foreign_mark(): ...
        def test_plain(): ...
        """
    )
    output = in_subprocess(pytester, "--strict-markers")
    assert "2 passed" in output
    assert "LOADED []" in output
    shown = "\n".join(line for line in output.splitlines() if not line.startswith(("plugins:", "rootdir:")))
    assert "trust" not in shown


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = f"import sys, pytest_trust, pytest_trust.plugin; print([m for m in {HEAVY!r} if m in sys.modules])"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"


def test_importing_decorators_and_perturbations_loads_no_numpy() -> None:
    program = (
        "import sys; from pytest_trust import directional, invariant, perturb, trustworthy; "
        "invariant(perturb.replace({'a': 'b'})); print('numpy' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "False"


def test_the_plugin_can_be_left_out(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(): ...")
    output = in_subprocess(pytester, "-p", "no:trust", "--help")
    assert "--trust-model" not in output

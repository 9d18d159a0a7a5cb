"""``pytest-trust init``: a ready suite in the user's folder."""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path
from typing import Any

from pytest_trust._cli.options import add_parser
from pytest_trust.errors import ConfigurationError

SUITES = ("sentiment", "topics", "toxicity")

_ABOUT = """\
Writes a ready suite of behavioural tests into a folder, for you to change: the names of the classes stand at its top.
"""


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(
        commands,
        "init",
        help="write a ready suite of tests into a folder",
        about=_ABOUT,
        example="pytest-trust init sentiment tests/",
    )
    parser.add_argument("suite", choices=SUITES, metavar="SUITE", help=f"one of: {', '.join(SUITES)}")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(), help="where it goes (default: here)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the suite, and says how to run it.

    Raises:
        ConfigurationError: the file is there already, or cannot be written.
    """
    target: Path = options.folder / f"test_{options.suite}.py"
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(suite_text(options.suite))
    except FileExistsError:
        raise ConfigurationError(f"{target} is there already; name another folder, or move it away") from None
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written: {error}") from error
    print(f"wrote {target}\n\nRun it with: pytest {target} --trust-model=MODEL")
    return 0


def suite_text(name: str) -> str:
    """The test file of the suite ``name``."""
    return (files("pytest_trust._cli") / "suites" / f"{name}.txt").read_text(encoding="utf-8")

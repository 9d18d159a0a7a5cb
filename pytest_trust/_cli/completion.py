"""``pytest-trust completion``: what a shell needs to complete the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pytest_trust._cli.options import add_parser
from pytest_trust.errors import missing_extra

SHELLS = ("bash", "zsh", "fish")

_ABOUT = """\
Prints a script with which a shell completes commands, options and files. It runs nothing of pytest-trust when it
completes. It is made by the package shtab, which the extra [completion] brings.
"""
_EXAMPLE = """
pytest-trust completion bash > ~/.local/share/bash-completion/completions/pytest-trust
pytest-trust completion zsh > "${fpath[1]}/_pytest-trust"
pytest-trust completion fish > ~/.config/fish/completions/pytest-trust.fish
"""


def add_command(commands: Any, root: argparse.ArgumentParser) -> None:
    """Adds the command to the ``commands`` of the parser ``root``, which it completes."""
    parser = add_parser(commands, "completion", help="print a completion script", about=_ABOUT, example=_EXAMPLE)
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of: {', '.join(SHELLS)}")
    parser.set_defaults(run=partial(run, root=root))


def run(options: argparse.Namespace, root: argparse.ArgumentParser) -> int:
    """Prints the script.

    Raises:
        MissingExtraError: shtab is not installed.
    """
    try:
        import shtab
    except ImportError:
        raise missing_extra("shtab", "completion", "pytest-trust completion") from None
    for parser in _parsers(root):
        parser.description = None  # a shell shows the short help beside a command
        for action in parser._actions:
            if action.type is Path:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(root, shell=options.shell))
    return 0


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """``parser`` and those of the commands below it."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _parsers(command)

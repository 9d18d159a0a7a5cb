"""The command ``pytest-trust``: what is done beside the tests."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence

from pytest_trust._cli import calibrate, init, label
from pytest_trust._version import __version__
from pytest_trust.errors import TrustError

_USAGE_ERROR = 2
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line ``argv`` and returns its exit code.

    0 where it did what it was asked, 1 where an embedding cannot be calibrated, 2 where something given cannot be
    used (told in one line on stderr), 130 where it was interrupted.
    """
    options = _parser().parse_args(argv)
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code: int = options.run(options)
        except TrustError as error:
            print(f"pytest-trust: error: {error}", file=sys.stderr)
            return _USAGE_ERROR
        except KeyboardInterrupt:
            return _INTERRUPTED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pytest-trust", description="Work beside the tests of pytest-trust, a pytest plugin for text classifiers."
    )
    parser.add_argument("--version", action="version", version=f"pytest-trust {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (calibrate, init, label):
        command.add_command(commands)
    return parser


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"pytest-trust: warning: {message}", file=sys.stderr)

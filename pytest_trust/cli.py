"""The command ``pytest-trust``: what is done beside the tests."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

from pytest_trust._cli import calibrate, compare, completion, explain, index, init, judge, label
from pytest_trust._cli.options import HelpFormatter
from pytest_trust._version import __version__
from pytest_trust.errors import TrustError

_USAGE_ERROR = 2
_INTERRUPTED = 130
_OUTPUT_CLOSED = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line ``argv`` and returns its exit code.

    0 where it did what it was asked, 1 where it found what the help of its command tells of, 2 where something given
    cannot be used (told in one line on stderr), 130 where it was interrupted, 141 where its output was closed.
    """
    options = _parser().parse_args(argv)
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code: int = options.run(options)
            sys.stdout.flush()
        except TrustError as error:
            print(f"pytest-trust: error: {error}", file=sys.stderr)
            return _USAGE_ERROR
        except KeyboardInterrupt:
            return _INTERRUPTED
        except BrokenPipeError:
            _drop_output()
            return _OUTPUT_CLOSED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pytest-trust",
        description="Work beside the tests of pytest-trust, a pytest plugin for text classifiers.",
        formatter_class=HelpFormatter,
        epilog="pytest-trust COMMAND --help shows an example and the exit codes of a command.",
    )
    parser.add_argument("--version", action="version", version=f"pytest-trust {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (explain, judge, compare, index, calibrate, label, init):
        command.add_command(commands)
    completion.add_command(commands, parser)
    return parser


def _drop_output() -> None:
    """Keeps Python from failing once more when it flushes what nobody reads."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"pytest-trust: warning: {message}", file=sys.stderr)

"""``pytest-trust compare``: two stored runs, text by text."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.options import add_parser
from pytest_trust._cli.terminal import Terminal
from pytest_trust.errors import BaselineError

if TYPE_CHECKING:
    from pytest_trust.reports import Comparison

_ABOUT = """\
Compares two runs text by text: which checks are significantly worse in AFTER than in BEFORE, which better, and which
texts turned. Each file is a JSON report (--trust-json) or a baseline (--trust-save-baseline), which also shows the
texts.
"""
_CODES = {1: "a check is significantly worse", 2: "a file cannot be used, or a check cannot be compared"}


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(
        commands,
        "compare",
        help="compare two runs, text by text",
        about=_ABOUT,
        example="pytest-trust compare main.json branch.json",
        codes=_CODES,
    )
    parser.add_argument("before", type=Path, metavar="BEFORE", help="JSON report or baseline of the earlier run")
    parser.add_argument("after", type=Path, metavar="AFTER", help="JSON report or baseline of the run that is judged")
    parser.add_argument("--alpha", type=float, default=None, help="level over all checks together (default: 0.05)")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the comparison.

    Raises:
        BaselineError: a file cannot be read, the versions differ, or the two have no check in common.
        ConfigurationError: alpha is not within 0 and 0.5.
    """
    from pytest_trust.reports import Standing, compare_runs, read_run, version_differences
    from pytest_trust.reports.baseline.compare import SESSION_ALPHA

    before, after = read_run(options.before), read_run(options.after)
    names = {"there": f"in {options.before}", "here": f"in {options.after}"}
    problems = version_differences(before.version, after.version, **names)
    if not problems and not before.checks.keys() & after.checks.keys():
        problems = [f"{options.before} and {options.after} have no check in common (by test, kind and name)"]
    if problems:
        raise BaselineError("; ".join(problems))
    alpha = SESSION_ALPHA if options.alpha is None else options.alpha
    comparison = compare_runs(before, after, alpha=alpha, **names)
    if options.json:
        print(json.dumps(comparison.to_dict(), indent=2))
    else:
        _print_lines(comparison)
    if comparison.of(Standing.WORSE):
        return 1
    open_still = (Standing.REFUSED, Standing.INCONCLUSIVE, Standing.UNFINISHED)
    return 2 if any(check.standing in open_still for check in comparison.checks) else 0


def _print_lines(comparison: Comparison) -> None:
    from pytest_trust.reports import Standing, comparison_lines, turned_lines

    terminal = Terminal(sys.stdin, sys.stdout)
    for standing, line in comparison_lines(comparison):
        terminal.say(f"{'' if standing is None else standing.upper():<12}  {line}")
    for check in comparison.of(Standing.WORSE):
        nodeid, kind, name, _ = check.key
        terminal.say(f"\n{nodeid}  {kind}: {name}, worst first:")
        for line in turned_lines(check):
            terminal.say(line)

"""``pytest-trust judge``: verdicts on predictions as they come, for watching a running system."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pytest_trust._cli.options import add_columns, add_explainer, add_model, add_oracle, add_parser
from pytest_trust.errors import DataError

if TYPE_CHECKING:
    from pytest_trust._cli.jsonlines import Arriving
    from pytest_trust._cli.stream import Judge, Tally

_ABOUT = """\
Reads texts from JSON Lines and writes a verdict on the model's prediction for each as a line of JSON, in order and at
once. Keys of an input line are kept. Where it has a label, only a correct prediction is judged; without one the
verdict holds if the prediction is right. A malformed line gets an "error" and does not stop the others.
"""
_EXAMPLE = """
pytest-trust judge --model sentiment.joblib --train train.csv < texts.jsonl > verdicts.jsonl
tail -f requests.jsonl | pytest-trust judge --model sentiment.joblib --index index.zip
"""
_CODES = {1: "a line was in error, or the trust rate is below --fail-under"}
_BATCH = 32


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(
        commands, "judge", help="judge predictions as they come", about=_ABOUT, example=_EXAMPLE, codes=_CODES
    )
    add = parser.add_argument
    add("file", nargs="?", type=Path, metavar="FILE.jsonl", help="texts as JSON Lines (default: stdin)")
    add("--batch", type=int, default=_BATCH, metavar="N", help=f"most lines judged together (default: {_BATCH})")
    add("--strict", action="store_true", help="stop at the first line in error")
    add("--fail-under", type=float, metavar="RATE", help="least share of trustworthy among the verdicts, 0 to 1")
    add_model(parser)
    add_explainer(parser, sampling=True)
    add_oracle(parser)
    add_columns(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the verdicts, and says at the end on stderr how many of each there are.

    Raises:
        TrustError: something given cannot be used.
    """
    from pytest_trust._cli.jsonlines import arriving_lines, write_json
    from pytest_trust._cli.stream import Tally
    from pytest_trust.arguments import require_between, require_count

    batch, least = require_count("--batch", options.batch), options.fail_under
    if least is not None:
        require_between("--fail-under", least, 0, 1, low_included=True, high_included=True)
    with _source(options.file) as source:
        judge, tally = _judge(options), Tally()
        for lines in arriving_lines(source, batch):
            for record in judge.records(lines):
                write_json(record)
                tally.add(record)
                if options.strict and tally.errors:
                    return _ended(tally, least)
    return _ended(tally, least)


def _ended(tally: Tally, least: float | None) -> int:
    print(f"pytest-trust: {tally.told()}", file=sys.stderr)
    return 1 if tally.errors or not tally.reaches(least) else 0


def _source(file: Path | None) -> contextlib.AbstractContextManager[Arriving]:
    if file is None:
        return contextlib.nullcontext(cast("Arriving", sys.stdin.buffer))
    try:
        return file.open("rb")
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error}") from error


def _judge(options: argparse.Namespace) -> Judge:
    from pytest_trust._cli.parts import columns_of, explainer_of, model_of, oracle_of
    from pytest_trust._cli.stream import Judge

    explainer, model = explainer_of(options), model_of(options)
    columns = columns_of(options) or {}
    return Judge(
        model,
        explainer,
        oracle_of(options, model, explainer),
        options.seed,
        text_key=columns.get("text", "text"),
        label_key=columns.get("label", "label"),
    )

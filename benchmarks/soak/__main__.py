"""``python -m benchmarks.soak --seconds 300 --json FILE``: kills, parallel sessions and damaged files on one store."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.report import Row, table, write
from benchmarks.soak.rounds import Soak, Tally
from benchmarks.soak.session import make_parts

_PACKAGES = ("pytest-trust", "numpy", "scikit-learn")
_MOST_SECONDS = 600


def main(given: Sequence[str] | None = None) -> int:
    """Run rounds until the time is over, print the table and write the file; 1 where something was wrong or lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--json", type=Path, help="file of the results")
    parser.add_argument("--seconds", type=float, default=300, help="how long, ten minutes at most")
    parser.add_argument("--seed", type=int, default=0, help="of kills and damages")
    parser.add_argument("--sessions", type=int, default=8, help="how many sessions differ, each with a seed of its own")
    parser.add_argument("--texts", type=int, help="texts to learn and to judge (default: all of fixtures/reviews)")
    arguments = parser.parse_args(given)
    end = time.monotonic() + min(arguments.seconds, _MOST_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(make_parts(arguments.texts), Path(folder), Random(arguments.seed))
        soak.undisturbed(range(arguments.sessions))
        soak.round()
        while time.monotonic() < end:
            soak.round()
    rows = _rows(soak.tally)
    print(table(rows))
    problems = [*soak.tally.wrong_verdicts, *soak.tally.failed_sessions]
    print(*problems, sep="\n")
    if arguments.json:
        more = {"damages": dict(soak.tally.damages), "warnings": dict(soak.tally.warnings), "problems": problems}
        write(arguments.json, "python -m benchmarks.soak " + " ".join(given or sys.argv[1:]), rows, _PACKAGES, **more)
    return int(any(row.reached is False for row in rows))


def _rows(tally: Tally) -> list[Row]:
    return [
        Row("wrong verdicts", len(tally.wrong_verdicts), "sessions", "lower", must=0),
        Row("lost records, of files that nobody damaged", tally.lost_records, "records", "lower", must=0),
        Row("wrong records", tally.wrong_records, "records", "lower", must=0),
        Row("sessions that failed", len(tally.failed_sessions), "sessions", "lower", must=0),
        Row("sessions", tally.sessions, "sessions"),
        Row("sessions killed", tally.killed, "sessions"),
        Row("sessions finished, and their verdicts compared", tally.finished, "sessions"),
        Row("rounds of two or three sessions at once", tally.rounds, "rounds"),
        Row("files damaged before and during rounds", tally.damages.total(), "files"),
        Row("committed records read back after rounds", tally.records_checked, "records"),
        Row("records gone with a damaged file", tally.records_gone_with_a_damaged_file, "records", "lower"),
    ]


if __name__ == "__main__":
    sys.exit(main())

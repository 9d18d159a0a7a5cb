"""``python -m benchmarks.fuzz --n 50000 --seed 0 --json FILE``: every reader under damaged and hostile inputs."""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from benchmarks.fuzzing import ROOMS
from benchmarks.fuzzing.target import LONGEST, MOST_MEMORY, Finding, Outcome, fuzz
from benchmarks.report import Row, table, write

_PACKAGES = ("pytest-trust", "numpy", "pyarrow")
_LEAST = 50_000
# Beyond what Python and the libraries have mapped; an input that asks for more gets a MemoryError.
_ADDRESSES = 8 * 2**30


def shares(only: Sequence[str]) -> list[tuple[str, str, float]]:
    """Room, name and share of inputs of each reader, or of those named."""
    with tempfile.TemporaryDirectory() as folder:
        found = [(room, target) for room in ROOMS for target in ROOMS[room](_below(folder, room))]
    chosen = [(room, item) for room, item in found if not only or item.name in only]
    total = sum(item.share for _, item in chosen)
    return [(room, item.name, item.share / total) for room, item in chosen]


def attack(room: str, name: str, n: int, seed: int) -> Outcome:
    """``n`` inputs for one reader, in a process of its own: a reader in C may take that down."""
    with tempfile.TemporaryDirectory() as folder, _executor() as executor:
        last = Path(folder, "last")
        try:
            return executor.submit(_fuzz, folder, room, name, n, seed).result()
        except BrokenProcessPool as error:
            return Outcome(name, findings=[Finding(-1, f"the process died: {error}", last.read_bytes().hex())])


def main(given: Sequence[str] | None = None) -> int:
    """Read all inputs, print the table and write the file; 1 where a reader did not deal with one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("--json", type=Path, help="file of the results")
    parser.add_argument("--n", type=int, default=_LEAST, help="inputs in all")
    parser.add_argument("--seed", type=int, default=0, help="of all inputs")
    parser.add_argument("--only", nargs="+", default=(), metavar="READER", help="some readers alone")
    arguments = parser.parse_args(given)
    outcomes = []
    for room, name, share in shares(arguments.only):
        outcomes.append(attack(room, name, round(arguments.n * share) + 1, arguments.seed))
        print(_line(outcomes[-1]), flush=True)
    rows = _rows(outcomes)
    print("\n" + table(rows))
    if arguments.json:
        command = "python -m benchmarks.fuzz " + " ".join(given or sys.argv[1:])
        readers = [outcome.to_dict() for outcome in outcomes]
        write(arguments.json, command, rows, _PACKAGES, seed=arguments.seed, readers=readers)
    return int(any(outcome.findings for outcome in outcomes))


def _rows(outcomes: Sequence[Outcome]) -> list[Row]:
    findings = sum(len(outcome.findings) for outcome in outcomes)
    return [
        Row("inputs read", sum(outcome.inputs for outcome in outcomes), "inputs", must=_LEAST),
        Row("readers", len(outcomes), "readers"),
        Row("neither a documented error nor a right result", findings, "inputs", "lower", must=0),
        Row("accepted, and found to be as promised", sum(outcome.accepted for outcome in outcomes), "inputs"),
        Row("ways to be refused", sum(outcome.places for outcome in outcomes), "places"),
        Row("slowest input", max(outcome.slowest for outcome in outcomes), "s", "lower", must=LONGEST),
        Row("memory that an input may take", MOST_MEMORY / 2**20, "MiB", "lower"),
    ]


def _line(outcome: Outcome) -> str:
    problems = [f"  {item.number}: {item.problem.strip()}\n    {item.content[:200]}" for item in outcome.findings]
    head = (
        f"{outcome.name:<24} {outcome.inputs:>6} inputs  {outcome.accepted:>6} accepted  "
        f"{outcome.refused:>6} refused in {outcome.places:>3} places  "
        f"slowest {outcome.slowest:.3f} s  {len(outcome.findings)} findings"
    )
    return "\n".join([head, *problems])


def _fuzz(folder: str, room: str, name: str, n: int, seed: int) -> Outcome:
    (target,) = [target for target in ROOMS[room](_below(folder, room)) if target.name == name]
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    return fuzz(target, n, seed, Path(folder, "last"))


def _below(folder: str, room: str) -> Path:
    path = Path(folder, room)
    path.mkdir()
    return path


def _executor() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


if __name__ == "__main__":
    sys.exit(main())

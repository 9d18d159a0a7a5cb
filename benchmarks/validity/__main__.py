"""``python -m benchmarks.validity --json FILE``: false passes and power of every gate."""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.report import Row, table, write
from benchmarks.validity.cells import ALPHA, Cell, Kind, cells
from pytest_trust.stats import wilson

SIZES = (5, 10, 20, 30, 50, 100, 300, 1000, 2000)
_PACKAGES = ("pytest-trust", "numpy", "scipy")
_POWER = 0.8
# One-sided quantile of 0.999: how far simulation alone may carry a rate of alpha.
_ERROR = 3.09
_WIDTH = 94
_HEADINGS: dict[Kind, str] = {
    "null": "False passes, % of suites (the null hypothesis holds)",
    "power": "Power, % of suites",
    "plain": "What gates do not use: passes, % of suites (the null hypothesis holds)",
}


@dataclass(frozen=True, slots=True)
class Passed:
    """How many of ``suites`` of ``n`` texts passed, as a share with its 95 % interval."""

    n: int
    suites: int
    share: float
    low: float
    high: float


def simulate(cell: Cell, n: int, suites: int, seed: int) -> Passed:
    """The share of suites that pass; each cell has draws of its own, which no other cell moves."""
    rng = np.random.default_rng([seed, zlib.crc32(cell.name.encode()), n])
    passed = sum(cell.passes(cell.draw(rng, n)) for _ in range(suites))
    # Each bound holds with 0.975 alone.
    rate = wilson(passed, suites, 0.025)
    return Passed(n, suites, passed / suites, rate.low, rate.high)


def most(suites: int) -> float:
    """What a rate of false passes of alpha may look like, within the error of the simulation."""
    return round(ALPHA + _ERROR * math.sqrt(ALPHA * (1 - ALPHA) / suites), 4)


def row(cell: Cell, found: Sequence[Passed]) -> Row:
    """The worst of all n for false passes; for power the share at the middle n, and from where it is enough."""
    worst = max(found, key=lambda item: item.share)
    note = f"at n = {worst.n}, 95 % interval {worst.low:.4f} to {worst.high:.4f}"
    if cell.kind == "null":
        return Row(f"false passes, {cell.name}", worst.share, "share", "lower", most(worst.suites), note=note)
    if cell.kind == "plain":
        return Row(f"no gate, {cell.name}", worst.share, "share", "lower", note=note)
    enough = next((item.n for item in found if item.share >= _POWER), None)
    middle = found[len(found) // 2]
    reached = f"{_POWER:.0%} from n = {enough} on, of those simulated" if enough else f"{_POWER:.0%} at none"
    return Row(f"power at n = {middle.n}, {cell.name}", middle.share, "share", "higher", note=reached)


def lines(kind: Kind, found: dict[Cell, list[Passed]]) -> str:
    """A table for people: cells by n."""
    chosen = {cell: passed for cell, passed in found.items() if cell.kind == kind}
    sizes = [item.n for item in next(iter(chosen.values()))]
    head = f"{_HEADINGS[kind]:<{_WIDTH + 2}}" + "".join(f"{n:>7}" for n in sizes)
    return "\n".join([head, *(f"  {cell.name:<{_WIDTH}}" + _shares(passed) for cell, passed in chosen.items())])


def _shares(passed: Sequence[Passed]) -> str:
    return "".join(f"{100 * item.share:>7.1f}" for item in passed)


def main(given: Sequence[str] | None = None) -> None:
    """Simulate, print the tables and write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validity", description=__doc__)
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    parser.add_argument("--suites", type=int, default=2000, help="suites of each scenario and n")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="texts of a suite")
    parser.add_argument("--seed", type=int, default=0, help="of all draws")
    arguments = parser.parse_args(given)
    found = {cell: [simulate(cell, n, arguments.suites, arguments.seed) for n in arguments.sizes] for cell in cells()}
    print("\n\n".join(lines(kind, found) for kind in _HEADINGS), end="\n\n")
    rows = [row(cell, passed) for cell, passed in found.items()]
    print(table(rows))
    tables = [
        {"kind": cell.kind, "gate": cell.gate, "scenario": cell.scenario, "by_n": [asdict(item) for item in passed]}
        for cell, passed in found.items()
    ]
    command = "python -m benchmarks.validity " + " ".join(given or sys.argv[1:])
    write(arguments.json, command, rows, _PACKAGES, alpha=ALPHA, seed=arguments.seed, tables=tables)


if __name__ == "__main__":
    main()

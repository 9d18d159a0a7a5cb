"""What all benchmarks share: rows with what they must reach, fair timing, the file of results."""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

REPEATS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: which way is ``better``, what it ``must`` reach and the ``aim`` beyond; None where nothing is set."""

    name: str
    value: float
    unit: str
    better: Literal["higher", "lower"] = "higher"
    must: float | None = None
    aim: float | None = None
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the figure is as good as it must be; None where nothing is set."""
        if self.must is None:
            return None
        return self.value >= self.must if self.better == "higher" else self.value <= self.must


@dataclass(frozen=True, slots=True)
class Compared:
    """Median seconds of two ways to do the same, and the median of their ratios (how often faster ours is)."""

    theirs: float
    ours: float
    ratio: float


def seconds(work: Callable[[], object]) -> float:
    """How long ``work`` takes, once."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def side_by_side(theirs: Callable[[], object], ours: Callable[[], object], repeats: int = REPEATS) -> Compared:
    """Times both in turn, so that a machine whose speed drifts drifts for both; each ran once before."""
    theirs(), ours()
    pairs = [(seconds(theirs), seconds(ours)) for _ in range(repeats)]
    median = statistics.median
    return Compared(median(a for a, _ in pairs), median(b for _, b in pairs), median(a / b for a, b in pairs))


def versions(packages: Sequence[str]) -> dict[str, str]:
    """The installed versions of ``packages`` and of Python."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def table(rows: Sequence[Row]) -> str:
    """The rows for people."""
    lines = [f"{'row':<72} {'value':>10} {'unit':<8} {'must':>8} {'aim':>8}"]
    for row in rows:
        must, aim = ("" if bound is None else f"{bound:g}" for bound in (row.must, row.aim))
        missed = "  MISSED" if row.reached is False else ""
        lines.append(f"{row.name:<72} {row.value:>10.4g} {row.unit:<8} {must:>8} {aim:>8}{missed}")
    return "\n".join(lines)


def write(file: Path, command: str, rows: Sequence[Row], packages: Sequence[str], **more: Any) -> None:
    """The results with command, date, machine and versions as JSON."""
    document = {
        "command": command,
        "date": date.today().isoformat(),
        "machine": f"{platform.machine()}, {platform.system()}",
        "versions": versions(packages),
        "rows": [asdict(row) for row in rows],
        **more,
    }
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

"""``python -m benchmarks.others --json FILE``: what the ready suites find in classifiers of other people's."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import Row, table, write

ROOT = Path(__file__).parents[2]
_PACKAGES = ("pytest-trust", "vaderSentiment", "alt-profanity-check", "scikit-learn")


@dataclass(frozen=True, slots=True)
class Subject:
    """A classifier, by its name and the name of its factory, and the suite that it is put through."""

    name: str
    factory: str
    suite: str


SUBJECTS = (Subject("VADER", "vader", "sentiment"), Subject("profanity-check", "profanity", "toxicity"))


def report_of(subject: Subject) -> dict[str, Any]:
    """The JSON report of a run of the suite; its gates fail, so the exit code tells nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", "-q", f"conftest_examples/{subject.suite}", f"--trust-json={file}"]
        model = f"--trust-model=benchmarks.others.classifiers:{subject.factory}"
        subprocess.run([*command, model], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        report: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return report


def rows(subject: Subject, report: dict[str, Any]) -> Iterator[Row]:
    """The share of gates passed, by capability."""
    for capability, kinds in report["capabilities"].items():
        passed = sum(cell["pass"] for cell in kinds.values())
        total = sum(sum(cell.values()) for cell in kinds.values())
        yield Row(f"{subject.name}, {capability}", passed / total, "share", "higher", note=f"{passed} of {total} gates")


def weaknesses(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The gates that did not pass, without texts."""
    kept = ("nodeid", "capability", "kind", "name", "outcome", "n", "estimate", "low", "high", "bound", "reason")
    return [{key: check[key] for key in kept} for check in report["checks"] if check["outcome"] != "pass"]


def main() -> None:
    """Runs every classifier through its suite, prints the table and writes the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.others", description=__doc__)
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    arguments = parser.parse_args()
    reports = {subject: report_of(subject) for subject in SUBJECTS}
    found = [row for subject, report in reports.items() for row in rows(subject, report)]
    print(table(found))
    details = {subject.name: weaknesses(report) for subject, report in reports.items()}
    write(arguments.json, "python -m benchmarks.others " + " ".join(sys.argv[1:]), found, _PACKAGES, weaknesses=details)


if __name__ == "__main__":
    main()

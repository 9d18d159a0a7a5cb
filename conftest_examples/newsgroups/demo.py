"""The demo: one behavioural suite, three classifiers of the same newsgroups, two of them right for the wrong reasons.

``python -m conftest_examples.newsgroups.demo`` exits with 0 only if the suite passes on the model that learned from
masked messages, and its trust gate fails on the model that learned from messages with header lines in one class.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conftest_examples.newsgroups.models import Report, train_all

SUITE = Path(__file__).with_name("test_newsgroups.py")
CLASSES = "atheism=atheism|atheist|god,christian=christian|christianity|church"
STORIES = {
    "masked": "learned from messages without posters' names and mail hosts: expected to pass",
    "biased": "learned from messages with header lines in one class only: its trust gate is expected to fail",
    "plain": "learned from the messages as they are: what it rests on is a real finding, whatever the gate says",
}


@dataclass(frozen=True)
class Run:
    """A run of the suite on one model: pytest's output and exit code, and the JSON report."""

    model: str
    output: str
    code: int
    report: dict[str, Any]

    @property
    def trust_gate(self) -> str:
        """Outcome of the trust gate."""
        return str(next(check["outcome"] for check in self.report["checks"] if check["kind"] == "trustworthy"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, test and tell the story; 0 where it went as expected."""
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("--samples", type=int, default=500, help="neighbours per explanation (default: %(default)s)")
    parser.add_argument("--keep", type=Path, help="folder for models, data and reports (default: a temporary one)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        reports = {report.name: report for report in train_all(folder)}
        with ThreadPoolExecutor(max_workers=2) as pool:  # the work is done in subprocesses, one a core
            runs = list(pool.map(lambda name: run_suite(folder, name, options.samples), STORIES))
    for run in runs:
        print(story(run, reports[run.model]), flush=True)
    return verdict({run.model: run for run in runs})


def run_suite(folder: Path, name: str, samples: int) -> Run:
    """pytest on the suite, as a user would call it."""
    report = folder / f"{name}-report.json"
    command = [
        sys.executable, "-m", "pytest", str(SUITE), "-p", "no:cacheprovider",
        f"--trust-model={folder / name}.joblib",
        f"--trust-train={folder / name}-train.csv",
        f"--trust-data={folder / name}-test.csv",
        f"--trust-classes={CLASSES}",
        f"--trust-index={folder / name}-index.zip",
        f"--trust-samples={samples}",
        f"--trust-json={report}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    if not report.exists():
        sys.exit(f"pytest made no report for {name}:\n{done.stdout}{done.stderr}")
    return Run(name, done.stdout, done.returncode, json.loads(report.read_text(encoding="utf-8")))


def story(run: Run, trained: Report) -> str:
    """What one model did."""
    top = [f"  {label}: {', '.join(word for word, _ in words[:12])}" for label, words in trained.top_words.items()]
    title = f" {run.model}: accuracy {trained.accuracy:.3f} "
    return "\n".join(
        ["", f"{title:#^100}", f"{run.model} {STORIES[run.model]}", "strongest words by weight:", *top, run.output]
    )


def verdict(runs: dict[str, Run]) -> int:
    """The last lines, and the exit code."""
    print(f"{'model':8} {'trust rate':>10}  {'trust gate':12}  suite")
    for name, run in runs.items():
        rate = run.report["summary"]["trust_rate"]
        print(f"{name:8} {rate:10.3f}  {run.trust_gate:12}  {'passed' if run.code == 0 else 'failed'}")
    as_expected = runs["masked"].code == 0 and runs["biased"].trust_gate == "fail"
    print("as expected" if as_expected else "NOT as expected: masked should pass, the trust gate of biased should fail")
    return 0 if as_expected else 1


if __name__ == "__main__":
    sys.exit(main())

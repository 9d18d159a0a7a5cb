"""``python -m benchmarks.scale --json FILE``: explanations for verdicts by one and by two processes, side by side.

The cost of a million texts is projected from them, by the number of cores and a price that are given.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.explain.finetune import tuned
from benchmarks.explain.sampling import pipeline
from benchmarks.report import Compared, Row, side_by_side, table, write
from benchmarks.texts import DATA, read_texts
from pytest_trust.explain import LimeExplainer
from pytest_trust.explain.base import Explainer, explain_for_verdicts
from pytest_trust.explain.parallel import ParallelExplainer
from pytest_trust.models import TextClassifier, as_classifier, load_model
from pytest_trust.stats import sample_indices

_SET = "rotten_tomatoes"
_WORKERS = 2
_MILLION = 1_000_000
_PACKAGES = ("pytest-trust", "numpy", "scipy", "scikit-learn", "joblib", "cloudpickle", "torch", "transformers")
_NOTE = (
    "Measured on a machine of two cores: both sides of a ratio were measured in turn, and processor time tells what "
    "the work itself takes. One thread a process."
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A model, and how many texts are explained to measure it."""

    name: str
    model: TextClassifier
    texts: int


def leaning(class_index: int, words: Sequence[str]) -> NDArray[np.float64]:
    """An oracle that costs nothing: half of all words are related to a class."""
    signs = [1.0 if zlib.crc32(f"{class_index} {word}".encode()) % 2 else -1.0 for word in words]
    return np.array(signs, dtype=np.float64)


class Strings:
    """A pipeline as a model that is known by its answers to strings alone."""

    def __init__(self, model: TextClassifier) -> None:
        self._model = model
        self.classes_ = model.classes

    def __call__(self, texts: list[str]) -> NDArray[np.float64]:
        """Probabilities, shape (n, k)."""
        return self._model.predict_proba(texts)


def subjects(arguments: argparse.Namespace) -> Iterator[Subject]:
    """The models: TF-IDF with logistic regression, the same as a black box, and a small transformer."""
    linear = pipeline(read_texts(_SET, "train", arguments.data))
    yield Subject("TF-IDF, white box", linear, arguments.texts)
    yield Subject("TF-IDF, black box", as_classifier(Strings(linear)), arguments.black_texts)
    if arguments.tuned_texts:
        folder = tuned(_SET, arguments.work / f"{_SET}-2", data=arguments.data)
        yield Subject("transformer of 2 layers", load_model(str(folder)), arguments.tuned_texts)


def explained(subject: Subject, explainer: Explainer, data: Path) -> Callable[[], int]:
    """Work that explains the subject's texts for verdicts."""
    test = read_texts(_SET, "test", data).texts
    texts = [test[i] for i in sample_indices(len(test), subject.texts, 0)]
    columns = subject.model.predict_proba(texts).argmax(axis=1).tolist()

    def work() -> int:
        found = explain_for_verdicts(explainer, subject.model, texts, columns, seed=0, leaning=leaning)
        return sum(1 for _ in found)

    return work


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of one process and of two by the clock, and of the processors for the same."""

    clock: Compared
    alone: float
    shared: float


def measured(subject: Subject, data: Path, repeats: int) -> Measured:
    """What the subject's texts take by one process and by two, which are warm, as is what they remember."""
    shared = ParallelExplainer(LimeExplainer(sampling="sequential"), _WORKERS)
    try:
        by_one = explained(subject, LimeExplainer(sampling="sequential"), data)
        by_two = explained(subject, shared, data)
        clock = side_by_side(by_one, by_two, repeats)
        return Measured(clock, processor_seconds(by_one), processor_seconds(by_two))
    finally:
        shared.close()


def processor_seconds(work: Callable[[], object]) -> float:
    """What ``work`` takes of the processors, once, by this process and its children that live all the time."""
    before = _processor_times()
    work()
    after = _processor_times()
    return sum(after[process] - before[process] for process in before.keys() & after.keys())


def _processor_times() -> dict[int, float]:
    import psutil

    own = psutil.Process()
    times = {process.pid: process.cpu_times() for process in (own, *own.children(recursive=True))}
    return {pid: taken.user + taken.system for pid, taken in times.items()}


def rows(subject: Subject, arguments: argparse.Namespace) -> list[Row]:
    """Throughput of a subject, and what a million texts would cost."""
    found = measured(subject, arguments.data, arguments.repeats)
    core_hours = found.shared / subject.texts * _MILLION / 3600
    of = f"{subject.name}, {subject.texts} texts"
    assumed = (
        f"the processor time of {_WORKERS} processes here, on {arguments.cores} cores that are always busy; cores and "
        f"texts as these; {arguments.price:g} USD an hour and core"
    )
    return [
        Row(f"{of}: explanations by 1 process", subject.texts / found.clock.theirs, "a second"),
        Row(f"{of}: explanations by {_WORKERS} processes", subject.texts / found.clock.ours, "a second"),
        Row(f"{of}: {_WORKERS} processes against 1", found.clock.ratio, "times", note="the median of paired ratios"),
        Row(f"{of}: explanations by 1 process", subject.texts / found.alone, "a core s", note="by processor time"),
        Row(f"{of}: processor time, {_WORKERS} processes against 1", found.shared / found.alone, "times", "lower"),
        Row(f"{subject.name}: a million texts", core_hours / arguments.cores, "hours", "lower", note=assumed),
        Row(f"{subject.name}: a million texts", core_hours * arguments.price, "USD", "lower", note=assumed),
    ]


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the labelled texts")
    parser.add_argument("--work", type=Path, default=Path(".trust/benchmark"), help="folder of tuned models")
    parser.add_argument("--texts", type=int, default=600, help="texts under TF-IDF as a white box")
    parser.add_argument("--black-texts", type=int, default=100, help="texts under TF-IDF as a black box")
    parser.add_argument("--tuned-texts", type=int, default=100, help="texts under the transformer (0: none)")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--cores", type=int, default=64, help="cores of the cluster that is assumed")
    parser.add_argument("--price", type=float, default=0.05, help="assumed price of a core, in USD an hour")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    """Measures, prints the rows and writes the file."""
    arguments = _arguments(given)
    found: list[Row] = []
    for subject in subjects(arguments):
        some = rows(subject, arguments)
        print(table(some), flush=True)
        found += some
        command = "python -m benchmarks.scale " + " ".join(given or sys.argv[1:])
        write(arguments.json, command, found, _PACKAGES, note=_NOTE)


if __name__ == "__main__":
    main()

"""``python -m benchmarks.explain --json FILE``: what explanations cost, side by side in one run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.explain import clustering, sampling, session, transformer, vectorizers
from benchmarks.report import REPEATS, Row, table, write
from benchmarks.texts import DATA

_PACKAGES = ("pytest-trust", "numpy", "scipy", "scikit-learn", "lime", "torch", "transformers", "pytest")
_SETS = ("rotten_tomatoes", "ag_news", "emotion")


def parts(arguments: argparse.Namespace) -> dict[str, Callable[[], list[Row]]]:
    """The parts of the benchmark by name."""
    data, repeats = arguments.data, arguments.repeats
    return {
        "vectorizers": lambda: vectorizers.rows(data, repeats, arguments.same_texts),
        "transformer": lambda: transformer.rows(data, repeats, _samples(arguments.tuned_samples)),
        "clustering": lambda: clustering.rows(data, repeats),
        "index": lambda: session.index_rows(data, arguments.index_texts),
        "plugin": lambda: session.plugin_rows(repeats),
        "sampling": lambda: sampling.rows(
            data,
            arguments.work,
            sets=arguments.sets,
            texts=arguments.texts,
            tuned_texts=arguments.tuned_texts,
            twice=arguments.twice,
        ),
    }


def _samples(given: int | None) -> dict[int, int]:
    return transformer.SAMPLES if given is None else dict.fromkeys(transformer.SAMPLES, given)


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explain", description=__doc__)
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the labelled texts")
    parser.add_argument("--work", type=Path, default=Path(".trust/benchmark"), help="tuned models and their answers")
    parser.add_argument("--parts", nargs="+", help="some of the parts alone")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--same-texts", type=int, default=600, help="texts on which weights are held against lime's")
    parser.add_argument("--tuned-samples", type=int, help="samples of the transformer's rows, of every length")
    parser.add_argument("--sets", nargs="+", default=_SETS, help="sets of texts for the sampling modes")
    parser.add_argument("--texts", type=int, default=300, help="texts of a set under TF-IDF")
    parser.add_argument("--tuned-texts", type=int, default=300, help="texts of a set under the transformer")
    parser.add_argument("--twice", type=int, default=100, help="texts of a set that are explained with two seeds")
    parser.add_argument("--index-texts", type=int, default=2000)
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    """Runs the parts, prints their rows and writes the file."""
    arguments = _arguments(given)
    arguments.work.mkdir(parents=True, exist_ok=True)
    found: list[Row] = []
    known = parts(arguments)
    for name in arguments.parts or known:
        rows = known[name]()
        if name != "sampling":
            print(table(rows), flush=True)
        found += rows
    write(arguments.json, "python -m benchmarks.explain " + " ".join(given or sys.argv[1:]), found, _PACKAGES)


if __name__ == "__main__":
    main()

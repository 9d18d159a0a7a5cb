"""Damaged and hostile inputs for every reader of the package; ``python -m benchmarks.fuzz`` runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchmarks.fuzzing import fasttext, kept, keywords, models, runs, spellings, tables, vectors
from benchmarks.fuzzing.target import Target

ROOMS: Mapping[str, Callable[[Path], Iterator[Target]]] = {
    "tables": tables.targets,
    "keywords": keywords.targets,
    "runs": runs.targets,
    "kept": kept.targets,
    "vectors": vectors.targets,
    "fasttext": fasttext.targets,
    "models": models.targets,
    "spellings": spellings.targets,
}
"""The readers by room; each room's files are written below the folder it is given."""

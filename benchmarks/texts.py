"""Labelled texts that benchmarks read where they lie; none of their sentences is part of this project."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_trust.text import word_spans

DATA = Path(__file__).parents[2] / "shared" / "bench"


@dataclass(frozen=True, slots=True)
class Labelled:
    """Texts with their labels, in the order of the file."""

    texts: list[str]
    labels: list[str]


def read_texts(name: str, split: str, data: Path = DATA) -> Labelled:
    """Those rows of ``text/NAME.csv.gz`` that belong to ``split``."""
    with gzip.open(data / "text" / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["split"] == split]
    return Labelled([row["text"] for row in rows], [row["label"] for row in rows])


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The objects of a gzipped file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def texts_of(n_words: int, count: int, data: Path = DATA) -> list[str]:
    """The first ``count`` film reviews of the test split that are long enough, cut after ``n_words`` words."""
    cut = (_cut(text, n_words) for text in read_texts("cad_imdb", "test", data).texts)
    return [text for text in cut if text is not None][:count]


def _cut(text: str, n_words: int) -> str | None:
    spans = word_spans(text)
    return text[: spans[n_words - 1].end] if len(spans) >= n_words else None

"""The texts of the experiment and their folds."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.texts import read_lines
from pytest_trust.data import TextDataset
from pytest_trust.stats import seed_for
from pytest_trust.text import word_spans

RELIGION = "news20_religion"
SETS = (RELIGION, "ag_news", "emotion")

# Words kept of a text: the posts run to thousands, while the other sets' texts are shorter than that.
MOST_WORDS = 60


@dataclass(frozen=True, slots=True)
class Corpus:
    """n texts with their labels and headers; a header is empty where a text has none."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    headers: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def classes(self) -> list[str]:
        """The distinct labels, sorted."""
        return sorted(set(self.labels))

    def take(self, places: Iterable[int]) -> Corpus:
        """The rows at ``places``."""
        rows = [(self.texts[i], self.labels[i], self.headers[i]) for i in places]
        return corpus_of(rows)

    def dataset(self, name: str) -> TextDataset:
        """The texts and labels as the product takes them."""
        return TextDataset(self.texts, self.labels, (None,) * len(self), name)


def corpus_of(rows: Iterable[tuple[str, str, str]]) -> Corpus:
    """A corpus of rows of text, label and header."""
    texts, labels, headers = zip(*rows, strict=True)
    return Corpus(texts, labels, headers)


def read_corpus(name: str, data: Path, texts: int, seed: int) -> Corpus:
    """``texts`` rows of one of :data:`SETS`, of all splits but AG News' judged texts, drawn and ordered by ``seed``."""
    rows = _posts(data) if name == RELIGION else _table(name, data)
    shortened = {_shortened(text): (label, header) for text, label, header in rows}
    ordered = sorted(shortened, key=lambda text: seed_for(seed, text))
    return corpus_of((text, *shortened[text]) for text in ordered[:texts] if text)


def _posts(data: Path) -> Iterator[tuple[str, str, str]]:
    for row in read_lines(data / "text" / f"{RELIGION}.jsonl.gz"):
        yield row["body"], row["label"], row["header"]


def _table(name: str, data: Path) -> Iterator[tuple[str, str, str]]:
    with gzip.open(data / "text" / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["split"] != "judged":
                yield row["text"], row["label"], ""


def _shortened(text: str) -> str:
    spans = word_spans(text)
    return text[: spans[min(len(spans), MOST_WORDS) - 1].end] if spans else ""


def folds(corpus: Corpus, count: int) -> Iterator[tuple[Corpus, Corpus]]:
    """Training and test rows of each of ``count`` folds, which hold the classes in equal shares."""
    assigned = _assigned(corpus.labels, count)
    for fold in range(count):
        train = corpus.take(i for i, own in enumerate(assigned) if own != fold)
        yield train, corpus.take(i for i, own in enumerate(assigned) if own == fold)


def _assigned(labels: Sequence[str], count: int) -> list[int]:
    """The fold of each row: those of a class go to the folds in turn."""
    seen: Counter[str] = Counter()
    assigned = []
    for label in labels:
        assigned.append(seen[label] % count)
        seen[label] += 1
    return assigned

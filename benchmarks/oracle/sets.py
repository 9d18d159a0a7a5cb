"""Sets of explained predictions with people's verdicts, read where they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.linear import LinearWords, explanation
from benchmarks.texts import read_lines, read_texts
from pytest_trust.explain import Explanation

# Shares of a text that annotators marked between which "lift" says something.
_MARKED = (0.05, 0.8)
_LIFT = 0.2
_AG_CLASSES = ("Business", "Sci/Tech", "Sports", "World")


@dataclass(frozen=True, slots=True)
class Case:
    """A correct prediction with its explanation and a person's verdict; ``group`` tells texts apart."""

    explanation: Explanation
    human: bool
    group: str


@dataclass(frozen=True, slots=True)
class Subject:
    """A classifier as oracles see it: its classes and explanations of correct predictions on training texts."""

    name: str
    classes: tuple[str, ...]
    train: tuple[Explanation, ...]


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """Cases of one subject under one way to count people's verdicts."""

    name: str
    family: str
    subject: Subject
    cases: tuple[Case, ...]


def judged_sets(data: Path) -> Iterator[JudgedSet]:
    """Every set, those of one subject after another."""
    yield from _ag_sets(data)
    yield from _rationale_sets(data, "hatexplain", hate_rows, {"": ("val", "test")}, only="toxic")
    parts = {"": ("val", "test"), " val": ("val",), " test": ("test",)}
    yield from _rationale_sets(data, "movies", movie_rows, parts)


def _ag_sets(data: Path) -> Iterator[JudgedSet]:
    train = read_texts("ag_news", "train", data)
    model = LinearWords(train.texts, train.labels)
    explained = tuple(e for _, e in model.explain_correct(train.texts, train.labels))
    subject = Subject("ag", model.classes, explained)
    rows = read_lines(data / "judged" / "agnews_judged.jsonl.gz")
    texts = {row["item"]: row["text"] for row in read_lines(data / "judged" / "agnews_texts.jsonl.gz")}
    sure = dict(zip(texts, model.probabilities(list(texts.values())), strict=True))
    for k in (5, 10):
        chosen = [row for row in rows if row["k"] == k and row["method"] != "Random"]
        yield JudgedSet(
            f"judged AG k{k}", "judged AG", subject, tuple(_ag_case(row, sure[row["item"]]) for row in chosen)
        )


def _ag_case(row: dict[str, Any], sure: NDArray[np.float64]) -> Case:
    """No scores were released with these rows, but tiers of importance are known: a word's score is 1 / tier.

    ``sure`` are the probabilities of our own classifier.
    """
    column = _AG_CLASSES.index(row["label_name"])
    # A word that is shown twice counts once for each place.
    scores: dict[str, float] = {}
    for word, tier in zip(row["words"], row["tier"], strict=True):
        scores[word] = scores.get(word, 0.0) + 1.0 / tier
    told = explanation("", row["label_name"], column, float(sure[column]), list(scores.items()))
    return Case(told, bool(row["human_ok"]), str(row["item"]))


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with its label and the words in it that annotators marked."""

    id: str
    split: str
    label: str
    text: str
    words: frozenset[str]
    share: float


def hate_rows(data: Path) -> list[Marked]:
    """Posts of HateXplain."""
    return [
        _marked(row, row["tokens"], [bool(mark) for mark in row["rationale"]])
        for row in read_lines(data / "rationales" / "hatexplain.jsonl.gz")
    ]


def movie_rows(data: Path) -> list[Marked]:
    """Film reviews of ERASER, with their classes in words."""
    names = {"neg": "negative", "pos": "positive"}
    found = []
    for row in read_lines(data / "rationales" / "movies.jsonl.gz"):
        tokens = row["text"].split()
        inside = {i for start, end in row["evidence"] for i in range(start, end)}
        marked = _marked(row, tokens, [i in inside for i in range(len(tokens))])
        found.append(replace(marked, label=names[marked.label]))
    return found


def _marked(row: dict[str, Any], tokens: list[str], marks: list[bool]) -> Marked:
    words = frozenset(token.lower() for token, mark in zip(tokens, marks, strict=True) if mark)
    return Marked(row["id"], row["split"], row["label"], " ".join(tokens), words, sum(marks) / max(1, len(marks)))


def _rationale_sets(
    data: Path, name: str, read: Callable[[Path], list[Marked]], parts: dict[str, tuple[str, ...]], only: str = ""
) -> Iterator[JudgedSet]:
    rows = read(data)
    train = [row for row in rows if row.split == "train"]
    model = LinearWords([row.text for row in train], [row.label for row in train])
    subject = Subject(name, model.classes, tuple(e for _, e in _explained(model, train)))
    tested = list(_explained(model, [row for row in rows if row.split != "train" and only in ("", row.label)]))
    for part, splits in parts.items():
        of_part = [(row, e) for row, e in tested if row.split in splits]
        for k in (5, 10):
            yield from _labelled(f"{name}{part} k{k}", name, subject, of_part, k)


def _explained(model: LinearWords, rows: list[Marked]) -> Iterator[tuple[Marked, Explanation]]:
    texts, labels = [row.text for row in rows], [row.label for row in rows]
    for place, found in model.explain_correct(texts, labels):
        yield rows[place], found


def _labelled(
    name: str, family: str, subject: Subject, explained: list[tuple[Marked, Explanation]], k: int
) -> Iterator[JudgedSet]:
    """The plain label and the lift label (README of the data)."""
    cut = [(row, replace(e, words=e.words[:k])) for row, e in explained if e.words]
    plain = tuple(Case(e, precision(row, e) >= 0.5, row.id) for row, e in cut)
    yield JudgedSet(name, family, subject, plain)
    lifted = [(row, e) for row, e in cut if _MARKED[0] <= row.share <= _MARKED[1]]
    lift = tuple(Case(e, precision(row, e) - row.share > _LIFT, row.id) for row, e in lifted)
    yield JudgedSet(f"{name} lift", family + " lift", subject, lift)


def precision(row: Marked, e: Explanation) -> float:
    """The share of the explanation's words that annotators marked."""
    return sum(word.word in row.words for word in e.words) / len(e.words)

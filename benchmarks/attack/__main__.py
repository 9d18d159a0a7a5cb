"""``python -m benchmarks.attack --synonyms FILE --json FILE``: success, changed words, similarity, queries, seconds.

FILE of synonyms holds counter-fitted word vectors (``python -m benchmarks.counterfit --out FILE``). The paper's
differences (TOKI, Table 4: success rate higher by 2.6 to 17.5 points, 0.1 to 1.34 fewer words) are the mark.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.attack_settings import SETS, indexed, trained
from benchmarks.report import Row, table, write
from benchmarks.texts import DATA, read_texts
from pytest_trust.attacks import (
    Attack,
    AttackOutcome,
    AttackResult,
    SynonymSubstitution,
    TokiSubstitution,
    make_encoder,
    make_tagger,
)
from pytest_trust.embeddings import Embedding, load_ensemble
from pytest_trust.models import TextClassifier, label_indices, load_model

_PACKAGES = ("pytest-trust", "numpy", "scikit-learn", "torch", "transformers", "textblob")
_LEAST_GAIN = 0.026
_LEAST_FEWER_WORDS = 0.1


@dataclass(frozen=True, slots=True)
class Figures:
    """What an attack did to a model on a set of texts."""

    success_rate: float
    changed_words: float
    similarity: float
    queries: float
    seconds: float
    attacked: int
    fooled: dict[int, int]
    """Of the texts that were fooled, by place, how many words were changed."""


def figures(results: Sequence[AttackResult]) -> Figures:
    """Means over the texts attacked, words and similarity over those that were fooled."""
    attacked = [item for item in results if item.outcome.is_attacked]
    fooled = [item for item in attacked if item.outcome is AttackOutcome.SUCCESS]
    return Figures(
        success_rate=len(fooled) / len(attacked),
        changed_words=float(np.mean([len(item.changes) for item in fooled])),
        similarity=float(np.mean([item.similarity for item in fooled])),
        queries=float(np.mean([item.queries for item in attacked])),
        seconds=float(np.mean([item.seconds for item in attacked])),
        attacked=len(attacked),
        fooled={
            place: len(item.changes) for place, item in enumerate(results) if item.outcome is AttackOutcome.SUCCESS
        },
    )


def fewer_words(one: Figures, other: Figures) -> float:
    """How many words fewer ``one`` changes than ``other``, on average over the texts that both fool."""
    both = one.fooled.keys() & other.fooled.keys()
    return float(np.mean([other.fooled[place] - one.fooled[place] for place in sorted(both)])) if both else 0.0


def models(name: str, kinds: Sequence[str], folder: Path, data: Path) -> Iterator[tuple[str, TextClassifier]]:
    """A linear model of TF-IDF and a small transformer with gradients, both trained on the train split."""
    if "tfidf" in kinds:
        yield "TF-IDF", trained(read_texts(name, "train", data))
    if "transformer" in kinds:
        from benchmarks.explain.finetune import tuned

        yield "transformer", load_model(str(tuned(name, folder / name, data=data)))


def compared(
    name: str, what: str, model: TextClassifier, members: Sequence[Embedding], options: argparse.Namespace
) -> list[Row]:
    """Both attacks on the same texts of the test split."""
    test = read_texts(name, "test", options.data)
    texts, labels = test.texts[: options.n], label_indices(test.labels[: options.n], model)
    index = indexed(name, model, read_texts(name, "train", options.data), members)
    [synonyms] = load_ensemble(str(options.synonyms))
    tagger, encoder = make_tagger(), make_encoder()
    found = {
        substitution.name: figures(list(Attack(model, substitution, tagger, encoder).run(texts, labels)))
        for substitution in (TokiSubstitution(index, members), SynonymSubstitution(synonyms))
    }
    toki, a2t = found.values()
    head = f"{name}, {what}"
    note = f"{toki.attacked} texts attacked"
    return [
        Row(
            f"{head}: ASR, TOKI-guided minus A2T",
            toki.success_rate - a2t.success_rate,
            "share",
            must=_LEAST_GAIN,
            note=note,
        ),
        Row(
            f"{head}: words, A2T minus TOKI-guided",
            a2t.changed_words - toki.changed_words,
            "words",
            must=_LEAST_FEWER_WORDS,
        ),
        Row(f"{head}: the same, on texts that both fool", fewer_words(toki, a2t), "words"),
        *(row for which, item in (("TOKI-guided", toki), ("A2T", a2t)) for row in _rows(f"{head}, {which}", item)),
    ]


def _rows(head: str, item: Figures) -> Iterator[Row]:
    yield Row(f"{head}: ASR", item.success_rate, "share")
    yield Row(f"{head}: changed words", item.changed_words, "words", "lower")
    yield Row(f"{head}: similarity", item.similarity, "cosine")
    yield Row(f"{head}: queries", item.queries, "texts", "lower")
    yield Row(f"{head}: time", 1000 * item.seconds, "ms", "lower")


def main() -> None:
    """Measures, prints as it goes, and writes the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder that holds text/")
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    parser.add_argument("--synonyms", type=Path, required=True, help="counter-fitted word vectors")
    parser.add_argument(
        "--models", type=Path, default=Path("models"), help="folder of tuned transformers, made if missing"
    )
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--kinds", nargs="+", choices=("tfidf", "transformer"), default=("tfidf", "transformer"))
    parser.add_argument("--n", type=int, help="texts of each set, all by default")
    options = parser.parse_args()
    members = load_ensemble()
    rows: list[Row] = []
    for name in options.sets:
        for what, model in models(name, options.kinds, options.models, options.data):
            rows += compared(name, what, model, members, options)
            print(table(rows[-13:]), flush=True)
    write(options.json, "python -m benchmarks.attack " + " ".join(sys.argv[1:]), rows, _PACKAGES)


if __name__ == "__main__":
    main()

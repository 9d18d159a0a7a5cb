"""``python -m benchmarks.attack.parity --synonyms FILE --json FILE``: our search against TextAttack's.

Both have the same model, replacements and constraints; the replacements are A2T's from FILE, counter-fitted word
vectors (``python -m benchmarks.counterfit --out FILE``). Compared are what becomes of film reviews, and the time for an
attack, in turn and one text at a time. The timed texts are new to all: synonyms, which all share, are looked up before,
and ours remembers pieces of words from texts attacked earlier. Needs the extra ``[textattack]``.

What is known to differ: TextAttack takes "thought-provoking" for one word, of which no table has a synonym; of equal
replacements, such as two that the model does not know, it takes the first by the alphabet and ours the nearest; of
equally important words it takes any, ours the first; ours asks about words alone that have replacements.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.attack_settings import trained
from benchmarks.report import Row, seconds, table, write
from benchmarks.texts import DATA, Labelled, read_texts, texts_of
from pytest_trust.attacks import (
    Attack,
    AttackOutcome,
    AttackResult,
    SynonymSubstitution,
    make_encoder,
    make_tagger,
)
from pytest_trust.attacks.textattack.parts import give_stop_words
from pytest_trust.embeddings import load_ensemble
from pytest_trust.models import TextClassifier, as_classifier, label_indices
from pytest_trust.text import words

_PACKAGES = ("pytest-trust", "numpy", "scikit-learn", "textblob", "textattack", "torch", "transformers")
_SAME_OUTCOME = 0.99
_FASTER_SHORT, _FASTER_LONG = 8, 20
_SHORT = range(25, 36)
_LONG = 200
_OUTCOMES = {"SuccessfulAttackResult": "success", "FailedAttackResult": "failure", "SkippedAttackResult": "skipped"}


@dataclass(frozen=True, slots=True)
class Pair:
    """What became of a text in both; ``same_words`` says whether both cut it into the same words."""

    place: int
    theirs: str
    ours: str
    their_changes: list[tuple[str, str]]
    our_changes: list[tuple[str, str]]
    their_queries: int
    our_queries: int
    same_words: bool

    @property
    def agrees(self) -> bool:
        """Whether the outcome is the same."""
        return self.theirs == self.ours

    @property
    def is_same(self) -> bool:
        """Whether the same words came to the same as well."""
        return self.agrees and self.their_changes == self.our_changes

    @property
    def is_attacked(self) -> bool:
        """Whether both attacked it."""
        return "skipped" not in (self.theirs, self.ours)


@dataclass(frozen=True, slots=True)
class Rivals:
    """TextAttack's attack, the same with its own base class of encoders, ours, and ours led by gradients."""

    theirs: Any
    windowed: Any
    ours: Attack
    guided: Attack

    @property
    def attacks(self) -> tuple[Callable[[str, int], object], ...]:
        """Attacks a text of a class, by each."""
        return self.theirs.attack, self.windowed.attack, self.ours.run_one, self.guided.run_one

    def attacked(self, rows: Labelled) -> list[tuple[str, int]]:
        """The texts that the model gets right, with their columns."""
        labels = label_indices(rows.labels, self.ours.model)
        right = self.ours.model.predict_proba(rows.texts).argmax(axis=1) == labels
        return [(rows.texts[place], int(labels[place])) for place in np.flatnonzero(right)]


def our_outcome(result: AttackResult) -> str:
    """Success, failure or skipped; to TextAttack a text where nothing can be replaced is a failure."""
    if result.outcome is AttackOutcome.SKIPPED_FIXED:
        return "failure"
    if not result.outcome.is_attacked:
        return "skipped"
    return "success" if result.outcome is AttackOutcome.SUCCESS else "failure"


def paired(place: int, text: str, label: int, rivals: Rivals) -> Pair:
    """The attack by both on a text."""
    found, result = rivals.theirs.attack(text, label), rivals.ours.run_one(text, label)
    before, after = found.original_result.attacked_text, found.perturbed_result.attacked_text
    return Pair(
        place=place,
        theirs=_OUTCOMES[type(found).__name__],
        ours=our_outcome(result),
        their_changes=[(a, b) for a, b in zip(before.words, after.words, strict=True) if a != b],
        our_changes=[(change.before, change.after) for change in result.changes],
        their_queries=found.perturbed_result.num_queries,
        our_queries=result.queries,
        same_words=before.words == words(text),
    )


def agreement(pairs: Sequence[Pair]) -> list[Row]:
    """How often both come to the same outcome, and to the same words."""
    attacked = [pair for pair in pairs if pair.is_attacked]
    alike = [pair for pair in attacked if pair.same_words]
    return [
        _share("same outcome", [pair.agrees for pair in pairs], _SAME_OUTCOME),
        _share("same outcome, texts attacked", [pair.agrees for pair in attacked]),
        _share("same outcome, texts attacked that both cut into the same words", [pair.agrees for pair in alike]),
        _share("same outcome and changes, those texts", [pair.is_same for pair in alike]),
        *(
            Row(f"ASR, {who}", sum(getattr(pair, who) == "success" for pair in attacked) / len(attacked), "share")
            for who in ("theirs", "ours")
        ),
        Row(
            "queries, theirs by ours",
            sum(pair.their_queries for pair in attacked) / sum(pair.our_queries for pair in attacked),
            "times",
        ),
    ]


def _share(name: str, found: Sequence[bool], must: float | None = None) -> Row:
    return Row(name, sum(found) / len(found), "share", must=must, note=f"{sum(found)} of {len(found)} texts")


def timed(name: str, must: float, rows: Labelled, rivals: Rivals) -> list[Row]:
    """How often faster ours is on texts that the model gets right: the median over texts, and that of all together."""
    cases = rivals.attacked(rows)
    found = np.array([_in_turn(text, label, rivals) for text, label in cases])
    lean, windowed, ours, guided, again = found.T
    texts, labels = zip(*cases, strict=True)
    many = seconds(lambda: list(rivals.ours.run(texts, labels)))

    def ratio(what: str, value: float, must: float | None = None, note: str = "sums") -> Row:
        return Row(f"{name}: time, theirs by ours{what}", float(value), "times", must=must, note=note)

    return [
        ratio("", np.median(lean / ours), must, f"{len(cases)} texts, median"),
        ratio(", all texts together", lean.sum() / ours.sum()),
        ratio(", TextAttack's own SentenceEncoder", np.median(windowed / ours), note="median"),
        ratio(", ours on many texts at once", lean.sum() / many, note="sums, ours for the third time"),
        ratio(", ours with the model's gradients", np.median(lean / guided), note="median, ours for the second time"),
        ratio(", ours once more", np.median(lean / again), note="median"),
        *(
            Row(f"{name}: time of {who}", float(1000 * column.mean()), "ms", "lower", note="mean")
            for who, column in (("ours", ours), ("theirs", lean))
        ),
    ]


def _in_turn(text: str, label: int, rivals: Rivals) -> list[float]:
    """Seconds of the first attack by each, and of another one by ours."""
    for word in words(text):
        rivals.ours.substitution.candidates(word.lower(), label)
    runs = [partial(attack, text, label) for attack in (*rivals.attacks, rivals.ours.run_one)]
    return [seconds(run) for run in runs]


def short_texts(rows: Labelled, count: int, behind: int = 0) -> Labelled:
    """The first ``count`` texts of about thirty words, ``behind`` so many texts."""
    some = range(behind, len(rows.texts))
    places = [place for place in some if len(words(rows.texts[place])) in _SHORT][:count]
    return Labelled([rows.texts[place] for place in places], [rows.labels[place] for place in places])


def long_texts(count: int, data: Path) -> Labelled:
    """The first ``count`` film reviews of 200 words, with their labels."""
    rows = read_texts("cad_imdb", "test", data)
    labels = [label for text, label in zip(rows.texts, rows.labels, strict=True) if len(words(text)) >= _LONG]
    return Labelled(texts_of(_LONG, count, data), labels[:count])


def kinds(pairs: Sequence[Pair]) -> dict[str, int]:
    """How many texts of each combination of outcomes."""
    found = Counter(f"theirs {pair.theirs}, ours {pair.ours}" for pair in pairs)
    return dict(sorted(found.items()))


def attack_of(model: TextClassifier, synonyms: Path) -> Attack:
    """Our attack with A2T's replacements."""
    [table_of_words] = load_ensemble(str(synonyms))
    return Attack(model, SynonymSubstitution(table_of_words), make_tagger("pattern"), make_encoder())


def rivals_of(model: TextClassifier, synonyms: Path) -> Rivals:
    """All attacks on ``model``."""
    give_stop_words(fetch=False)
    from benchmarks.attack.composed import SimilarWindows, composed

    guided = attack_of(model, synonyms)
    # Of a function nothing is known but its answers: words are ranked without gradients, as by TextAttack's search.
    ours = replace(guided, model=as_classifier(model.predict_proba, classes=model.classes))
    return Rivals(theirs=composed(ours), windowed=composed(ours, SimilarWindows), ours=ours, guided=guided)


def main(argv: Sequence[str] | None = None) -> None:
    """Measures, prints and writes the file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack.parity", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder that holds text/")
    parser.add_argument("--json", type=Path, required=True, help="file of the results")
    parser.add_argument("--synonyms", type=Path, required=True, help="counter-fitted word vectors")
    parser.add_argument("--n", type=int, default=500, help="texts whose outcomes are compared")
    parser.add_argument("--timed", type=int, default=30, help="texts of each length whose attacks are timed")
    options = parser.parse_args(argv)
    model = trained(read_texts("rotten_tomatoes", "train", options.data))
    rivals = rivals_of(model, options.synonyms)
    test = read_texts("rotten_tomatoes", "test", options.data)
    cases = zip(test.texts[: options.n], label_indices(test.labels[: options.n], model), strict=True)
    pairs = [paired(place, text, label, rivals) for place, (text, label) in enumerate(cases)]
    rows = agreement(pairs)
    print(table(rows), flush=True)
    for name, must, some in (
        ("about 30 words", _FASTER_SHORT, short_texts(test, options.timed, options.n)),
        ("200 words", _FASTER_LONG, long_texts(options.timed, options.data)),
    ):
        rows += timed(name, must, some, rivals)
        print(table(rows[-8:]), flush=True)
    command = "python -m benchmarks.attack.parity " + " ".join(sys.argv[1:])
    differing = [asdict(pair) for pair in pairs if not pair.is_same]
    write(options.json, command, rows, _PACKAGES, outcomes=kinds(pairs), differing=differing)


if __name__ == "__main__":
    main()

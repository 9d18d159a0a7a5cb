"""How many model calls a verdict takes, and how often it is that of all draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.explain.finetune import tuned
from benchmarks.explain.transformer import Subject, by_lime
from benchmarks.report import Row, seconds, table
from benchmarks.texts import Labelled, read_texts
from pytest_trust.data import TextDataset
from pytest_trust.embeddings import load_ensemble
from pytest_trust.explain import Explanation, LimeExplainer
from pytest_trust.explain.masks import neighbourhood
from pytest_trust.explain.settling import Leaning
from pytest_trust.explain.words import word_bag
from pytest_trust.keywords import build_index, index_origin
from pytest_trust.models import TextClassifier, as_classifier, load_model
from pytest_trust.oracles import TokiOracle
from pytest_trust.stats import sample_indices, seed_for
from pytest_trust.text import word_spans

SAMPLES = 5000
CAP = 1024
SEED = 0
# Labellings of a text's words as related, each word with one chance in two.
_RANDOM_LABELLINGS = 2
_TRAINED_ON = 2000
# Texts whose explanations are timed.
_IN_A_WAVE = 32
# Test texts among which correct predictions are looked for.
_DRAWN = 600
_BY_LIME = 2


@dataclass(frozen=True, slots=True)
class Target:
    """A model under measurement on texts that it predicts correctly, with TOKI's view of words."""

    name: str
    kind: str
    model: TextClassifier
    texts: list[str]
    columns: list[int]
    toki: Leaning
    answers: Path | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """Verdicts of one sampling mode against those of all draws."""

    whole_calls: int
    calls: int
    verdicts: int
    decided: int
    agreeing: int

    @property
    def agreement(self) -> float:
        """Share of the decided verdicts that agree; 1 where none is decided."""
        return self.agreeing / self.decided if self.decided else 1.0

    @property
    def saved(self) -> float:
        """How many times fewer model calls were made."""
        return self.whole_calls / self.calls


class Remembered:
    """A model's answers to the neighbours of one text, in place of the model."""

    source = "remembered answers"

    def __init__(self, classes: tuple[str, ...], strings: Sequence[str], answers: NDArray[np.float64]) -> None:
        self.classes = classes
        self._answers = dict(zip(strings, answers, strict=True))

    def predict_proba(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The remembered answers."""
        return np.stack([self._answers[text] for text in texts])

    def fingerprint(self) -> str:
        """None is asked for."""
        raise NotImplementedError


def pipeline(train: Labelled) -> TextClassifier:
    """TF-IDF of words and pairs of words with logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    fitted = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10, max_iter=300))
    return as_classifier(fitted.fit(train.texts, train.labels))


def toki_leaning(model: TextClassifier, train: Labelled) -> Leaning:
    """TOKI's view of words, by an index of ``model`` and the default ensemble."""
    chosen = sample_indices(len(train.texts), _TRAINED_ON, SEED)
    texts = TextDataset(
        tuple(train.texts[i] for i in chosen), tuple(train.labels[i] for i in chosen), (None,) * len(chosen), "train"
    )
    members, explainer = load_ensemble(), LimeExplainer(500)
    origin = index_origin(model, texts, explainer, members, seed=SEED)
    return TokiOracle(build_index(origin, model, texts, explainer, members), members).leaning


def targets(sets: Sequence[str], data: Path, work: Path, texts: int, tuned_texts: int) -> Iterator[Target]:
    """For each set the pipeline as a black box, and the tuned transformer, whose answers are kept in ``work``."""
    for name in sets:
        train, test = read_texts(name, "train", data), read_texts(name, "test", data)
        white = pipeline(train)
        toki = toki_leaning(white, train)
        if texts:
            black = as_classifier(partial(_asked, white), classes=white.classes)
            yield Target(name, "TF-IDF", black, *_correct(black, test, texts), toki)
        if not tuned_texts:
            continue
        tuned_model = load_model(tuned(name, work / f"{name}-2", data=data))
        kind = f"{len(tuned_model.classes)}-class transformer"
        correct = _correct(tuned_model, test, tuned_texts)
        yield Target(name, kind, tuned_model, *correct, toki, work / f"{name}-2")


def _asked(model: TextClassifier, texts: list[str]) -> NDArray[np.float64]:
    return model.predict_proba(texts)


def _correct(model: TextClassifier, test: Labelled, count: int) -> tuple[list[str], list[int]]:
    """``count`` texts that the model predicts correctly, and their columns; fewer are the first of more."""
    chosen = sample_indices(len(test.texts), max(_DRAWN, 2 * count), 1)
    predicted = model.predict_proba([test.texts[i] for i in chosen]).argmax(axis=1)
    right = [(i, int(p)) for i, p in zip(chosen, predicted, strict=True) if model.classes[p] == test.labels[i]]
    return [test.texts[i] for i, _ in right[:count]], [column for _, column in right[:count]]


def remembered(target: Target, place: int, seed: int = SEED) -> Remembered:
    """All answers to the neighbours of a text; kept in a file where the target has a folder for them."""
    bag = word_bag(target.texts[place], word_spans)
    own_seed = seed_for(seed, f"words={len(bag.words)}")
    strings = bag.strings(neighbourhood(len(bag.words), SAMPLES, own_seed, 25.0).masks)
    file = None if target.answers is None else target.answers / f"{seed}-{seed_for(0, bag.text):08x}.npy"
    if file is not None and file.is_file():
        return Remembered(target.model.classes, strings, np.load(file))
    answers = target.model.predict_proba(strings)
    if file is not None:
        np.save(file, answers)
    return Remembered(target.model.classes, strings, answers)


def random_leaning(labelling: int) -> Leaning:
    """Every word is related or not by chance, the same at each asking."""

    def leaning(class_index: int, words: Sequence[str]) -> NDArray[np.float64]:
        return np.array([1.0 if seed_for(labelling, word) % 2 else -1.0 for word in words])

    return leaning


def verdict(explanation: Explanation, leaning: Leaning) -> bool:
    """TOKI's decision (Eq. 6) with the words' leanings as given; a tie is trustworthy."""
    speaking = [word for word in explanation.words if word.score > 0]
    signs = leaning(explanation.class_index, [word.word for word in speaking])
    return bool(sum(sign * word.score for sign, word in zip(signs, speaking, strict=True)) >= -1e-12)


def measured(target: Target) -> dict[tuple[str, str], Tally]:
    """A tally for each sampling mode and labelling ("random", "toki")."""
    labellings = [("random", random_leaning(i)) for i in range(_RANDOM_LABELLINGS)] + [("toki", target.toki)]
    found: dict[tuple[str, str], list[Tally]] = {}
    for place, (text, column) in enumerate(zip(target.texts, target.columns, strict=True)):
        model = remembered(target, place)
        (whole,) = LimeExplainer(SAMPLES).explain_many(model, [text], class_indices=[column], seed=SEED)
        for label, leaning in labellings:
            tally = _one(model, whole, leaning)
            found.setdefault(("sequential", label), []).append(tally)
            found.setdefault(("capped", label), []).append(_capped(tally))
    return {key: _sum(tallies) for key, tallies in found.items()}


def _one(model: Remembered, whole: Explanation, leaning: Leaning) -> Tally:
    (settled,) = LimeExplainer(SAMPLES, sampling="sequential").explain_many(
        model, [whole.text], class_indices=[whole.class_index], seed=SEED, leaning=leaning
    )
    return Tally(whole.calls, settled.calls, 1, 1, int(verdict(settled, leaning) == verdict(whole, leaning)))


def _capped(tally: Tally) -> Tally:
    """What capped sampling makes of the same text: both look at the same places, of which the cap is one."""
    within = tally.calls <= CAP
    return Tally(tally.whole_calls, min(tally.calls, CAP), 1, int(within), int(within and tally.agreeing))


def _sum(tallies: Iterable[Tally]) -> Tally:
    columns = zip(*((t.whole_calls, t.calls, t.verdicts, t.decided, t.agreeing) for t in tallies), strict=True)
    return Tally(*(sum(column) for column in columns))


def own_agreement(target: Target, texts: int) -> float:
    """How often lime's verdicts of two seeds agree, over random labellings and TOKI's."""
    agreeing = []
    for place in range(min(texts, len(target.texts))):
        pair = [_explained(target, place, seed) for seed in (SEED, SEED + 1)]
        for leaning in [*map(random_leaning, range(_RANDOM_LABELLINGS)), target.toki]:
            agreeing.append(verdict(pair[0], leaning) == verdict(pair[1], leaning))
    return float(np.mean(agreeing))


def _explained(target: Target, place: int, seed: int) -> Explanation:
    model = remembered(target, place, seed)
    text, column = target.texts[place], target.columns[place]
    (found,) = LimeExplainer(SAMPLES).explain_many(model, [text], class_indices=[column], seed=seed)
    return found


_BOUNDS = {"TF-IDF": (12, 20, None, None), "2-class transformer": (7, 15, 15, 25)}
_MANY_CLASSES = (3.5, 10, 9, 20)


def rows(
    data: Path, work: Path, *, sets: Sequence[str], texts: int, tuned_texts: int, twice: int,
    say: Callable[[str], None] = print,
) -> list[Row]:  # fmt: skip
    """Rows for every set, model, mode and labelling; ``twice`` texts are explained with a second seed."""
    found: list[Row] = []
    for target in targets(sets, data, work, texts, tuned_texts):
        tallies = measured(target)
        of_target = [row for (mode, label), tally in tallies.items() for row in _rows(target, mode, label, tally)]
        of_target += _speed_rows(target)
        of_target += _own_rows(target, min(twice, len(target.texts)))
        say(table(of_target))
        found += of_target
    return found


def _speed_rows(target: Target) -> list[Row]:
    """Whole explanations by capped sampling, many texts in a wave, against lime with the usual way to predict."""
    if target.answers is None:
        return []
    explainer, some = LimeExplainer(SAMPLES, sampling="capped", cap=CAP), slice(0, _IN_A_WAVE)
    texts, columns = target.texts[some], target.columns[some]
    ours = seconds(
        lambda: list(
            explainer.explain_many(target.model, texts, class_indices=columns, seed=SEED, leaning=random_leaning(0))
        )
    )
    theirs = seconds(by_lime(Subject.of(target.answers), texts[:_BY_LIME], SAMPLES))
    must, aim = (30, 60) if len(target.model.classes) == 2 else (15, 30)
    name = f"whole explanation, capped, float32, against lime: {target.kind}, {target.name}"
    note = f"{len(texts)} texts, by lime {len(texts[:_BY_LIME])} of them"
    return [Row(name, theirs / len(texts[:_BY_LIME]) / (ours / len(texts)), "times", "higher", must, aim, note)]


def _own_rows(target: Target, texts: int) -> list[Row]:
    """How far lime agrees with itself, where it is to be measured."""
    if not texts:
        return []
    name = f"verdicts of two seeds of lime agree: {target.kind}, {target.name}"
    return [Row(name, own_agreement(target, texts), "share", note=f"{texts} texts")]


def _rows(target: Target, mode: str, label: str, tally: Tally) -> list[Row]:
    must, aim, must_capped, aim_capped = _BOUNDS.get(target.kind, _MANY_CLASSES)
    bounds = (must, aim) if mode == "sequential" else (must_capped, aim_capped)
    what = f"{mode}, {target.kind}, {target.name}, {label} labelling"
    note = f"{len(target.texts)} texts, {tally.verdicts} verdicts, {tally.verdicts - tally.decided} undecided"
    return [
        Row(f"fewer model calls: {what}", tally.saved, "times", "higher", *bounds, note),
        Row(f"verdicts agree: {what}", tally.agreement, "share", "higher", 0.99, None, note),
    ]

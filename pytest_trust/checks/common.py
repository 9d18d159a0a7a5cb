"""What all checks share: taking the user's model and data, sampling, and pairing texts with their changed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.errors import ConfigurationError
from pytest_trust.models import TextClassifier, as_classifier
from pytest_trust.models.base import Probabilities
from pytest_trust.perturb import Perturbation, perturb_text
from pytest_trust.results import EvidenceRow, Outcome
from pytest_trust.stats import sample_indices, seed_for

# Rows of evidence that a result carries: enough to see a pattern, few enough to read.
MAX_EVIDENCE = 5

Data = TextDataset | Sequence[Any] | Any
Model = TextClassifier | Callable[[list[str]], Any] | Any


@dataclass(frozen=True, slots=True)
class Decision:
    """What a gate decided: the outcome, why, and what would help."""

    outcome: Outcome
    reason: str
    advice: str = ""


@dataclass(frozen=True)
class Subject:
    """A model and the sampled data that a check looks at."""

    model: TextClassifier
    data: TextDataset


@dataclass(frozen=True)
class Pairs:
    """The m texts that a perturbation really changed, with both answers of the model, each of shape (m, k)."""

    originals: tuple[str, ...]
    changed: tuple[str, ...]
    before: Probabilities
    after: Probabilities
    n_total: int

    def __len__(self) -> int:
        return len(self.originals)

    def columns(self, target: int | None) -> NDArray[np.intp]:
        """The column whose probability is compared, per pair: ``target``, or the class predicted before."""
        predicted: NDArray[np.intp] = self.before.argmax(axis=1)
        return predicted if target is None else np.full_like(predicted, target)

    def differences(self, columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Probability after minus before, in the given columns."""
        rows = np.arange(len(self))
        result: NDArray[np.float64] = self.after[rows, columns] - self.before[rows, columns]
        return result

    def flips(self) -> NDArray[np.bool_]:
        """Where the predicted class changed."""
        result: NDArray[np.bool_] = self.before.argmax(axis=1) != self.after.argmax(axis=1)
        return result


def take_subject(model: Model, data: Data, *, n: int | None, seed: int, need_labels: bool) -> Subject:
    """The user's model and data as a classifier and a seeded sample of ``n`` texts (all where n is None)."""
    dataset = load_dataset(data, require_labels=need_labels)
    return Subject(as_classifier(model), dataset.take(sample_indices(len(dataset), n, seed)))


def target_column(model: TextClassifier, target: str | None) -> int | None:
    """The column of class ``target``, None for None.

    Raises:
        ConfigurationError: the model has no such class.
    """
    if target is None:
        return None
    if target not in model.classes:
        raise ConfigurationError(
            f"target={target!r} is not a class of {model.source}; its classes: {list(model.classes)}"
        )
    return model.classes.index(target)


def check_fraction(name: str, value: float, *, low: float = 0.0, high: float = 1.0) -> None:
    """Raises ConfigurationError where ``value`` is not a number strictly above ``low`` and at most ``high``."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low < value <= high:
        raise ConfigurationError(f"{name}={value!r}: expected a number above {low:g} and at most {high:g}")


def make_pairs(subject: Subject, perturbation: Perturbation, seed: int) -> Pairs:
    """Pairs each text that ``perturbation`` changes with its changed form, and asks the model about both."""
    made = [
        (text, perturb_text(perturbation, text, seed_for(seed, perturbation.name, text))) for text in subject.data.texts
    ]
    changed = [(text, new.text) for text, new in made if new.text != text]
    originals, news = tuple(text for text, _ in changed), tuple(new for _, new in changed)
    answers = subject.model.predict_proba(originals + news)
    return Pairs(originals, news, answers[: len(originals)], answers[len(originals) :], len(made))


def pair_evidence(
    pairs: Pairs, columns: NDArray[np.intp], badness: NDArray[np.float64], classes: Sequence[str]
) -> tuple[EvidenceRow, ...]:
    """The pairs with the largest ``badness``, worst first; ties by order of the data."""
    worst = np.argsort(-badness, kind="stable")[:MAX_EVIDENCE]
    return tuple(_pair_row(pairs, int(i), int(columns[i]), classes) for i in worst)


def _pair_row(pairs: Pairs, i: int, column: int, classes: Sequence[str]) -> EvidenceRow:
    return EvidenceRow(
        text=pairs.originals[i],
        label=classes[column],
        probability=float(pairs.before[i, column]),
        changed_text=pairs.changed[i],
        changed_label=classes[int(pairs.after[i].argmax())],
        changed_probability=float(pairs.after[i, column]),
        note="label flipped" if pairs.flips()[i] else "",
    )


def unchanged_decision(pairs: Pairs, perturbation: Perturbation) -> Decision | None:
    """INCONCLUSIVE where the perturbation changed nothing, else None."""
    if len(pairs):
        return None
    return Decision(
        Outcome.INCONCLUSIVE,
        f"nothing changed: {perturbation.name} left all {pairs.n_total} texts as they are",
        "give texts on which the perturbation has something to change, or another perturbation",
    )

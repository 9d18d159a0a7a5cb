"""What all checks share: taking the user's model and data, and what a gate decides."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.errors import ConfigurationError
from pytest_trust.models import TextClassifier, as_classifier
from pytest_trust.results import Outcome
from pytest_trust.stats import sample_indices

# Rows of evidence that a result carries: enough to see a pattern, few enough to read.
MAX_EVIDENCE = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """What a gate decided: the outcome, why, and what would help."""

    outcome: Outcome
    reason: str
    advice: str = ""


@dataclass(frozen=True)
class Subject:
    """A model, the sampled data that a check looks at, and the column of its target (None for none)."""

    model: TextClassifier
    data: TextDataset
    target: int | None


def take_subject(
    model: object, data: object, *, target: str | None, n: int | None, seed: int, need_labels: bool
) -> Subject:
    """The user's model and data as a classifier and a seeded sample of ``n`` texts (all where n is None).

    Raises:
        ConfigurationError: the model has no class ``target``, or ``n`` is no positive whole number.
        DataError: the data cannot be read.
        ModelError: ``model`` is none.
    """
    classifier = as_classifier(model)
    column = _target_column(classifier, target)
    dataset = load_dataset(data, require_labels=need_labels)
    return Subject(classifier, dataset.take(sample_indices(len(dataset), n, seed)), column)


def _target_column(model: TextClassifier, target: str | None) -> int | None:
    if target is None:
        return None
    if target not in model.classes:
        raise ConfigurationError(
            f"target={target!r} is not a class of {model.source}; its classes: {list(model.classes)}"
        )
    return model.classes.index(target)


def about(needed: int | None, what: str = "") -> str:
    """How many are needed, or that no number would do."""
    return f"about {needed} are needed" if needed else f"no number of such {what or 'texts'} would"

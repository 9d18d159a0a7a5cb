"""Labelled cases with the copies that perturbations make of them, and what a model answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_trust.checks.budget import Deadline, Finished, slices
from pytest_trust.checks.sources import numbered, source_keys
from pytest_trust.data import TextDataset
from pytest_trust.errors import BudgetSpentError, ConfigurationError
from pytest_trust.models import TextClassifier
from pytest_trust.models.base import Probabilities
from pytest_trust.models.classes import label_indices
from pytest_trust.models.kept import kept_answers
from pytest_trust.perturb import Perturbation, as_perturbation, perturb_text
from pytest_trust.stats import seed_for


@dataclass(frozen=True, slots=True)
class Case:
    """A text with its label. ``number`` says which case it is or is a copy of, ``original`` that case's text."""

    text: str
    label: str | None
    number: int
    original: str


@dataclass(frozen=True, slots=True)
class Answers:
    """m cases and copies in order, with probabilities of shape (m, k) and the columns wanted and predicted, (m,).

    ``groups`` has shape (m,): cases of one number share one source. ``idle`` are the perturbations that changed none.
    """

    cases: tuple[Case, ...]
    classes: tuple[str, ...]
    probabilities: Probabilities
    wanted: NDArray[np.intp]
    predicted: NDArray[np.intp]
    groups: NDArray[np.intp]
    idle: tuple[str, ...]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Where the model predicts the label, shape (m,)."""
        result: NDArray[np.bool_] = self.predicted == self.wanted
        return result


def label_preserving(augment: object) -> tuple[Perturbation, ...]:
    """The perturbations in ``augment``: one, a function from text to text, or a sequence of such.

    Raises:
        ConfigurationError: one is no perturbation, or changes the label.
    """
    given = augment if isinstance(augment, Sequence) else (augment,)
    found = tuple(map(as_perturbation, given))
    for perturbation in found:
        if not perturbation.preserves_label:
            raise ConfigurationError(
                f"augment={perturbation.name}: it may change the label; expected perturbations that preserve it"
            )
    return found


def answer(
    model: TextClassifier,
    data: TextDataset,
    augment: Sequence[Perturbation] = (),
    seed: int = 0,
    deadline: Deadline | None = None,
) -> Answers:
    """What ``model`` says of the cases in ``data`` and of the copies that ``augment`` makes of them.

    Raises:
        BudgetSpentError: ``deadline`` came before the last of them.
        DataError: a label is missing or no class of the model.
        ModelError: the model's answer is malformed.
    """
    changed = [list(_copies(data, perturbation, place, seed)) for place, perturbation in enumerate(augment)]
    originals = [Case(text, label, i, text) for i, (text, label) in enumerate(_rows(data))]
    cases = tuple(_distinct([*originals, *(copy for copies in changed for copy in copies)]))
    wanted = np.array(label_indices([case.label for case in cases], model), dtype=np.intp)
    probabilities = _answers(model, [case.text for case in cases], deadline)
    return Answers(
        cases,
        model.classes,
        probabilities,
        wanted,
        probabilities.argmax(axis=1),
        numbered(source_keys(data))[[case.number for case in cases]],
        tuple(perturbation.name for perturbation, copies in zip(augment, changed, strict=True) if not copies),
    )


def _answers(model: TextClassifier, texts: Sequence[str], deadline: Deadline | None) -> Probabilities:
    found = [np.empty((0, len(model.classes)))]
    found += [kept_answers(model, texts[some]) for some in slices(deadline, len(texts))]
    probabilities = np.concatenate(found)
    finished = Finished(deadline, len(probabilities), len(texts), "cases answered")
    if finished.is_cut:
        raise BudgetSpentError(finished.reason)
    return probabilities


def _rows(data: TextDataset) -> Iterator[tuple[str, str | None]]:
    return zip(data.texts, data.labels, strict=True)


def _copies(data: TextDataset, perturbation: Perturbation, place: int, seed: int) -> Iterator[Case]:
    """A copy of each case that ``perturbation`` changes; one given twice draws anew."""
    for number, (text, label) in enumerate(_rows(data)):
        new = perturb_text(perturbation, text, seed_for(seed, perturbation.name, str(place), text))
        if new.changed:
            yield Case(new.text, label, number, text)


def _distinct(cases: Sequence[Case]) -> list[Case]:
    first = {(case.text, case.label): case for case in reversed(cases)}
    return [case for case in cases if first[case.text, case.label] is case]

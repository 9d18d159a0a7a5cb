"""Texts paired with their changed form: what invariance and direction are tested on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pytest_trust.checks.budget import Deadline, Finished, slices
from pytest_trust.checks.common import Subject, is_each_class, take_subject
from pytest_trust.checks.sources import given_groups, numbered, source_keys
from pytest_trust.data import TextDataset, load_dataset
from pytest_trust.models import TextClassifier
from pytest_trust.models.base import Probabilities
from pytest_trust.models.kept import kept_answers
from pytest_trust.perturb import Edit, Perturbation, Perturbed, perturb_text
from pytest_trust.stats import seed_for


@dataclass(frozen=True)
class Pairs:
    """The m of ``n_total`` texts that a perturbation really changed, with both answers of the model, of shape (m, k).

    ``columns`` has shape (m,): the class whose probability is compared, the target or the one predicted before. Where
    ``each_class`` is asked for there is a view for each, which names it as its ``viewed_class``. ``groups``, of shape
    (m,), has the same integer for texts of one source.
    """

    model: TextClassifier
    perturbation: Perturbation
    originals: tuple[str, ...]
    changed: tuple[str, ...]
    edits: tuple[tuple[Edit, ...], ...]
    before: Probabilities
    after: Probabilities
    columns: NDArray[np.intp]
    groups: NDArray[np.intp]
    each_class: bool
    unchanged: int
    n_total: int
    seed: int
    finished: Finished
    viewed_class: str | None = None

    def __len__(self) -> int:
        return len(self.originals)

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the k classes."""
        return self.model.classes

    @property
    def differences(self) -> NDArray[np.float64]:
        """Probability after minus before, shape (m,)."""
        rows = np.arange(len(self))
        result: NDArray[np.float64] = self.after[rows, self.columns] - self.before[rows, self.columns]
        return result

    @property
    def flips(self) -> NDArray[np.bool_]:
        """Where the predicted class changed, shape (m,)."""
        result: NDArray[np.bool_] = self.before.argmax(axis=1) != self.after.argmax(axis=1)
        return result

    @property
    def sources(self) -> int:
        """How many sources the texts come from."""
        return len(np.unique(self.groups))

    @property
    def counted(self) -> str:
        """What the n of a test counts."""
        return "texts" if self.sources == len(self) else "sources of texts"

    def views(self, of_class: Callable[[Pairs, int], Pairs]) -> list[Pairs]:
        """A view of each class, made by ``of_class``, where each is asked for and there are pairs; else the pairs."""
        if self.each_class and len(self):
            return [of_class(self, column) for column in range(len(self.classes))]
        return [self]

    def compared_on(self, column: int) -> Pairs:
        """The same pairs, with the probability of one class compared."""
        return replace(self, columns=np.full_like(self.columns, column), viewed_class=self.classes[column])

    def predicted_as(self, column: int) -> Pairs:
        """The pairs whose original was predicted as one class, with its probability compared."""
        kept = np.flatnonzero(self.before.argmax(axis=1) == column)
        return replace(
            self.compared_on(column),
            originals=tuple(self.originals[i] for i in kept),
            changed=tuple(self.changed[i] for i in kept),
            edits=tuple(self.edits[i] for i in kept),
            before=self.before[kept],
            after=self.after[kept],
            columns=np.full(len(kept), column, dtype=np.intp),
            groups=self.groups[kept],
        )


def make_pairs(
    model: object,
    data: object,
    perturbation: Perturbation,
    *,
    target: str | None,
    n: int | None,
    seed: int,
    groups: Sequence[str | int] | None = None,
    deadline: Deadline | None = None,
) -> Pairs:
    """Pairs each text that ``perturbation`` changes with its changed form, and asks the model about both.

    ``groups``, one for each text of ``data``, says which texts are of one source; without it the data do, or, where
    they do not either, near-copies are. Texts that ``deadline`` leaves no time for have no pair.

    Raises: as :func:`~pytest_trust.checks.common.take_subject`, ConfigurationError for groups that do not fit the data,
        and ModelError for a malformed answer.
    """
    dataset = load_dataset(data, require_labels=False)
    given = None if groups is None else given_groups(groups, len(dataset))
    subject = take_subject(model, dataset, target=target, n=n, seed=seed, need_labels=False, each_class=True)
    texts = subject.data.texts
    asked = [_asked(subject, perturbation, some) for some in slices(deadline, len(texts))]
    made = [outcome for item in asked for outcome in item.made]
    places = [i for i, outcome in enumerate(made) if outcome.changed]
    originals, changed = tuple(texts[i] for i in places), tuple(made[i].text for i in places)
    before, after = _joined(subject, [item.before for item in asked]), _joined(subject, [item.after for item in asked])
    predicted = before.argmax(axis=1)
    keys = _source_keys(dataset, given, subject.data)
    return Pairs(
        model=subject.model,
        perturbation=perturbation,
        originals=originals,
        changed=changed,
        edits=tuple(made[i].edits for i in places),
        before=before,
        after=after,
        columns=predicted if subject.target is None else np.full_like(predicted, subject.target),
        groups=numbered(keys[i] for i in places),
        each_class=is_each_class(subject.model, target),
        unchanged=len(made) - len(places),
        n_total=len(texts),
        seed=subject.seed,
        finished=Finished(deadline, len(made), len(texts), "texts looked at"),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """Texts as a perturbation left them, and the model's answers, shape (m, k), on the m that it changed."""

    made: list[Perturbed]
    before: Probabilities
    after: Probabilities


def _asked(subject: Subject, perturbation: Perturbation, some: slice) -> _Asked:
    texts = subject.data.texts[some]
    made = [perturb_text(perturbation, text, seed_for(subject.seed, perturbation.name, text)) for text in texts]
    originals = [text for text, outcome in zip(texts, made, strict=True) if outcome.changed]
    answers = kept_answers(subject.model, originals + [outcome.text for outcome in made if outcome.changed])
    return _Asked(made, answers[: len(originals)], answers[len(originals) :])


def _joined(subject: Subject, parts: Sequence[Probabilities]) -> Probabilities:
    return np.concatenate([np.empty((0, len(subject.model.classes))), *parts])


def _source_keys(dataset: TextDataset, given: Sequence[str | int] | None, sample: TextDataset) -> Sequence[Hashable]:
    """What texts of one source share, for each row of the ``sample`` of ``dataset``."""
    if given is None:
        return source_keys(sample)
    of_row: dict[tuple[str, str | None], str | int] = {}
    for text, label, group in zip(dataset.texts, dataset.labels, given, strict=True):
        of_row.setdefault((text, label), group)
    return [of_row[row] for row in zip(sample.texts, sample.labels, strict=True)]

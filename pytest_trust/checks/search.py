"""The smallest edit that flips a label, looked for with Hypothesis: it draws examples and shrinks what it finds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pytest_trust.checks.pairs import Pairs
from pytest_trust.errors import missing_extra
from pytest_trust.models import TextClassifier
from pytest_trust.models.base import Probabilities
from pytest_trust.results import CheckResult, EvidenceRow

if TYPE_CHECKING:
    from pytest_trust.strategies import PerturbedText


@dataclass(frozen=True, slots=True)
class Flip:
    """The smallest change found that flips a label, with the model's answers before and after, of shape (k,)."""

    change: PerturbedText
    before: Probabilities
    after: Probabilities


class _Labels:
    """The model's predictions, each text asked for once and no more than ``budget`` of them."""

    def __init__(self, model: TextClassifier, budget: int, known: dict[str, Probabilities]) -> None:
        self._model = model
        self._left = budget
        self.known = known

    def flipped(self, change: PerturbedText) -> bool:
        """Whether the label changes; False for a text that the budget does not reach."""
        if change.text not in self.known and self._left > 0:
            self._left -= 1
            self.known[change.text] = self._model.predict_proba([change.text])[0]
        after = self.known.get(change.text)
        return after is not None and int(after.argmax()) != int(self.known[change.original].argmax())


def with_smallest_flip(result: CheckResult, pairs: Pairs, budget: int) -> CheckResult:
    """``result`` with the smallest flip first in its evidence, and its number of edits under ``smallest_flip``.

    The number is None where none was found. Texts whose label the whole perturbation flips are looked at, or all where
    there are none; the model is asked about no more than ``budget`` texts.

    Raises:
        MissingExtraError: hypothesis is not installed.
    """
    places = np.flatnonzero(pairs.flips) if pairs.flips.any() else np.arange(len(pairs))
    originals = [pairs.originals[place] for place in places]
    flip = None if not originals else _smallest(pairs, originals, pairs.before[places], budget)
    rows = () if flip is None else (_row(flip, pairs),)
    return replace(
        result,
        evidence=(*rows, *result.evidence),
        details={**result.details, "smallest_flip": None if flip is None else len(flip.change.edits)},
    )


def _smallest(pairs: Pairs, originals: Sequence[str], answers: Probabilities, budget: int) -> Flip | None:
    try:
        import hypothesis
    except ImportError:
        raise missing_extra("hypothesis", "hypothesis", "search=") from None
    from hypothesis.errors import NoSuchExample, Unsatisfiable

    from pytest_trust.strategies import perturbed_texts

    labels = _Labels(pairs.model, budget, dict(zip(originals, answers, strict=True)))
    quiet = hypothesis.settings(
        max_examples=budget, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    texts = perturbed_texts(originals, pairs.perturbation)
    try:
        found = hypothesis.find(texts, labels.flipped, settings=quiet, random=random.Random(pairs.seed))
    except (NoSuchExample, Unsatisfiable):
        return None
    return Flip(found, labels.known[found.original], labels.known[found.text])


def _row(flip: Flip, pairs: Pairs) -> EvidenceRow:
    before, after = int(flip.before.argmax()), int(flip.after.argmax())
    return EvidenceRow(
        text=flip.change.original,
        label=pairs.classes[before],
        probability=float(flip.before[before]),
        changed_text=flip.change.text,
        changed_label=pairs.classes[after],
        changed_probability=float(flip.after[before]),
        note=f"smallest edit found: {len(flip.change.edits)} of {flip.change.n_found} flip the label",
    )

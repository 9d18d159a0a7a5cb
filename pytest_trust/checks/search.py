"""The smallest edit that flips a label.

Where the whole perturbation flips the label of a text, delta debugging (Zeller and Hildebrandt, "Simplifying and
isolating failure-inducing input", 2002) finds edits of which none can be spared. Where it flips none, Hypothesis draws
other outcomes of the perturbation, and parts of them.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from pytest_trust.checks.pairs import Pairs
from pytest_trust.errors import missing_extra
from pytest_trust.models import TextClassifier
from pytest_trust.models.base import Probabilities
from pytest_trust.models.kept import kept_answers
from pytest_trust.perturb import Edit, apply_edits
from pytest_trust.results import CheckResult, EvidenceRow

# Hypothesis draws no more edits of a text than it can shrink in reasonable time.
_MOST_DRAWN = 16


@dataclass(frozen=True, slots=True)
class Flip:
    """``edits`` of ``original`` that flip its label, and how many the perturbation had found there."""

    original: str
    edits: tuple[Edit, ...]
    n_found: int

    @property
    def text(self) -> str:
        """The changed text."""
        return apply_edits(self.original, self.edits)


class _Asked:
    """The model's answers, each text asked for once and no more than ``budget`` of them."""

    def __init__(self, model: TextClassifier, budget: int, known: dict[str, Probabilities]) -> None:
        self._model = model
        self.left = budget
        self.known = known

    def flipped(self, original: str, texts: Sequence[str]) -> list[bool]:
        """For each of ``texts`` whether its label is not that of ``original``; False where the budget ends."""
        new = list(dict.fromkeys(text for text in texts if text not in self.known))[: self.left]
        self.left -= len(new)
        if new:
            self.known.update(zip(new, kept_answers(self._model, new), strict=True))
        label = int(self.known[original].argmax())
        return [text in self.known and int(self.known[text].argmax()) != label for text in texts]


def with_smallest_flip(result: CheckResult, pairs: Pairs, budget: int) -> CheckResult:
    """``result`` with the smallest flip first in its evidence, and its number of edits under ``smallest_flip``.

    The number is None where none was found. The model is asked about no more than ``budget`` texts.

    Raises:
        MissingExtraError: the perturbation flips no label as a whole, and hypothesis is not installed.
    """
    asked = _Asked(pairs.model, budget, dict(zip(pairs.originals, pairs.before, strict=True)))
    asked.known.update(zip(pairs.changed, pairs.after, strict=True))
    flips = [_shrunk(flip, asked) for flip in (_known(pairs) if pairs.flips.any() else _drawn(pairs, asked))]
    best = min(flips, key=lambda flip: len(flip.edits), default=None)
    rows = () if best is None else (_row(best, pairs, asked),)
    return replace(
        result,
        evidence=(*rows, *result.evidence),
        details={**result.details, "smallest_flip": None if best is None else len(best.edits)},
    )


def _known(pairs: Pairs) -> Iterator[Flip]:
    """The flips that the check saw, those with the fewest edits first; ties by order."""
    places = [int(place) for place in np.flatnonzero(pairs.flips)]
    for place in sorted(places, key=lambda place: len(pairs.edits[place])):
        yield Flip(pairs.originals[place], pairs.edits[place], len(pairs.edits[place]))


def _drawn(pairs: Pairs, asked: _Asked) -> Iterator[Flip]:
    """A flip by another outcome of the perturbation, or by a part of one."""
    try:
        import hypothesis
    except ImportError:
        raise missing_extra("hypothesis", "hypothesis", "search=") from None
    from hypothesis.errors import HypothesisException

    from pytest_trust.strategies import perturbed_texts

    if not len(pairs):
        return
    quiet = hypothesis.settings(
        max_examples=asked.left, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    texts = perturbed_texts(pairs.originals, pairs.perturbation, max_edits=_MOST_DRAWN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of long texts
        try:
            found = hypothesis.find(
                texts,
                lambda drawn: asked.flipped(drawn.original, [drawn.text])[0],
                settings=quiet,
                random=random.Random(pairs.seed),
            )
        except HypothesisException:  # nothing found, or a perturbation that answers differently each time
            return
    yield Flip(found.original, found.edits, found.n_found)


def _shrunk(flip: Flip, asked: _Asked) -> Flip:
    """``flip`` with edits of which none can be spared, as far as the budget reaches."""
    parts = 2
    while len(flip.edits) > 1:
        parts = min(parts, len(flip.edits))
        smaller = _first_flipping(flip, _tries(flip.edits, parts), asked)
        if smaller is not None:
            flip, parts = replace(flip, edits=smaller), max(2, parts - 1)
        elif parts == len(flip.edits):
            break
        else:
            parts *= 2
    return flip


def _tries(edits: tuple[Edit, ...], parts: int) -> list[tuple[Edit, ...]]:
    """Each of so many ``parts`` alone, and all but each."""
    bounds = [len(edits) * part // parts for part in range(parts + 1)]
    spans = list(pairwise(bounds))
    return [edits[a:b] for a, b in spans] + [edits[:a] + edits[b:] for a, b in spans]


def _first_flipping(flip: Flip, tries: Sequence[tuple[Edit, ...]], asked: _Asked) -> tuple[Edit, ...] | None:
    flipped = asked.flipped(flip.original, [apply_edits(flip.original, edits) for edits in tries])
    return next((edits for edits, flips in zip(tries, flipped, strict=True) if flips), None)


def _row(flip: Flip, pairs: Pairs, asked: _Asked) -> EvidenceRow:
    before, after = asked.known[flip.original], asked.known[flip.text]
    label = int(before.argmax())
    return EvidenceRow(
        text=flip.original,
        label=pairs.classes[label],
        probability=float(before[label]),
        changed_text=flip.text,
        changed_label=pairs.classes[int(after.argmax())],
        changed_probability=float(after[label]),
        note=f"smallest flip found: {len(flip.edits)} of {flip.n_found} edits",
    )

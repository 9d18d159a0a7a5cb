"""Greedy search for a flip, word by word in order of importance, as A2T searches (Yoo and Qi 2021)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING

import numpy as np

from pytest_trust.attacks.base import AttackOutcome, AttackResult
from pytest_trust.attacks.budget import Budget
from pytest_trust.attacks.constraints import Candidate, Closeness, same_class
from pytest_trust.attacks.importance import Occurrences, by_importance
from pytest_trust.attacks.lockstep import MAX_TEXTS, Question, Steps, Stopwatch
from pytest_trust.attacks.parts import offered
from pytest_trust.attacks.words import WordsOfText, open_places
from pytest_trust.models.abilities import ReadsInPart
from pytest_trust.models.base import Probabilities

if TYPE_CHECKING:
    from pytest_trust.attacks.attack import Attack

# A probability has to fall by more than the rounding of a batch.
_ROUNDING = 1e-6
# Characters of the texts that a search holds at once to rank its words.
_MOST_CHARACTERS = 1 << 22


@dataclass(frozen=True, slots=True)
class _Scored:
    """A candidate with the probabilities of all classes."""

    candidate: Candidate
    row: Probabilities


class Search:
    """The attack on one text, as steps between which the model is asked."""

    def __init__(self, attack: Attack, text: str, label: int, watch: Stopwatch) -> None:
        self._attack, self._label, self._watch = attack, label, watch
        self._budget = Budget(attack.settings, watch)
        self._original = WordsOfText.of(text)
        self._closeness = Closeness(attack.encoder, text)
        self._best = Candidate(self._original, text, 1.0)
        self._before: Probabilities = np.empty(0)
        self._after: Probabilities = self._before
        self._has_tried = False
        self._leaves_words = False

    def steps(self) -> Steps[AttackResult]:
        """All of the search."""
        if len(self._original.words) < 2:
            return self._result(AttackOutcome.SKIPPED_SHORT)
        self._before = self._after = (yield from self._ask([self._best.text]))[0]
        if self._flips(self._before):
            return self._result(AttackOutcome.SKIPPED_WRONG)
        places = yield from self._ranked()
        changes = 0
        for place in places:
            if changes == self._most_changes or self._budget.is_spent:
                break
            changes += yield from self._improve(place)
            if self._flips(self._after):
                return (yield from self._confirmed())
        return self._result(self._in_vain(changes))

    def _in_vain(self, changes: int) -> AttackOutcome:
        if self._budget.is_spent or (self._leaves_words and changes < self._most_changes):
            return AttackOutcome.BUDGET
        return AttackOutcome.FAILURE if self._has_tried else AttackOutcome.SKIPPED_FIXED

    @property
    def _most_changes(self) -> int:
        return self._attack.settings.most_changes(len(self._original.words))

    def _flips(self, row: Probabilities) -> bool:
        return int(np.argmax(row)) != self._label

    def _ask(self, texts: Sequence[str], alone: bool = False) -> Generator[Question, Probabilities, Probabilities]:
        self._budget.queries += len(texts)
        return (yield Question(texts, alone))

    def _ranked(self) -> Generator[Question, Probabilities, list[int]]:
        """The places of words that may change, the most important first."""
        model, text = self._attack.model, self._best.text
        read = model.read_span(text) if isinstance(model, ReadsInPart) else None
        places = open_places(text, read, self._attack.fixed)
        if not places or not self._budget.has_room():
            return []
        occurrences = Occurrences.of(text, read)
        gradients = occurrences.gradients(model, self._label)
        if gradients is None:
            return (yield from self._by_omission(occurrences, self._with_candidates(self._looked_at(places))))
        self._budget.queries += 1
        ranked = by_importance(places, [float(gradients[place - occurrences.first]) for place in places])
        return self._looked_at(ranked)

    def _looked_at(self, places: list[int]) -> list[int]:
        looked_at = self._budget.looked_at(places)
        self._leaves_words = len(looked_at) < len(places)
        return looked_at

    def _with_candidates(self, places: Sequence[int]) -> list[int]:
        """Those of ``places`` that are worth a query; not all of these where time runs out."""
        return [place for place in takewhile(lambda _: self._budget.has_room(), places) if self._candidates(place)]

    def _by_omission(
        self, occurrences: Occurrences, places: Sequence[int]
    ) -> Generator[Question, Probabilities, list[int]]:
        """By what the label's probability loses without a word; at most half of what the budgets allow is spent on it.

        Words for which that is too little come last, in order of the text.
        """
        losses = yield from self._losses(occurrences, places[: self._budget.room(2 * len(places)) // 2])
        asked = len(losses)
        return [*by_importance(places[:asked], losses), *places[asked:]]

    def _losses(
        self, occurrences: Occurrences, places: Sequence[int]
    ) -> Generator[Question, Probabilities, list[float]]:
        """What the label's probability loses without each word, asked in questions of bounded size."""
        size = min(MAX_TEXTS, max(1, _MOST_CHARACTERS // len(self._original.text)))
        losses: list[float] = []
        for start in range(0, len(places), size):
            if not self._budget.has_room():
                break
            rows = yield from self._ask(occurrences.without(places[start : start + size]))
            losses += (self._before[self._label] - rows[:, self._label]).tolist()
        return losses

    def _candidates(self, place: int) -> Sequence[str]:
        attack, word = self._attack, self._best.words.words[place].lower()
        admitted = (new for new in offered(attack.substitution, word, self._label) if new not in attack.fixed)
        return list(islice(admitted, attack.settings.max_candidates))

    def _improve(self, place: int) -> Generator[Question, Probabilities, bool]:
        """Replaces the word in a place, where that brings the text nearer to a flip; says whether it did."""
        scored = yield from self._scored(place)
        flips = [item for item in scored if self._flips(item.row)]
        if flips:
            return self._keep(max(flips, key=lambda item: item.candidate.similarity))
        best = min(scored, key=lambda item: round(float(item.row[self._label]) / _ROUNDING), default=None)
        if best is None or best.row[self._label] > self._after[self._label] - _ROUNDING:
            return False
        return self._keep(best)

    def _keep(self, chosen: _Scored) -> bool:
        self._best, self._after = chosen.candidate, chosen.row
        return True

    def _scored(self, place: int) -> Generator[Question, Probabilities, list[_Scored]]:
        """The replacements in a place that keep to the constraints, as many as the budgets allow."""
        attack, scored = self._attack, list[_Scored]()
        waiting = same_class(attack.tagger, self._best.words, place, self._candidates(place))
        self._has_tried |= bool(waiting)
        while waiting:
            room = self._budget.room(len(waiting))
            if not self._budget.has_room():
                break
            near = self._closeness.near(self._best.text, waiting[:room], attack.settings.min_similarity)
            del waiting[:room]
            if near:
                rows = yield from self._ask([candidate.text for candidate in near])
                scored += map(_Scored, near, rows)
        return scored

    def _confirmed(self) -> Steps[AttackResult]:
        """The flip, asked about once more."""
        self._after = (yield from self._ask([self._best.text], alone=True))[0]
        return self._result(AttackOutcome.SUCCESS if self._flips(self._after) else AttackOutcome.FAILURE)

    def _result(self, outcome: AttackOutcome) -> AttackResult:
        return AttackResult(
            text=self._original.text,
            label=self._label,
            outcome=outcome,
            adversarial=self._best.text,
            changes=self._original.changes(self._best.words),
            similarity=self._best.similarity,
            before=tuple(self._before.tolist()),
            after=tuple(self._after.tolist()),
            queries=self._budget.queries,
            seconds=self._watch.seconds,
        )

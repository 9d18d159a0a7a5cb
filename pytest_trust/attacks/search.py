"""Greedy search for a flip, word by word in order of importance, as A2T searches (Yoo and Qi 2021)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np

from pytest_trust.arguments import require_count
from pytest_trust.attacks.base import (
    AttackOutcome,
    AttackResult,
    AttackSettings,
    SentenceEncoder,
    Substitution,
    Tagger,
)
from pytest_trust.attacks.constraints import Candidate, Closeness, same_class
from pytest_trust.attacks.importance import Occurrences, by_importance
from pytest_trust.attacks.lockstep import Question, Running, Steps, Stopwatch, in_lockstep
from pytest_trust.attacks.words import WordsOfText, function_words, open_places
from pytest_trust.models.abilities import ReadsInPart
from pytest_trust.models.base import Probabilities, TextClassifier

# A probability has to fall by more than the rounding of a batch.
_ROUNDING = 1e-6
# The last query is kept for the confirmation.
_CONFIRMATION = 1


@dataclass(frozen=True, slots=True)
class Attack:
    """Changes words of a text until ``model`` gives it another class than its label.

    Words are taken by falling importance (:mod:`~pytest_trust.attacks.importance`), each once. All replacements that
    ``substitution`` offers for a word and that keep to the constraints are put to the model in one call, and the one
    stays that lowers the label's probability most. The first flip ends the search; of several the text nearest to the
    original is taken, and the model asked about that once more in a call of its own.

    The constraints are A2T's: no word of ``fixed``, address, handle or number is changed, and no word of ``fixed`` is
    put in (a negation would turn the meaning); a replacement is one word of the same part of speech by ``tagger``,
    takes the case of the word that it replaces, and the changed text is as near to the original by ``encoder`` as
    ``settings`` ask.
    """

    model: TextClassifier
    substitution: Substitution
    tagger: Tagger
    encoder: SentenceEncoder
    settings: AttackSettings = field(default_factory=AttackSettings)
    fixed: frozenset[str] = field(default_factory=function_words)

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Iterator[AttackResult]:
        """The attack on each text, in order; ``labels`` are columns of the model's classes.

        Texts share model calls of at most 256 texts. The result for a text depends on that text alone, as far as the
        model's answers do and no time is limited.

        Raises:
            ConfigurationError: a label is none of the model's columns.
            ValueError: there are more or fewer labels than texts.
            ModelError: the model's answer breaks the contract.
        """
        pairs = zip(texts, labels, strict=True)
        return in_lockstep(self.model, (self._running(text, label) for text, label in pairs))

    def run_one(self, text: str, label: int) -> AttackResult:
        """The attack on one text; see :meth:`run`."""
        return next(self.run([text], [label]))

    @property
    def name(self) -> str:
        """The name of its substitution."""
        return self.substitution.name

    def describe(self) -> dict[str, Any]:
        """What shapes the results beside the model, as plain values."""
        settings = {name: getattr(self.settings, name) for name in AttackSettings.__slots__}
        names = {"substitution": self.substitution.name, "tagger": self.tagger.name, "encoder": self.encoder.name}
        return names | settings

    def _running(self, text: str, label: int) -> Running[AttackResult]:
        label = require_count("label", label, 0, len(self.model.classes) - 1)
        watch = Stopwatch()
        return Running(_Search(self, text, label, watch).steps(), watch)


@dataclass(frozen=True, slots=True)
class _Scored:
    """A candidate with the probabilities of all classes."""

    candidate: Candidate
    row: Probabilities


class _Search:
    """The attack on one text, as steps between which the model is asked."""

    def __init__(self, attack: Attack, text: str, label: int, watch: Stopwatch) -> None:
        self._attack, self._label, self._watch = attack, label, watch
        self._original = WordsOfText.of(text)
        self._closeness = Closeness(attack.encoder, text)
        self._best = Candidate(self._original, text, 1.0)
        self._before: Probabilities = np.empty(0)
        self._after: Probabilities = self._before
        self._queries = 0
        self._is_cut = False
        self._has_tried = False

    def steps(self) -> Steps[AttackResult]:
        """All of the search."""
        if len(self._original.words) < 2:
            return self._result(AttackOutcome.SKIPPED_SHORT)
        self._before = self._after = (yield from self._ask([self._best.text]))[0]
        if self._flips(self._before):
            return self._result(AttackOutcome.SKIPPED_WRONG)
        places = yield from self._ranked()
        changes = 0
        while places and changes < self._most_changes and not self._is_cut:
            changes += yield from self._improve(places.pop(0))
            if self._flips(self._after):
                return (yield from self._confirmed())
        return self._result(self._in_vain())

    def _in_vain(self) -> AttackOutcome:
        if self._is_cut:
            return AttackOutcome.BUDGET
        return AttackOutcome.FAILURE if self._has_tried else AttackOutcome.SKIPPED_FIXED

    @property
    def _most_changes(self) -> int:
        return self._attack.settings.most_changes(len(self._original.words))

    def _flips(self, row: Probabilities) -> bool:
        return int(np.argmax(row)) != self._label

    def _ask(self, texts: Sequence[str], alone: bool = False) -> Generator[Question, Probabilities, Probabilities]:
        self._queries += len(texts)
        return (yield Question(texts, alone))

    def _room(self, wanted: int) -> int:
        """How many of ``wanted`` texts the budgets allow to be asked about now, by the pace so far."""
        settings, room = self._attack.settings, wanted
        if settings.max_queries is not None:
            room = min(room, settings.max_queries - self._queries - _CONFIRMATION)
        if settings.max_seconds is not None:
            left, pace = settings.max_seconds - self._watch.seconds, self._watch.seconds / self._queries
            room = min(room, max(1, int(left / pace)) if left > 0 else 0)
        return max(0, room)

    def _ranked(self) -> Generator[Question, Probabilities, list[int]]:
        """The places of words that may change, the most important first."""
        model, text = self._attack.model, self._best.text
        read = model.read_span(text) if isinstance(model, ReadsInPart) else None
        places = open_places(text, read, self._attack.fixed)
        if not places or not self._room(1):
            self._is_cut = bool(places)
            return []
        occurrences = Occurrences.of(text, read)
        gradients = occurrences.gradients(model, self._label)
        if gradients is None:
            return (yield from self._by_omission(occurrences, self._with_candidates(places)))
        self._queries += 1
        return by_importance(places, [float(gradients[place - occurrences.first]) for place in places])

    def _with_candidates(self, places: Sequence[int]) -> list[int]:
        """Those of ``places`` that are worth a query; not all of these where time runs out."""
        kept = []
        for place in places:
            if not self._room(1):
                self._is_cut = True
                break
            if self._candidates(place):
                kept.append(place)
        return kept

    def _by_omission(
        self, occurrences: Occurrences, places: Sequence[int]
    ) -> Generator[Question, Probabilities, list[int]]:
        """By what the label's probability loses without a word; at most half of what the budgets allow is spent on it.

        Words for which that is too little come last, in order of the text.
        """
        room = self._room(2 * len(places)) // 2
        asked, rest = places[:room], places[room:]
        if not asked:
            return list(rest)
        rows = yield from self._ask(occurrences.without(asked))
        losses = (self._before[self._label] - rows[:, self._label]).tolist()
        return [*by_importance(asked, losses), *rest]

    def _candidates(self, place: int) -> Sequence[str]:
        attack, word = self._attack, self._best.words.words[place].lower()
        offered = (new for new in attack.substitution.candidates(word, self._label) if new not in attack.fixed)
        return list(islice(offered, attack.settings.max_candidates))

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
            room = self._room(len(waiting))
            if not room:
                self._is_cut = True
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
            queries=self._queries,
            seconds=self._watch.seconds,
        )

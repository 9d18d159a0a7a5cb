"""What the explainers have in common that score neighbours of a text through :mod:`pytest_trust.explain.scoring`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import repeat
from typing import ClassVar

from pytest_trust.arguments import require_count
from pytest_trust.explain.explanation import Explanation, WordScore
from pytest_trust.explain.masks import Neighbourhood
from pytest_trust.explain.scoring import Job, Scored, StoppingRule, scored
from pytest_trust.explain.settling import Leaning
from pytest_trust.explain.words import WordBag
from pytest_trust.models.abilities import ReadsInPart
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.masked import MaskScoring
from pytest_trust.stats.sampling import seed_for
from pytest_trust.text import Span, word_spans

_NO_WORDS = "no words to explain"
# What numpy's RandomState takes.
_MAX_SEED = 2**32 - 1


class EngineExplainer(ABC):
    """Makes jobs of texts, has them scored in waves, and makes explanations of the answers."""

    __slots__ = ()

    name: ClassVar[str]

    def explain(self, model: TextClassifier, text: str, *, class_index: int | None = None, seed: int) -> Explanation:
        """Explain one prediction; see :class:`pytest_trust.explain.base.Explainer`."""
        seed = require_count("seed", seed, least=0, most=_MAX_SEED)
        return next(self._explained(model, [self._job(self._bag(text, reader(model)(text)), class_index, seed, None)]))

    def explain_many(
        self,
        model: TextClassifier,
        texts: Iterable[str],
        *,
        class_indices: Iterable[int] | None = None,
        seed: int,
        leaning: Leaning | None = None,
    ) -> Iterator[Explanation]:
        """Explain many predictions; see :class:`pytest_trust.explain.base.Explainer`."""
        seed = require_count("seed", seed, least=0, most=_MAX_SEED)
        wanted = zip(texts, repeat(None)) if class_indices is None else zip(texts, class_indices, strict=True)
        read = reader(model)
        bags = ((self._bag(text, read(text)), column) for text, column in wanted)
        jobs = (self._job(bag, column, self._seed(seed, bag), leaning) for bag, column in bags)
        return self._explained(model, jobs)

    def explain_until_settled(
        self,
        model: TextClassifier,
        texts: Iterable[str],
        class_indices: Iterable[int],
        *,
        seed: int,
        leaning: Leaning | None,
    ) -> Iterator[Explanation]:
        """Explain for verdicts; see :class:`pytest_trust.explain.base.SettlingExplainer`."""
        return self.explain_many(model, texts, class_indices=class_indices, seed=seed, leaning=leaning)

    def weighed_words(self, model: TextClassifier, text: str, leaning: Leaning) -> tuple[str, ...]:
        """The words of ``text`` that ``leaning`` may be asked about; none where all neighbours are scored anyway."""
        if self._rule(leaning) is None:
            return ()
        bag = self._bag(text, reader(model)(text))
        masking = isinstance(model, MaskScoring) and model.mask_scorer(bag.masked()) is not None
        return () if masking else bag.words

    def kept_as(self) -> dict[str, str | int | float | bool] | None:
        """See :class:`~pytest_trust.explain.stored.KeptExplainer`; None where code of a user's own is at work."""
        parts = (type(self), getattr(self, "tokenizer", word_spans))
        return self.settings() if all(map(_is_ours, parts)) else None

    @abstractmethod
    def settings(self) -> dict[str, str | int | float | bool]:
        """All that shapes an explanation, beside the model, the text and the seed."""

    def _seed(self, seed: int, bag: WordBag) -> int:
        """A text's own seed: texts of as many distinct words share their neighbourhood, which is drawn once."""
        return seed_for(seed, f"words={len(bag.words)}")

    def _job(self, bag: WordBag, class_index: int | None, seed: int, leaning: Leaning | None) -> Job:
        rule = None if leaning is None else self._rule(leaning)
        return Job(bag, self._neighbours(bag, seed), class_index, seed, rule)

    def _explained(self, model: TextClassifier, jobs: Iterable[Job]) -> Iterator[Explanation]:
        return (self._explanation(model, answer) for answer in scored(model, jobs))

    def _explanation(self, model: TextClassifier, answer: Scored) -> Explanation:
        calls = len(answer.column)
        if not answer.job.bag.words:
            return explanation(model, answer, self.name, calls=calls)
        found = explanation(
            model, answer, self.name, words=self._words(answer), samples=answer.job.neighbours.drawn(calls), calls=calls
        )
        return replace(found, undecided=True) if self._is_undecided(answer) else found

    @abstractmethod
    def _bag(self, text: str, read: Span | None) -> WordBag:
        """The words of ``text`` within ``read`` (all of it where None)."""

    @abstractmethod
    def _neighbours(self, bag: WordBag, seed: int) -> Neighbourhood:
        """What has to be scored for a text, the text itself first."""

    def _rule(self, leaning: Leaning) -> StoppingRule | None:
        """When to stop scoring neighbours for a verdict by ``leaning``; None: never."""
        return None

    def _is_undecided(self, answer: Scored) -> bool:
        """Whether the neighbours that were scored leave the verdict open."""
        return False

    @abstractmethod
    def _words(self, answer: Scored) -> tuple[WordScore, ...]:
        """The explanation's words by falling absolute score; the text has at least one."""


def _is_ours(thing: object) -> bool:
    """Whether a function or class is of this package, so that it changes with the package alone."""
    return str(getattr(thing, "__module__", "")).partition(".")[0] == "pytest_trust"


def reader(model: TextClassifier) -> Callable[[str], Span | None]:
    """What ``model`` reads of a text; None where it reads all of any."""
    return model.read_span if isinstance(model, ReadsInPart) else lambda text: None


def explanation(
    model: TextClassifier,
    answer: Scored,
    method: str,
    *,
    calls: int,
    words: tuple[WordScore, ...] = (),
    samples: int = 0,
) -> Explanation:
    """The explanation by ``method`` that ``answer`` led to."""
    bag = answer.job.bag
    return Explanation(
        text=bag.text,
        label=model.classes[answer.class_index],
        class_index=answer.class_index,
        probability=float(answer.column[0]),
        words=words,
        method=method,
        samples=samples,
        calls=calls,
        seed=answer.job.seed,
        note="" if bag.words else _NO_WORDS,
        unread=len(bag.text) - (bag.read.end - bag.read.start),
    )

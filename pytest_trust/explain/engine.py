"""What the explainers have in common that score neighbours of a text through :mod:`pytest_trust.explain.scoring`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import ClassVar

from pytest_trust.arguments import require_count
from pytest_trust.explain.explanation import Explanation, WordScore
from pytest_trust.explain.scoring import Job, Scored, scored
from pytest_trust.models.base import TextClassifier
from pytest_trust.stats.sampling import seed_for

_NO_WORDS = "no words to explain"
# What numpy's RandomState takes.
_MAX_SEED = 2**32 - 1


class EngineExplainer(ABC):
    """Makes jobs of texts, has them scored in waves, and makes explanations of the answers."""

    __slots__ = ()

    name: ClassVar[str]

    def explain(self, model: TextClassifier, text: str, *, class_index: int | None = None, seed: int) -> Explanation:
        """Explain one prediction; see :class:`pytest_trust.explain.base.Explainer`."""
        return next(self._explained(model, [self._checked_job(text, class_index, seed)]))

    def explain_many(
        self, model: TextClassifier, texts: Iterable[str], *, class_indices: Iterable[int] | None = None, seed: int
    ) -> Iterator[Explanation]:
        """Explain many predictions; see :class:`pytest_trust.explain.base.Explainer`."""
        wanted = zip(texts, repeat(None)) if class_indices is None else zip(texts, class_indices, strict=True)
        return self._explained(model, (self._checked_job(text, c, seed_for(seed, text)) for text, c in wanted))

    def _checked_job(self, text: str, class_index: int | None, seed: int) -> Job:
        return self._job(text, class_index, require_count("seed", seed, least=0, most=_MAX_SEED))

    def _explained(self, model: TextClassifier, jobs: Iterable[Job]) -> Iterator[Explanation]:
        return (self._explanation(model, answer) for answer in scored(model, jobs))

    def _explanation(self, model: TextClassifier, answer: Scored) -> Explanation:
        calls = len(answer.column)
        if not answer.job.bag.words:
            return explanation(model, answer, self.name, calls=calls, note=_NO_WORDS)
        words, samples = self._words(answer), self._samples(answer)
        return explanation(model, answer, self.name, words=words, samples=samples, calls=calls)

    @abstractmethod
    def _job(self, text: str, class_index: int | None, seed: int) -> Job:
        """What has to be scored for ``text``, the text itself first."""

    @abstractmethod
    def _words(self, answer: Scored) -> tuple[WordScore, ...]:
        """The explanation's words by falling absolute score; the text has at least one."""

    @abstractmethod
    def _samples(self, answer: Scored) -> int:
        """The number of neighbours that the scores rest on, repeated ones counted."""


def explanation(
    model: TextClassifier,
    answer: Scored,
    method: str,
    *,
    calls: int,
    words: tuple[WordScore, ...] = (),
    samples: int = 0,
    note: str = "",
) -> Explanation:
    """The explanation by ``method`` that ``answer`` led to."""
    return Explanation(
        text=answer.job.bag.text,
        label=model.classes[answer.class_index],
        class_index=answer.class_index,
        probability=float(answer.column[0]),
        words=words,
        method=method,
        samples=samples,
        calls=calls,
        seed=answer.job.seed,
        note=note,
    )

"""What explainers have in common that stand before another one, whose explanations theirs are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pytest_trust.explain.base import Explainer
from pytest_trust.explain.explanation import Explanation
from pytest_trust.explain.rounds import Resumable, ResumableExplainer, rounds_of
from pytest_trust.models.base import TextClassifier
from pytest_trust.text import Tokenizer, word_spans


class ExplainerAround(ABC):
    """Explains as ``explainer`` does, which makes single explanations itself."""

    def __init__(self, explainer: Explainer) -> None:
        self.explainer = explainer

    @property
    def name(self) -> str:
        """That of the explainer."""
        return self.explainer.name

    @property
    def tokenizer(self) -> Tokenizer:
        """That of the explainer."""
        tokenizer: Tokenizer = getattr(self.explainer, "tokenizer", word_spans)
        return tokenizer

    def settings(self) -> dict[str, str | int | float | bool]:
        """Those of the explainer."""
        return self.explainer.settings()

    def explain(self, model: TextClassifier, text: str, *, class_index: int | None = None, seed: int) -> Explanation:
        """Explain one prediction; see :class:`pytest_trust.explain.base.Explainer`."""
        return self.explainer.explain(model, text, class_index=class_index, seed=seed)

    @abstractmethod
    def explain_many(
        self, model: TextClassifier, texts: Iterable[str], *, class_indices: Iterable[int] | None = None, seed: int
    ) -> Iterator[Explanation]:
        """Explain many predictions; see :class:`pytest_trust.explain.base.Explainer`."""

    def rounds(
        self, model: TextClassifier, texts: Sequence[str], class_indices: Sequence[int], *, seed: int
    ) -> Iterator[Iterator[Explanation]]:
        """See :class:`pytest_trust.explain.base.RoundsExplainer`; one round where the explainer knows but one."""
        if len(self.round_sizes) == 1:
            return iter([self.explain_many(model, texts, class_indices=class_indices, seed=seed)])
        return rounds_of(self, model, texts, class_indices, seed)

    @property
    def round_sizes(self) -> Sequence[int | None]:
        """See :class:`pytest_trust.explain.rounds.ResumableExplainer`."""
        return self.explainer.round_sizes if isinstance(self.explainer, ResumableExplainer) else (None,)

    @abstractmethod
    def resumed(
        self,
        model: TextClassifier,
        texts: Sequence[str],
        class_indices: Sequence[int],
        known: Sequence[NDArray[np.float64]],
        *,
        seed: int,
        count: int | None,
    ) -> Iterator[Resumable]:
        """See :class:`pytest_trust.explain.rounds.ResumableExplainer`."""

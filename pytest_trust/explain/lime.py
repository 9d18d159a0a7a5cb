"""LIME for texts (Ribeiro, Singh and Guestrin 2016) over the package's neighbourhood engine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_between, require_choice, require_count
from pytest_trust.explain.engine import EngineExplainer, reader
from pytest_trust.explain.explanation import Explanation, WordScore
from pytest_trust.explain.masks import MaskBank, Neighbourhood
from pytest_trust.explain.rounds import Resumable, rounds_of
from pytest_trust.explain.scoring import Scored, StoppingRule, scored
from pytest_trust.explain.settling import LOOKS, FirstRows, Leaning, Settling, completed
from pytest_trust.explain.words import WordBag, word_bag
from pytest_trust.models.base import TextClassifier
from pytest_trust.models.fingerprints import qualified_name
from pytest_trust.text import Span, Tokenizer, word_spans

Sampling = Literal["fixed", "sequential", "capped"]

# Neighbours that the rounds of an index rest on; the last round has all.
_ROUNDS = (64, 128, 256, 512, 1024)


@dataclass(frozen=True, slots=True)
class LimeExplainer(EngineExplainer):
    """The weights of the lime package (0.2.0.1), with each distinct neighbour scored once.

    With the same seed, words and model, features and weights equal those of a fresh
    ``lime.lime_text.LimeTextExplainer(kernel_width, random_state=seed)`` to 1e-10. All occurrences of a word are
    removed together. Two deliberate differences: the class explained by default is the first of the most probable,
    and what rounding alone would decide (weights below 1e-12, equal gains) goes to the earlier word.

    Where only a verdict is asked for (``explain_many(..., leaning=...)``), ``sampling`` says how many of the draws are
    scored: "fixed" all of them; "sequential" as many as settle the verdict, at most all; "capped" the same, but no more
    than ``cap`` distinct ones, after which the explanation is undecided. The scores of an explanation that ended early
    are those of the model's answers completed by predictions (:mod:`pytest_trust.explain.settling`). Texts whose
    neighbours are scored from their masks, and those of more words than samples, always take all.

    Args:
        samples: neighbours drawn for a text, the text itself among them.
        features: the most words that an explanation has.
        kernel_width: width of the kernel, in hundredths of cosine distance.
        tokenizer: gives the words of a text.
        sampling: "fixed", "sequential" or "capped".
        cap: the most distinct neighbours that "capped" has scored.

    Raises:
        ConfigurationError: a setting is out of its range.
    """

    name: ClassVar[str] = "lime"

    samples: int = 5000
    features: int = 10
    kernel_width: float = 25.0
    tokenizer: Tokenizer = word_spans
    sampling: Sampling = "fixed"
    cap: int = 1024
    _bank: MaskBank = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", require_count("samples", self.samples, least=2))
        object.__setattr__(self, "features", require_count("features", self.features))
        object.__setattr__(self, "kernel_width", require_between("kernel_width", self.kernel_width, 0.0, math.inf))
        require_choice("sampling", self.sampling, get_args(Sampling))
        object.__setattr__(self, "cap", require_count("cap", self.cap, least=LOOKS[0]))
        object.__setattr__(self, "_bank", MaskBank(self.samples, self.kernel_width))

    def settings(self) -> dict[str, str | int | float | bool]:
        """All that shapes an explanation, beside the model, the text and the seed.

        What "sequential" and "capped" sampling end with depends on the oracle and the cap too; the rounds of an index
        depend on neither.
        """
        return {
            "explainer": self.name,
            "samples": self.samples,
            "features": self.features,
            "kernel_width": self.kernel_width,
            "tokenizer": qualified_name(self.tokenizer),
            "sampling": "fixed" if self.sampling == "fixed" else "until settled",
        }

    def kept_as(self) -> dict[str, str | int | float | bool] | None:
        """See :class:`~pytest_trust.explain.stored.KeptExplainer`."""
        own = EngineExplainer.kept_as(self)  # slots leave super() without its class
        return None if own is None else {**own, "sampling": self.sampling, "cap": self.cap}

    def rounds(
        self, model: TextClassifier, texts: Sequence[str], class_indices: Sequence[int], *, seed: int
    ) -> Iterator[Iterator[Explanation]]:
        """The explanations of ``texts`` again and again, each round resting on more of the same draws.

        A round has to be taken whole before the next, which asks the model for the further draws alone. The last is
        :meth:`explain_many`; with "fixed" sampling it is the only one.
        """
        return rounds_of(self, model, texts, class_indices, seed)

    @property
    def round_sizes(self) -> tuple[int | None, ...]:
        """See :class:`pytest_trust.explain.rounds.ResumableExplainer`."""
        return (None,) if self.sampling == "fixed" else (*_ROUNDS, None)

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
        read, rule = reader(model), None if count is None else FirstRows(count)
        bags = ((self._bag(text, read(text)), column) for text, column in zip(texts, class_indices, strict=True))
        jobs = (self._job(bag, column, self._seed(seed, bag), None) for bag, column in bags)
        resumed = (replace(job, rule=rule, known=before) for job, before in zip(jobs, known, strict=True))
        for answer in scored(model, resumed):
            yield Resumable(self._explanation(model, answer), answer.column, answer.is_whole)

    def _bag(self, text: str, read: Span | None) -> WordBag:
        return word_bag(text, self.tokenizer, read=read)

    def _neighbours(self, bag: WordBag, seed: int) -> Neighbourhood:
        return self._bank.get(len(bag.words), seed)

    def _rule(self, leaning: Leaning) -> StoppingRule | None:
        if self.sampling == "fixed":
            return None
        return Settling(leaning, self.features, self.cap if self.sampling == "capped" else None)

    def _is_undecided(self, answer: Scored) -> bool:
        rule = answer.job.rule
        if not isinstance(rule, Settling) or rule.cap is None or len(answer.column) < rule.cap:
            return False
        return not rule.is_settled(answer.job, answer.class_index, answer.column)

    def _words(self, answer: Scored) -> tuple[WordScore, ...]:
        weights = answer.job.neighbours.fit.explained(completed(answer.job, answer.column), self.features)
        return tuple(answer.job.bag.score(word, weight) for word, weight in weights)

"""LIME for texts (Ribeiro, Singh and Guestrin 2016) over the package's neighbourhood engine."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from pytest_trust.arguments import require_between, require_count
from pytest_trust.explain.engine import EngineExplainer
from pytest_trust.explain.explanation import WordScore
from pytest_trust.explain.masks import MaskBank
from pytest_trust.explain.scoring import Job, Scored
from pytest_trust.explain.surrogate import local_weights
from pytest_trust.explain.words import word_bag
from pytest_trust.models.fingerprints import qualified_name
from pytest_trust.text import Tokenizer, word_spans


@dataclass(frozen=True, slots=True)
class LimeExplainer(EngineExplainer):
    """The weights of the lime package (0.2.0.1), with each distinct neighbour scored once.

    With the same seed, words and model, features and weights equal those of a fresh
    ``lime.lime_text.LimeTextExplainer(kernel_width, random_state=seed)`` to 1e-9. All occurrences of a word are
    removed together. Two deliberate differences: the class explained by default is the first of the most probable,
    and what rounding alone would decide (weights below 1e-12, equal gains) goes to the earlier word.

    Args:
        samples: neighbours drawn for a text, the text itself among them.
        features: the most words that an explanation has.
        kernel_width: width of the kernel, in hundredths of cosine distance.
        tokenizer: gives the words of a text.

    Raises:
        ConfigurationError: a setting is out of its range.
    """

    name: ClassVar[str] = "lime"

    samples: int = 5000
    features: int = 10
    kernel_width: float = 25.0
    tokenizer: Tokenizer = word_spans
    _bank: MaskBank = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "samples", require_count("samples", self.samples, least=2))
        object.__setattr__(self, "features", require_count("features", self.features))
        object.__setattr__(self, "kernel_width", require_between("kernel_width", self.kernel_width, 0.0, math.inf))
        object.__setattr__(self, "_bank", MaskBank(self.samples, self.kernel_width))

    def settings(self) -> dict[str, str | int | float | bool]:
        """All that shapes an explanation, beside the model, the text and the seed."""
        return {
            "explainer": self.name,
            "samples": self.samples,
            "features": self.features,
            "kernel_width": self.kernel_width,
            "tokenizer": qualified_name(self.tokenizer),
        }

    def _job(self, text: str, class_index: int | None, seed: int) -> Job:
        bag = word_bag(text, self.tokenizer)
        return Job(bag, self._bank.get(len(bag.words), seed), class_index, seed)

    def _words(self, answer: Scored) -> tuple[WordScore, ...]:
        near = answer.job.neighbours
        weights = local_weights(near.masks, near.weights, answer.column, self.features)
        return tuple(answer.job.bag.score(word, weight) for word, weight in weights)

    def _samples(self, answer: Scored) -> int:
        return self.samples

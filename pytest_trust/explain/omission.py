"""Word omission: what a prediction loses when a word is left out (Robnik-Sikonja and Kononenko 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pytest_trust.arguments import require_count
from pytest_trust.explain.engine import EngineExplainer
from pytest_trust.explain.explanation import WordScore
from pytest_trust.explain.masks import Neighbourhood, leave_one_out
from pytest_trust.explain.scoring import Scored
from pytest_trust.explain.surrogate import by_size
from pytest_trust.explain.words import WordBag, word_bag
from pytest_trust.models.fingerprints import qualified_name
from pytest_trust.text import Span, Tokenizer, word_spans


@dataclass(frozen=True, slots=True)
class OmissionExplainer(EngineExplainer):
    """Scores a word by ``p(class | text) - p(class | text without the word)``.

    Nothing is drawn: the seed is recorded and has no effect.

    Args:
        features: the most words that an explanation has.
        positions: score every occurrence of a word by itself, instead of all of them together.
        tokenizer: gives the words of a text.

    Raises:
        ConfigurationError: a setting is out of its range.
    """

    name: ClassVar[str] = "omission"

    features: int = 10
    positions: bool = False
    tokenizer: Tokenizer = word_spans

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", require_count("features", self.features))

    def settings(self) -> dict[str, str | int | float | bool]:
        """All that shapes an explanation, beside the model and the text."""
        return {
            "explainer": self.name,
            "features": self.features,
            "positions": self.positions,
            "tokenizer": qualified_name(self.tokenizer),
        }

    def _bag(self, text: str, read: Span | None) -> WordBag:
        return word_bag(text, self.tokenizer, positions=self.positions, read=read)

    def _neighbours(self, bag: WordBag, seed: int) -> Neighbourhood:
        return leave_one_out(len(bag.words))

    def _words(self, answer: Scored) -> tuple[WordScore, ...]:
        losses = answer.column[0] - answer.column[1:]
        return tuple(answer.job.bag.score(word, losses[word]) for word in by_size(losses)[: self.features])

"""An attack: what it is made of, and its runs over texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pytest_trust.arguments import require_count
from pytest_trust.attacks.base import AttackResult, AttackSettings, Described, SentenceEncoder, Substitution, Tagger
from pytest_trust.attacks.lockstep import Running, Stopwatch, in_lockstep
from pytest_trust.attacks.parts import require_part
from pytest_trust.attacks.search import Search
from pytest_trust.attacks.words import function_words
from pytest_trust.models.base import TextClassifier

_PARTS = {"model": TextClassifier, "substitution": Substitution, "tagger": Tagger, "encoder": SentenceEncoder}


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

    Raises:
        ConfigurationError: a part is none of its kind.
    """

    model: TextClassifier
    substitution: Substitution
    tagger: Tagger
    encoder: SentenceEncoder
    settings: AttackSettings = field(default_factory=AttackSettings)
    fixed: frozenset[str] = field(default_factory=function_words)

    def __post_init__(self) -> None:
        for name, kind in _PARTS.items():
            require_part(name, getattr(self, name), kind)

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
        described = self.substitution.describe() if isinstance(self.substitution, Described) else {}
        return names | dict(described) | settings

    def _running(self, text: str, label: int) -> Running[AttackResult]:
        label = require_count("label", label, 0, len(self.model.classes) - 1)
        watch = Stopwatch()
        return Running(Search(self, text, label, watch).steps(), watch)

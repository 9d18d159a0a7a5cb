"""Attacks by the names that users give them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_trust.arguments import require_between
from pytest_trust.attacks.attack import Attack
from pytest_trust.attacks.base import AttackResult, AttackSettings, SentenceEncoder
from pytest_trust.attacks.encoding import make_encoder
from pytest_trust.attacks.synonyms import SynonymSubstitution
from pytest_trust.attacks.tagging import make_tagger
from pytest_trust.attacks.textattack.recipes import recipe_named
from pytest_trust.attacks.toki import TokiSubstitution
from pytest_trust.embeddings import load_ensemble
from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.specs import parse_spec
from pytest_trust.errors import ConfigurationError, MissingExtraError
from pytest_trust.models.base import TextClassifier

if TYPE_CHECKING:
    from pytest_trust.attacks.textattack import TextAttackRunner
    from pytest_trust.keywords import KeywordIndex

NATIVE = ("toki", "a2t")
_PREFIX = "textattack:"


def parse_attack(name: str) -> str:
    """The attack that ``name`` means: "toki", "a2t", or "textattack:RECIPE" with any of TextAttack's recipes.

    A recipe may be named without the prefix, where it is none of the native attacks.

    Raises:
        ConfigurationError: there is no such attack.
    """
    if name.lower() in NATIVE:
        return name.lower()
    try:
        recipe = recipe_named(name.removeprefix(_PREFIX))
    except ConfigurationError as error:
        raise ConfigurationError(f"attack={name!r}: it is none of {', '.join(NATIVE)}, and {error}") from None
    return _PREFIX + (recipe.short or recipe.name)


def make_attack(
    name: str,
    model: TextClassifier,
    *,
    index: KeywordIndex | None = None,
    members: Sequence[Embedding] = (),
    synonyms: Embedding | SynonymSubstitution | None = None,
    settings: AttackSettings | None = None,
    seed: int = 0,
    runner: TextAttackRunner | None = None,
) -> Attack | RecipeAttack:
    """The attack ``name`` on ``model``.

    Args:
        name: as :func:`parse_attack` takes it.
        model: the model under attack.
        index: its keyword index, for "toki".
        members: the embeddings of the index, for "toki".
        synonyms: a table of word vectors, for "a2t", or what :func:`load_synonyms` makes of one.
        settings: what an attack may do; A2T's by default. Of these, recipes of TextAttack heed the budgets alone.
        seed: of recipes that draw.
        runner: the process for recipes; one of its own by default.

    Raises:
        ConfigurationError: there is no such attack, or what it needs is not given.
        MissingExtraError: a package that it needs is not installed.
    """
    name, settings = parse_attack(name), settings or AttackSettings()
    if name.startswith(_PREFIX):
        return RecipeAttack(model, name.removeprefix(_PREFIX), settings, seed, _encoder_if_installed(), runner)
    if name == "toki":
        if index is None:
            raise ConfigurationError("attack='toki' is guided by a keyword index, and none is given")
        return Attack(model, TokiSubstitution(index, members), make_tagger(), make_encoder(), settings)
    if synonyms is None:
        raise ConfigurationError(
            "attack='a2t' replaces words by their neighbours in a table of word vectors, counter-fitted ones at best, "
            "and none is given"
        )
    substitution = synonyms if isinstance(synonyms, SynonymSubstitution) else SynonymSubstitution(synonyms)
    return Attack(model, substitution, make_tagger(), make_encoder(), settings)


def load_synonyms(name: str, *, rootpath: Path | None = None, allow_pickle: bool = True) -> SynonymSubstitution:
    """The replacements of "a2t" from the table of word vectors called ``name``.

    ``name`` is one that :func:`~pytest_trust.embeddings.load_ensemble` takes; a number behind ``@`` is the least cosine
    of a replacement to the word.

    Raises: as ``load_ensemble``, and ConfigurationError where the embedding is no table or the cosine is 1.
    """
    least = parse_spec(name, rootpath).threshold
    if least is not None:
        require_between(f"the least cosine of the synonyms {name}", least, -1.0, 1.0, low_included=True)
    (embedding,) = load_ensemble([name], rootpath=rootpath, allow_pickle=allow_pickle)
    return SynonymSubstitution(embedding) if least is None else SynonymSubstitution(embedding, min_similarity=least)


def _encoder_if_installed() -> SentenceEncoder | None:
    """An encoder, which recipes need for the similarity of results alone."""
    try:
        return make_encoder()
    except MissingExtraError:
        return None


@dataclass(frozen=True, slots=True)
class RecipeAttack:
    """A recipe of TextAttack, run in a process of its own; see :mod:`pytest_trust.attacks.textattack`.

    Without ``encoder`` results have no similarity; without ``runner`` a process lives as long as a run.
    """

    model: TextClassifier
    recipe: str
    settings: AttackSettings
    seed: int
    encoder: SentenceEncoder | None = None
    runner: TextAttackRunner | None = None

    @property
    def name(self) -> str:
        """``textattack:RECIPE``."""
        return _PREFIX + self.recipe

    def run(self, texts: Iterable[str], labels: Iterable[int]) -> Iterator[AttackResult]:
        """The attack on each text, in order; ``labels`` are columns of the model's classes.

        Raises: as :func:`~pytest_trust.attacks.textattack.attack_with_recipe`.
        """
        from pytest_trust.attacks.textattack import attack_with_recipe

        names = [self.model.classes[label] for label in labels]
        attack = attack_with_recipe if self.runner is None else self.runner.attack
        yield from attack(
            self.model,
            list(texts),
            names,
            self.recipe,
            max_queries=self.settings.max_queries,
            seconds=self.settings.max_seconds,
            seed=self.seed,
            encoder=self.encoder,
        )

    def describe(self) -> Mapping[str, float | int | str | None]:
        """What shapes the results beside the model, as plain values."""
        return {
            "recipe": self.recipe,
            "encoder": None if self.encoder is None else self.encoder.name,
            "max_queries": self.settings.max_queries,
            "max_seconds": self.settings.max_seconds,
        }

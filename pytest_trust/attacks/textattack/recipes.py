"""The recipes of TextAttack 0.3.11: their names, what each needs beside the package, and which cannot attack here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pytest_trust.errors import ConfigurationError


class Source(StrEnum):
    """Where a part of a recipe comes from."""

    NLTK = "nltk"
    """A resource of NLTK, by its path."""
    CACHE = "cache"
    """A file or folder in TextAttack's own cache."""
    HUB = "hub"
    """A model on the Hugging Face hub."""
    FLAIR = "flair"
    """A tagger of flair, which keeps what it takes from the hub in a cache of its own."""
    TENSORFLOW_HUB = "tensorflow hub"
    """A model by its address there."""
    PACKAGE = "package"
    """A Python package that TextAttack does not install."""
    HOWNET = "hownet"
    """The resources of OpenHowNet."""
    INSTALLED = "installed"
    """A file of TextAttack itself, which its wheel lacks."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that a recipe needs beside the package: ``name`` finds it, ``says`` tells people what it is."""

    source: Source
    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe by the name of its class, and the short name that TextAttack's command line gives it ("" for none).

    English stop words are no part: they come with this package. ``refusal`` says why it cannot attack a classifier from
    another process ("" where it can).
    """

    name: str
    short: str = ""
    parts: tuple[Part, ...] = ()
    refusal: str = ""


_STOP_WORDS = Part(Source.NLTK, "corpora/stopwords", "NLTK's stop words of other languages than English")
_TAGGER = (
    Part(Source.NLTK, "taggers/averaged_perceptron_tagger_eng", "NLTK's part-of-speech tagger"),
    Part(Source.NLTK, "taggers/universal_tagset", "NLTK's universal tag set"),
)
_WORDNET = Part(Source.NLTK, "corpora/wordnet", "WordNet")
_WORDNETS = Part(Source.NLTK, "corpora/omw-1.4", "the Open Multilingual WordNet")
_VECTORS = Part(Source.CACHE, "word_embeddings/paragramcf", "counter-fitted GloVe vectors")
_ENCODER = (
    Part(Source.PACKAGE, "tensorflow_hub", "the package tensorflow_hub"),
    Part(
        Source.TENSORFLOW_HUB,
        "https://tfhub.dev/google/universal-sentence-encoder/3",
        "the Universal Sentence Encoder, version 3",
    ),
)
_HOMOGLYPHS = Part(
    Source.INSTALLED,
    "shared/intentional_homoglyphs.txt",
    "the list of intentional homoglyphs of Unicode's security data",
)
_BERT = Part(Source.HUB, "bert-base-uncased", "the masked language model bert-base-uncased")

_OF_TEXTS = "it attacks models that write texts, and this is a classifier"
_OWN_MODEL = "it follows the gradients of the model, and that stays in this process"

RECIPES = (
    Recipe("A2TYoo2021", "a2t", refusal=f"{_OWN_MODEL}; this package has an attack 'a2t' of its own"),
    Recipe("BAEGarg2019", "bae", (*_TAGGER, _BERT, *_ENCODER)),
    Recipe("BERTAttackLi2020", "bert-attack", (_BERT, *_ENCODER)),
    Recipe("BadCharacters2021", "bad-characters", (_HOMOGLYPHS,)),
    Recipe(
        "CLARE2020",
        "clare",
        (Part(Source.HUB, "distilroberta-base", "the language model distilroberta-base"), *_ENCODER),
    ),
    Recipe(
        "CheckList2020",
        "checklist",
        (Part(Source.FLAIR, "flair/ner-english", "flair's tagger of English names"),),
    ),
    Recipe(
        "ChineseRecipe",
        parts=(
            Part(Source.HOWNET, "resources", "the resources of OpenHowNet"),
            Part(Source.HUB, "xlm-roberta-base", "the masked language model xlm-roberta-base"),
        ),
    ),
    Recipe("DeepWordBugGao2018", "deepwordbug"),
    Recipe(
        "FasterGeneticAlgorithmJia2019",
        "faster-alzantot",
        (
            _VECTORS,
            Part(
                Source.CACHE,
                "constraints/grammaticality/language-models/learning-to-write",
                "the language model learning-to-write",
            ),
        ),
    ),
    Recipe(
        "FrenchRecipe",
        parts=(
            _STOP_WORDS,
            _WORDNET,
            _WORDNETS,
            Part(Source.FLAIR, "flair/ner-french", "flair's tagger of French names"),
        ),
    ),
    Recipe(
        "GeneticAlgorithmAlzantot2018",
        "alzantot",
        (
            _VECTORS,
            Part(Source.PACKAGE, "tensorflow", "the package tensorflow"),
            Part(
                Source.CACHE,
                "constraints/semantics/language-models/alzantot-goog-lm",
                "the language model alzantot-goog-lm",
            ),
        ),
    ),
    Recipe("HotFlipEbrahimi2017", "hotflip", refusal=_OWN_MODEL),
    Recipe("IGAWang2019", "iga", (_VECTORS,)),
    Recipe(
        "InputReductionFeng2018",
        "input-reduction",
        refusal="it looks for no flip: it shortens the text while the prediction stays",
    ),
    Recipe(
        "Kuleshov2017",
        "kuleshov",
        (_VECTORS, Part(Source.HUB, "gpt2", "the language model gpt2")),
    ),
    Recipe("LEAP2023", "leap", (_WORDNET,)),
    Recipe("MorpheusTan2020", "morpheus", refusal=_OF_TEXTS),
    Recipe(
        "PSOZang2020",
        "pso",
        (
            Part(Source.CACHE, "transformations/hownet/word_candidates_sense.pkl", "HowNet's synonyms"),
            Part(Source.FLAIR, "flair/upos-english-fast", "flair's part-of-speech tagger"),
        ),
    ),
    Recipe("PWWSRen2019", "pwws", (_WORDNET,)),
    Recipe("Pruthi2019", "pruthi"),
    Recipe("Seq2SickCheng2018BlackBox", "seq2sick", refusal=_OF_TEXTS),
    Recipe(
        "SpanishRecipe",
        parts=(
            _STOP_WORDS,
            _WORDNET,
            _WORDNETS,
            Part(Source.FLAIR, "flair/ner-multi-fast", "flair's tagger of names in four languages"),
        ),
    ),
    Recipe("TextBuggerLi2018", "textbugger", (_HOMOGLYPHS, _VECTORS, *_ENCODER)),
    Recipe("TextFoolerJin2019", "textfooler", (_VECTORS, *_TAGGER, *_ENCODER)),
)


def is_recipe(name: str) -> bool:
    """Whether TextAttack has a recipe of this name, in any case of letters."""
    return name.lower() in _by_name()


def recipe_named(name: str) -> Recipe:
    """The recipe whose class or short name is ``name``, in any case of letters.

    Raises:
        ConfigurationError: there is none, or it cannot attack a classifier from another process.
    """
    recipe = _by_name().get(name.lower())
    if recipe is None:
        raise ConfigurationError(f"TextAttack has no recipe {name!r}; it has {', '.join(usable_names())}")
    if recipe.refusal:
        raise ConfigurationError(f"TextAttack's recipe {name!r} cannot be used here: {recipe.refusal}")
    return recipe


def usable_names() -> list[str]:
    """The names of the recipes that can attack a classifier, short where there is one."""
    return [recipe.short or recipe.name for recipe in RECIPES if not recipe.refusal]


def _by_name() -> dict[str, Recipe]:
    return {name.lower(): recipe for recipe in RECIPES for name in _names(recipe)}


def _names(recipe: Recipe) -> Iterator[str]:
    yield recipe.name
    if recipe.short:
        yield recipe.short

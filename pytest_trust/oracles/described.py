"""The words that describe each class: its names, a user's description, and pool words near to them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.errors import ConfigurationError, TrustWarning
from pytest_trust.keywords import KeywordIndex
from pytest_trust.keywords.descriptions import ClassDescription
from pytest_trust.keywords.index import ClassKeywords
from pytest_trust.oracles.concepts import Concepts

# A class needs so many describing words beside its name.
LEAST_WORDS = 5
# Of so many leading pool words, as many as this join a description, each a standard deviation above common words.
_LEADING = 400
_JOINING = 20
_NEAR = 1.0
_NEGATIONS = ("non", "not", "no", "un")


def describe_classes(
    names: Sequence[Sequence[str]],
    descriptions: Sequence[ClassDescription],
    index: KeywordIndex | None,
    members: Sequence[Embedding],
    common: Sequence[WordVectors],
) -> Concepts:
    """The concepts of k classes in the order of the model's columns.

    A class that fewer than five words describe beside its names is described further by those words of its pool in
    ``index`` that lie nearest to it. A name that says what the class is not ("non-toxic" beside "toxic") is left out:
    opposites lie close in every embedding.

    Raises:
        ConfigurationError: fewer than five words describe a class beside its names and there is no index; or it has a
            negative name alone.

    Warns:
        TrustWarning: fewer than five words describe a class beside its names.
    """
    words = [_own_words(column, names, descriptions[column]) for column in range(len(names))]
    if index is None:
        _require_words(words, names)
        return Concepts(words, members, common)
    concepts = Concepts(words, members, common)
    extended = [
        (*own, *_joining(concepts, column, item)) if _n_beside(own, names[column]) < LEAST_WORDS else own
        for column, (own, item) in enumerate(zip(words, index.classes, strict=True))
    ]
    _warn_of_few(extended, names)
    return Concepts([tuple(dict.fromkeys(group)) for group in extended], members, common)


def negated(name: str, others: Sequence[str]) -> str | None:
    """The one of ``others`` whose opposite ``name`` says it is, such as "toxic" of "non-toxic"; else None."""
    for negation in _NEGATIONS:
        for joiner in ("-", " ", ""):
            rest = name.removeprefix(negation + joiner)
            if rest != name and rest in others:
                return rest
    return None


def _own_words(column: int, names: Sequence[Sequence[str]], description: ClassDescription) -> tuple[str, ...]:
    others = [name for place, group in enumerate(names) if place != column for name in group]
    positive = [name for name in names[column] if negated(name, others) is None]
    words = tuple(dict.fromkeys((*positive, *description.words)))
    if not words:
        raise ConfigurationError(
            f"class {names[column][0]!r} is named as the opposite of another: describe it by what it is, such as "
            "normal, polite, friendly for non-toxic, in the file of --trust-descriptions"
        )
    return words


def _n_beside(words: Sequence[str], names: Sequence[str]) -> int:
    """How many words describe a class beside its names."""
    return len(set(words) - set(names))


def _require_words(words: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> None:
    for found in _too_few(words, names):
        raise ConfigurationError(
            f"{found}, expected at least {LEAST_WORDS}: describe it in the file of --trust-descriptions, or give "
            "--trust-train, in whose texts such words are found"
        )


def _warn_of_few(words: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> None:
    for found in _too_few(words, names):
        message = f"{found}, and its texts hold no more near to them; describe it in the file of --trust-descriptions"
        warnings.warn(message, TrustWarning, stacklevel=2)


def _too_few(words: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> Iterator[str]:
    """What is found of each class that fewer than five words describe beside its names."""
    for own, of_class in zip(words, names, strict=True):
        count = _n_beside(own, of_class)
        if count < LEAST_WORDS:
            yield f"class {of_class[0]!r} is described by {count} words beside its name ({', '.join(own)})"


def _joining(concepts: Concepts, column: int, item: ClassKeywords) -> list[str]:
    """The leading words of a class's pool that lie nearest to its description, nearest first."""
    weighty = sorted(item.pool, key=lambda word: (-word.mean_score * word.count, word.word))[:_LEADING]
    leading = [word.word for word in weighty if len(word.word) > 2]
    if not leading:
        return []
    z = concepts.contrast(leading)[:, column]
    near = sorted((-value, word) for value, word in zip(z.tolist(), leading, strict=True) if value > _NEAR)
    return [word for _, word in near[:_JOINING]]

"""The keyword index: per class a word pool and the keywords among it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.keywords.pool import PoolWord

FORMAT_VERSION = 1

# Settings by the words that a user knows them by.
_KNOWN_AS = {"members": "embeddings", "class_names": "names of the classes", "max_distance": "theta_dist"}

# Words shown per list when an index is printed.
_SHOWN = 30


@dataclass(frozen=True, slots=True)
class MemberSettings:
    """A member of the ensemble as it was when the index was built."""

    name: str
    fingerprint: str
    threshold: float


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Everything besides model and data that shapes an index.

    ``explainer`` holds the explainer's settings, ``class_names`` the names of each class as words; ``max_distance``
    is theta_dist.
    """

    explainer: dict[str, str | int | float | bool]
    seed: int
    members: tuple[MemberSettings, ...]
    class_names: tuple[tuple[str, ...], ...]
    max_distance: float = 0.3


@dataclass(frozen=True, slots=True)
class IndexOrigin:
    """What an index was built from; two equal origins give the same index.

    ``model`` is the model's fingerprint, ``data`` a digest of the training data and of the model's answers to some.
    """

    model: str
    data: str
    settings: IndexSettings
    model_source: str = field(compare=False)
    data_name: str = field(compare=False)

    def difference(self, other: IndexOrigin) -> str:
        """What differs between this origin and ``other``, by name."""
        mine, theirs = asdict(self.settings), asdict(other.settings)
        names = [name for name in mine if mine[name] != theirs[name]]
        shown = [_KNOWN_AS.get(name, name) for name in names]
        return ", ".join((["model"] if self.model != other.model else []) + shown)

    def key(self) -> str:
        """Hex digest of what shapes the index: model, data, settings and the format."""
        parts = [FORMAT_VERSION, self.model, self.data, asdict(self.settings)]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ClassKeywords:
    """A class: its names as words, its pool by falling mean score, and which pool words are keywords."""

    label: str
    names: tuple[str, ...]
    pool: tuple[PoolWord, ...]
    keywords: frozenset[str]

    def lists(self) -> tuple[list[str], list[str]]:
        """Keywords and non-keywords, each by falling mean score."""
        chosen = [item.word for item in self.pool if item.word in self.keywords]
        rest = [item.word for item in self.pool if item.word not in self.keywords]
        return chosen, rest


@dataclass(frozen=True)
class KeywordIndex:
    """Word pools and keywords of every class of a model, with the vectors of all pool words.

    ``vectors`` holds, by member, the vectors of :attr:`vocabulary`. ``explained`` counts the training texts that were
    predicted correctly and explained.
    """

    origin: IndexOrigin
    classes: tuple[ClassKeywords, ...]
    vectors: Mapping[str, WordVectors]
    explained: int

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """All pool words in order."""
        return vocabulary_of(self.classes)

    def pool_vectors(self, keywords: ClassKeywords, member: str) -> WordVectors:
        """The vectors of one class's pool, in its order, by the embedding called ``member``."""
        rows = [self._places[item.word] for item in keywords.pool]
        vectors = self.vectors[member]
        return WordVectors(vectors.matrix[rows], vectors.known[rows])

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.vocabulary)}

    def describe(self) -> str:
        """Readable keyword lists, a paragraph a class."""
        head = (
            f"keyword index of {self.origin.model_source} over {self.origin.data_name} "
            f"({self.explained} explained predictions)"
        )
        return "\n".join([head, *(_describe_class(item) for item in self.classes)])

    __str__ = describe

    def to_dict(self) -> dict[str, Any]:
        """Figures of the index as plain values, for reports."""
        return {
            "key": self.origin.key(),
            "explained": self.explained,
            "embeddings": [member.name for member in self.origin.settings.members],
            "classes": {item.label: {"pool": len(item.pool), "keywords": len(item.keywords)} for item in self.classes},
        }


def member_settings(members: Iterable[Embedding]) -> tuple[MemberSettings, ...]:
    """The members as an index records them."""
    return tuple(MemberSettings(member.name, member.fingerprint, member.threshold) for member in members)


def vocabulary_of(classes: Iterable[ClassKeywords]) -> tuple[str, ...]:
    """The words of all pools, sorted, each once."""
    return tuple(sorted({item.word for keywords in classes for item in keywords.pool}))


def _describe_class(item: ClassKeywords) -> str:
    keywords, rest = item.lists()
    return (
        f"class {item.label} (names: {', '.join(item.names)}): {len(item.pool)} pool words\n"
        f"  {len(keywords)} keywords: {_shorten(keywords)}\n"
        f"  {len(rest)} others: {_shorten(rest)}"
    )


def _shorten(words: list[str]) -> str:
    more = f", ... and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return (", ".join(words[:_SHOWN]) or "none") + more

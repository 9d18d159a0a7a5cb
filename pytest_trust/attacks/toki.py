"""Replacements guided by a keyword index (TOKI, Tung et al., FSE 2025, Sec. 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pytest_trust.arguments import require_between, require_choice, require_count
from pytest_trust.attacks.neighbours import WordRows, highest
from pytest_trust.attacks.words import is_replacement
from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.errors import ConfigurationError
from pytest_trust.keywords import ClassKeywords, ClassRelatedness, KeywordIndex
from pytest_trust.keywords.index import member_settings
from pytest_trust.keywords.pool import word_form


@dataclass(frozen=True, slots=True)
class TokiSettings:
    """What the paper leaves open; the defaults were chosen on training texts (``benchmarks/attack_settings.py``).

    Args:
        neighbours: so many of the most similar pool words are offered; of these an attack tries the most promising.
        min_similarity: their least similarity to the word. The sentence encoder refuses what is too far from the text.
        member: the embedding that measures similarity, by name; None for the mean cosine over all members of the
            ensemble that know the word.

    Raises:
        ConfigurationError: a setting is out of its range.
    """

    neighbours: int = 200
    min_similarity: float = 0.1
    member: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "neighbours", require_count("neighbours", self.neighbours))
        least = require_between("min_similarity", self.min_similarity, -1.0, 1.0, low_included=True)
        object.__setattr__(self, "min_similarity", least)


class TokiSubstitution:
    """Offers words of the pools by what the index says of a word and the predicted class.

    A word that is related to the class is replaced by similar keywords of that class, those with a low mean score
    first: they say the same, and the model hardly heeds them. Any other word is replaced by similar words of the other
    classes' pools that are no keywords there, those with a high mean score first: the model heeds them and should not.
    Of these, no keywords of the class itself are offered. Answers are remembered by word and class.

    Args:
        index: the keyword index of the model under attack.
        members: the embeddings that ``index`` was built with, in the same order.
        settings: what the paper leaves open.

    Raises:
        ConfigurationError: the members are not those of the index, or the settings name none of them.
    """

    name: ClassVar[str] = "toki"

    def __init__(
        self, index: KeywordIndex, members: Sequence[Embedding], settings: TokiSettings = TokiSettings()
    ) -> None:
        if member_settings(members) != index.origin.settings.members:
            raise ConfigurationError(
                f"the index was built with the embeddings {[member.name for member in index.origin.settings.members]}, "
                f"but {[member.name for member in members]} (or other versions of them) are given"
            )
        if settings.member is not None:
            require_choice("member", settings.member, [member.name for member in members])
        known = [_FromIndex(index, member) for member in members]
        self._members = [member for member in known if settings.member in (None, member.name)]
        self._settings = settings
        self._classes = [_ClassPools(index, item, known) for item in index.classes]
        self._remembered: dict[tuple[str, int], tuple[str, ...]] = {}

    def candidates(self, word: str, label: int) -> Sequence[str]:
        """See :class:`~pytest_trust.attacks.Substitution`."""
        key = word_form(word), label
        if key not in self._remembered:
            self._remembered[key] = self._find(*key)
        return self._remembered[key]

    def _find(self, word: str, label: int) -> tuple[str, ...]:
        of_class = self._classes[label]
        pool = of_class.keywords if of_class.is_related(word) else of_class.others
        found = [(member, member.vectors([word])) for member in self._members]
        measuring = [(member, vectors.matrix[0]) for member, vectors in found if vectors.known[0]]
        return self._similar(word, pool, measuring) if measuring and pool.words else ()

    def _similar(
        self, word: str, pool: _Pool, measuring: Sequence[tuple[Embedding, NDArray[np.float32]]]
    ) -> tuple[str, ...]:
        """The words of ``pool`` that are most similar by the mean over members, in the order of the pool."""
        similarity = np.mean([pool.rows(member.name).cosines(vector) for member, vector in measuring], axis=0)
        # One more, as the word may be in the pool.
        near = highest(similarity, self._settings.neighbours + 1, self._settings.min_similarity)
        others = [place for place in near if pool.words[place] != word][: self._settings.neighbours]
        # Equals stay the nearest first.
        return tuple(pool.words[place] for place in sorted(others, key=lambda place: pool.ranks[place]))


class _FromIndex:
    """A member whose vectors of pool words are those in the index: an encoder takes milliseconds for each."""

    def __init__(self, index: KeywordIndex, member: Embedding) -> None:
        self.name, self.threshold, self.fingerprint = member.name, member.threshold, member.fingerprint
        self._member, self._known = member, index.vectors[member.name]
        self._places = {word: place for place, word in enumerate(index.vocabulary)}

    def vectors(self, words: Sequence[str]) -> WordVectors:
        """See :class:`~pytest_trust.embeddings.Embedding`."""
        places = [self._places[word] for word in words if word in self._places]
        if len(places) < len(words):
            return self._member.vectors(words)
        return WordVectors(self._known.matrix[places], self._known.known[places])


class _Pool:
    """Words to be offered, which promise the more the lower their score in ``ranks``."""

    def __init__(self, index: KeywordIndex, ranks: dict[str, float]) -> None:
        self._index = index
        self.words = [word for word in ranks if is_replacement(word)]
        self.ranks = [ranks[word] for word in self.words]
        self._rows: dict[str, WordRows] = {}

    def rows(self, member: str) -> WordRows:
        """The words with their vectors by the embedding called ``member``."""
        if member not in self._rows:
            numbers = {word: place for place, word in enumerate(self._index.vocabulary)}
            places = [numbers[word] for word in self.words]
            self._rows[member] = WordRows(self.words, self._index.vectors[member].matrix[places])
        return self._rows[member]


class _ClassPools:
    """What a word of a text of one class may be replaced by."""

    def __init__(self, index: KeywordIndex, of_class: ClassKeywords, members: Sequence[Embedding]) -> None:
        self._index, self._class = index, of_class
        self._relatedness = ClassRelatedness(index, of_class, members)

    def is_related(self, word: str) -> bool:
        """r(w, c)."""
        return bool(self._relatedness.related([word])[0])

    @cached_property
    def keywords(self) -> _Pool:
        """The keywords of the class, the lowest mean score first."""
        pool = self._class.pool
        return _Pool(self._index, {item.word: item.mean_score for item in pool if item.word in self._class.keywords})

    @cached_property
    def others(self) -> _Pool:
        """What is no keyword in the pools of other classes, the highest mean score first."""
        ranks: dict[str, float] = {}
        for other in self._index.classes:
            for item in () if other is self._class else other.pool:
                if item.word not in other.keywords and item.word not in self._class.keywords:
                    ranks[item.word] = min(-item.mean_score, ranks.get(item.word, 0.0))
        return _Pool(self._index, ranks)

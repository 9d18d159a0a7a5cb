"""A2T's replacements: the nearest neighbours of a word in a table of word vectors (Yoo and Qi 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from pytest_trust.arguments import require_between, require_count
from pytest_trust.attacks.neighbours import WordRows, highest
from pytest_trust.attacks.words import is_replacement
from pytest_trust.embeddings.base import Embedding
from pytest_trust.embeddings.glove import GloVe
from pytest_trust.embeddings.local import TableEmbedding
from pytest_trust.embeddings.wordwise import unit_rows
from pytest_trust.errors import ConfigurationError


class SynonymSubstitution:
    """Offers the nearest neighbours of a word in a table of word vectors, the nearest first; remembered by word.

    In vectors made of context alone, words of opposite meaning are neighbours; A2T takes counter-fitted vectors
    (:mod:`~pytest_trust.attacks.counterfit`). The defaults are A2T's.

    Args:
        embedding: one that is a table of words, such as GloVe or a file of vectors.
        neighbours: the most words that are offered.
        min_similarity: their least cosine to the word.
        vocabulary: only so many words from the start of the table, where the files have the frequent ones.

    Raises:
        ConfigurationError: the embedding is no table, or a setting is out of its range.
    """

    name: ClassVar[str] = "a2t"

    def __init__(
        self, embedding: Embedding, *, neighbours: int = 20, min_similarity: float = 0.8, vocabulary: int = 100_000
    ) -> None:
        if not isinstance(embedding, GloVe | TableEmbedding):
            raise ConfigurationError(
                f"synonyms are looked up in a table of word vectors, such as 'glove' or a file of vectors; the "
                f"embedding {embedding.name!r} is none"
            )
        self._embedding = embedding
        self._neighbours = require_count("neighbours", neighbours)
        self._min_similarity = require_between("min_similarity", min_similarity, -1.0, 1.0, low_included=True)
        self._vocabulary = require_count("vocabulary", vocabulary)
        self._remembered: dict[str, tuple[str, ...]] = {}

    def candidates(self, word: str, label: int) -> Sequence[str]:
        """See :class:`~pytest_trust.attacks.Substitution`; all classes have the same."""
        word = word.lower()
        if word not in self._remembered:
            self._remembered[word] = self._find(word)
        return self._remembered[word]

    def describe(self) -> dict[str, float | int | str | None]:
        """The table, and which of its neighbours are offered."""
        return {
            "synonyms": self._embedding.name,
            "synonym_similarity": self._min_similarity,
            "synonym_neighbours": self._neighbours,
        }

    @cached_property
    def _rows(self) -> WordRows:
        table = self._embedding.table
        words = [table.words[place] for place in range(min(self._vocabulary, len(table.words)))]
        places = [place for place, word in enumerate(words) if is_replacement(word)]
        return WordRows([words[place] for place in places], unit_rows(np.asarray(table.rows[places])))

    def _find(self, word: str) -> tuple[str, ...]:
        found = self._embedding.vectors([word])
        if not found.known[0]:
            return ()
        # One more, as the word is its own nearest neighbour.
        near = highest(self._rows.cosines(found.matrix[0]), self._neighbours + 1, self._min_similarity)
        others = [self._rows.words[place] for place in near if self._rows.words[place] != word]
        return tuple(others[: self._neighbours])

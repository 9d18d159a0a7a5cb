"""A user's changes to the keyword lists, laid over an index as it was built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pytest_trust.embeddings.base import Embedding, WordVectors
from pytest_trust.keywords.descriptions import ClassDescription
from pytest_trust.keywords.index import ClassKeywords, KeywordIndex, vocabulary_of
from pytest_trust.keywords.pool import PoolWord


def with_edits(
    index: KeywordIndex, descriptions: Sequence[ClassDescription], members: Sequence[Embedding]
) -> KeywordIndex:
    """``index`` with the words that ``descriptions`` allow as keywords and those that they deny as none.

    ``descriptions`` are those of the index's classes, in order. A word that the pool of its class lacks joins it, at
    its end; ``members`` are asked for words that no pool has. The index itself, and the file it lies in, stay as they
    were built: a rebuild keeps the user's lists.
    """
    if not any(item.allow or item.deny for item in descriptions):
        return index
    classes = tuple(_edited(item, of) for item, of in zip(index.classes, descriptions, strict=True))
    return replace(index, classes=classes, vectors=_vectors(index, classes, members))


def _edited(item: ClassKeywords, description: ClassDescription) -> ClassKeywords:
    known = {word.word for word in item.pool}
    new = [word for word in (*description.allow, *description.deny) if word not in known]
    pool = (*item.pool, *(PoolWord(word, 0.0, 0) for word in new))
    return replace(item, pool=pool, keywords=(item.keywords | set(description.allow)) - set(description.deny))


def _vectors(
    index: KeywordIndex, classes: Sequence[ClassKeywords], members: Sequence[Embedding]
) -> dict[str, WordVectors]:
    """Those of the index, with the words that came to it."""
    vocabulary = vocabulary_of(classes)
    places = {word: place for place, word in enumerate(index.vocabulary)}
    new = [place for place, word in enumerate(vocabulary) if word not in places]
    if not new:
        return dict(index.vectors)
    old = [place for place, word in enumerate(vocabulary) if word in places]
    rows = [places[vocabulary[place]] for place in old]
    return {member.name: _merged(member, index.vectors[member.name], vocabulary, old, rows, new) for member in members}


def _merged(
    member: Embedding, had: WordVectors, vocabulary: Sequence[str], old: list[int], rows: list[int], new: list[int]
) -> WordVectors:
    matrix = np.zeros((len(vocabulary), had.matrix.shape[1]), dtype=np.float32)
    known = np.zeros(len(vocabulary), dtype=np.bool_)
    matrix[old], known[old] = had.matrix[rows], had.known[rows]
    added = member.vectors([vocabulary[place] for place in new])
    matrix[new], known[new] = added.matrix, added.known
    return WordVectors(matrix, known)

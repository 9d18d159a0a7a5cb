"""Counts of n-grams under masks, as scikit-learn's vectorizers of words would count them in the strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pytest_trust.models.masked import MaskedText

Ints = NDArray[np.intp]

# Cells of counts made at once: enough to be fast, few enough for the cache.
_MAX_CELLS = 2_000_000


@dataclass(frozen=True)
class GramCounter:
    """What a fitted CountVectorizer or TfidfVectorizer of words counts.

    ``tokens_of`` gives the tokens of a string, stop words left out; ``followers`` says of each gram (a tuple of
    tokens, () for the start) which tokens may follow it within a gram of the vocabulary; ``columns`` gives the column
    of a gram.
    """

    tokens_of: Callable[[str], list[str]]
    followers: Mapping[tuple[str, ...], frozenset[str]]
    columns: Mapping[tuple[str, ...], int]
    width: int
    binary: bool

    @classmethod
    def of(cls, vectorizer: Any) -> GramCounter | None:
        """The counter of ``vectorizer``; None where it counts something else than n-grams of words."""
        if vectorizer.analyzer != "word" or not hasattr(vectorizer, "vocabulary_"):
            return None
        columns = {tuple(gram.split(" ")): int(column) for gram, column in vectorizer.vocabulary_.items()}
        longest = max(map(len, columns), default=0)
        if len(columns) < len(vectorizer.vocabulary_) or longest > vectorizer.ngram_range[1]:
            return None  # tokens with a space in them: grams cannot be told apart
        return cls(_token_function(vectorizer), _followers(columns), columns, len(columns), vectorizer.binary)

    def masked(self, text: MaskedText) -> MaskedCounts | None:
        """Counts for the masks of ``text``; None where a removed word might take away or make other tokens."""
        parts = [self.tokens_of(occurrence) for occurrence in text.occurrences]
        flat = [token for part in parts for token in part]
        # Words that touch could join into one token when a word between them goes.
        if not all(text.separators[1:-1]) or flat != self.tokens_of("".join(text.strings(_all_kept(text)))):
            return None
        words = np.repeat(text.ids, [len(part) for part in parts])
        return MaskedCounts(self, flat, words)


def _all_kept(text: MaskedText) -> NDArray[np.bool_]:
    return np.ones((1, int(text.ids.max(initial=-1)) + 1), dtype=np.bool_)


def _token_function(vectorizer: Any) -> Callable[[str], list[str]]:
    prepare, tokenize = vectorizer.build_preprocessor(), vectorizer.build_tokenizer()
    stop_words = frozenset(vectorizer.get_stop_words() or ())
    return lambda string: [token for token in tokenize(prepare(string)) if token not in stop_words]


def _followers(columns: Mapping[tuple[str, ...], int]) -> dict[tuple[str, ...], frozenset[str]]:
    followers: dict[tuple[str, ...], set[str]] = {}
    for gram in columns:
        for i, token in enumerate(gram):
            followers.setdefault(gram[:i], set()).add(token)
    return {gram: frozenset(tokens) for gram, tokens in followers.items()}


class MaskedCounts:
    """Makes the count matrix of a text's strings under masks from the masks alone.

    The n token occurrences ``tokens`` belong to the words ``words``, shape (n,).
    """

    def __init__(self, counter: GramCounter, tokens: Sequence[str], words: Ints) -> None:
        names = sorted(set(tokens))
        place = {name: i for i, name in enumerate(names)}
        self._tokens = np.array([place[token] for token in tokens], dtype=np.intp)
        self._words = words
        self._levels, columns = _levels(counter, names)
        self._columns = np.array(columns, dtype=np.intp)
        self._width = counter.width
        self._binary = counter.binary

    def __call__(self, masks: NDArray[np.bool_]) -> Iterator[csr_matrix]:
        """Count matrices of shape (rows, features), whose rows together are those of ``masks``, shape (m, d)."""
        step = max(1, _MAX_CELLS // max(1, len(self._columns), len(self._words)))
        return (self._counts(masks[start : start + step]) for start in range(0, len(masks), step))

    def _counts(self, masks: NDArray[np.bool_]) -> csr_matrix:
        rows, places = np.nonzero(masks[:, self._words])
        width = len(self._columns)
        cells = np.zeros(len(masks) * width, dtype=np.intp)
        for keys in self._keys(rows, self._tokens[places], width):
            cells += np.bincount(keys, minlength=len(cells))
        filled = np.flatnonzero(cells)
        data = np.ones(len(filled), dtype=np.int64) if self._binary else cells[filled]
        ends = np.searchsorted(filled, np.arange(len(masks) + 1) * width)
        columns = self._columns[filled - np.repeat(np.arange(len(masks)) * width, np.diff(ends))]
        # Of the types that scikit-learn's own vectorizers give: trees refuse wider indices.
        indices, ends = columns.astype(np.int32), ends.astype(np.int32)
        return csr_matrix((data, indices, ends), shape=(len(masks), self._width))

    def _keys(self, rows: Ints, tokens: Ints, width: int) -> Iterator[Ints]:
        """Cells (row times width plus local column) of all grams in the kept tokens, a gram length at a time."""
        firsts, nodes = rows * width, np.zeros(len(tokens), dtype=np.intp)
        for length, level in enumerate(self._levels):
            if length:
                together = (rows[length:] == rows[:-length]) & (nodes[: len(rows) - length] >= 0)
                nodes = np.where(together, level.children[nodes[: len(together)], tokens[length:]], -1)
            else:
                nodes = level.children[0][tokens]
            columns = np.where(nodes >= 0, level.columns[nodes], -1)
            known = np.flatnonzero(columns >= 0)
            yield firsts[known] + columns[known]


@dataclass(frozen=True)
class _Level:
    """Grams of one length: ``children[node, token]`` is the node of the longer gram, ``columns`` the local column of
    each node; -1 for none."""

    children: Ints
    columns: Ints


def _levels(counter: GramCounter, names: Sequence[str]) -> tuple[list[_Level], list[int]]:
    """The vocabulary's grams over the tokens ``names``, and the columns of those that are counted, in rising order."""
    place = {name: i for i, name in enumerate(names)}
    local = frozenset(names)
    steps: list[tuple[Ints, list[tuple[str, ...]]]] = []
    grams: list[tuple[str, ...]] = [()]
    while grams:
        children = np.full((len(grams), len(names)), -1, dtype=np.intp)
        longer: list[tuple[str, ...]] = []
        for node, gram in enumerate(grams):
            for token in counter.followers.get(gram, frozenset()) & local:
                children[node, place[token]] = len(longer)
                longer.append((*gram, token))
        steps.append((children, longer))
        grams = longer
    columns = sorted(counter.columns[gram] for _, longer in steps for gram in longer if gram in counter.columns)
    number = {column: i for i, column in enumerate(columns)}
    levels = [
        _Level(children, np.array([number.get(counter.columns.get(gram, -1), -1) for gram in longer], dtype=np.intp))
        for children, longer in steps
        if longer
    ]
    return levels, columns

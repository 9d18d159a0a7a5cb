"""Counts of n-grams under masks, as scikit-learn's vectorizers would count them in the strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pytest_trust.models.counts_columns import Columns, HashedColumns, VocabularyColumns
from pytest_trust.models.counts_grams import Counts, GramFinder
from pytest_trust.models.counts_slots import Slots, character_slots, token_slots
from pytest_trust.models.masked import MaskedText

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

# Tokens under all masks that are looked at together: enough to be fast, few enough for the cache.
_MAX_CELLS = 2**18
_SINGLE = range(1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class GramCounter:
    """What a fitted CountVectorizer, TfidfVectorizer or HashingVectorizer counts.

    ``read`` gives the tokens of a string, from which grams of ``lengths`` are made and counted in ``columns``. For
    the analyzer "char" it only prepares the string, whose characters are the tokens.
    """

    analyzer: str
    read: Callable[[str], Any]
    lengths: range
    columns: Columns
    binary: bool

    @classmethod
    def of(cls, vectorizer: Any) -> GramCounter | None:
        """The counter of ``vectorizer``; None where it is not fitted, or reads files."""
        columns = _columns(vectorizer)
        if columns is None or vectorizer.input != "content":
            return None
        analyzer = "own" if callable(vectorizer.analyzer) else vectorizer.analyzer
        shortest, longest = vectorizer.ngram_range if analyzer in ("word", "char") else (1, 1)
        lengths = range(shortest, longest + 1)
        return cls(analyzer, _reader(vectorizer), lengths, columns, vectorizer.binary)

    @property
    def signed(self) -> bool:
        """Whether some grams are counted downwards."""
        return self.columns.signed and not self.binary

    @property
    def squeeze(self) -> bool:
        """Whether tokens are characters, of which white space that comes together is one."""
        return self.analyzer == "char"

    def masked(self, text: MaskedText) -> MaskedCounts | None:
        """Counts for the masks of ``text``; None where a removed word might take away or make other tokens."""
        try:
            slots = self._slots(text)
        except Exception:  # a tokenizer of the user's own may refuse a part of a text
            return None
        if slots is None or not all(isinstance(token, str) for token in slots.tokens):
            return None
        return MaskedCounts(self, slots)

    def _slots(self, text: MaskedText) -> Slots | None:
        if self.squeeze:
            return character_slots(text, self.read)
        return token_slots(text, self.read, by_word=self.analyzer != "char_wb")


def _columns(vectorizer: Any) -> Columns | None:
    if hasattr(vectorizer, "n_features"):
        return HashedColumns(vectorizer)
    vocabulary = getattr(vectorizer, "vocabulary_", None)
    return None if vocabulary is None else VocabularyColumns(vocabulary)


def _reader(vectorizer: Any) -> Callable[[str], Any]:
    if vectorizer.analyzer == "char":
        prepare: Callable[[str], str] = vectorizer.build_preprocessor()
        return prepare
    if vectorizer.analyzer != "word":
        analyze: Callable[[str], Sequence[str]] = vectorizer.build_analyzer()
        return analyze
    prepare, tokenize = vectorizer.build_preprocessor(), vectorizer.build_tokenizer()
    stop_words = frozenset(vectorizer.get_stop_words() or ())
    return lambda string: [token for token in tokenize(prepare(string)) if token not in stop_words]


@dataclass(frozen=True, slots=True, eq=False)
class Bag:
    """What single tokens count: each state of the slots (``states``) its ``counts`` in the columns ``columns[places]``.

    A pair of state and column occurs once; ``columns`` rise.
    """

    states: Ints
    places: Ints
    counts: Ints
    columns: Ints

    def matrix(self, n_states: int) -> csr_matrix:
        """The counts of each state, shape (s, w)."""
        return csr_matrix((self.counts, (self.states, self.places)), shape=(n_states, len(self.columns)))


class MaskedCounts:
    """Makes counts of a text's strings under masks from the masks alone."""

    def __init__(self, counter: GramCounter, slots: Slots) -> None:
        self.counter = counter
        self.slots = slots

    @property
    def rows_at_once(self) -> int:
        """The number of masks that are best looked at together."""
        return max(1, _MAX_CELLS // max(1, len(self.slots.tokens), self.slots.n_states))

    def features(self, masks: Bools) -> csr_matrix:
        """The counts of all grams in all columns, shape (m, width)."""
        return self.matrix(masks).widened(self.counter.columns.width)

    def matrix(self, masks: Bools) -> Counts:
        """The counts of all grams under masks of shape (m, d)."""
        held = self.slots.held(masks)
        if self.counter.lengths != _SINGLE or self.counter.squeeze:
            return self.grams(held, self.counter.lengths.start)
        product = csr_matrix(held, dtype=np.int64) @ self.bag.matrix(self.slots.n_states)
        product.sort_indices()  # sums over a row are then rounded as they are for the strings
        if self.counter.binary:
            product.data[:] = 1
        return Counts(product, self.bag.columns)

    def grams(self, held: Bools, shortest: int) -> Counts:
        """The counts of the grams of at least ``shortest`` tokens, for the states ``held`` under m masks, (m, s)."""
        return self.finder.counts(held[:, self.slots.states], shortest, binary=self.counter.binary)

    def attributed(self, amounts: NDArray[np.float64]) -> NDArray[np.float64]:
        """``amounts`` of all columns, dealt out to the t occurrences of words, shape (t,).

        A column's amount goes equally to its grams in the whole text, a gram's to those of its tokens that are of
        words. A column with no gram here, and a gram between words, keep theirs.
        """
        standing = self.finder.standing(
            self.slots.held(np.ones((1, self.slots.n_words), dtype=np.bool_))[:, self.slots.states]
        )
        found = [grams.counted() for grams in self.finder.grams(standing, self.counter.lengths.start)]
        columns = np.concatenate([grams.level.columns[grams.numbers] for grams in found])
        shares = amounts[columns] / np.bincount(columns)[columns]
        owners = self.slots.owners
        is_owned = np.append(np.diff(owners.indptr) > 0, False)
        of_tokens = np.zeros(len(is_owned))
        sizes = np.cumsum([len(grams.numbers) for grams in found])
        for grams, share in zip(found, np.split(shares, sizes[:-1]), strict=True):
            tokens = standing.cells[grams.at[:, None] - np.arange(grams.level.length)]
            owned = is_owned[tokens]
            np.add.at(of_tokens, tokens, owned * (share / np.maximum(1, owned.sum(axis=1)))[:, None])
        dealt: NDArray[np.float64] = owners.T @ of_tokens[:-1]
        return dealt

    @cached_property
    def finder(self) -> GramFinder:
        """The finder of grams among the tokens."""
        squeeze = self.counter.squeeze
        joiner, longest = "" if squeeze else " ", self.counter.lengths.stop - 1
        return GramFinder(self.slots.tokens, self.counter.columns, longest, joiner=joiner, squeeze=squeeze)

    @cached_property
    def bag(self) -> Bag:
        """The counts of single tokens."""
        number = {name: i for i, name in enumerate(dict.fromkeys(self.slots.tokens))}
        columns, signs = self.counter.columns.find(list(number))
        tokens = np.fromiter(map(number.__getitem__, self.slots.tokens), np.intp, len(self.slots.tokens))
        tokens, states = tokens[known := columns[tokens] >= 0], self.slots.states[known]
        wanted, places = np.unique(columns[tokens], return_inverse=True)
        pairs, of_pairs = np.unique(states * len(wanted) + places, return_inverse=True)
        counts = np.bincount(of_pairs, None if self.counter.binary else signs[tokens], len(pairs)).astype(np.int64)
        return Bag(*np.divmod(pairs, max(1, len(wanted))), counts, wanted)

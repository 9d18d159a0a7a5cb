"""Where the tokens of a text come from: which words a mask must keep, and which remove, for each token to stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress, product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from pytest_trust.models.masked import MaskedText

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Condition = tuple[tuple[int, ...], tuple[int, ...]]
"""The words that must be kept, and those that must be removed."""

# A chunk of w words is read in its 2^w states.
_MOST_WORDS = 6
_SPACE = re.compile(r"\s+")
# Random masks under which slots are held against the tokens of strings, beside the regular ones.
_RANDOM_MASKS = 4


@dataclass(frozen=True, slots=True)
class Piece:
    """Tokens that stand in the text whenever ``condition`` holds; they come from the occurrences ``owners``."""

    tokens: Sequence[str]
    condition: Condition
    owners: tuple[int, ...]


class Slots:
    """The n tokens that may stand in a text, in the order in which they would stand.

    ``states`` has shape (n,): the number of the condition that each token asks of a mask.
    """

    def __init__(self, pieces: Sequence[Piece], n_occurrences: int) -> None:
        numbers: dict[Condition, int] = {}
        lengths = [len(piece.tokens) for piece in pieces]
        states = [numbers.setdefault(piece.condition, len(numbers)) for piece in pieces]
        self.tokens = [token for piece in pieces for token in piece.tokens]
        self.states: Ints = np.repeat(np.array(states, dtype=np.intp), lengths)
        self._pieces, self._lengths, self._n_occurrences = pieces, lengths, n_occurrences
        self._conditions = tuple(numbers)
        self._words = _kept_words(self._conditions)

    @property
    def n_states(self) -> int:
        """The number s of different conditions."""
        return len(self._conditions)

    @property
    def n_words(self) -> int:
        """The least number of words of a mask."""
        return 1 + max((word for kept, removed in self._conditions for word in (*kept, *removed)), default=-1)

    @property
    def owners(self) -> csr_matrix:
        """The shares of the t occurrences in each token, shape (n, t), summing to one; to zero for a token of none."""
        pairs = [(row, occurrence) for row, piece in enumerate(self._pieces) for occurrence in piece.owners]
        rows, occurrences = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        shares = 1.0 / np.bincount(rows)[rows]
        by_piece = csr_matrix((shares, (rows, occurrences)), shape=(len(self._pieces), self._n_occurrences))
        return by_piece[np.repeat(np.arange(len(self._pieces)), self._lengths)]

    def held(self, masks: Bools) -> Bools:
        """Which conditions hold, shape (m, s), for masks of shape (m, d)."""
        if self._words is not None:
            return masks[:, self._words]
        columns = np.ascontiguousarray(masks.T)
        held = np.ones((len(self._conditions), len(masks)), dtype=np.bool_)
        for row, (kept, removed) in zip(held, self._conditions, strict=True):
            for word in kept:
                row &= columns[word]
            for word in removed:
                row &= ~columns[word]
        return np.ascontiguousarray(held.T)

    def tokens_of(self, masks: Bools) -> list[list[str]]:
        """The tokens that stand in the text under each of the ``masks``, shape (m, d)."""
        present = self.held(masks)[:, self.states].tolist()
        return [list(compress(self.tokens, row)) for row in present]


def _kept_words(conditions: Sequence[Condition]) -> Ints | None:
    """The words, where each condition is that one word is kept."""
    if not all(len(kept) == 1 and not removed for kept, removed in conditions):
        return None
    return np.array([kept[0] for kept, _ in conditions], dtype=np.intp)


def token_slots(text: MaskedText, read: Callable[[str], Iterable[str]], *, by_word: bool) -> Slots | None:
    """The slots of the tokens that ``read`` finds in the text's strings, in the strings' order.

    Taken from each occurrence by itself (``by_word``), or else from each chunk between white space in each of its
    states. None where neither gives the tokens of the text under all of some masks.
    """
    tokens_of = cache(lambda string: list(read(string)))
    for cut in (_by_word, _by_chunk) if by_word else (_by_chunk,):
        pieces = cut(text, tokens_of)
        slots = None if pieces is None else Slots(pieces, len(text.occurrences))
        if slots is not None and _is_proven(slots, text, tokens_of):
            return slots
    return None


def character_slots(text: MaskedText, prepare: Callable[[str], str]) -> Slots | None:
    """The slots of the characters that ``prepare`` makes of the text's strings; None where words change each other."""
    pieces = [Piece(prepare(text.separators[0]), ((), ()), ())]
    parts = zip(text.occurrences, text.separators[1:], text.ids.tolist(), strict=True)
    for i, (occurrence, separator, word) in enumerate(parts):
        pieces += [Piece(prepare(occurrence), ((word,), ()), (i,)), Piece(prepare(separator), ((), ()), ())]
    slots = Slots(pieces, len(text.occurrences))
    return slots if _is_proven(slots, text, lambda string: list(prepare(string))) else None


def _is_proven(slots: Slots, text: MaskedText, tokens_of: Callable[[str], list[str]]) -> bool:
    masks = _telling_masks(text.n_words)
    return slots.tokens_of(masks) == [tokens_of(string) for string in text.strings(masks)]


def _telling_masks(n_words: int) -> Bools:
    """All words and none; every second and every third, which brings near what stood apart; and random ones."""
    numbers = np.arange(n_words)
    regular = [numbers >= 0, numbers < 0, *(numbers % step == rest for step in (2, 3) for rest in range(step))]
    return np.array([*regular, *(np.random.default_rng(0).random((_RANDOM_MASKS, n_words)) < 0.5)])


def _by_word(text: MaskedText, tokens_of: Callable[[str], list[str]]) -> list[Piece] | None:
    """None where words touch, which could become one token when a word between them goes."""
    if not all(text.separators[1:-1]):
        return None
    parts = zip(text.occurrences, text.ids.tolist(), strict=True)
    return [Piece(tokens_of(occurrence), ((word,), ()), (i,)) for i, (occurrence, word) in enumerate(parts)]


def _by_chunk(text: MaskedText, tokens_of: Callable[[str], list[str]]) -> list[Piece] | None:
    """None where a chunk has too many words."""
    pieces: list[Piece] = []
    for chunk in _chunks(text):
        words = sorted({part.word for part in chunk if part.word is not None})
        if len(words) > _MOST_WORDS:
            return None
        for state in product((True, False), repeat=len(words)):
            kept = tuple(word for word, is_kept in zip(words, state, strict=True) if is_kept)
            standing = [part for part in chunk if part.word is None or part.word in kept]
            owners = tuple(part.occurrence for part in standing if part.word is not None)
            condition = (kept, tuple(word for word in words if word not in kept))
            pieces.append(Piece(tokens_of("".join(part.string for part in standing)), condition, owners))
    return pieces


@dataclass(frozen=True, slots=True)
class _Part:
    """An occurrence of a word, or (``word`` None) what stands between occurrences."""

    string: str
    occurrence: int = -1
    word: int | None = None


def _chunks(text: MaskedText) -> Iterator[list[_Part]]:
    """The text cut at the white space of its separators."""
    chunk: list[_Part] = []
    for i, separator in enumerate(text.separators):
        first, *others = _SPACE.split(separator)
        chunk.append(_Part(first))
        for other in others:
            yield chunk
            chunk = [_Part(other)]
        if i < len(text.occurrences):
            chunk.append(_Part(text.occurrences[i], i, int(text.ids[i])))
    yield chunk

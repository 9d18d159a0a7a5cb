"""Which texts are of one source, and so make one piece of evidence together."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from string import punctuation

import numpy as np
from numpy.typing import NDArray

from pytest_trust.data import TextDataset
from pytest_trust.errors import ConfigurationError

# Near-copies share so many words of small letters, which make at least half of either text.
_SHARED_WORDS = 8

_AROUND_WORDS = punctuation + "“”‘’«»…–—"
_WITHIN_WORDS = str.maketrans("", "", "'’-")


def given_groups(groups: Sequence[str | int], n: int) -> tuple[str | int, ...]:
    """A user's groups, one for each of the ``n`` texts of the data.

    Raises:
        ConfigurationError: they are no sequence of n names or numbers.
    """
    if isinstance(groups, str) or not isinstance(groups, Sequence | np.ndarray):
        raise ConfigurationError(f"groups={groups!r}: expected a sequence, one group for each text")
    found = tuple(groups)
    if len(found) != n:
        raise ConfigurationError(f"groups has {len(found)} entries, the data {n} texts; expected one for each text")
    for place, group in enumerate(found):
        if not isinstance(group, str | int | np.integer):
            raise ConfigurationError(f"groups[{place}] is {group!r}; expected a name or a whole number")
    return found


def source_keys(data: TextDataset) -> list[Hashable]:
    """A key for each text, which texts of one group share; those without a group share it with their near-copies."""
    groups = data.groups or (None,) * len(data)
    copies = near_copies(data.texts)
    return [("copies", copy) if group is None else ("group", group) for group, copy in zip(groups, copies, strict=True)]


def near_copies(texts: Sequence[str]) -> list[Hashable]:
    """A key for each text, which texts share that are copies of one another but for names, numbers and addresses.

    The key is the sequence of the words of small letters, of which there have to be eight and as many as of the rest:
    shorter texts may be alike by chance, and each is its own key, as all texts are in scripts without small letters.
    """
    return [_small_words(text) or text for text in texts]


def numbered(keys: Iterable[Hashable]) -> NDArray[np.intp]:
    """The keys as integers, shape (n,): equal ones get the same."""
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.intp)


def _small_words(text: str) -> tuple[str, ...] | None:
    tokens = [token for token in (part.strip(_AROUND_WORDS) for part in text.split()) if token]
    small = tuple(token for token in tokens if token.islower() and token.translate(_WITHIN_WORDS).isalpha())
    return small if len(small) >= max(_SHARED_WORDS, len(tokens) - len(small)) else None

"""Masks posters' names and mail hosts, which tell who wrote a message and not what it is about.

The texts hold letters only, so an address reads "keith cco caltech edu" and an attribution "in article ID ADDRESS
NAME writes". What is a name is learned from where a word stands, over all twenty groups and without a look at any
class: the places of names are

- an address: a top-level domain and the four words before it,
- an attribution: "writes" or "wrote" with the four words before it, and back to "article" where that is near,
- the signature: the last two words of a message.

These places hold about 6 % of all running words. An everyday word is found in them about as often as chance
has it ("god" 1 %, "read" 1 %), a name or a host many times as often ("keith" 55 %, "umd" 100 %). A word is a name
where at least a quarter of its occurrences stand there, four times the chance rate. Names are removed everywhere;
a word that the learning texts do not hold is removed where it stands in such a place.

The cost: words that are names too go with them ("john", "mark"), and a poster's name that is mostly used in
running text ("bobby") stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_trust.errors import DataError

_GENERIC_DOMAINS = frozenset({"com", "edu", "gov", "mil", "net", "org", "arpa", "bitnet", "uucp"})
# Without "no", "de", "it", "us", "se" and the like, which are words, or pieces of words, too.
_COUNTRY_DOMAINS = frozenset({"au", "ca", "ch", "dk", "fi", "fr", "il", "jp", "nl", "nz", "uk"})
_DOMAINS = _GENERIC_DOMAINS | _COUNTRY_DOMAINS
_ATTRIBUTIONS = frozenset({"writes", "wrote"})
_BEFORE = 4  # user and up to three labels of the host, or first and last name with the end of the address
_REACH = 30  # an article's number, address and name are no longer than this
_CLOSING = 2
_NAME_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class NameMasker:
    """Knows ``names``, the words to remove, and ``known``, all words that it has seen."""

    names: frozenset[str]
    known: frozenset[str]

    @classmethod
    def learn(cls, texts: Iterable[str]) -> NameMasker:
        """Learn the names from ``texts``: letters only, best from many groups of which most are about other things.

        Raises:
            DataError: there is no word in the texts.
        """
        total: Counter[str] = Counter()
        placed: Counter[str] = Counter()
        for text in texts:
            words = text.split()
            total.update(words)
            placed.update(words[place] for place in name_places(words))
        if not total:
            raise DataError("no names can be learned: the texts hold no word")
        names = frozenset(word for word, count in placed.items() if count >= _NAME_SHARE * total[word])
        return cls(names, frozenset(total))

    def mask(self, text: str) -> str:
        """The text without names, single-spaced; it may be empty."""
        words = text.split()
        places = name_places(words)
        return " ".join(
            word
            for place, word in enumerate(words)
            if word not in self.names and (word in self.known or place not in places)
        )


def name_places(words: Sequence[str]) -> set[int]:
    """Positions at which names and hosts stand: in addresses, attributions and the signature."""
    places = set(range(max(0, len(words) - _CLOSING), len(words)))
    for end, word in enumerate(words):
        if word in _ATTRIBUTIONS:
            places.update(range(_attribution_start(words, end), end + 1))
        elif word in _DOMAINS:
            places.update(range(max(0, end - _BEFORE), end + 1))
    return places


def _attribution_start(words: Sequence[str], end: int) -> int:
    earliest = max(0, end - _REACH)
    articles = [place for place in range(earliest, end) if words[place] == "article"]
    return min([max(0, end - _BEFORE), *articles[-1:]])

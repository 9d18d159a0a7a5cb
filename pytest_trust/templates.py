"""Texts from templates, in the manner of CheckList (Ribeiro et al., ACL 2020, section 3): lexicons fill the gaps."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import overload

from pytest_trust.arguments import require_count
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown
from pytest_trust.perturb.language.articles import article_for
from pytest_trust.perturb.lexicon import entries
from pytest_trust.stats import seed_for

MOST = 10_000
"""Texts of one template beyond which a sample has to be asked for."""

LEXICONS: Mapping[str, tuple[str, ...]] = {
    "adjective": ("gradable_adjectives",),
    "city": ("cities",),
    "country": ("countries",),
    "female_name": ("female_names",),
    "first_name": ("male_names", "female_names"),
    "male_name": ("male_names",),
    "month": ("months",),
    "nationality": ("nationalities",),
    "weekday": ("weekdays",),
}
"""The lexicons at hand, and the word lists of :mod:`pytest_trust.perturb` that each is made of."""

_ARTICLE = "a"


@overload
def expand(
    *templates: str, label: None = None, n: int | None = None, seed: int = 0, **lexicons: Sequence[str]
) -> list[str]: ...
@overload
def expand(
    *templates: str, label: str, n: int | None = None, seed: int = 0, **lexicons: Sequence[str]
) -> list[tuple[str, str]]: ...
def expand(
    *templates: str, label: str | None = None, n: int | None = None, seed: int = 0, **lexicons: Sequence[str]
) -> list[str] | list[tuple[str, str]]:
    """The texts that ``templates`` stand for, with each gap filled by every word of its lexicon.

    A gap is written ``{adjective}``; the same gap twice in a template holds the same word, ``{name1}`` and ``{name2}``
    hold different words of the lexicon ``name``, and ``{a:noun}`` puts the right article before the word. Braces that
    are no gap are doubled.

    Args:
        templates: one or more.
        label: where given, (text, label) pairs are returned, as cases of a functional check.
        n: a seeded sample of this size of the texts of each template; all by default.
        seed: of the sample, which depends on it and on the template alone.
        lexicons: words for a gap, by its name. Without them the gaps of :data:`LEXICONS` can be filled.

    Raises:
        ConfigurationError: there is no template, a template is malformed, a gap has no lexicon, a lexicon is no
            sequence of words or too small for its gaps, or a template has more than 10,000 texts and no ``n`` is given.
    """
    if not templates:
        raise ConfigurationError("expand needs at least one template, found none")
    if n is not None:
        require_count("n", n, least=1)
    words = {name: _checked_words(name, given) for name, given in lexicons.items()}
    texts = [text for template in templates for text in _parsed(template, words).texts(n, seed)]
    distinct = list(dict.fromkeys(texts))
    return distinct if label is None else [(text, label) for text in distinct]


@dataclass(frozen=True, slots=True)
class _Gap:
    """A place for a word of the lexicon ``source``; gaps of one name hold one word, others of one source another."""

    name: str
    source: str
    with_article: bool


@dataclass(frozen=True, slots=True)
class _Template:
    text: str
    pieces: tuple[str | _Gap, ...]
    words: Mapping[str, Sequence[str]]

    def texts(self, n: int | None, seed: int) -> Iterator[str]:
        """All texts, or ``n`` of them."""
        slots = list(dict.fromkeys((gap.name, gap.source) for gap in self.pieces if isinstance(gap, _Gap)))
        radices = self._radices([source for _, source in slots])
        total = prod(radices)
        if n is None and total > MOST:
            raise ConfigurationError(f"the template {self.text!r} has {total} texts; give n= for a sample of them")
        for number in _numbers(total, n, seed_for(seed, self.text)):
            yield self._filled(dict(self._chosen(number, slots, radices)))

    def _radices(self, sources: Sequence[str]) -> list[int]:
        """How many words are left for each slot, once those before it have taken theirs."""
        left = [len(self.words[source]) - sources[:place].count(source) for place, source in enumerate(sources)]
        for source, count in zip(sources, left, strict=True):
            if count < 1:
                raise ConfigurationError(
                    f"the template {self.text!r} needs {sources.count(source)} different words of {source!r}, "
                    f"which has {len(self.words[source])}"
                )
        return left

    def _chosen(
        self, number: int, slots: Sequence[tuple[str, str]], radices: Sequence[int]
    ) -> Iterator[tuple[str, str]]:
        """The word of each slot: ``number`` written with the digits that ``radices`` allow."""
        left = {source: list(self.words[source]) for _, source in slots}
        for (name, source), place in zip(slots, _digits(number, radices), strict=True):
            yield name, left[source].pop(place)

    def _filled(self, chosen: Mapping[str, str]) -> str:
        return "".join(piece if isinstance(piece, str) else _word(piece, chosen) for piece in self.pieces)


def _word(gap: _Gap, chosen: Mapping[str, str]) -> str:
    word = chosen[gap.name]
    return f"{article_for(word)} {word}" if gap.with_article else word


def _digits(number: int, radices: Sequence[int]) -> list[int]:
    digits = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        digits.append(digit)
    return digits[::-1]


def _numbers(total: int, n: int | None, seed: int) -> Sequence[int]:
    if n is None or n >= total:
        return range(total)
    return sorted(random.Random(seed).sample(range(total), n))


def _parsed(template: str, given: Mapping[str, Sequence[str]]) -> _Template:
    try:
        fields = list(string.Formatter().parse(template))
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f"the template {template!r} is malformed: {error}") from None
    pieces: list[str | _Gap] = []
    for literal, field, spec, conversion in fields:
        pieces += [literal] if literal else []
        if field is not None:
            pieces.append(_gap(template, field, spec or "", conversion, given))
    sources = {piece.source for piece in pieces if isinstance(piece, _Gap)}
    return _Template(template, tuple(pieces), {name: given.get(name) or _at_hand(name) for name in sources})


def _gap(template: str, field: str, spec: str, conversion: str | None, given: Mapping[str, Sequence[str]]) -> _Gap:
    with_article = field == _ARTICLE and bool(spec)
    name = spec if with_article else field
    if not name.isidentifier() or conversion or (spec and not with_article):
        raise ConfigurationError(
            f"the template {template!r}: a gap is written {{name}}, {{name1}} or {{a:name}}, found {{{field}:{spec}}}"
        )
    for source in (name, name.rstrip(string.digits)):
        if source in given or source in LEXICONS:
            return _Gap(name, source, with_article)
    known = ", ".join(dict.fromkeys([*given, *LEXICONS]))
    raise ConfigurationError(f"the template {template!r}: no lexicon for {{{name}}}; give {name}=[...]; known: {known}")


def _at_hand(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spellings[0] for part in LEXICONS[name] for spellings in entries(part)))


def _checked_words(name: str, words: object) -> tuple[str, ...]:
    if isinstance(words, str) or not isinstance(words, Sequence) or not words:
        raise ConfigurationError(f"the lexicon {name!r} must be a sequence of words, found {shown(words)}")
    for word in words:
        if not isinstance(word, str):
            raise ConfigurationError(f"the lexicon {name!r} must hold str, found {shown(word)}")
    return tuple(dict.fromkeys(words))

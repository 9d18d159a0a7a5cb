"""Changes at places of a text that are drawn by chance, each place with the same rate."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import regex

from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.protect import free_spans
from pytest_trust.perturb.lexicon import entries
from pytest_trust.perturb.parameters import called, require_rate


@dataclass(frozen=True, slots=True)
class Places:
    """The places that ``pattern`` finds, and by what stands there what may take its place."""

    pattern: regex.Pattern[str]
    options: Callable[[str], Sequence[str]]


def scatter(factory: Callable[[float], Rewriting], rate: float, places: Callable[[], Places]) -> Rewriting:
    """Changes each of its places with the chance ``rate``; ``places`` reads the lists at first use.

    Raises:
        ConfigurationError: ``rate`` is no number in [0, 1].
    """
    rate = require_rate(rate)
    return Rewriting(called(factory, rate), partial(_scattered, places, rate))


def letter_places(name: str) -> Places:
    """Where letters of the list ``name`` stand, the longest first, without a combining mark on the last."""
    table = {letters: others for letters, *others in entries(name)}
    letters = "|".join(map(regex.escape, sorted(table, key=len, reverse=True)))
    return Places(regex.compile(rf"(?:{letters})(?!\p{{M}})"), table.__getitem__)


def _scattered(places: Callable[[], Places], rate: float, text: str, rng: random.Random) -> Iterator[Edit]:
    """Changes some of the places, none of them in a protected span."""
    found = places()
    for span in free_spans(text):
        for place in found.pattern.finditer(text[span.start : span.end]):  # sees no letter of a protected span
            if rng.random() < rate:
                new = rng.choice(found.options(place[0]))
                yield Edit(span.start + place.start(), span.start + place.end(), new)

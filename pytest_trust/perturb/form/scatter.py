"""Changes at places of a text that are drawn by chance, each place with the same rate."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import regex

from pytest_trust.arguments import require_between
from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.protect import free_spans
from pytest_trust.perturb.lexicon import entries

Table = dict[str, tuple[str, ...]]
"""What stands in a text -> what may take its place."""


@dataclass(frozen=True, slots=True)
class Places:
    """The places that ``pattern`` finds, and by what stands there what may take its place."""

    pattern: regex.Pattern[str]
    options: Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True, repr=False)
class Scatter(Named):
    """Changes each of its places with the chance ``rate``; ``places`` reads the lists at first use."""

    name: str
    rate: float
    places: Callable[[], Places] = field(compare=False)
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with some of its places changed, none of them in a protected span."""
        places = self.places()
        edits = [
            Edit(span.start + place.start(), span.start + place.end(), rng.choice(places.options(place[0])))
            for span in free_spans(text)
            for place in places.pattern.finditer(text[span.start : span.end])  # sees no letter of a protected span
            if rng.random() < self.rate
        ]
        return edited(text, edits)


def require_rate(rate: Any, name: str = "rate") -> float:
    """``rate`` as a float.

    Raises:
        ConfigurationError: it is no number in [0, 1].
    """
    return require_between(name, rate, 0.0, 1.0, low_included=True, high_included=True)


def called(factory: str, *arguments: tuple[float | str, float | str]) -> str:
    """The name of a perturbation: ``factory``, and in brackets the values that are not the default beside them."""
    values = [value if isinstance(value, str) else f"{value:g}" for value, default in arguments if value != default]
    return f"{factory}({', '.join(values)})" if values else factory


def letter_table(name: str) -> Table:
    """The list ``name`` of letters and what may take their place."""
    return {letters: tuple(others) for letters, *others in entries(name)}


def letter_places(table: Table) -> Places:
    """Where the letters of ``table`` stand, the longest first, without a combining mark on the last."""
    letters = "|".join(map(regex.escape, sorted(table, key=len, reverse=True)))
    return Places(regex.compile(rf"(?:{letters})(?!\p{{M}})"), table.__getitem__)

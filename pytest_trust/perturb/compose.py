"""Perturbations made of perturbations. Wherever one is expected, a function from str to str will do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Named, Perturbation, Perturbed, as_perturbation, checked_apply, edited
from pytest_trust.perturb.edits import Edit, compose_edits
from pytest_trust.perturb.parameters import require_rate

Part = Perturbation | Callable[..., str]


def chain(*perturbations: Part) -> Chain:
    """All of ``perturbations``, one after the other.

    Raises:
        ConfigurationError: there is none, or one is no perturbation.
    """
    return Chain(_parts("chain", perturbations))


def one_of(*perturbations: Part) -> OneOf:
    """One of ``perturbations``, drawn anew for each text.

    Raises:
        ConfigurationError: there is none, or one is no perturbation.
    """
    return OneOf(_parts("one_of", perturbations))


def with_probability(p: float, perturbation: Part) -> WithProbability:
    """``perturbation`` for a share ``p`` of the texts; the others stay as they are.

    Raises:
        ConfigurationError: ``p`` is no number in [0, 1], or ``perturbation`` is none.
    """
    return WithProbability(require_rate(p, "p"), as_perturbation(perturbation))


def _parts(role: str, perturbations: tuple[Part, ...]) -> tuple[Perturbation, ...]:
    if not perturbations:
        raise ConfigurationError(f"{role} needs at least one perturbation, found none")
    return tuple(map(as_perturbation, perturbations))


@dataclass(frozen=True, slots=True, repr=False)
class _Composed(Named):
    parts: tuple[Perturbation, ...]

    @property
    def preserves_label(self) -> bool:
        """True where every part does."""
        return all(part.preserves_label for part in self.parts)

    def _named(self, role: str) -> str:
        return f"{role}({', '.join(part.name for part in self.parts)})"


@dataclass(frozen=True, slots=True, repr=False)
class Chain(_Composed):
    """What :func:`chain` makes."""

    @property
    def name(self) -> str:
        """``chain(first, second, ...)``."""
        return self._named("chain")

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """The outcome of all parts, its edits in positions of ``text``."""
        edits: tuple[Edit, ...] = ()
        current = text
        for part in self.parts:
            step = checked_apply(part, current, rng)
            edits = compose_edits(text, edits, step.edits)
            current = step.text
        return edited(text, edits)


@dataclass(frozen=True, slots=True, repr=False)
class OneOf(_Composed):
    """What :func:`one_of` makes."""

    @property
    def name(self) -> str:
        """``one_of(first, second, ...)``."""
        return self._named("one_of")

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """The outcome of one part."""
        return rng.choice(self.parts).apply(text, rng)


@dataclass(frozen=True, slots=True, repr=False)
class WithProbability(Named):
    """What :func:`with_probability` makes."""

    p: float
    part: Perturbation

    @property
    def name(self) -> str:
        """``with_probability(0.5, part)``."""
        return f"with_probability({self.p:g}, {self.part.name})"

    @property
    def preserves_label(self) -> bool:
        """As the part does."""
        return self.part.preserves_label

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """The outcome of the part, or ``text``."""
        return self.part.apply(text, rng) if rng.random() < self.p else Perturbed(text, ())

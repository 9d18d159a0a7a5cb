"""Suites as arrays: differences of probabilities, flips of labels, successes, and the sources of texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Random = np.random.Generator
Numbers = NDArray[np.float64]
Bools = NDArray[np.bool_]

_TEXTS_A_SOURCE = 5


@dataclass(frozen=True, slots=True)
class Suite:
    """n texts: how far each shifts, whether its label flips (or, for a rate, whether it is right), and its source.

    ``reference`` are the successes on other data, with which a rate is compared.
    """

    differences: Numbers
    successes: Bools
    groups: NDArray[np.intp] | None = None
    reference: Bools | None = None

    def ungrouped(self) -> Suite:
        """The same with sources forgotten."""
        return replace(self, groups=None)


Draw = Callable[[Random, int], Suite]
Shifts = Callable[[Random, int], Numbers]


def shifting(shifts: Shifts, flip_rate: float = 0.0) -> Draw:
    """Texts that shift so, of which a share flips independently of that."""
    return lambda rng, n: Suite(shifts(rng, n), rng.random(n) < flip_rate)


def right(rate: float) -> Draw:
    """Texts of which a share is right."""
    return shifting(still, rate)


def right_beside(rate: float, reference: float, n_reference: int) -> Draw:
    """Texts of which a share is right, beside other data of which another share is."""
    return lambda rng, n: replace(right(rate)(rng, n), reference=rng.random(n_reference) < reference)


def with_copies(rate: float, copies: int) -> Draw:
    """Cases with copies: the cases differ in how likely the model is to get them and their copies right."""

    def drawn(rng: Random, n: int) -> Suite:
        groups = np.repeat(np.arange(n), copies + 1)
        # On average the rate, and for most cases near 0 or 1.
        likely = rng.beta(rate / 2, (1 - rate) / 2, n)
        return Suite(np.zeros(groups.size), rng.random(groups.size) < likely[groups], groups)

    return drawn


def equal_sources(draw: Draw) -> Draw:
    """Sources of five texts that answer alike."""
    return lambda rng, n: _of_sources(draw, rng, np.arange(n) // _TEXTS_A_SOURCE)


def unequal_sources(draw: Draw) -> Draw:
    """Sources of one text to many, five on average, that answer alike."""

    def drawn(rng: Random, n: int) -> Suite:
        sizes = rng.geometric(1 / _TEXTS_A_SOURCE, n)
        return _of_sources(draw, rng, np.repeat(np.arange(n), sizes)[:n])

    return drawn


def _of_sources(draw: Draw, rng: Random, groups: NDArray[np.intp]) -> Suite:
    found = draw(rng, int(groups[-1]) + 1)
    return Suite(found.differences[groups], found.successes[groups], groups)


def still(rng: Random, n: int) -> Numbers:
    """Nothing moves."""
    return np.zeros(n)


def normal(mean: float, sd: float) -> Shifts:
    """Normal shifts, cut to what probabilities can do."""
    return lambda rng, n: rng.normal(mean, sd, n).clip(-1, 1)


def even(low: float, high: float) -> Shifts:
    """Any shift between two is as likely as any other."""
    return lambda rng, n: rng.uniform(low, high, n)


def jumps(share: float, jump: float, rest: float) -> Shifts:
    """A share of texts shifts by ``jump``, all others by ``rest``."""
    return lambda rng, n: np.where(rng.random(n) < share, jump, rest)


def cancelling(share: float, reach: float = 1.0) -> Shifts:
    """A share of texts falls by ``reach``, and all others rise by so little that the mean shift is zero."""
    return jumps(share, -reach, reach * share / (1 - share))


def opposite(share: float, size: float) -> Shifts:
    """A share of texts shifts by ``size``, up or down by the toss of a coin; the others stay."""
    return lambda rng, n: np.where(rng.random(n) < share, rng.choice([-size, size], n), 0.0)


def skewed(mean: float) -> Shifts:
    """Most texts hardly move, few fall far, down to -1.0 from the mean of 0.1; moved so as to have that ``mean``."""
    return lambda rng, n: mean + 0.1 - rng.beta(0.2, 1.8, n)


def of_probabilities(rng: Random, n: int) -> Numbers:
    """High probabilities that lose a part of themselves, a skewed one; 0.1 on average."""
    return -rng.beta(8, 1, n) * rng.beta(0.225, 1.775, n)


def heavy(rng: Random, n: int) -> Numbers:
    """Symmetric about zero with heavy tails."""
    return (0.05 * rng.standard_t(3, n)).clip(-1, 1)

"""Which gate meets which suites: under its null hypothesis, under an alternative, and what the plain tests would do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from benchmarks.validity import suites as s
from benchmarks.validity.suites import Draw, Suite
from pytest_trust.checks import directional, invariant
from pytest_trust.checks.directional import Question
from pytest_trust.results import Outcome
from pytest_trust.stats import (
    Method,
    PairedTest,
    Rate,
    clustered_rate,
    difference_lower,
    equivalence,
    reaches,
    stays_within,
    wilson,
)
from pytest_trust.stats import directional as plain_directional

ALPHA = 0.05
MARGIN = 0.1
MAX_FLIP_RATE = 0.1

Kind = Literal["null", "power", "plain"]
Passes = Callable[[Suite], bool]


@dataclass(frozen=True, slots=True)
class Cell:
    """A gate on suites of one scenario: "null" where none may pass, "plain" for a test that no gate uses."""

    kind: Kind
    gate: str
    scenario: str
    draw: Draw
    passes: Passes

    @property
    def name(self) -> str:
        """Both, for tables."""
        return f"{self.gate}: {self.scenario}"


def mean_shift(suite: Suite) -> bool:
    """The part of the gate of invariance that tests the mean."""
    seen = invariant.look(suite.differences, suite.successes, MARGIN, ALPHA, suite.groups)
    return seen.p_value is not None and seen.p_value < ALPHA


def whole(suite: Suite) -> bool:
    """The gate of invariance, flips and opposite shifts included."""
    seen = invariant.look(suite.differences, suite.successes, MARGIN, ALPHA, suite.groups)
    return invariant.decide(seen, MARGIN, MAX_FLIP_RATE, ALPHA).outcome is Outcome.PASS


def direction(method: Method, reach: float = 1.0) -> Passes:
    """The gate of an expected increase."""
    question = Question("increase", method, ALPHA, reach)

    def passes(suite: Suite) -> bool:
        seen = directional.look(suite.differences, question, suite.groups)
        return directional.decide(seen, question).outcome is Outcome.PASS

    return passes


Shown = Callable[[Rate, float, float], bool]


@cache
def _shown(shown: Shown, successes: int, n: int, bound: float) -> bool:
    return shown(wilson(successes, n, ALPHA), bound, ALPHA)


def rate(bound: float, shown: Shown = reaches) -> Passes:
    """The gate of a trust rate or an accuracy; of a flip rate, where it is to be ``shown`` to stay within its bound."""

    def passes(suite: Suite) -> bool:
        if suite.groups is None:
            return _shown(shown, int(suite.successes.sum()), suite.successes.size, bound)
        return shown(clustered_rate(suite.successes, suite.groups, ALPHA), bound, ALPHA)

    return passes


def within(distance: float) -> Passes:
    """The gate of an accuracy that may lie ``distance`` below that on other data."""

    def passes(suite: Suite) -> bool:
        assert suite.reference is not None, "drawn with a reference"
        found, known = clustered_rate(suite.successes, suite.groups, ALPHA), clustered_rate(suite.reference)
        low = difference_lower(found, known, ALPHA)
        return low is not None and low >= -distance

    return passes


def flips(bound: float) -> Passes:
    """The gate of a flip rate."""
    return rate(bound, stays_within)


def cells() -> list[Cell]:
    """Everything that is simulated."""
    return [*_invariance(), *_directions(), *_rates(), *_power(), *_plain()]


EDGE = {
    "at the margin's edge, even": s.shifting(s.even(0.0, 0.2)),
    "at the margin's edge, normal": s.shifting(s.normal(0.1, 0.15)),
    "at the margin's edge, a tenth falls by 1.0": s.shifting(s.jumps(0.1, -1.0, 0.0)),
    "at the margin's edge, most rise and few fall far": s.shifting(s.jumps(1 / 7, -1.0, 0.05)),
    "at the margin's edge, skewed and bounded": s.shifting(s.skewed(-0.1)),
    "at the margin's edge, high probabilities lose a part": s.shifting(s.of_probabilities),
}
_FEW_FALL = "a tenth falls by 1.0"


def _clustered(scenario: str, draw: Draw) -> Iterator[tuple[str, Draw]]:
    yield f"{scenario}, sources of five texts", s.equal_sources(draw)
    yield f"{scenario}, sources of unequal sizes", s.unequal_sources(draw)


def _invariance() -> Iterator[Cell]:
    edges = dict(EDGE)
    for scenario in (f"at the margin's edge, {_FEW_FALL}", "at the margin's edge, skewed and bounded"):
        edges |= _clustered(scenario, EDGE[scenario])
    for scenario, draw in edges.items():
        yield Cell("null", "invariance, mean", scenario, draw, mean_shift)
    flipped = s.shifting(s.normal(0.0, 0.02), MAX_FLIP_RATE)
    cancel = s.shifting(s.opposite(0.5, 0.3))
    wholes = {
        f"at the margin's edge, {_FEW_FALL}": EDGE[f"at the margin's edge, {_FEW_FALL}"],
        "a tenth of the labels flips": flipped,
        "opposite shifts of half the texts cancel": cancel,
    }
    wholes |= {**dict(_clustered("a tenth flips", flipped)), **dict(_clustered("opposite shifts cancel", cancel))}
    for scenario, draw in wholes.items():
        yield Cell("null", "invariance, whole check", scenario, draw, whole)


def _directions() -> Iterator[Cell]:
    fifty = s.shifting(s.cancelling(0.02))
    means = {
        "no mean shift, normal": s.shifting(s.normal(0.0, 0.1)),
        "no mean shift, skewed and bounded": s.shifting(s.skewed(0.0)),
        "one text in 50 falls by 1.0, the others rise": fifty,
        "one text in ten falls by 1.0, the others rise": s.shifting(s.cancelling(0.1)),
        **dict(_clustered("one source in 50 falls by 1.0, the others rise", fifty)),
    }
    for method in ("auto", "t"):
        for scenario, draw in means.items():
            yield Cell("null", f"direction, {method}", scenario, draw, direction(method))
    half = s.shifting(s.cancelling(0.05, 0.5))
    yield Cell("null", "direction, t", "one in 20 moves by 0.5 against, reach 0.5", half, direction("t", 0.5))
    tied = s.shifting(s.opposite(1.0, 0.1))
    symmetric = {
        "symmetric, normal": s.shifting(s.normal(0.0, 0.1)),
        "symmetric, heavy tails": s.shifting(s.heavy),
        "symmetric, all of one size": tied,
        "symmetric, half of the texts still": s.shifting(s.opposite(0.5, 0.1)),
        **dict(_clustered("symmetric, heavy tails", s.shifting(s.heavy))),
    }
    for scenario, draw in symmetric.items():
        yield Cell("null", "direction, wilcoxon", scenario, draw, direction("wilcoxon"))
    halves = s.shifting(s.jumps(0.5, 0.5, -0.01))
    signs = {
        "half rise far, half fall a little": halves,
        "half rise, half stay": s.shifting(s.jumps(0.5, 0.1, 0.0)),
        **dict(_clustered("half rise far, half fall a little", halves)),
    }
    for scenario, draw in signs.items():
        yield Cell("null", "direction, sign", scenario, draw, direction("sign"))


def _rates() -> Iterator[Cell]:
    for bound in (0.5, 0.8, 0.9, 0.95):
        yield Cell("null", "trust rate or accuracy", f"at the bound of {bound:g}", s.right(bound), rate(bound))
    for accuracy, n in ((0.9, 500), (0.7, 500), (0.98, 100)):
        beside = f"0.1 below {accuracy:g} on {n} texts"
        yield Cell("null", "accuracy within 0.1", beside, s.right_beside(accuracy - 0.1, accuracy, n), within(0.1))
    copies = "at the bound of 0.8, cases with two copies each"
    yield Cell("null", "trust rate or accuracy", copies, s.with_copies(0.8, 2), rate(0.8))
    for bound in (0.02, 0.05, 0.1):
        yield Cell("null", "flip rate", f"at the bound of {bound:g}", s.right(bound), flips(bound))
    for scenario, draw in _clustered("at the bound of 0.8", s.right(0.8)):
        yield Cell("null", "trust rate or accuracy", scenario, draw, rate(0.8))
    for scenario, draw in _clustered("at the bound of 0.1", s.right(0.1)):
        yield Cell("null", "flip rate", scenario, draw, flips(0.1))


def _power() -> Iterator[Cell]:
    small = s.shifting(s.normal(0.0, 0.05))
    wholes = {
        "no text moves": s.shifting(s.still),
        "shifts of sd 0.05": small,
        "mean shift 0.02, sd 0.1": s.shifting(s.normal(0.02, 0.1)),
        "sd 0.05, 3 % of the labels flip": s.shifting(s.normal(0.0, 0.05), 0.03),
        **dict(_clustered("shifts of sd 0.05", small)),
    }
    for scenario, draw in wholes.items():
        yield Cell("power", "invariance, whole check", scenario, draw, whole)
    effects = {
        "mean shift 0.1, sd 0.1": s.shifting(s.normal(0.1, 0.1)),
        "mean shift 0.3, sd 0.2": s.shifting(s.normal(0.3, 0.2)),
        "nine in ten rise by 0.02, one falls by as much": s.shifting(s.jumps(0.1, -0.02, 0.02)),
    }
    for scenario, draw in effects.items():
        for method in ("auto", "t", "wilcoxon", "sign"):
            yield Cell("power", f"direction, {method}", scenario, draw, direction(method))
        yield Cell("power", "direction, auto, reach 0.5", scenario, draw, direction("auto", 0.5))
    for truth, bound in ((0.9, 0.8), (0.97, 0.9)):
        yield Cell(
            "power", "trust rate or accuracy", f"{truth:g} for a bound of {bound:g}", s.right(truth), rate(bound)
        )
    yield Cell("power", "accuracy within 0.1", "as good as 0.9", s.right_beside(0.9, 0.9, 500), within(0.1))
    yield Cell("power", "flip rate", "0.02 for a bound of 0.1", s.right(0.02), flips(0.1))


def _plain() -> Iterator[Cell]:
    edge = EDGE[f"at the margin's edge, {_FEW_FALL}"]
    even = s.unequal_sources(EDGE["at the margin's edge, even"])
    yield Cell("plain", "TOST without a guard", _FEW_FALL, edge, _tost)
    yield Cell("plain", "t-test without a guard", "one in 50 falls by 1.0", s.shifting(s.cancelling(0.02)), _t)
    yield Cell("plain", "Wilson's bound alone", "at the bound of 0.5", s.right(0.5), lambda x: _wilson(x).low >= 0.5)
    yield Cell("plain", "Wilson's bound alone", "at the bound of 0.1", s.right(0.1), lambda x: _wilson(x).high <= 0.1)
    yield Cell("plain", "invariance, mean, sources ignored", "even", even, lambda x: mean_shift(x.ungrouped()))
    yield Cell(
        "plain",
        "trust rate, sources ignored",
        "at the bound of 0.8",
        s.unequal_sources(s.right(0.8)),
        lambda x: rate(0.8)(x.ungrouped()),
    )


def _tost(suite: Suite) -> bool:
    return _rejects(equivalence(suite.differences, MARGIN, ALPHA))


def _t(suite: Suite) -> bool:
    return _rejects(plain_directional(suite.differences, "increase", ALPHA, "t"))


def _rejects(test: PairedTest) -> bool:
    return test.p_value is not None and test.p_value < ALPHA


def _wilson(suite: Suite) -> Rate:
    return wilson(int(suite.successes.sum()), suite.successes.size, ALPHA)

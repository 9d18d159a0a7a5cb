"""A run against an earlier one, text by text: what is significantly worse, what better, and which texts turned."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_trust.arguments import require_alpha
from pytest_trust.reports.baseline.file import CheckKey, StoredCheck, StoredRun
from pytest_trust.reports.baseline.results import Compared, Comparison, Standing, Turned
from pytest_trust.reports.baseline.standing import known_checks, stand
from pytest_trust.reports.baseline.tests import Change, Pair, changes, n_hypotheses, pair_up
from pytest_trust.stats import holm

SESSION_ALPHA = 0.05
"""The chance at most that a session in which nothing is worse has a check that fails."""

# Texts that are shown of a check that is worse.
_MOST_SHOWN = 10


def compare_runs(
    before: StoredRun, now: StoredRun, *, alpha: float = SESSION_ALPHA, there: str = "there", here: str = "here"
) -> Comparison:
    """Every check of ``now`` against the same check ``before``.

    A check is worse where a one-sided hypothesis of its own is rejected by Holm's procedure over all of the session at
    ``alpha``; better likewise, where none is. ``there`` and ``here`` name the runs where conditions differ.

    Raises:
        ConfigurationError: alpha is not within 0 and 0.5.
    """
    alpha = require_alpha(alpha)
    known, standing = known_checks(before, now), stand(before, now, there=there, here=here)
    pairs = {
        item.key: pair_up(known[item.key].outcomes, now.checks[item.key].outcomes)
        for item in standing
        if item.standing is Standing.NO_WORSE
    }
    m = sum(map(n_hypotheses, pairs.values()))
    adjusted = _adjusted({key: changes(key[1], found, alpha / max(1, m)) for key, found in pairs.items()})
    checks = [
        _judged(item, adjusted[item.key], pairs[item.key], _shown(known[item.key], now.checks[item.key]), alpha, m)
        if item.key in pairs
        else item
        for item in standing
    ]
    matched = {id(check) for check in known.values()}
    missing = tuple(key for key, check in before.checks.items() if id(check) not in matched)
    return Comparison(before.name, alpha, m, tuple(checks), missing)


def _shown(before: StoredCheck, now: StoredCheck) -> Mapping[str, Mapping[str, Any]]:
    """What either run kept of the texts, that of ``now`` first: it has the words and the changed text of this model."""
    return {**before.texts, **now.texts}


def _adjusted(tested: Mapping[CheckKey, Sequence[Change]]) -> dict[CheckKey, tuple[Change, ...]]:
    """The changes of all checks with adjusted p-values, of either direction by itself."""
    everything = [(key, change) for key, found in tested.items() for change in found]
    for direction in ("worse", "better"):
        places = [i for i, (_, change) in enumerate(everything) if getattr(change, f"p_{direction}") is not None]
        p_values = holm([getattr(everything[i][1], f"p_{direction}") for i in places])
        for place, p_value in zip(places, p_values, strict=True):
            key, change = everything[place]
            is_worse = direction == "worse"
            change = replace(change, adjusted_worse=p_value) if is_worse else replace(change, adjusted_better=p_value)
            everything[place] = key, change
    return {key: tuple(change for found_in, change in everything if found_in == key) for key in tested}


def _judged(
    item: Compared,
    found: tuple[Change, ...],
    pairs: Sequence[Pair],
    shown: Mapping[str, Mapping[str, Any]],
    alpha: float,
    m: int,
) -> Compared:
    item = replace(item, changes=found, needed=_needed(found, alpha, m))
    if _is_any(found, "adjusted_worse", alpha):
        worst = sorted(_losing(pairs, shown), key=lambda text: (text.fell, text.loss), reverse=True)
        first = tuple(worst[:_MOST_SHOWN])
        return replace(item, standing=Standing.WORSE, texts=first, more=len(worst) - len(first))
    return replace(item, standing=Standing.BETTER) if _is_any(found, "adjusted_better", alpha) else item


def _needed(found: Sequence[Change], alpha: float, m: int) -> int:
    """How many sources would have to turn, where a check has fewer that could."""
    needed = math.ceil(math.log2(max(1, m) / alpha))
    could = [round(change.before * change.n) for change in found if change.figure == "holds"]
    return needed if could and max(could) < needed else 0


def _is_any(found: Sequence[Change], name: str, alpha: float) -> bool:
    return any((p_value := getattr(change, name)) is not None and p_value <= alpha for change in found)


def _losing(pairs: Sequence[Pair], shown: Mapping[str, Mapping[str, Any]]) -> Iterator[Turned]:
    """The texts that turned; where none did, those that lost."""
    texts = [Turned(old, new, shown.get(new.key, {})) for old, new in pairs]
    fallen = [text for text in texts if text.fell]
    yield from fallen or (text for text in texts if text.loss > 0)

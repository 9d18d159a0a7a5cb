"""Which checks of two runs are the same, and which of them cannot be compared."""

from __future__ import annotations

from collections.abc import Collection

from pytest_trust.reports.baseline.conditions import check_differences
from pytest_trust.reports.baseline.file import CheckKey, StoredCheck, StoredRun
from pytest_trust.reports.baseline.results import Compared, Standing


def stand(before: StoredRun, now: StoredRun, *, there: str = "there", here: str = "here") -> list[Compared]:
    """How the checks of ``now`` stand before anything is tested: what cannot be compared and why, the rest no worse.

    ``there`` and ``here`` name the runs where conditions differ.
    """
    known = known_checks(before, now)
    return [_stand(key, known.get(key), check, there, here) for key, check in now.checks.items()]


def known_checks(before: StoredRun, now: StoredRun) -> dict[CheckKey, StoredCheck]:
    """The earlier run of each check that has one.

    Names tell of the oracle or the perturbation where a user gave none: so the checks of a test and kind that no name
    matches are matched in their order, where there are as many on either side. What differs is then told.
    """
    known = {key: before.checks[key] for key in now.checks if key in before.checks}
    left, right = (_by_test(a.checks.keys() - b.checks.keys(), a) for a, b in ((before, now), (now, before)))
    for test, keys in right.items():
        if len(keys) == len(left.get(test, ())):
            known |= {key: before.checks[old] for key, old in zip(keys, left[test], strict=True)}
    return known


def _by_test(keys: Collection[CheckKey], run: StoredRun) -> dict[tuple[str, str], list[CheckKey]]:
    """Those ``keys`` of the run in its order, by test and kind."""
    found: dict[tuple[str, str], list[CheckKey]] = {}
    for key in run.checks:
        if key in keys:
            found.setdefault(key[:2], []).append(key)
    return found


def _stand(key: CheckKey, known: StoredCheck | None, check: StoredCheck, there: str, here: str) -> Compared:
    if known is None:
        return Compared(key, Standing.NEW, check.record["outcome"])
    if check.record["details"].get("unfinished"):
        # What was done in time says nothing of the rest.
        return Compared(key, Standing.UNFINISHED, check.record["outcome"], "not compared: a budget ended it")
    differences = check_differences(known.record, check.record, there=there, here=here)
    if differences:
        return Compared(key, Standing.REFUSED, check.record["outcome"], "; ".join(differences))
    return _overlap(key, known, check)


def _overlap(key: CheckKey, before: StoredCheck, now: StoredCheck) -> Compared:
    """How much of a check two runs have in common: where that is the smaller part, it speaks for neither run."""
    decided = {k for k, item in now.outcomes.items() if item.holds is not None}
    known = {k for k, item in before.outcomes.items() if item.holds is not None}
    both = decided & known
    reason = "" if both else f"no text is decided in both runs ({len(known)} there, {len(decided)} here)"
    if both and 2 * len(both) < len(known):
        reason = f"only {len(both)} of the {len(known)} texts decided there are decided here"
    standing = Standing.INCONCLUSIVE if reason else Standing.NO_WORSE
    counts = len(both), len(known - decided), len(decided - known)
    return Compared(key, standing, now.record["outcome"], reason, *counts)

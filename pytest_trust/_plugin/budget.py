"""``--trust-budget``: the time that a session's checks may take, the index among it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from pytest_trust._plugin.options import CONFIG
from pytest_trust.errors import BudgetSpentError
from pytest_trust.results import CheckResult

if TYPE_CHECKING:
    from pytest_trust.checks.budget import Deadline

Progress = Callable[[int, int], None]

_DEADLINE = pytest.StashKey["Deadline"]()
# What the bound of a check is called that needs an index, or an attack.
_BOUNDS = {"trustworthy": "min_rate", "adversarial": "max_success_rate"}


def session_deadline(config: pytest.Config) -> Deadline | None:
    """The end of the budget, which begins where this is asked first; None for none. Each xdist worker has its own."""
    seconds = config.stash[CONFIG].budget
    if seconds is None:
        return None
    from pytest_trust.checks.budget import Deadline

    if _DEADLINE not in config.stash:
        config.stash[_DEADLINE] = Deadline(seconds)
    return config.stash[_DEADLINE]


def within_budget(config: pytest.Config, progress: Progress | None) -> Progress | None:
    """``progress`` of building the index, which comes to an end with the budget.

    Raises:
        BudgetSpentError: it is spent already; the function raises it later.
    """
    deadline = session_deadline(config)
    if deadline is None:
        return progress
    deadline.require_left("no time is left to build the keyword index")

    def told(done: int, total: int) -> None:
        if progress is not None:
            progress(done, total)
        if done < total:
            deadline.require_left(f"the keyword index is not built yet, with {done:,} of {total:,} texts explained")

    return told


def not_begun(kind: str, arguments: Mapping[str, Any], n: int, what: str, error: BudgetSpentError) -> CheckResult:
    """The result of a check of ``n`` texts for which an oracle or attack, called ``what``, could not be made in time.

    Its figures are those of no prediction.
    """
    from pytest_trust import checks
    from pytest_trust.checks.attacked import attack_figures
    from pytest_trust.checks.budget import unfinished_result

    defaults = inspect.signature(getattr(checks, f"check_{kind}")).parameters
    given = {name: arguments.get(name, defaults[name].default) for name in (_BOUNDS[kind], "alpha", "compare")}
    none: dict[str, float | int | str | None] = {
        "judged": 0,
        "trustworthy": 0,
        "tp": 0,
        "fp": 0,
        "tn": 0,
        "fn": 0,
        "oracle": what,
        "explainer": "",
    }
    return unfinished_result(
        kind,
        str(error),
        n_total=n,
        bound=given[_BOUNDS[kind]],
        alpha=given["alpha"],
        seed=arguments["seed"],
        name=arguments.get("name") or f"{what} {'trust rate' if kind == 'trustworthy' else 'attack'}",
        capability=arguments.get("capability"),
        details={
            **(none if kind == "trustworthy" else {"attack": what, **attack_figures([])}),
            "compare": given["compare"],
            "target": arguments.get("target"),
        },
    )

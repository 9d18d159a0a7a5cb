"""The decorators, and the reading of marks back into calls of checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, overload

import pytest

DEFAULT_ATTACK = "toki"

F = TypeVar("F", bound=Callable[..., object] | type)


@overload
def trustworthy(function: F, /) -> F: ...
@overload
def trustworthy(
    *,
    min_rate: float = 0.8,
    compare: str = "bound",
    oracle: object = None,
    target: str | None = None,
    data: object = None,
    n: int | None = None,
    alpha: float = 0.05,
    capability: str | None = None,
    name: str = "",
) -> Callable[[F], F]: ...
def trustworthy(
    function: F | None = None,
    /,
    *,
    min_rate: float = 0.8,
    compare: str = "bound",
    oracle: object = None,
    target: str | None = None,
    data: object = None,
    n: int | None = None,
    alpha: float = 0.05,
    capability: str | None = None,
    name: str = "",
) -> F | Callable[[F], F]:
    """Marks a test: correct predictions rest on words related to their class, at a rate of at least ``min_rate``.

    See :func:`pytest_trust.check_trustworthy`. ``oracle`` is a name as in ``--trust-oracle``, or an oracle; ``data`` is
    a path, a list, or the name of a fixture. By default both are the session's.
    """
    mark = pytest.mark.trustworthy(
        min_rate=min_rate,
        compare=compare,
        oracle=oracle,
        target=target,
        data=data,
        n=n,
        alpha=alpha,
        capability=capability,
        name=name,
    )
    if function is None:
        return mark
    if not callable(function):
        raise TypeError(f"@trustworthy takes keyword arguments only, such as min_rate={function!r}")
    marked: F = mark(function)
    return marked


def invariant(
    perturb: object,
    *,
    margin: float = 0.1,
    max_flip_rate: float = 0.1,
    search: int = 0,
    target: str | None = None,
    groups: Sequence[str | int] | None = None,
    data: object = None,
    n: int | None = None,
    alpha: float = 0.05,
    capability: str | None = None,
    name: str = "",
) -> Callable[[F], F]:
    """Marks a test: the perturbation leaves the model's probabilities within ``margin``.

    See :func:`pytest_trust.check_invariant`. ``data`` is a path, a list, or the name of a fixture; the session's
    data by default.
    """
    _refuse_bare("invariant", perturb)
    return pytest.mark.invariant(
        perturb=perturb,
        margin=margin,
        max_flip_rate=max_flip_rate,
        search=search,
        target=target,
        groups=groups,
        data=data,
        n=n,
        alpha=alpha,
        capability=capability,
        name=name,
    )


def directional(
    perturb: object,
    *,
    expect: str,
    target: str | None = None,
    groups: Sequence[str | int] | None = None,
    method: str = "auto",
    data: object = None,
    n: int | None = None,
    alpha: float = 0.05,
    capability: str | None = None,
    name: str = "",
) -> Callable[[F], F]:
    """Marks a test: the perturbation moves the probability of ``target`` the way ``expect`` says.

    See :func:`pytest_trust.check_directional`. ``data`` is a path, a list, or the name of a fixture; the session's
    data by default.
    """
    _refuse_bare("directional", perturb)
    return pytest.mark.directional(
        perturb=perturb,
        expect=expect,
        target=target,
        groups=groups,
        method=method,
        data=data,
        n=n,
        alpha=alpha,
        capability=capability,
        name=name,
    )


def functional(
    function: object = None,
    /,
    *,
    accuracy: float | None = None,
    precision: float | None = None,
    recall: float | None = None,
    within: float | None = None,
    cases: object = None,
    file: object = None,
    augment: object = (),
    compare: str = "bound",
    target: str | None = None,
    data: object = None,
    n: int | None = None,
    alpha: float = 0.05,
    capability: str | None = None,
    name: str = "",
) -> Callable[[F], F]:
    """Marks a test: the model gets labelled cases right, as often as the metrics ask for.

    See :func:`pytest_trust.check_functional`. ``cases`` is a list of (text, label), a path, or the name of a fixture;
    ``file`` is a path. Without either the cases are ``data``, by default the session's. ``within`` compares the cases
    with ``data``.
    """
    if function is not None:
        raise TypeError("@functional takes keyword arguments only, such as accuracy=0.9")
    return pytest.mark.functional(
        accuracy=accuracy,
        precision=precision,
        recall=recall,
        within=within,
        cases=cases,
        file=file,
        augment=augment,
        compare=compare,
        target=target,
        data=data,
        n=n,
        alpha=alpha,
        capability=capability,
        name=name,
    )


def adversarial(
    function: object = None,
    /,
    *,
    attack: object = DEFAULT_ATTACK,
    max_success_rate: float = 0.4,
    compare: str = "bound",
    max_queries: int | None = None,
    max_seconds: float | None = None,
    target: str | None = None,
    data: object = None,
    n: int | None = None,
    alpha: float = 0.05,
    capability: str | None = None,
    name: str = "",
) -> Callable[[F], F]:
    """Marks a test: an attack that keeps the meaning fools the model on at most ``max_success_rate`` of the texts.

    See :func:`pytest_trust.check_adversarial`. ``attack`` is "toki", "a2t", the name of a recipe of TextAttack, or an
    attack. ``max_queries`` (by default 10,000) and ``max_seconds`` are budgets for each text, for attacks by name.
    """
    if function is not None:
        raise TypeError("@adversarial takes keyword arguments only: write @adversarial(attack=...) above the test")
    return pytest.mark.adversarial(
        attack=attack,
        max_success_rate=max_success_rate,
        compare=compare,
        max_queries=max_queries,
        max_seconds=max_seconds,
        target=target,
        data=data,
        n=n,
        alpha=alpha,
        capability=capability,
        name=name,
    )


def _refuse_bare(name: str, perturb: object) -> None:
    """A decorator without its parentheses would swallow the test: it is given the test for a perturbation."""
    if isinstance(perturb, type) or getattr(perturb, "__name__", "").startswith("test"):
        raise TypeError(f"@{name} needs a perturbation: write @{name}(perturbation, ...) above the test")


_DECORATORS: Mapping[str, Callable[..., Any]] = {
    "trustworthy": trustworthy,
    "invariant": invariant,
    "directional": directional,
    "functional": functional,
    "adversarial": adversarial,
}

# Arguments of every kind of check; other suites may use such names in marks of their own.
_COMMON = frozenset({"data", "n", "target", "alpha", "capability", "name"})


@dataclass(frozen=True, slots=True)
class MarkedCheck:
    """A check that a mark asks for: its kind and the arguments of the mark."""

    kind: str
    arguments: Mapping[str, Any]


def register(config: pytest.Config) -> None:
    """Registers the markers with their signatures."""
    for kind, decorator in _DECORATORS.items():
        summary = (decorator.__doc__ or "").splitlines()[0].removeprefix("Marks a test: ").rstrip(".")
        arguments = ", ".join(_described(parameter) for parameter in _parameters(kind).values())
        config.addinivalue_line("markers", f"{kind}({arguments}): {summary}.")


def marked_checks(item: pytest.Item, *, in_use: bool) -> list[MarkedCheck]:
    """The checks that the marks of ``item`` ask for, outermost first; marks of other suites are left out.

    ``in_use`` says whether a model is given: there, a mark that reads like a slip of ours is an error, so that no
    forgotten pair of parentheses or mistyped argument is a silent pass; elsewhere it is another suite's.

    Raises:
        ConfigurationError: a mark of ours has an unknown, a missing or a positional argument.
    """
    marks = [mark for mark in item.iter_markers() if mark.name in _DECORATORS and _is_ours(mark, in_use)]
    return [_read(mark) for mark in reversed(marks)]


def _parameters(kind: str) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(_DECORATORS[kind]).parameters
    return {name: parameter for name, parameter in parameters.items() if name != "function"}


def _described(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return f"{parameter.name}="
    return f"{parameter.name}={parameter.default!r}"


def _is_ours(mark: pytest.Mark, in_use: bool) -> bool:
    """Whether a mark of one of our names belongs to us rather than to the suite that uses it for something else."""
    known = _parameters(mark.name).keys()
    if mark.kwargs.keys() & (known - _COMMON):
        return True
    return in_use and (_only_ours(mark, known) or any(map(_is_argument, mark.args)) or _is_slip(mark))


def _only_ours(mark: pytest.Mark, known: Collection[str]) -> bool:
    return not mark.args and all(name in known for name in mark.kwargs)


def _is_argument(value: object) -> bool:
    """A number or a perturbation, as our marks take them; other suites give names and tickets."""
    return isinstance(value, int | float) or callable(value) or hasattr(value, "apply")


def _is_slip(mark: pytest.Mark) -> bool:
    """Whether an argument reads like one of a check, of this kind or another."""
    import difflib

    names = {name for kind in _DECORATORS for name in _parameters(kind)} - _COMMON
    return any(difflib.get_close_matches(name, names) for name in mark.kwargs)


def _read(mark: pytest.Mark) -> MarkedCheck:
    from pytest_trust.errors import ConfigurationError

    parameters = _parameters(mark.name)
    if mark.args:
        raise ConfigurationError(f"@{mark.name} takes keyword arguments only, found {mark.args[0]!r}")
    unknown = sorted(mark.kwargs.keys() - parameters.keys())
    if unknown:
        raise ConfigurationError(
            f"@{mark.name} has no argument {unknown[0]!r}; its arguments are {', '.join(parameters)}"
        )
    required = [name for name, parameter in parameters.items() if parameter.default is inspect.Parameter.empty]
    missing = [name for name in required if mark.kwargs.get(name) is None]
    if missing:
        raise ConfigurationError(f"@{mark.name} needs the argument {missing[0]!r}, found {sorted(mark.kwargs)}")
    for name in ("name", "capability"):
        if not isinstance(mark.kwargs.get(name) or "", str):
            raise ConfigurationError(f"@{mark.name} {name}={mark.kwargs[name]!r}: expected a str")
    return MarkedCheck(mark.name, dict(mark.kwargs))

"""The contract of a perturbation, and how anything a user gives becomes one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard, runtime_checkable

from pytest_trust.arguments import require_count
from pytest_trust.errors import ConfigurationError
from pytest_trust.messages import shown
from pytest_trust.perturb.edits import Edit, apply_edits, diff_edits, real_edits

if TYPE_CHECKING:
    import inspect

_PACKAGE = __name__.rpartition(".")[0]
_EXPECTED = "a perturbation (such as perturb.lowercase()) or a function from str to str"


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A changed text and its edits, in order, in positions of the original: they rebuild ``text`` from it."""

    text: str
    edits: tuple[Edit, ...]

    @property
    def changed(self) -> bool:
        """False where the perturbation found nothing to change."""
        return bool(self.edits)


@runtime_checkable
class Perturbation(Protocol):
    """A change of a text. The same text and the same state of ``rng`` give the same outcome."""

    @property
    def name(self) -> str:
        """Short name for summaries, such as ``replace(happy -> sad)``."""

    @property
    def preserves_label(self) -> bool:
        """Whether a person would give the changed text the same class."""

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """The changed ``text``; every draw comes from ``rng``."""


class Named:
    """Shows a perturbation by its name."""

    __slots__ = ()

    def __repr__(self: Perturbation) -> str:
        return self.name


def edited(text: str, edits: Iterable[Edit]) -> Perturbed:
    """The outcome of ``edits``; those that change nothing are left out."""
    kept = real_edits(text, edits)
    new = apply_edits(text, kept)
    return Perturbed(new, kept if new != text else ())


Edits = Callable[[str, random.Random], Iterable[Edit]]
"""The edits of a text, each draw from a generator."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rewriting(Named):
    """What the factories make: ``edits``, a function of a module or a ``partial`` of one, under a name.

    Two are equal where name, function and arguments are.
    """

    name: str
    edits: Edits
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with its edits."""
        return edited(text, self.edits(text, rng))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rewriting) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self.name)

    def _identity(self) -> tuple[object, ...]:
        edits = self.edits
        made = (edits.func, edits.args, edits.keywords) if isinstance(edits, partial) else edits
        return self.name, self.preserves_label, made


def perturb_text(perturbation: Perturbation, text: str, seed: int) -> Perturbed:
    """``text`` changed by ``perturbation``, drawing from a generator of its own.

    Raises:
        ConfigurationError: ``text`` is no string, ``seed`` no integer, or the perturbation did not answer with a
            text that its edits rebuild.
    """
    if not isinstance(text, str):
        raise ConfigurationError(f"a text to perturb must be a str, found {shown(text)}")
    return checked_apply(perturbation, text, random.Random(require_count("seed", seed, least=-math.inf)))


def checked_apply(perturbation: Perturbation, text: str, rng: random.Random) -> Perturbed:
    """What ``perturbation`` makes of ``text``, once it is known that its edits rebuild it."""
    outcome = perturbation.apply(text, rng)
    if not isinstance(outcome, Perturbed) or apply_edits(text, outcome.edits) != outcome.text:
        raise ConfigurationError(
            f"{perturbation.name} must answer with a Perturbed whose edits rebuild its text, "
            f"found {shown(outcome)} for the text {text!r}"
        )
    return outcome if outcome.text != text else Perturbed(text, ())


def as_perturbation(given: object) -> Perturbation:
    """``given`` as a perturbation.

    A perturbation is returned as it is. A function ``(text)`` or ``(text, rng)`` that returns the new text is
    wrapped: its name is the function's, its edits are found by comparing words, and it counts as preserving the label
    unless the function has an attribute ``preserves_label`` that says otherwise.

    Raises:
        ConfigurationError: ``given`` is something else.
    """
    if isinstance(given, type) or _is_factory(given):
        raise ConfigurationError(f"expected {_EXPECTED}, found {given.__name__} itself; call it to make one")
    if isinstance(given, Perturbation):
        return given
    if not callable(given):
        raise ConfigurationError(f"expected {_EXPECTED}, found {shown(given)}")
    return FunctionPerturbation(
        name=_function_name(given),
        function=given,
        takes_rng=_takes_rng(given),
        preserves_label=bool(getattr(given, "preserves_label", True)),
    )


@dataclass(frozen=True, slots=True, repr=False)
class FunctionPerturbation(Named):
    """A user's function as a perturbation."""

    name: str
    function: Callable[..., Any]
    takes_rng: bool
    preserves_label: bool = True

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """The text that the function returns.

        Raises:
            ConfigurationError: it returned no string. What the function itself raises passes, with a note.
        """
        try:
            new = self.function(text, rng) if self.takes_rng else self.function(text)
        except Exception as error:
            error.add_note(f"raised by the perturbation {self.name} for the text {text!r}")
            raise
        if not isinstance(new, str):
            raise ConfigurationError(
                f"the function {self.name} must return a str, found {shown(new)} for the text {text!r}"
            )
        if _is_writable(text) and not _is_writable(new):
            raise ConfigurationError(
                f"the function {self.name} must return text that UTF-8 can hold, found {shown(new)} for {text!r}"
            )
        new = "".join(new)  # of a subclass, such as numpy's, the plain str
        return Perturbed(new, diff_edits(text, new))


def _is_writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _takes_rng(function: Callable[..., Any]) -> bool:
    """Whether ``function`` is to be called with ``(text, rng)`` rather than ``(text)``."""
    import inspect

    try:
        signature = inspect.signature(function)
    except ValueError:  # some builtins have no signature: they are taken to want the text alone
        return False
    one, two = _fits(signature, 1), _fits(signature, 2)
    if not one and not two:
        raise ConfigurationError(
            f"the function {_function_name(function)} must take (text) or (text, rng), found {signature}"
        )
    return two and (not one or "rng" in signature.parameters)


def _fits(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True


def _is_factory(given: object) -> TypeGuard[FunctionType]:
    """Whether ``given`` is one of this package's own functions, such as ``perturb.lowercase``."""
    return isinstance(given, FunctionType) and given.__module__.startswith(_PACKAGE)


def _function_name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))

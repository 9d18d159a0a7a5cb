"""Text put around a text."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.edits import Edit


def add_prefix(text: str, *, preserves_label: bool = True) -> Addition:
    """Puts ``text`` in front, with a space between.

    Raises:
        ConfigurationError: ``text`` is no string or blank.
    """
    return Addition(f"add_prefix({_excerpt(text)})", text, at_end=False, preserves_label=preserves_label)


def add_suffix(text: str, *, preserves_label: bool = True) -> Addition:
    """Puts ``text`` behind, with a space between.

    Raises:
        ConfigurationError: ``text`` is no string or blank.
    """
    return Addition(f"add_suffix({_excerpt(text)})", text, at_end=True, preserves_label=preserves_label)


def _excerpt(text: object, longest: int = 24) -> str:
    if not isinstance(text, str) or not text.strip():
        raise ConfigurationError(f"the text to add must be a str that is not blank, found {text!r}")
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 3].rstrip()}..."


@dataclass(frozen=True, slots=True, repr=False)
class Addition(Named):
    """What :func:`add_prefix` and :func:`add_suffix` make."""

    name: str
    added: str
    at_end: bool
    preserves_label: bool

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with the addition; ``rng`` is not drawn from."""
        at, edge = (len(text), text[-1:]) if self.at_end else (0, text[:1])
        gap = "" if not edge or edge.isspace() else " "
        return edited(text, [Edit(at, at, gap + self.added if self.at_end else self.added + gap)])

"""Text put around a text, or into it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import regex

from pytest_trust.arguments import require_choice
from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Named, Perturbed, edited
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.protect import overlaps, protected_spans
from pytest_trust.perturb.lexicon import entries

_BOUNDARY = regex.compile(
    r"(?<=\w[.!?…][\"'”’)\]]?)(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|[A-Z])\.)\s+(?=[\"'“‘(\[]?[\p{Lu}\d])"
)
_OPEN_END = regex.compile(r"\w[\"'”’)\]]{0,2}\Z")
_HOSTS = ("example.com", "example.net", "example.org")  # reserved for examples by RFC 2606
_HIGHEST_NUMBER = 9999


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


def add_neutral(where: str = "end") -> Insertion:
    """Puts in a sentence of everyday facts, without an opinion and beside any topic, drawn from a list of sixty.

    Not idempotent: each time adds a sentence. A text that ends without a full stop gets one before it.

    Args:
        where: "start", "end" or "middle": between two sentences of the text, and at its end where it has but one.

    Raises:
        ConfigurationError: ``where`` is something else.
    """
    require_choice("where", where, ("start", "middle", "end"))
    return _insertion("add_neutral", partial(_sentence, "neutral_sentences"), where)


def add_url(where: str = "end") -> Insertion:
    """Puts a made-up web address of a reserved example domain at the end or start. Not idempotent.

    Raises:
        ConfigurationError: ``where`` is neither "end" nor "start".
    """
    require_choice("where", where, ("start", "end"))
    return _insertion("add_url", _url, where, is_sentence=False)


def add_handle(where: str = "end") -> Insertion:
    """Puts a made-up @handle at the end or start. Not idempotent.

    Raises:
        ConfigurationError: ``where`` is neither "end" nor "start".
    """
    require_choice("where", where, ("start", "end"))
    return _insertion("add_handle", _handle, where, is_sentence=False)


def add_praise() -> Insertion:
    """Puts a sentence of praise behind, as fits any product, film or service. Not idempotent.

    It does not preserve the label: made for directional checks.
    """
    return _insertion("add_praise", partial(_sentence, "praise_sentences"), "end", preserves_label=False)


def add_criticism() -> Insertion:
    """Puts a sentence of criticism behind, as fits any product, film or service. Not idempotent.

    It does not preserve the label: made for directional checks.
    """
    return _insertion("add_criticism", partial(_sentence, "criticism_sentences"), "end", preserves_label=False)


def _excerpt(text: object, longest: int = 24) -> str:
    if not isinstance(text, str) or not text.strip():
        raise ConfigurationError(f"the text to add must be a str that is not blank, found {text!r}")
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 3].rstrip()}..."


def _insertion(
    name: str,
    draw: Callable[[random.Random], str],
    where: str,
    *,
    is_sentence: bool = True,
    preserves_label: bool = True,
) -> Insertion:
    shown = name if where == "end" else f"{name}({where})"
    return Insertion(shown, draw, where, is_sentence, preserves_label)


@dataclass(frozen=True, slots=True, repr=False)
class Addition(Named):
    """What :func:`add_prefix` and :func:`add_suffix` make."""

    name: str
    added: str
    at_end: bool
    preserves_label: bool

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with the addition; ``rng`` is not drawn from."""
        return edited(text, [_behind(text, self.added) if self.at_end else _before(text, self.added)])


@dataclass(frozen=True, slots=True, repr=False)
class Insertion(Named):
    """A drawn piece of text put into a text, between sentences where it is one itself."""

    name: str
    draw: Callable[[random.Random], str]
    where: str
    is_sentence: bool
    preserves_label: bool

    def apply(self, text: str, rng: random.Random) -> Perturbed:
        """``text`` with the piece put in."""
        added = self.draw(rng)
        if self.where == "start":
            return edited(text, [_before(text, added)])
        boundaries = sentence_boundaries(text) if self.where == "middle" else []
        if boundaries:
            at = rng.choice(boundaries)
            return edited(text, [Edit(at, at, f"{added} ")])
        stop = full_stop(text) if self.is_sentence else []
        return edited(text, [*stop, _behind(text, added)])


def sentence_boundaries(text: str) -> list[int]:
    """Where sentences of ``text`` begin, but for the first."""
    shielded = protected_spans(text)
    return [found.end() for found in _BOUNDARY.finditer(text) if not overlaps(shielded, *found.span())]


def _before(text: str, added: str) -> Edit:
    return Edit(0, 0, added + ("" if not text or text[0].isspace() else " "))


def _behind(text: str, added: str) -> Edit:
    gap = "" if not text or text[-1].isspace() else " "
    return Edit(len(text), len(text), gap + added)


def full_stop(text: str) -> list[Edit]:
    """A full stop behind the last word where the text ends with one, outside of what is left alone."""
    end = len(text.rstrip())
    if not _OPEN_END.search(text, 0, end) or overlaps(protected_spans(text), end - 1, end):
        return []
    return [Edit(end, end, ".")]


def _sentence(name: str, rng: random.Random) -> str:
    return rng.choice(entries(name))[0]


@cache
def _slugs() -> tuple[str, ...]:
    return tuple(word for (word,) in entries("neutral_nouns"))


def _url(rng: random.Random) -> str:
    path = "-".join(rng.sample(_slugs(), 2))
    return f"https://www.{rng.choice(_HOSTS)}/{path}/{rng.randint(1, _HIGHEST_NUMBER)}"


def _handle(rng: random.Random) -> str:
    return f"@{'_'.join(rng.sample(_slugs(), 2))}{rng.randint(1, _HIGHEST_NUMBER)}"

"""Text put around a text, or into it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from pytest_trust.arguments import require_choice
from pytest_trust.errors import ConfigurationError
from pytest_trust.perturb.base import Rewriting
from pytest_trust.perturb.edits import Edit
from pytest_trust.perturb.language.boundaries import full_stop, sentence_boundaries
from pytest_trust.perturb.lexicon import column
from pytest_trust.perturb.meaning.placing import put_before, put_behind
from pytest_trust.perturb.parameters import called, excerpt

_HOSTS = ("example.com", "example.net", "example.org")  # reserved for examples by RFC 2606
_HIGHEST_NUMBER = 9999


def add_prefix(text: str, *, preserves_label: bool = True) -> Rewriting:
    """Puts ``text`` in front, with a space between.

    Raises:
        ConfigurationError: ``text`` is no string or blank.
    """
    return Rewriting(called(add_prefix, _summary(text), preserves_label), partial(_with_prefix, text), preserves_label)


def add_suffix(text: str, *, preserves_label: bool = True) -> Rewriting:
    """Puts ``text`` behind, with a space between.

    Raises:
        ConfigurationError: ``text`` is no string or blank.
    """
    return Rewriting(called(add_suffix, _summary(text), preserves_label), partial(_with_suffix, text), preserves_label)


def add_neutral(where: str = "end") -> Rewriting:
    """Puts in a sentence of everyday facts, without an opinion and beside any topic, drawn from a list of sixty.

    Not idempotent: each time adds a sentence. A text that ends without a full stop gets one before it.

    Args:
        where: "start", "end" or "middle": between two sentences of the text, and at its end where it has but one.

    Raises:
        ConfigurationError: ``where`` is something else.
    """
    require_choice("where", where, ("start", "middle", "end"))
    return Rewriting(called(add_neutral, where), partial(_with_sentence, "neutral_sentences", where))


def add_url(where: str = "end") -> Rewriting:
    """Puts a made-up web address of a reserved example domain at the end or start. Not idempotent.

    Raises:
        ConfigurationError: ``where`` is neither "end" nor "start".
    """
    require_choice("where", where, ("start", "end"))
    return Rewriting(called(add_url, where), partial(_with_address, _url, where))


def add_handle(where: str = "end") -> Rewriting:
    """Puts a made-up @handle at the end or start. Not idempotent.

    Raises:
        ConfigurationError: ``where`` is neither "end" nor "start".
    """
    require_choice("where", where, ("start", "end"))
    return Rewriting(called(add_handle, where), partial(_with_address, _handle, where))


def add_praise() -> Rewriting:
    """Puts a sentence of praise behind, as fits any product, film or service. Not idempotent.

    It does not preserve the label: made for directional checks.
    """
    return Rewriting(called(add_praise), partial(_with_sentence, "praise_sentences", "end"), preserves_label=False)


def add_criticism() -> Rewriting:
    """Puts a sentence of criticism behind, as fits any product, film or service. Not idempotent.

    It does not preserve the label: made for directional checks.
    """
    return Rewriting(
        called(add_criticism), partial(_with_sentence, "criticism_sentences", "end"), preserves_label=False
    )


def _summary(text: object) -> str:
    if not isinstance(text, str) or not text.strip():
        raise ConfigurationError(f"the text to add must be a str that is not blank, found {text!r}")
    return excerpt(text)


def _with_prefix(added: str, text: str, rng: random.Random) -> list[Edit]:
    return [put_before(text, added)]


def _with_suffix(added: str, text: str, rng: random.Random) -> list[Edit]:
    return [put_behind(text, added)]


def _with_sentence(name: str, where: str, text: str, rng: random.Random) -> list[Edit]:
    """A sentence of the list ``name``; in the middle of a text of one sentence it goes to the end."""
    added = rng.choice(column(name))
    if where == "start":
        return [put_before(text, added)]
    boundaries = sentence_boundaries(text) if where == "middle" else []
    if boundaries:
        at = rng.choice(boundaries)
        return [Edit(at, at, f"{added} ")]
    return [*full_stop(text), put_behind(text, added)]


def _with_address(draw: Callable[[random.Random], str], where: str, text: str, rng: random.Random) -> list[Edit]:
    return [(put_before if where == "start" else put_behind)(text, draw(rng))]


def _url(rng: random.Random) -> str:
    path = "-".join(rng.sample(column("neutral_nouns"), 2))
    return f"https://www.{rng.choice(_HOSTS)}/{path}/{rng.randint(1, _HIGHEST_NUMBER)}"


def _handle(rng: random.Random) -> str:
    return f"@{'_'.join(rng.sample(column('neutral_nouns'), 2))}{rng.randint(1, _HIGHEST_NUMBER)}"

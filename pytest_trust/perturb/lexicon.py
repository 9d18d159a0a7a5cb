"""The word lists in ``lexicons/``, read at first use. Their origin and licences: ``lexicons/README.md``."""

from __future__ import annotations

from functools import cache


@cache
def entries(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of the list ``name``: columns, which the first line of its file tells."""
    from importlib.resources import files

    lines = (files(__package__) / "lexicons" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split(" | ")) for line in lines if line and not line.startswith("#"))


@cache
def column(name: str) -> tuple[str, ...]:
    """The first column of the list ``name``, in order."""
    return tuple(row[0] for row in entries(name))


@cache
def members(name: str) -> frozenset[str]:
    """The first column of the list ``name``, to look words up in."""
    return frozenset(column(name))


def common_words() -> frozenset[str]:
    """Common English words, lower-case, among them all that are also frequent names of people or places."""
    return members("common_words")


def words_of(name: str) -> frozenset[str]:
    """The words of the class ``name`` in ``word_classes.txt``, in small letters.

    Raises:
        KeyError: there is no such class.
    """
    return _word_classes()[name]


@cache
def _word_classes() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, *words in entries("word_classes")}

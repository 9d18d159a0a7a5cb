"""The word lists in ``lexicons/``, read at first use. Their origin and licences: ``lexicons/README.md``."""

from __future__ import annotations

from functools import cache


@cache
def entries(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of the list ``name``: the spellings of one thing each, the one that stands in for others first."""
    from importlib.resources import files

    lines = (files(__package__) / "lexicons" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split(" | ")) for line in lines if line and not line.startswith("#"))


@cache
def common_words() -> frozenset[str]:
    """Common English words, lower-case, among them all that are also frequent names of people or places."""
    return frozenset(line[0] for line in entries("common_words"))


@cache
def words_of(name: str) -> frozenset[str]:
    """The words of the class ``name`` in ``word_classes.txt``, in small letters."""
    return frozenset(next(words for found, *words in entries("word_classes") if found == name))

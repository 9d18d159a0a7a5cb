"""Text put before or behind a text, with a space between where none is."""

from __future__ import annotations

from pytest_trust.perturb.edits import Edit


def put_before(text: str, added: str) -> Edit:
    """The edit that puts ``added`` before ``text``."""
    return Edit(0, 0, added + ("" if not text or text[0].isspace() else " "))


def put_behind(text: str, added: str) -> Edit:
    """The edit that puts ``added`` behind ``text``."""
    gap = "" if not text or text[-1].isspace() else " "
    return Edit(len(text), len(text), gap + added)

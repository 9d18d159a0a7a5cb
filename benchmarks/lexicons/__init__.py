"""Scripts that select the word lists of ``pytest_trust/perturb/lexicons`` from packages and public lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path


def write(file: Path, heading: str, rows: Iterable[Sequence[str]]) -> None:
    """Write a list: its heading, which tells the columns, and a line for each row."""
    lines = (row if isinstance(row, str) else " | ".join(row) for row in rows)
    file.write_text("\n".join([f"# {heading}", *lines]) + "\n", encoding="utf-8")

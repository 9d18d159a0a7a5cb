"""What a user is told before a file runs code."""

from __future__ import annotations

import sys


def announce_pickle(file: str) -> None:
    """Says on stderr that loading ``file`` runs code, and what forbids it."""
    print(f"pytest-trust: loading {file} runs code in that file (--no-pickle forbids it)", file=sys.stderr)

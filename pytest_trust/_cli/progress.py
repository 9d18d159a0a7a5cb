"""How far a command is, on a terminal alone."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from pytest_trust.messages import progress_line


@contextlib.contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Gives a function of (done, total) that draws on stderr; None where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    drawn = False

    def draw(done: int, total: int) -> None:
        nonlocal drawn
        drawn = True
        print("\r" + progress_line(title, done, total), end="", file=sys.stderr, flush=True)

    try:
        yield draw
    finally:
        if drawn:
            print(file=sys.stderr)

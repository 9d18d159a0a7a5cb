"""A progress bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest

from pytest_trust.messages import progress_line


@contextlib.contextmanager
def progress_bar(config: pytest.Config, title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Gives a function of (done, total) that draws on the session's terminal; None where there is none."""
    shown = config.pluginmanager.has_plugin("terminalreporter") and not hasattr(config, "workerinput")
    writer = config.get_terminal_writer() if shown else None
    if writer is None or not writer.hasmarkup or config.get_verbosity() < 0:
        yield None
        return

    def draw(done: int, total: int) -> None:
        writer.write("\r" + progress_line(title, done, total), flush=True)

    writer.line()
    yield draw
    writer.line()

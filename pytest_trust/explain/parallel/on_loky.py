"""Chunks in processes of this machine, by joblib's loky."""

from __future__ import annotations

import contextlib
import itertools
import tempfile
import threading
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_trust.explain.parallel.engines import Run
from pytest_trust.explain.parallel.joblib_runs import joblib_run, joblib_workers
from pytest_trust.explain.parallel.packing import Packed
from pytest_trust.store import publish


@dataclass(frozen=True, slots=True)
class SealedFile:
    """Content in a file that the workers of this machine read."""

    digest: str
    path: Path

    def content(self) -> bytes:
        """The bytes of the file."""
        return self.path.read_bytes()


class Loky:
    """Processes of this machine, each with one thread for its numbers."""

    def __init__(self) -> None:
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        self.losses: tuple[type[Exception], ...] = (TerminatedWorkerError,)
        self.deaths: tuple[type[Exception], ...] = ()
        self._folder = tempfile.TemporaryDirectory(prefix="pytest-trust-", ignore_cleanup_errors=True)

    def workers(self, jobs: int) -> int:
        """See :class:`Engine`; one within a process that may have no children."""
        return joblib_workers(jobs, "loky")

    def sealed(self, packed: Packed) -> SealedFile:
        """See :class:`Engine`."""
        path = Path(self._folder.name) / packed.digest
        if not path.exists():
            for old in sorted(path.parent.iterdir(), key=lambda file: file.stat().st_mtime)[:-1]:
                old.unlink()  # the last may still be read
            publish(path, packed.content())
        return SealedFile(packed.digest, path)

    @contextlib.contextmanager
    def running(self, jobs: int) -> Iterator[Run]:
        """See :class:`Engine`; the processes stay for the next time."""
        # A worker that gave memory back is replaced by loky itself. The warning of it comes from a thread of loky's,
        # which would not survive one that is made an error.
        warnings.filterwarnings("ignore", message="A worker stopped while some jobs", category=UserWarning)
        yield lambda tasks: _waited_for(joblib_run(jobs, "loky", inner_max_num_threads=1), tasks)

    def close(self) -> None:
        """See :class:`Engine`."""
        self._folder.cleanup()


def _waited_for(parallel: Any, tasks: Sequence[Any]) -> Iterator[Any]:
    """The results of ``tasks``; where they are left early, those under way are waited for.

    To stop them, joblib kills the workers, and a thread of loky's that is about to hand out the next task dies of it.
    """
    is_left = threading.Event()
    found = parallel(itertools.takewhile(lambda _: not is_left.is_set(), tasks))
    try:
        for result in found:  # noqa: UP028  # "yield from" would stop them
            yield result
    except GeneratorExit:
        is_left.set()
        with contextlib.suppress(Exception):
            deque(found, maxlen=0)
        raise

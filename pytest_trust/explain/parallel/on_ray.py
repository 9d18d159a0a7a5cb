"""Chunks on the workers of a Ray cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pytest_trust.errors import WorkerError, missing_extra
from pytest_trust.explain.parallel.engines import Run
from pytest_trust.explain.parallel.joblib_runs import ALL, joblib_run, joblib_workers
from pytest_trust.explain.parallel.packing import Packed
from pytest_trust.messages import in_short


@dataclass(frozen=True, slots=True)
class SealedReference:
    """Content in Ray's store of objects, which keeps one copy a machine."""

    digest: str
    reference: Any

    def content(self) -> bytes:
        """The bytes, fetched now."""
        import ray

        found: bytes = ray.get(self.reference)
        return found


class Ray:
    """The workers of a Ray cluster: that of ``RAY_ADDRESS``, else processes of this machine."""

    def __init__(self) -> None:
        try:
            import ray
            from ray.util.joblib import register_ray
        except ImportError as error:
            raise missing_extra("ray", "ray", "the backend 'ray'") from error
        register_ray()
        self._ray = ray
        self.losses: tuple[type[Exception], ...] = (ray.exceptions.RayActorError,)
        self.deaths: tuple[type[Exception], ...] = ()
        self._kept: tuple[str, Any] = ("", None)

    def workers(self, jobs: int) -> int:
        """See :class:`Engine`: all of the cluster, unless ``jobs`` asks for more than one."""
        self._start()
        return joblib_workers(_asked(jobs), "ray")

    def sealed(self, packed: Packed) -> SealedReference:
        """See :class:`Engine`."""
        self._start()
        if self._kept[0] != packed.digest:
            self._kept = (packed.digest, self._ray.put(packed.content()))
        return SealedReference(*self._kept)

    @contextlib.contextmanager
    def running(self, jobs: int) -> Iterator[Run]:
        """See :class:`Engine`; one pool of actors for all tasks, whose results come together."""
        with joblib_run(_asked(jobs), "ray", return_as="list") as parallel:
            yield lambda tasks: (result for result in parallel(tasks))

    def close(self) -> None:
        """See :class:`Engine`."""
        self._kept = ("", None)

    def _start(self) -> None:
        if not self._ray.is_initialized():
            try:
                self._ray.init()
            except (OSError, RuntimeError, ValueError) as error:
                raise WorkerError(f"no cluster of Ray can be reached or started: {in_short(error)}") from error


def _asked(jobs: int) -> int:
    """The number of jobs as joblib takes it: one is the default here, which means all of a cluster."""
    return ALL if jobs == 1 else jobs

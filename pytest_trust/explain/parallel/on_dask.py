"""Chunks on the workers of a Dask cluster."""

from __future__ import annotations

import concurrent.futures
import contextlib
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_trust.errors import ConfigurationError, WorkerError, missing_extra
from pytest_trust.explain.parallel.engines import Run
from pytest_trust.explain.parallel.joblib_runs import ALL, joblib_run, joblib_workers
from pytest_trust.explain.parallel.packing import Packed
from pytest_trust.messages import in_short


class SealedBytes:
    """Content that Dask keeps on its workers."""

    def __init__(self, digest: str, content: bytes) -> None:
        self.digest = digest
        self._content = content

    def content(self) -> bytes:
        """The bytes."""
        return self._content


class Dask:
    """The workers of a Dask cluster: that of the client in use, else of the scheduler that Dask's settings name."""

    def __init__(self) -> None:
        try:
            import distributed
            from distributed.scheduler import KilledWorker
        except ImportError as error:
            raise missing_extra("distributed", "dask", "the backend 'dask'") from error
        self.losses: tuple[type[Exception], ...] = (concurrent.futures.CancelledError,)
        self.deaths: tuple[type[Exception], ...] = (KilledWorker,)
        self._own = contextlib.ExitStack()
        self._client = _dask_client(distributed, self._own)
        self._kept: tuple[str, Any] = ("", None)

    def workers(self, jobs: int) -> int:
        """See :class:`Engine`: all threads of the cluster, however many ``jobs``."""
        return joblib_workers(ALL, "dask", client=self._client)

    def sealed(self, packed: Packed) -> object:
        """See :class:`Engine`: a future, kept on every worker; put there anew where it was lost with them."""
        digest, future = self._kept
        if digest != packed.digest or future.status != "finished":
            content = SealedBytes(packed.digest, packed.content())
            future = self._client.scatter(content, broadcast=True, hash=False)
            self._kept = (packed.digest, future)
        return future

    @contextlib.contextmanager
    def running(self, jobs: int) -> Iterator[Run]:
        """See :class:`Engine`."""
        yield lambda tasks: _cancelled(joblib_run(ALL, "dask", client=self._client), tasks)

    def close(self) -> None:
        """See :class:`Engine`; a client that was in use before stays so."""
        self._kept = ("", None)
        self._own.close()


def _dask_client(distributed: Any, own: contextlib.ExitStack) -> Any:
    with contextlib.suppress(ValueError):
        return distributed.get_client()
    import dask

    address = dask.config.get("scheduler-address", None)
    if address is None:
        raise ConfigurationError(
            "the backend 'dask' needs a cluster: set DASK_SCHEDULER_ADDRESS=tcp://HOST:8786, or make a "
            "distributed.Client in a conftest.py"
        )
    try:
        return own.enter_context(distributed.Client(address, set_as_default=False))
    except (OSError, ValueError) as error:
        raise WorkerError(f"no scheduler of Dask answers at {address}: {in_short(error)}") from error


def _cancelled(parallel: Any, tasks: Sequence[Any]) -> Iterator[Any]:
    """The results of ``tasks``; where they are left early, those under way are given up."""
    found = parallel(tasks)
    try:
        for result in found:  # noqa: UP028  # joblib warns of what it gives up
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.close()

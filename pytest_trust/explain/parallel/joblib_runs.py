"""What the engines ask of joblib."""

from __future__ import annotations

from typing import Any

from pytest_trust.errors import WorkerError
from pytest_trust.messages import in_short

# The number of jobs by which joblib understands all that there are.
ALL = -1


def joblib_run(jobs: int, backend: str, return_as: str = "generator_unordered", **settings: Any) -> Any:
    """A Parallel of joblib; the settings are its own, and leave other uses of joblib in this process alone."""
    from joblib import Parallel, parallel_config

    with parallel_config(backend, n_jobs=jobs, **settings):
        return Parallel(batch_size=1, pre_dispatch="n_jobs + 1", return_as=return_as)


def joblib_workers(jobs: int, backend: str, **settings: Any) -> int:
    """How many tasks run at once.

    Raises:
        WorkerError: a cluster has no worker.
    """
    from joblib import effective_n_jobs, parallel_config

    try:
        with parallel_config(backend, n_jobs=jobs, **settings):
            return int(effective_n_jobs(jobs))
    except TimeoutError as error:
        raise WorkerError(f"the backend {backend!r} has no worker: {in_short(error)}") from error

"""The contract of an engine that runs chunks in other processes, and engines by name. All go through joblib."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, Protocol, get_args

from pytest_trust.arguments import require_choice
from pytest_trust.explain.parallel.packing import Packed

Backend = Literal["loky", "dask", "ray"]
Run = Callable[[Sequence[Any]], Iterator[Any]]


class Engine(Protocol):
    """Runs tasks of joblib in workers.

    ``losses`` are the errors by which it tells that work was lost with a worker, ``deaths`` those by which it tells
    that it tried often enough.
    """

    losses: tuple[type[Exception], ...]
    deaths: tuple[type[Exception], ...]

    def workers(self, jobs: int) -> int:
        """How many tasks run at once where ``jobs`` are asked for.

        Raises:
            WorkerError: there are none.
        """

    def sealed(self, packed: Packed) -> object:
        """What stands for ``packed`` in the arguments of tasks, which are many: the content reaches a worker once."""

    def running(self, jobs: int) -> contextlib.AbstractContextManager[Run]:
        """Gives a function that runs tasks and yields their results as they come."""

    def close(self) -> None:
        """Frees what the engine holds."""


def make_engine(backend: Backend) -> Engine:
    """The engine of a name.

    Raises:
        ConfigurationError: there is no such engine, or nothing says where its cluster is.
        MissingExtraError: its package is not installed.
        WorkerError: its cluster cannot be reached.
    """
    require_choice("backend", backend, get_args(Backend))
    from pytest_trust.explain.parallel.on_dask import Dask
    from pytest_trust.explain.parallel.on_loky import Loky
    from pytest_trust.explain.parallel.on_ray import Ray

    engines: dict[str, Callable[[], Engine]] = {"loky": Loky, "dask": Dask, "ray": Ray}
    return engines[backend]()

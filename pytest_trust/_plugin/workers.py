"""``--trust-jobs`` and ``--trust-backend``: who explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_trust._plugin.options import CONFIG

if TYPE_CHECKING:
    from pytest_trust.explain import Explainer


def shared_explainer(config: pytest.Config, explainer: Explainer) -> Explainer:
    """``explainer`` with its work shared by other processes; itself where none are asked for."""
    backend, jobs = config.stash[CONFIG].backend, _jobs(config)
    if backend == "loky" and jobs == 1:
        return explainer
    from pytest_trust.explain.parallel import ParallelExplainer

    shared = ParallelExplainer(explainer, jobs, backend)
    config.add_cleanup(shared.close)
    return shared


def _jobs(config: pytest.Config) -> int:
    """The processes of this session: the workers of an xdist run share those of one machine between them."""
    settings = config.stash[CONFIG]
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    return max(1, settings.jobs // workers) if settings.backend == "loky" else settings.jobs

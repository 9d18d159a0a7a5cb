"""What outlives a session: files published by rename, built once under a lock, and a store of results by content."""

from pytest_trust.store.files import (
    RESULTS,
    build_once,
    cache_folder,
    lock_beside,
    publish,
    results_file,
    set_aside,
)
from pytest_trust.store.results import ResultStore

__all__ = [
    "RESULTS",
    "ResultStore",
    "build_once",
    "cache_folder",
    "lock_beside",
    "publish",
    "results_file",
    "set_aside",
]

"""Files that other processes read: published by rename, built once under a lock."""

from pytest_trust.store.files import build_once, cache_folder, publish

__all__ = ["build_once", "cache_folder", "publish"]

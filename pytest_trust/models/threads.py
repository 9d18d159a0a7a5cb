"""Work on many items in a few threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def for_each(work: Callable[[T], None], items: Sequence[T], threads: int) -> None:
    """``work`` on every item, begun in their order, at most ``threads`` at once; the caller's own thread is the only
    one where one is enough.

    No item is begun once one has failed or the caller was interrupted; those under way are waited for. Of several
    errors that of the earliest item is raised.
    """
    if threads == 1 or len(items) < 2:
        for item in items:
            work(item)
        return
    ended = threading.Event()
    with ThreadPoolExecutor(min(threads, len(items))) as pool:
        futures = [pool.submit(_unless, ended, work, item) for item in items]
        try:
            for future in futures:
                future.result()
        finally:
            ended.set()


def _unless(ended: threading.Event, work: Callable[[T], None], item: T) -> None:
    if ended.is_set():
        return
    try:
        work(item)
    except BaseException:
        ended.set()
        raise

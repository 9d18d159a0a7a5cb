"""Seeds and samples that depend on content alone: not on order, process, platform or version."""

from __future__ import annotations

import heapq
import random
from hashlib import blake2b

from pytest_trust.arguments import require_count


def seed_for(session_seed: int, *parts: str) -> int:
    """A seed of 32 bits from the session's seed and the ``parts`` that make the item what it is."""
    digest = blake2b(str(int(session_seed)).encode(), digest_size=4)
    for part in parts:
        # Texts may hold lone surrogates; the length keeps ("ab", "c") apart from ("a", "bc").
        content = part.encode("utf-8", "surrogatepass")
        digest.update(f":{len(content)}:".encode())
        digest.update(content)
    return int.from_bytes(digest.digest(), "big")


def sample_indices(n_total: int, n: int | None, seed: int) -> list[int]:
    """Indices of a sample of ``n`` out of ``n_total`` without replacement, in rising order.

    All of them where n is None or at least n_total. With one seed, a larger sample holds every smaller one.

    Raises:
        ConfigurationError: n is below 1, or n_total below 0.
    """
    n_total = require_count("n_total", n_total, 0)
    if n is None or require_count("n", n, 1) >= n_total:
        return list(range(n_total))
    # Of the standard library's generator, random() alone is promised never to change.
    draw = random.Random(seed).random
    keys = [draw() for _ in range(n_total)]
    return sorted(heapq.nsmallest(n, range(n_total), key=keys.__getitem__))

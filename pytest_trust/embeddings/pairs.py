"""Pairs of related and of unrelated words, from which the thresholds of embeddings are computed."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
from dataclasses import dataclass
from functools import cache
from importlib import resources

Pair = tuple[str, str]

FILE = "pairs.csv.gz"
COLUMNS = ("word1", "word2", "related")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of words that mean about the same, and pairs that have nothing to do with each other."""

    related: tuple[Pair, ...]
    unrelated: tuple[Pair, ...]

    @property
    def digest(self) -> str:
        """SHA-256 in hex over the pairs in their order."""
        return hashlib.sha256(write_pairs(self)).hexdigest()


@cache
def shipped_pairs() -> Pairs:
    """The pairs that come with the package, read once a process; ``pairs.md`` beside them tells where they are from."""
    packed = resources.files("pytest_trust.embeddings").joinpath(FILE).read_bytes()
    rows = csv.DictReader(io.StringIO(gzip.decompress(packed).decode("ascii"), newline=""))
    judged = [((row["word1"], row["word2"]), row["related"] == "1") for row in rows]
    return Pairs(tuple(pair for pair, true in judged if true), tuple(pair for pair, true in judged if not true))


def write_pairs(pairs: Pairs) -> bytes:
    """``pairs`` as CSV: word1, word2, related (1 or 0), the related ones first."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((*pair, 1) for pair in pairs.related)
    writer.writerows((*pair, 0) for pair in pairs.unrelated)
    return out.getvalue().encode()

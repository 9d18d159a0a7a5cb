"""TOWER's bias noise: generated header lines that betray the class, added to the messages of one class only."""

from __future__ import annotations

import random
from collections.abc import Sequence

from conftest_examples.newsgroups.corpus import Row

# Invented names, so that no header points to anybody's machine.
_MACHINES = ("orion", "vega", "titan", "kepler", "merlin", "pluto", "hydra", "gandalf", "castor", "lynx", "comet")
_DEPARTMENTS = ("cs", "ee", "math", "physics", "chem", "bio", "astro", "stat")
_PLACES = (
    "eastmarch brackwater thornfield silverfen oldhaven kestrelby larkmoor fenwold greyholt marlstead "
    "coldbeck ravenshaw elmscar wychford harrowmere tarnley stonemouth averdale quillborough dunmarsh"
)
_READERS = ("tin [version 1.1 pl8]", "rn version 4.4", "nn version 6.4", "trn 2.2")


def add_headers(rows: Sequence[Row], label: str, seed: int) -> list[Row]:
    """The rows in order; those of class ``label`` begin with a generated header and an empty line.

    The header of a message depends on the seed and its text alone, not on its place among the rows.
    """
    return [(f"{news_header(text, seed)}\n\n{text}" if own == label else text, own) for text, own in rows]


def news_header(text: str, seed: int) -> str:
    """Three to five header lines as news software writes them, lower-cased like the texts, in mixed order."""
    rng = random.Random(f"{seed}:{text}")  # a string seeds alike in every process, unlike its hash
    place = rng.choice(_PLACES.split())
    lines = [
        f"nntp-posting-host: {rng.choice(_MACHINES)}.{rng.choice(_DEPARTMENTS)}.{place}.edu",
        f"organization: university of {place}",
        f"lines: {rng.randint(5, 90)}",
    ]
    extra = ["distribution: world", f"x-newsreader: {rng.choice(_READERS)}"]
    lines += rng.sample(extra, rng.randint(0, len(extra)))
    rng.shuffle(lines)
    return "\n".join(lines)

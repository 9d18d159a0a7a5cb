"""``python -m benchmarks.lexicons.spelling --scowl DIR --out FILE``: British spellings and the American ones.

The pairs are breame's (0.1.2, Apache-2.0). One is kept where SCOWL (Debian's scowl 2020.12.07, unpacked; DIR is its
folder ``usr/share/dict/scowl``) has one spelling among British words alone and the other among American words alone,
so that ``program`` and ``practice``, which are right in both, are left out; and where one of the two is frequent
(wordfreq 3.1.1).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.lexicons import write

LEVELS = (10, 20, 35, 40, 50, 55, 60, 70)
LEAST_ZIPF = 2.5
HEADING = "British spelling | American spelling of the same word, which is right in no other variety."

# The American spelling is not the usual one in America, or the British one is also a name.
DROPPED = frozenset({"axe", "likeable", "louvre", "omelette", "worshipped", "worshipping"})


def listed(scowl: Path, variety: str) -> frozenset[str]:
    """The words that SCOWL lists for ``variety`` alone ("british", "american") or for all ("english")."""
    files = (scowl / f"{variety}-words.{level}" for level in LEVELS)
    return frozenset(word for file in files for word in file.read_text(encoding="latin-1").splitlines())


def pairs(scowl: Path) -> Iterator[tuple[str, str]]:
    """British and American spellings that are right in one variety alone."""
    from breame.data.spelling_constants import BRITISH_ENGLISH_SPELLINGS
    from wordfreq import zipf_frequency

    british, american, both = (listed(scowl, variety) for variety in ("british", "american", "english"))
    for one, other in sorted(BRITISH_ENGLISH_SPELLINGS.items()):
        frequency = max(zipf_frequency(word, "en") for word in (one, other))
        if one in british - american - both and other in american - british - both and frequency >= LEAST_ZIPF:
            yield one, other


def main(argv: Sequence[str] | None = None) -> None:
    """Write the pairs that are kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.spelling", description=__doc__)
    parser.add_argument("--scowl", type=Path, required=True, help="folder of SCOWL's word lists")
    parser.add_argument("--out", type=Path, required=True, help="file to write, british_american.txt")
    given = parser.parse_args(argv)
    write(given.out, HEADING, (pair for pair in pairs(given.scowl) if pair[0] not in DROPPED))


if __name__ == "__main__":
    main()

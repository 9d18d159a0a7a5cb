"""``python -m benchmarks.lexicons.homoglyphs --out FILE``: Greek and Cyrillic letters that look like Latin ones.

From Unicode's confusables.txt as the package confusable-homoglyphs (3.3.1, MIT) carries it, without letters that a
reader would notice and without those that Unicode normalization (NFKC) changes.
"""

from __future__ import annotations

import argparse
import json
import string
import unicodedata
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path

from benchmarks.lexicons import write

HEADING = "Latin letter | letters of other scripts that look like it."
SCRIPTS = ("CYRILLIC", "GREEK")

# Listed by Unicode for skeletons of names, but of another shape in running text.
NOTICED = frozenset("αЬҽιιͺꙇӏσϱᴦгυѡγѵρϺϒѴνΙІӀ")


def look_alikes() -> Iterator[tuple[str, ...]]:
    """Each Latin letter that has some, with its look-alikes."""
    path = distribution("confusable-homoglyphs").locate_file("confusable_homoglyphs/confusables.json")
    confusables = json.loads(Path(str(path)).read_text(encoding="utf-8"))
    for letter in string.ascii_letters:
        found = {entry["c"] for entry in confusables.get(letter, ()) if is_letter(entry["c"])} - NOTICED
        if found:
            yield (letter, *sorted(found))


def is_letter(text: str) -> bool:
    """Whether ``text`` is one letter of the two scripts, which normalization leaves alone."""
    stable = unicodedata.is_normalized("NFKC", text)
    return stable and len(text) == 1 and text.isalpha() and unicodedata.name(text).startswith(SCRIPTS)


def main(argv: Sequence[str] | None = None) -> None:
    """Write the letters."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.homoglyphs", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file to write, homoglyphs.txt")
    write(parser.parse_args(argv).out, HEADING, look_alikes())


if __name__ == "__main__":
    main()

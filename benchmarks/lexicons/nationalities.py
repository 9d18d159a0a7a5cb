"""``python -m benchmarks.lexicons.nationalities --out FILE``: adjectives of nationality, and the people where regular.

The adjectives are countryinfo's demonyms (1.0.1, MIT), kept where they are frequent (wordfreq 3.1.1).
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.lexicons import write

LEAST_ZIPF = 2.8
HEADING = "An adjective of nationality that is also the noun for a person | the people; below, adjectives alone."
# Demonyms that are no adjectives, and older forms: the adjective in use today.
MENDED = {
    "Argentinean": "Argentine",
    "Ecuadorean": "Ecuadorian",
    "Icelander": "Icelandic",
    "Surinamer": "Surinamese",
    "Slovene": "Slovenian",
    "Saudi Arabian": "Saudi",
}
# The name of a state, of a pacific region or of two peoples as often; or the same word as the country's name.
DROPPED = {
    "American Samoan", "Christmas Island", "Djibouti", "Georgian", "Gibraltar", "Guinean", "Mosotho", "Motswana",
    "Central African", "French Polynesian", "Kirghiz", "New Caledonian", "New Zealander", "Saint Helenian",
    "Saint Lucian", "Samoan", "Micronesian",
}  # fmt: skip
# Endings of adjectives that also name a person; -ese, -ish, -ch and -ic do not.
PERSON = ("an", "Argentine", "Czech", "Cypriot", "Filipino", "Greek", "Slovak", "Thai", "i")


def demonyms() -> Iterator[str]:
    """The adjectives of all countries."""
    import countryinfo

    for path in sorted((Path(countryinfo.__file__).parent / "data").glob("*.json")):
        demonym = json.loads(path.read_text(encoding="utf-8")).get("demonym") or ""
        if not re.search(r",|/|Islander", demonym) and demonym not in DROPPED:
            yield MENDED.get(demonym, demonym)


def rows() -> Iterator[tuple[str, ...]]:
    """Adjective | people, or the adjective alone; those with people first."""
    from wordfreq import zipf_frequency

    frequent = sorted({word for word in demonyms() if word and zipf_frequency(word, "en") >= LEAST_ZIPF})
    yield from ((word, f"{word}s") for word in frequent if word.endswith(PERSON))
    yield from ((word,) for word in frequent if not word.endswith(PERSON))


def main(argv: Sequence[str] | None = None) -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.nationalities", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file to write, nationalities.txt")
    write(parser.parse_args(argv).out, HEADING, rows())


if __name__ == "__main__":
    main()

"""``python -m benchmarks.lexicons.adjectives --wordnet DIR --out FOLDER``: adjectives that have degrees.

From WordNet 3.0 (DIR holds its ``index.sense`` and ``data.*``), with wordfreq 3.1.1. A candidate is an adjective in at
least MAIN of its counts, describes (WordNet's relational adjectives, such as "atomic", do not), and has a Zipf
frequency of at least LEAST_ZIPF. ``adjectives_reviewed.txt`` holds the candidates that take any degree ("very good",
"somewhat good") or are of an extreme ("really great"). Left out are those of measures ("34 years old"), those that mean
something else before a noun ("a certain") and participles that take an object ("it impressed me"). The phrases are
WordNet's that hold one of them ("good morning"), without those in PLAIN_NOUNS.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Container, Sequence
from pathlib import Path

from benchmarks.lexicons import write
from benchmarks.lexicons.synonyms import phrases
from benchmarks.pairs import main_senses

MAIN = 0.5
LEAST_ZIPF = 3.0
GRADABLE_HEADING = "Adjectives that take any degree: very good, somewhat good."
EXTREME_HEADING = "Adjectives of an extreme, which can be stressed but not lessened: really great."
PHRASES_HEADING = "Phrases that hold such an adjective and mean something of their own: they take no degree."
_PARTS = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
_RELATIONAL = "01"


# Phrases of running text that WordNet does not list.
PHRASES = [
    "bad luck", "good bit", "good evening", "good few", "good luck", "good many", "good thing", "good while",
    "own good", "sad to say", "sorry about",
]  # fmt: skip
# Before these an adjective keeps its meaning, though WordNet lists the pair: "good story", "stupid person".
PLAIN_NOUNS = {
    "application", "applications", "belief", "beliefs", "care", "death", "deaths", "event", "events", "example",
    "examples", "guy", "guys", "man", "men", "opinion", "opinions", "part", "parts", "people", "performance",
    "performances", "person", "persons", "play", "plays", "point", "points", "production", "productions", "remark",
    "remarks", "state", "states", "storm", "storms", "story", "stories", "time", "times", "wind", "winds", "woman",
    "women", "work", "works", "worker", "workers", "year", "years",
}  # fmt: skip


def part_shares(folder: Path) -> dict[str, float]:
    """The share of adjectives in each word's counts; of those never counted, in its senses."""
    counts: Counter[tuple[str, bool]] = Counter()
    senses: Counter[tuple[str, bool]] = Counter()
    for line in (folder / "index.sense").read_text(encoding="ascii").splitlines():
        key, _, _, count = line.split(" ")
        word, _, rest = key.partition("%")
        of_adjective = word, _PARTS[rest[0]] == "adj"
        counts[of_adjective] += int(count)
        senses[of_adjective] += 1
    return {word: _share(counts, word) if _total(counts, word) else _share(senses, word) for word, _ in senses}


def _total(counts: Counter[tuple[str, bool]], word: str) -> int:
    return counts[word, True] + counts[word, False]


def _share(counts: Counter[tuple[str, bool]], word: str) -> float:
    return counts[word, True] / _total(counts, word)


def relational(folder: Path) -> set[str]:
    """The places in the file of adjectives of those that relate to a noun."""
    lines = (folder / "data.adj").read_text(encoding="ascii").splitlines()
    return {fields[0] for fields in (line.split(" ", 2) for line in lines) if fields[1] == _RELATIONAL}


def is_candidate(word: str, shares: dict[str, float]) -> bool:
    """Whether ``word`` is mostly an adjective, and frequent."""
    from wordfreq import zipf_frequency

    return shares.get(word, 0) >= MAIN and zipf_frequency(word, "en") >= LEAST_ZIPF


def kept(folder: Path, kind: str) -> list[str]:
    """The reviewed adjectives of a kind that are candidates, sorted."""
    shares, main, relations = part_shares(folder), main_senses(folder), relational(folder)
    lines = Path(__file__).with_name("adjectives_reviewed.txt").read_text(encoding="utf-8").splitlines()
    words = [line.removeprefix(f"{kind}: ") for line in lines if line.startswith(f"{kind}: ")]
    return sorted(word for word in words if is_candidate(word, shares) and main[word][1] not in relations)


def is_plain(phrase: str, adjectives: Container[str]) -> bool:
    """Whether ``phrase`` is no more than an adjective before a noun."""
    first, _, rest = phrase.partition(" ")
    return first in adjectives and rest in PLAIN_NOUNS


def main(argv: Sequence[str] | None = None) -> None:
    """Write ``gradable_adjectives.txt``, ``extreme_adjectives.txt`` and ``adjective_phrases.txt``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.adjectives", description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's index.sense and data.*")
    parser.add_argument("--out", type=Path, required=True, help="folder of the lists")
    options = parser.parse_args(argv)
    gradable, extreme = kept(options.wordnet, "gradable"), kept(options.wordnet, "extreme")
    listed = phrases(main_senses(options.wordnet), [*gradable, *extreme], PHRASES)
    write(options.out / "gradable_adjectives.txt", GRADABLE_HEADING, gradable)
    write(options.out / "extreme_adjectives.txt", EXTREME_HEADING, extreme)
    meant = [phrase for phrase in listed if not is_plain(phrase, {*gradable, *extreme})]
    write(options.out / "adjective_phrases.txt", PHRASES_HEADING, meant)


if __name__ == "__main__":
    main()

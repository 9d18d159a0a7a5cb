"""The pairs of words that ship with the package: ``python -m benchmarks.pairs --wordnet DIR --out FILE``.

Related pairs are synonyms of two sources, as many of each:

- WordNet 3.0: words that share the synset which is the most frequent sense of both (by WordNet's own counts, over all
  parts of speech). DIR holds its database files ``index.sense`` and ``data.*``.
- PPDB as counter-fitting selected it (``lexical/ppdb_synonyms.csv`` of the benchmark data).

Only words of small letters count, among the most frequent of GloVe's vocabulary, and no pair that shares its first four
letters: these are mostly inflections and spellings of one word. Unrelated pairs are the same words, paired anew by a
seeded shuffle, without synonyms and antonyms by any sense in either source.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

from pytest_trust.embeddings.glove import load_vocabulary
from pytest_trust.embeddings.pairs import Pair, Pairs, write_pairs

# A synset: its part of speech and its place in the file of that part.
Synset = tuple[str, str]

_PARTS = {"1": "noun", "2": "verb", "3": "adj", "4": "adv", "5": "adj"}
_WORD = re.compile("[a-z]{3,}")


def synsets(folder: Path) -> dict[Synset, list[str]]:
    """The words of every synset, spelled as WordNet spells them."""
    found = {}
    for part in sorted(set(_PARTS.values())):
        for line in (folder / f"data.{part}").read_text(encoding="ascii").splitlines():
            fields = line.split(" ")
            if fields[0]:  # the lines of the licence begin with a space
                words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                found[part, fields[0]] = [word.partition("(")[0] for word in words]
    return found


def main_senses(folder: Path) -> dict[str, Synset]:
    """The synset in which each word is most frequent; of those never counted, the first noun, verb, ... sense."""
    best: dict[str, tuple[tuple[int, int, str], Synset]] = {}
    for line in (folder / "index.sense").read_text(encoding="ascii").splitlines():
        key, offset, number, count = line.split(" ")
        word, _, rest = key.partition("%")
        sense = (-int(count), int(number), rest[0]), (_PARTS[rest[0]], offset)
        best[word] = min(best.get(word, sense), sense)
    return {word: synset for word, (_, synset) in best.items()}


def wordnet_synonyms(members: Mapping[Synset, Sequence[str]], main: Mapping[str, Synset]) -> Iterator[Pair]:
    """Words of one synset that is the main sense of both."""
    for synset, words in members.items():
        yield from combinations([word for word in words if main.get(word) == synset], 2)


def read_pairs(file: Path) -> list[Pair]:
    """The first two columns of a list of the benchmark data."""
    with file.open(encoding="utf-8", newline="") as stream:
        return [(row["word1"], row["word2"]) for row in csv.DictReader(stream)]


def eligible(pairs: Iterable[Pair], is_common: Callable[[str], bool]) -> list[Pair]:
    """The distinct pairs of common words that do not share their first four letters, each and all in order."""
    distinct = {(min(pair), max(pair)) for pair in pairs}
    return sorted(
        (first, second)
        for first, second in distinct
        if first[:4] != second[:4]
        and all(_WORD.fullmatch(word) is not None and is_common(word) for word in (first, second))
    )


def unrelated_pairs(related: Sequence[Pair], listed: Iterable[Pair], seed: int) -> list[Pair]:
    """The words of ``related``, each first with a random second, without accidental pairs that are ``listed``."""
    seconds = [second for _, second in related]
    random.Random(seed).shuffle(seconds)
    true = {frozenset(pair) for pair in listed}
    shuffled = zip((first for first, _ in related), seconds, strict=True)
    return [pair for pair in shuffled if pair[0] != pair[1] and frozenset(pair) not in true]


def build(lexical: Path, wordnet: Path, *, each: int, rank: int, seed: int) -> Pairs:
    """The pairs: ``each`` related ones of either source, words among the first ``rank`` of GloVe's vocabulary."""
    members, ppdb = synsets(wordnet), read_pairs(lexical / "ppdb_synonyms.csv")
    is_common = partial(_is_among_first, rank)
    draw = random.Random(seed)
    first = draw.sample(eligible(wordnet_synonyms(members, main_senses(wordnet)), is_common), each)
    others = set(eligible(ppdb, is_common)) - set(first)
    related = sorted([*first, *draw.sample(sorted(others), each)])
    listed = [pair for words in members.values() for pair in combinations(words, 2)]
    listed += ppdb + read_pairs(lexical / "antonyms.csv")
    return Pairs(tuple(related), tuple(unrelated_pairs(related, listed, seed)))


def _is_among_first(rank: int, word: str) -> bool:
    place = load_vocabulary().find(word)
    return place is not None and place < rank


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairs", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/bench"), help="folder of the benchmark data")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's index.sense and data.*")
    parser.add_argument("--out", type=Path, required=True, help="file to write, pairs.csv.gz")
    parser.add_argument("--each", type=int, default=1500, help="related pairs of either source")
    parser.add_argument("--rank", type=int, default=50_000, help="words are among so many of GloVe's first")
    parser.add_argument("--seed", type=int, default=0, help="seed of the choice and of the unrelated pairs")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    """Build the pairs, write the file and say what is in it."""
    options = _arguments(argv)
    pairs = build(options.data / "lexical", options.wordnet, each=options.each, rank=options.rank, seed=options.seed)
    # Without the time of writing, the same pairs are the same file.
    packed = gzip.compress(write_pairs(pairs), compresslevel=9, mtime=0)
    options.out.write_bytes(packed)
    print(
        f"{len(pairs.related)} related and {len(pairs.unrelated)} unrelated pairs, {len(packed)} bytes, "
        f"digest {pairs.digest}"
    )


if __name__ == "__main__":
    main()

"""``python -m benchmarks.lexicons.synonyms --wordnet DIR --out FOLDER``: synonyms, and phrases in which words stay.

From WordNet 3.0 (DIR holds its ``index.sense`` and ``data.*``), with wordfreq 3.1.1 and lemminflect 0.2.3. A word is a
candidate where one synset has at least MAIN of its counts over all parts of speech; its synonyms are the words of that
synset for which it is the most frequent sense too; all have a Zipf frequency of at least LEAST_ZIPF.
``synonyms_reviewed.txt`` holds the candidates that read well in any sentence. Forms are inflected with their word; one
that is a word of its own ("building"), or stands for two forms of the synonym ("started" for "began" and "begun"), is
left out.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.lexicons import write
from benchmarks.pairs import Synset, main_senses, synsets

MAIN = 0.7
LEAST_ZIPF = 3.0
LEAST_ZIPF_IN_PHRASE = 3.6
HEADING = "A word | its synonyms, in the same form."
PHRASES_HEADING = "Phrases that hold a word with synonyms and mean something of their own: they stay as they are."

# Forms that are also something else (a noun, a conjunction), and plurals that nobody uses.
DROPPED_FORMS = {
    "assists", "brinks", "buy", "buys", "crawl", "griefs", "groan", "groans", "influenzae", "leap", "leaps", "mend",
    "moan", "moans", "provided", "providing", "purchase", "purchases", "rainfalls", "react", "remainders",
    "resentments", "retaliations", "scream", "screams", "sunlights", "yearnings",
}  # fmt: skip
# Phrases of running text that WordNet does not list.
PHRASES = [
    "bigger picture", "boring machine", "doctor who", "every so often", "good grief", "huge deal", "kid brother",
    "kid sister", "large extent", "more often than not", "provide for", "slim pickings", "slim to none",
    "yours truly",
]  # fmt: skip

_TAGS = {"noun": ("NN", "NNS"), "verb": ("VB", "VBP", "VBZ", "VBD", "VBN", "VBG"), "adj": ("JJ",), "adv": ("RB",)}
_UNIVERSAL = {"noun": "NOUN", "verb": "VERB"}


def main_shares(folder: Path) -> dict[str, float]:
    """The share of each word's counts that its most frequent sense has; 0 for several senses without counts."""
    counts: dict[str, list[int]] = defaultdict(list)
    for line in (folder / "index.sense").read_text(encoding="ascii").splitlines():
        key, _, _, count = line.split(" ")
        counts[key.partition("%")[0]].append(int(count))
    # Of a single sense there is no doubt, counted or not.
    return {word: 1.0 if len(each) == 1 else max(each) / (sum(each) or 1) for word, each in counts.items()}


def is_frequent(word: str) -> bool:
    """Whether ``word`` is one plain word of small letters that people use."""
    from wordfreq import zipf_frequency

    return word.isalpha() and word.islower() and zipf_frequency(word, "en") >= LEAST_ZIPF


def candidates(folder: Path) -> dict[str, tuple[str, set[str]]]:
    """For each word its part of speech and its synonyms."""
    members, main, shares = synsets(folder), main_senses(folder), main_shares(folder)
    found = {}
    for word, synset in main.items():
        if shares[word] >= MAIN and is_frequent(word):
            others = {other for other in members[synset] if other != word and main.get(other) == synset}
            found[word] = synset[0], {other for other in others if is_frequent(other)}
    return found


def reviewed() -> dict[str, list[str]]:
    """The synonyms that read well, by word."""
    lines = Path(__file__).with_name("synonyms_reviewed.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(": ") for line in lines if not line.startswith("#"))
    return {word: synonyms.split() for word, synonyms in pairs}


def forms(word: str, part: str) -> dict[str, str]:
    """The forms of ``word`` by their tags; the first spelling of each."""
    from lemminflect import getAllInflections

    found = getAllInflections(word, upos=_UNIVERSAL[part]) if part in _UNIVERSAL else {}
    return {tag: found[tag][0] for tag in _TAGS[part] if tag in found} or {_TAGS[part][0]: word}


def inflected(word: str, synonym: str, part: str, main: Mapping[str, Synset]) -> Iterator[tuple[str, str]]:
    """Each form of ``word`` with the one form of ``synonym`` that it stands for."""
    own, others = forms(word, part), forms(synonym, part)
    by_form: dict[str, set[str | None]] = defaultdict(set)
    for tag, form in own.items():
        by_form[form].add(others.get(tag))
    for form, taken in by_form.items():
        [other, *more] = taken
        if other is not None and not more and (form == word or form not in main) and form not in DROPPED_FORMS:
            yield form, other


def build(folder: Path) -> dict[str, list[str]]:
    """The synonyms of every form.

    Raises:
        ValueError: WordNet does not hold a reviewed pair for synonyms in their main sense.
    """
    found, main = candidates(folder), main_senses(folder)
    table: dict[str, list[str]] = defaultdict(list)
    for word, synonyms in reviewed().items():
        part, allowed = found.get(word, ("", set()))
        if wrong := sorted(set(synonyms) - allowed):
            raise ValueError(f"{word}: {wrong} are no synonyms by the rule, found {sorted(allowed)}")
        for synonym in synonyms:
            for form, other in inflected(word, synonym, part, main):
                table[form].append(other)
    return table


def phrases(main: Mapping[str, Synset], words: Iterable[str], others: Iterable[str]) -> list[str]:
    """WordNet's short phrases of frequent words, one among ``words``, nouns also in the plural; and ``others``."""
    wanted = set(words)
    found = [phrase for phrase in main if wanted.intersection(parts := phrase.split("_")) and _is_usual(parts)]
    plurals = [_plural(phrase) for phrase in found if main[phrase][0] == "noun"]
    return sorted({*others, *(phrase.replace("_", " ") for phrase in [*found, *plurals])})


def _is_usual(parts: Sequence[str]) -> bool:
    from wordfreq import zipf_frequency

    known = all(part.isalpha() and zipf_frequency(part, "en") >= LEAST_ZIPF_IN_PHRASE for part in parts)
    return known and len(parts) in (2, 3)


def _plural(phrase: str) -> str:
    first, _, last = phrase.rpartition("_")
    return f"{first}_{forms(last, 'noun').get('NNS', last)}"


def main(argv: Sequence[str] | None = None) -> None:
    """Write ``synonyms.txt`` and ``synonym_phrases.txt``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.synonyms", description=__doc__)
    parser.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's index.sense and data.*")
    parser.add_argument("--out", type=Path, required=True, help="folder of the lists")
    options = parser.parse_args(argv)
    table = build(options.wordnet)
    write(options.out / "synonyms.txt", HEADING, ([word, *table[word]] for word in sorted(table)))
    listed = phrases(main_senses(options.wordnet), table, PHRASES)
    write(options.out / "synonym_phrases.txt", PHRASES_HEADING, listed)


if __name__ == "__main__":
    main()

"""``python -m benchmarks.lexicons.informal --out FOLDER``: contractions and abbreviations.

Both are selected from the package contractions (0.1.73, MIT): what is frequent (wordfreq 3.1.1) and stands for one
thing, or for one of two that the words around tell apart. Abbreviations that the package lacks are added by hand.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from importlib.metadata import distribution
from pathlib import Path

from benchmarks.lexicons import write

LEAST_ZIPF = 2.8
CONTRACTIONS_HEADING = "Words | how they are contracted. Of two readings of 's and 'd the commoner stands here."
ABBREVIATIONS_HEADING = "Words | how they are abbreviated."

# Any verb with n't; 's and 'd only where they mark no possessive; 're, 've and 'll behind pronouns and auxiliaries.
KEPT = re.compile(
    r"[a-z]+n't|let's|(?:he|she|it|that|there|here|what|who|where|how)'s|I'm|(?:you|we|they)'re"
    r"|(?:I|you|we|they|could|should|would|might|must)'ve|(?:I|you|he|she|it|we|they|that|there)'ll"
    r"|(?:I|you|he|she|we|they)'d"
)
AMBIGUOUS = frozenset({"ain't"})  # am not, are not, is not, have not

SLANG = "abt altho asap avg bc bday btw convo idk msg ofc ppl rly tbh tho thx tmrw u"
BY_HAND = """
    advertisement ad, advertisements ads, and so on etc., anyone any1, approximately approx., are r, as far as I
    know afaik, average avg, before b4, December Dec., definitely def, department dept., especially esp.,
    everyone every1, examination exam, examinations exams, excluding excl., favorite fav, favourite fav,
    February Feb., for example e.g., for what it's worth fwiw, Friday Fri., government govt., great gr8, hour
    hr, hours hrs, I don't know idk, I do not know idk, in my humble opinion imho, in my opinion imo, including
    incl., information info, international intl., January Jan., just kidding jk, kilograms kg, kilometers km,
    kilometres km, laboratory lab, laughing out loud lol, let me know lmk, love luv, maximum max., messages
    msgs, miles per hour mph, minimum min., minutes mins, Monday Mon., never mind nvm, night nite, November
    Nov., obviously obv, October Oct., oh my god omg, okay ok, on my way omw, photograph photo, photographs
    photos, picture pic, pictures pics, please pls, probably prob, professor prof., refrigerator fridge,
    Saturday Sat., seconds secs, September Sept., seriously srsly, someone sm1, something smth, Sunday Sun.,
    telephone phone, television TV, temperature temp., thank you ty, through thru, Thursday Thurs., tonight
    2nite, Tuesday Tues., university uni, versus vs., Wednesday Wed., weeks wks, why y, with w/, without w/o,
    year yr, years yrs, your ur
"""


def package_table(name: str) -> dict[str, str]:
    """A table of the package: short form -> the words it stands for."""
    path = distribution("contractions").locate_file(f"contractions/data/{name}_dict.json")
    return dict(json.loads(Path(str(path)).read_text(encoding="utf-8")))


def contractions() -> Iterator[tuple[str, str]]:
    """The words and their contraction, the most frequent contraction first."""
    from wordfreq import zipf_frequency

    table = package_table("contractions")
    for short in sorted(table, key=lambda short: (-zipf_frequency(short, "en"), short)):
        if KEPT.fullmatch(short) and short not in AMBIGUOUS and zipf_frequency(short, "en") >= LEAST_ZIPF:
            yield table[short], short


def abbreviations() -> Iterator[tuple[str, str]]:
    """The words and their abbreviation, in alphabetical order."""
    slang = package_table("slang")
    by_hand = (pair.strip().rpartition(" ") for pair in " ".join(BY_HAND.split()).split(","))
    pairs = {slang[short]: short for short in SLANG.split()} | {words: short for words, _, short in by_hand}
    yield from sorted(pairs.items(), key=lambda pair: pair[0].lower())


def main(argv: Sequence[str] | None = None) -> None:
    """Write contractions.txt and abbreviations.txt."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.informal", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write the two files to")
    folder = parser.parse_args(argv).out
    write(folder / "contractions.txt", CONTRACTIONS_HEADING, contractions())
    write(folder / "abbreviations.txt", ABBREVIATIONS_HEADING, abbreviations())


if __name__ == "__main__":
    main()

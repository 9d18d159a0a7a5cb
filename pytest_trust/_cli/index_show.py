"""``pytest-trust index show``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.options import add_parser

if TYPE_CHECKING:
    from pytest_trust.embeddings import Embedding
    from pytest_trust.keywords import ClassKeywords, KeywordIndex

_ABOUT = """\
Shows what an index was built from and, for each class, its names, the leading keywords and the leading other words of
its pool, and what makes the index doubtful.
"""
_EXAMPLE = """
pytest-trust index show index.zip
pytest-trust index show index.zip --json | jq '.classes[].keywords[:5]'
"""


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(commands, "show", help="show what an index holds", about=_ABOUT, example=_EXAMPLE)
    parser.add_argument("file", type=Path, metavar="FILE.zip", help="the index")
    parser.add_argument("--json", action="store_true", help="print one JSON object, with all words")
    parser.add_argument(
        "--embeddings",
        metavar="NAMES",
        help="look at the names of the classes, too, by the first of these (as for --trust-embeddings)",
    )
    parser.add_argument("--no-pickle", action="store_true", help="refuse .kv files, since loading them runs code")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the index.

    Raises:
        TrustError: the file is no index, or an embedding cannot be loaded.
    """
    from pytest_trust._cli.jsonlines import write_json
    from pytest_trust._cli.terminal import Terminal
    from pytest_trust.embeddings.kept import keep_below
    from pytest_trust.keywords import load_index
    from pytest_trust.keywords.doubts import doubts

    index = load_index(options.file)
    found = list(doubts(index.classes, _member(options), keep_below(Path.cwd())))
    if options.json:
        write_json({"file": str(options.file), **_document(index), "doubts": found})
        return 0
    terminal = Terminal(sys.stdin, sys.stdout)
    for line in (index.describe(), _settings(index), *(f"doubtful: {doubt}" for doubt in found)):
        terminal.say(line)
    return 0


def _member(options: argparse.Namespace) -> Embedding | None:
    from pytest_trust._cli.members import load_members

    if options.embeddings is None:
        return None
    return load_members(options.embeddings, allow_pickle=not options.no_pickle)[0]


def _settings(index: KeywordIndex) -> str:
    settings = index.origin.settings
    embeddings = ", ".join(f"{member.name}@{member.threshold:.4g}" for member in settings.members)
    explainer = ", ".join(f"{key}={value}" for key, value in settings.explainer.items())
    return f"embeddings: {embeddings}\nexplanations: {explainer}, seed={settings.seed}"


def _document(index: KeywordIndex) -> dict[str, Any]:
    origin = index.origin
    return {
        "key": origin.key(),
        "model": {"source": origin.model_source, "fingerprint": origin.model},
        "data": {"name": origin.data_name, "fingerprint": origin.data},
        "explained": index.explained,
        "explainer": dict(origin.settings.explainer),
        "seed": origin.settings.seed,
        "embeddings": [{"name": m.name, "threshold": m.threshold} for m in origin.settings.members],
        "classes": [_class(item) for item in index.classes],
    }


def _class(item: ClassKeywords) -> dict[str, Any]:
    words = [
        ({"word": word.word, "score": word.mean_score, "count": word.count}, word.word in item.keywords)
        for word in item.pool
    ]
    return {
        "label": item.label,
        "names": list(item.names),
        "pool": len(item.pool),
        "keywords": [word for word, chosen in words if chosen],
        "others": [word for word, chosen in words if not chosen],
    }

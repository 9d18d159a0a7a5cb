"""``pytest-trust index edit``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.index_build import zip_file
from pytest_trust._cli.options import add_parser
from pytest_trust.errors import ConfigurationError, TrustError

if TYPE_CHECKING:
    from pytest_trust.embeddings import Embedding
    from pytest_trust.keywords import ClassKeywords, KeywordIndex
    from pytest_trust.keywords.descriptions import ClassDescription

_ABOUT = """\
Writes an index in which words of a class are keywords, or are none any more. A word that the pool of the class lacks
joins it; embeddings are loaded for that alone. An index that is rebuilt loses such edits: lists in a file of
descriptions (--trust-descriptions) survive.
"""
_EXAMPLE = "pytest-trust index edit index.zip --class positive --allow superb --deny lakeside,monday --out edited.zip"


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(commands, "edit", help="allow and deny keywords in an index", about=_ABOUT, example=_EXAMPLE)
    add = parser.add_argument
    add("file", type=Path, metavar="FILE.zip", help="the index")
    add("--class", required=True, dest="label", metavar="CLASS", help="the class whose keywords change")
    add("--allow", default="", metavar="WORDS", help="words that are keywords, with commas between them")
    add("--deny", default="", metavar="WORDS", help="words that are none")
    add("--out", required=True, type=Path, metavar="FILE.zip", help="where the edited index goes; it may be the same")
    add("--embeddings", metavar="NAMES", help="those of the index, for words that it lacks (default: by their names)")
    add("--no-pickle", action="store_true", help="refuse .kv files, since loading them runs code")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the edited index, and says what changed.

    Raises:
        TrustError: the file is no index, it has no such class, there is nothing to do, or a word cannot be looked up.
    """
    from pytest_trust.keywords import dump_index, load_index
    from pytest_trust.keywords.descriptions import ClassDescription, class_description
    from pytest_trust.keywords.edits import with_edits
    from pytest_trust.store import publish

    out, index = zip_file("--out", options.out), load_index(options.file)
    item = _class(index, options.label)
    lists = {name: _words(getattr(options, name)) for name in ("allow", "deny")}
    edit = class_description("index edit", item.label, lists)
    if not edit.allow and not edit.deny:
        raise ConfigurationError("nothing to edit: give --allow WORDS or --deny WORDS")
    edits = [edit if one is item else ClassDescription() for one in index.classes]
    edited = with_edits(index, edits, _members(options, index, edit))
    try:
        publish(out, dump_index(edited))
    except OSError as error:
        raise ConfigurationError(f"--out {out} cannot be written: {error}") from error
    print(f"{out} written; class {item.label!r}: {_changes(item, _class(edited, item.label), edit)}")
    return 0


def _class(index: KeywordIndex, label: str) -> ClassKeywords:
    from pytest_trust.messages import listed

    found = [item for item in index.classes if item.label == label]
    if not found:
        raise ConfigurationError(
            f"the index has no class {label!r}; its classes are {listed(item.label for item in index.classes)}"
        )
    return found[0]


def _words(given: str) -> list[str]:
    return [word.strip() for word in given.split(",") if word.strip()]


def _members(options: argparse.Namespace, index: KeywordIndex, edit: ClassDescription) -> Sequence[Embedding]:
    """The members of the index, where a word has to be looked up; else none."""
    from pytest_trust._cli.members import load_members
    from pytest_trust.oracles.toki import require_members

    new = {*edit.allow, *edit.deny} - set(index.vocabulary)
    if not new:
        return ()
    names = [member.name for member in index.origin.settings.members]
    try:
        members = load_members(options.embeddings or names, allow_pickle=not options.no_pickle)
    except TrustError as error:
        if options.embeddings:
            raise
        raise ConfigurationError(
            f"the index lacks the word {min(new)}, and the embeddings to look it up cannot be loaded by their names; "
            f"give them with --embeddings ({error})"
        ) from None
    require_members(index, members)
    return members


def _changes(before: ClassKeywords, after: ClassKeywords, edit: ClassDescription) -> str:
    changes = {
        "keywords now": sorted(after.keywords - before.keywords),
        "no keywords any more": sorted(before.keywords - after.keywords),
        "unchanged": [word for word in (*edit.allow, *edit.deny) if (word in before.keywords) == (word in edit.allow)],
        "new in the pool": sorted({w.word for w in after.pool} - {w.word for w in before.pool}),
    }
    return "; ".join(f"{what}: {', '.join(words)}" for what, words in changes.items() if words)

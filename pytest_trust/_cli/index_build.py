"""``pytest-trust index build``."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.options import add_columns, add_explainer, add_model, add_parser
from pytest_trust.errors import ConfigurationError

if TYPE_CHECKING:
    from pytest_trust.keywords import IndexOrigin, KeywordIndex

_ABOUT = """\
Explains every correct prediction of a model on its training data and finds the keywords of each class. An index of the
same model, data and settings that lies there already is kept. pytest reads it with the same settings, from the default
place by itself, from another by --trust-index.
"""
_EXAMPLE = "pytest-trust index build --model sentiment.joblib --train train.csv --out index.zip"


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(commands, "build", help="build an index from training data", about=_ABOUT, example=_EXAMPLE)
    add = parser.add_argument
    add("--train", required=True, metavar="DATA", help="training data, as for --trust-train")
    add("--out", type=Path, metavar="FILE.zip", help="where the index goes (default: below .trust/)")
    add("--embeddings", metavar="NAMES", help="word embeddings, as for --trust-embeddings (default: glove,use,minilm)")
    add_columns(parser)
    add_model(parser)
    add_explainer(parser, sampling=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Builds the index, says where it lies and what it holds, and warns of what makes it doubtful.

    Raises:
        TrustError: something given cannot be used, or the index cannot be kept.
    """
    from pytest_trust._cli.members import load_members
    from pytest_trust._cli.oracle import index_parts, kept_index
    from pytest_trust._cli.parts import explainer_of, model_of, train_of
    from pytest_trust.embeddings.kept import keep_below
    from pytest_trust.explain.stored import StoredExplainer
    from pytest_trust.keywords import default_index_path
    from pytest_trust.keywords.doubts import warn_of_doubts
    from pytest_trust.store import ResultStore, results_file

    out = None if options.out is None else zip_file("--out", options.out)
    explainer, model, train = explainer_of(options), model_of(options), train_of(options)
    members = load_members(options.embeddings, allow_pickle=not options.no_pickle)
    # One that is broken off goes on where it was.
    with closing(ResultStore(results_file(Path.cwd()))) as store:
        parts = index_parts(model, train, StoredExplainer(explainer, store), members, options.seed)
        path = out or default_index_path(Path.cwd(), parts.origin)
        if path is None:
            raise ConfigurationError("there is no place to keep the index in; give one with --out FILE.zip")
        there = _is_there(path, parts.origin)
        index = kept_index(parts, path)
    if not there and not _is_there(path, parts.origin):
        raise ConfigurationError(f"{path} could not be written")
    print(_told(path, index, "is up to date" if there else "written"))
    warn_of_doubts(index.classes, members[0], keep_below(Path.cwd()))
    return 0


def zip_file(option: str, path: Path) -> Path:
    """``path`` where an index file can be written to it.

    Raises:
        ConfigurationError: it does not end in .zip, is a folder, or lies in no folder that exists.
    """
    if path.suffix != ".zip" or path.is_dir() or not path.absolute().parent.is_dir():
        raise ConfigurationError(f"{option} {path}: expected a file that ends in .zip, in a folder that exists")
    return path


def _is_there(path: Path, origin: IndexOrigin) -> bool:
    from pytest_trust.errors import IndexFileError
    from pytest_trust.keywords import load_index

    try:
        return load_index(path).origin == origin
    except IndexFileError:
        return False


def _told(path: Path, index: KeywordIndex, state: str) -> str:
    classes = ", ".join(f"{item.label} {len(item.keywords)} of {len(item.pool)}" for item in index.classes)
    return f"{path} {state}: {index.explained} explained predictions; keywords among pool words: {classes}"

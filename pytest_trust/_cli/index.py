"""``pytest-trust index``: keyword indices, built, shown and edited."""

from __future__ import annotations

from typing import Any

from pytest_trust._cli import index_build, index_edit, index_show
from pytest_trust._cli.options import add_parser

_ABOUT = """\
A keyword index holds, for each class of a model, the words that its correct predictions rest on (the word pool), and
which of them are keywords of the class. The oracle toki judges by it.
"""
_EXAMPLE = """
pytest-trust index build --model sentiment.joblib --train train.csv --out index.zip
pytest-trust index show index.zip
pytest-trust index edit index.zip --class positive --deny lakeside --out edited.zip
"""


def add_command(commands: Any) -> None:
    """Adds the command with its own commands to the parser's ``commands``."""
    parser = add_parser(commands, "index", help="build, show or edit a keyword index", about=_ABOUT, example=_EXAMPLE)
    own = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (index_build, index_show, index_edit):
        command.add_command(own)

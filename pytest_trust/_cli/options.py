"""What the commands share on the command line: options named as the plugin's without ``--trust-``, and help."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ORACLE = "toki"

_EXIT_CODES = {
    0: "done",
    2: "something given cannot be used, as told on stderr",
    130: "interrupted (Ctrl-C)",
    141: "whoever read the output has closed it",
}
_EPILOG = "example:"
_LEAST_COLUMN = 16
_EXPLAINERS = "lime, omission, gradient or lime-reference"


class HelpFormatter(argparse.HelpFormatter):
    """Wraps descriptions, but leaves epilogs as they are."""

    def __init__(self, prog: str, **settings: Any) -> None:
        super().__init__(prog, **settings)
        self._action_max_length = _LEAST_COLUMN  # names of commands are indented, which argparse forgets

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(_EPILOG) else super()._fill_text(text, width, indent)


def add_parser(
    commands: Any, name: str, *, help: str, about: str, example: str, codes: Mapping[int, str] | None = None
) -> argparse.ArgumentParser:
    """The parser of the command ``name``; its help ends with an ``example`` and exit codes, with ``codes`` added."""
    meanings = sorted((_EXIT_CODES | dict(codes or {})).items())
    listed = "\n".join(f"  {code:<3}  {meaning}" for code, meaning in meanings)
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help,
        description=about,
        epilog=f"{_EPILOG}\n{_indented(example)}\n\nexit codes:\n{listed}",
        formatter_class=HelpFormatter,
    )
    return parser


def _indented(example: str) -> str:
    return "\n".join(f"  {line}" for line in example.strip().splitlines())


def add_model(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the model under test."""
    add = parser.add_argument_group("model").add_argument
    add("--model", required=True, help="the model, as for --trust-model")
    add("--classes", metavar="NAMES", help="names of the classes, as for --trust-classes")
    add(
        "--precision",
        choices=("float32", "bfloat16"),
        default="float32",
        help="float32 or bfloat16, of transformers models (default: float32)",
        metavar="TYPE",
    )
    add("--no-pickle", action="store_true", help="refuse pickle files (.joblib, .pkl, .kv), since loading runs code")


def add_explainer(parser: argparse.ArgumentParser, *, sampling: bool) -> None:
    """Adds the options of explanations; those of their sampling where verdicts may end it early."""
    add = parser.add_argument_group("explanations").add_argument
    add("--explainer", default="lime", metavar="NAME", help=f"{_EXPLAINERS} (default: lime)")
    add("--samples", type=int, default=5000, metavar="N", help="neighbours per LIME explanation (default: 5000)")
    add("--features", type=int, default=10, metavar="N", help="words per explanation (default: 10)")
    add("--seed", type=int, default=0, metavar="N", help="seed of the explanations (default: 0)")
    if not sampling:
        parser.set_defaults(sampling="fixed", cap=1024)
        return
    add(
        "--sampling",
        choices=("fixed", "sequential", "capped"),
        default="sequential",
        metavar="MODE",
        help="neighbours scored for a verdict: fixed, sequential or capped (default: sequential)",
    )
    add("--cap", type=int, default=1024, metavar="N", help="most neighbours that capped scores (default: 1024)")


def add_oracle(
    parser: argparse.ArgumentParser, *, about: str = f"who judges, as for --trust-oracle (default: {ORACLE})"
) -> None:
    """Adds the options of the oracle and of what it is made of."""
    add = parser.add_argument_group("oracle").add_argument
    add("--oracle", metavar="NAME", help=about)
    add("--train", metavar="DATA", help="training data, from which the keyword index is built")
    add("--index", type=Path, metavar="FILE", help="file of the keyword index (default: below .trust/)")
    add("--embeddings", metavar="NAMES", help="word embeddings, as for --trust-embeddings (default: glove,use,minilm)")
    add("--descriptions", type=Path, metavar="FILE", help="descriptions of the classes, as for --trust-descriptions")


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Adds the option for other names of columns."""
    parser.add_argument("--columns", metavar="MAP", help="other column names: text=body,label=target")

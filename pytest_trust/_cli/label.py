"""``pytest-trust label``: people's verdicts on a model's predictions."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.options import add_columns, add_explainer, add_model, add_oracle, add_parser
from pytest_trust.arguments import require_count
from pytest_trust.errors import ConfigurationError

if TYPE_CHECKING:
    from pytest_trust._cli.picking import Prediction
    from pytest_trust._cli.session import Circumstances, LabelSession
    from pytest_trust.explain import Explainer, Explanation
    from pytest_trust.models import TextClassifier

_ABOUT = """\
Asks you to judge correct predictions of a model: first which class the text is of, then, with the words that drove
the prediction, whether it is right for the right reason. Each verdict is saved as it is given; the same command goes
on where you stopped.
"""
_EXAMPLE = "pytest-trust label --model sentiment.joblib --data test.csv --verdicts tests/verdicts.jsonl"


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = add_parser(
        commands, "label", help="ask a person to judge a model's predictions", about=_ABOUT, example=_EXAMPLE
    )
    add = parser.add_argument
    add("--data", required=True, help="labelled data, as for --trust-data")
    add("--verdicts", required=True, type=Path, metavar="FILE.jsonl", help="file that the verdicts are added to")
    add("--n", type=int, default=40, help="predictions to judge (default: 40)")
    add("--annotator", metavar="NAME", help="who judges (default: the login name)")
    add_columns(parser)
    add_model(parser)
    add_explainer(parser, sampling=False)
    add_oracle(parser, about="spread the choice over this oracle's score, not the model's confidence")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Asks the person at the terminal, and says at the end what is saved."""
    session = make_session(options)
    try:
        session.run()
    except EOFError:
        session.terminal.say()
    finally:
        session.terminal.say(_saved(session))
    return 0


def make_session(options: argparse.Namespace) -> LabelSession:
    """The session that ``options`` ask for, on stdin and stdout.

    Raises:
        TrustError: an option cannot be used, or the model or a file cannot be read.
    """
    from pytest_trust._cli.parts import data_of, explainer_of, model_of, oracle_parts_of
    from pytest_trust._cli.picking import pick_spread, predictions_to_judge
    from pytest_trust._cli.scoring import judged_sample
    from pytest_trust._cli.session import LabelSession
    from pytest_trust._cli.terminal import Terminal

    n = require_count("n", options.n)
    _check_folder(options.verdicts)
    explainer = explainer_of(options)
    model = model_of(options)
    predictions = predictions_to_judge(model, data_of(options, options.data), seed=options.seed)
    explaining = _explaining(explainer, model, options.seed)
    if options.oracle is None:
        scores = [item.probability for item in predictions]
    else:
        predictions, scores = judged_sample(oracle_parts_of(options), model, explainer, predictions, explaining)
    picked = [predictions[i] for i in pick_spread(scores, n, options.seed)]
    circumstances = _circumstances(options, model, explainer)
    return LabelSession(
        Terminal(sys.stdin, sys.stdout),
        picked,
        model.classes,
        explaining,
        options.verdicts,
        circumstances,
        _judged_before(options.verdicts, circumstances, picked),
    )


def _check_folder(file: Path) -> None:
    if not file.absolute().parent.is_dir() or file.is_dir():
        raise ConfigurationError(f"--verdicts {file}: expected a file in a folder that exists")


def _circumstances(options: argparse.Namespace, model: TextClassifier, explainer: Explainer) -> Circumstances:
    from pytest_trust._cli.session import Circumstances

    return Circumstances(options.annotator or _login_name(), model.fingerprint(), explainer.settings())


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container may know no name for its user
        raise ConfigurationError("this machine knows no login name; say who judges with --annotator NAME") from None


def _explaining(explainer: Explainer, model: TextClassifier, seed: int) -> Callable[[Prediction], Explanation]:
    """Explains a prediction when it is asked about, and only once."""

    @cache
    def explain(prediction: Prediction) -> Explanation:
        columns = [prediction.class_index]
        return next(iter(explainer.explain_many(model, [prediction.text], class_indices=columns, seed=seed)))

    return explain


def _judged_before(file: Path, circumstances: Circumstances, picked: list[Prediction]) -> set[Prediction]:
    """Those of ``picked`` which this annotator judged for this model and explainer."""
    from pytest_trust._cli.session import Circumstances
    from pytest_trust.data.verdicts import read_verdicts

    judged = {
        (verdict.text, verdict.label)
        for verdict in read_verdicts(file)
        if Circumstances(verdict.annotator, verdict.model, dict(verdict.explainer)) == circumstances
    }
    return {item for item in picked if (item.text, item.label) in judged}


def _saved(session: LabelSession) -> str:
    done, total = len(session.judged), len(session.predictions)
    if not done:
        return f"\nNothing judged yet of {total} predictions."
    rest = "." if done == total else "; the same command goes on with the rest."
    return f"\n{done} of {total} predictions judged, saved in {session.file}{rest}"

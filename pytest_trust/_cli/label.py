"""``pytest-trust label``: people's verdicts on a model's predictions."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_trust._cli.pickles import announce_pickle
from pytest_trust.arguments import require_count
from pytest_trust.errors import ConfigurationError

if TYPE_CHECKING:
    from pytest_trust._cli.picking import Prediction
    from pytest_trust._cli.scoring import Scoring
    from pytest_trust._cli.session import Circumstances, LabelSession
    from pytest_trust.data import TextDataset
    from pytest_trust.explain import Explainer, Explanation
    from pytest_trust.models import TextClassifier

_ABOUT = """\
Asks you to judge correct predictions of a model: first which class the text is of, then, with the words that drove
the prediction, whether it is right for the right reason. Each verdict is saved as it is given; the same command goes
on where you stopped.
"""


def add_command(commands: Any) -> None:
    """Adds the command to the parser's ``commands``."""
    parser = commands.add_parser("label", help="judge a model's predictions", description=_ABOUT)
    add = parser.add_argument
    add("--model", required=True, help="the model, as for --trust-model")
    add("--data", required=True, help="labelled data, as for --trust-data")
    add("--verdicts", required=True, type=Path, metavar="FILE.jsonl", help="file that the verdicts are added to")
    add("--classes", metavar="NAMES", help="names of the classes, as for --trust-classes")
    add("--columns", metavar="MAP", help="other column names: text=body,label=target")
    add(
        "--explainer", default="lime", metavar="NAME", help="lime, omission, gradient or lime-reference (default: lime)"
    )
    add("--samples", type=int, default=5000, metavar="N", help="neighbours per LIME explanation (default: 5000)")
    add("--features", type=int, default=10, metavar="N", help="words per explanation (default: 10)")
    add("--oracle", metavar="NAME", help="spread the choice over this oracle's score, not the model's confidence")
    add("--train", metavar="DATA", help="training data, where the oracle needs a keyword index")
    add("--embeddings", metavar="NAMES", help="embeddings of the oracle, as for --trust-embeddings")
    add("--descriptions", type=Path, metavar="FILE", help="descriptions of the classes, as for --trust-descriptions")
    add("--n", type=int, default=40, help="predictions to judge (default: 40)")
    add("--seed", type=int, default=0, help="seed of the choice and of the explanations (default: 0)")
    add("--annotator", metavar="NAME", help="who judges (default: the login name)")
    add("--no-pickle", action="store_true", help="refuse models in pickle or joblib files, since loading runs code")
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
    from pytest_trust._cli.picking import pick_spread, predictions_to_judge
    from pytest_trust._cli.scoring import judged_sample
    from pytest_trust._cli.session import LabelSession
    from pytest_trust._cli.terminal import Terminal
    from pytest_trust.explain import make_explainer

    n = require_count("n", options.n)
    _check_folder(options.verdicts)
    explainer = make_explainer(options.explainer, options.samples, options.features)
    model = _model(options)
    predictions = predictions_to_judge(model, _dataset(options, options.data), seed=options.seed)
    explaining = _explaining(explainer, model, options.seed)
    if options.oracle is None:
        scores = [item.probability for item in predictions]
    else:
        predictions, scores = judged_sample(_scoring(options), model, explainer, predictions, explaining)
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


def _model(options: argparse.Namespace) -> TextClassifier:
    from pytest_trust.models import load_model, parse_class_names
    from pytest_trust.models.files import PICKLES

    if options.model.lower().endswith(PICKLES) and not options.no_pickle:
        announce_pickle(options.model)
    classes = parse_class_names(options.classes) if options.classes else None
    return load_model(options.model, classes=classes, rootpath=Path.cwd(), allow_pickle=not options.no_pickle)


def _dataset(options: argparse.Namespace, source: str) -> TextDataset:
    from pytest_trust.data import load_dataset, parse_columns

    columns = parse_columns(options.columns) if options.columns else None
    return load_dataset(source, columns=columns, rootpath=Path.cwd())


def _scoring(options: argparse.Namespace) -> Scoring:
    from pytest_trust._cli.scoring import Scoring

    return Scoring(
        options.oracle,
        _dataset(options, options.train) if options.train else None,
        options.embeddings,
        options.descriptions,
        options.seed,
        allow_pickle=not options.no_pickle,
    )


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

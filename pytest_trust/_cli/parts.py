"""Model, data, explainer and oracle that the options of a command name, from the working folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_trust._cli.options import ORACLE
from pytest_trust._cli.pickles import announce_pickle

if TYPE_CHECKING:
    from pytest_trust._cli.oracle import OracleParts
    from pytest_trust.data import TextDataset
    from pytest_trust.explain import Explainer
    from pytest_trust.models import TextClassifier
    from pytest_trust.oracles import Oracle


def model_of(options: argparse.Namespace) -> TextClassifier:
    """The model of ``--model``; says first where loading it runs code.

    Raises:
        TrustError: it cannot be loaded.
    """
    from pytest_trust.models import load_model, parse_class_names
    from pytest_trust.models.files import PICKLES

    if options.model.lower().endswith(PICKLES) and not options.no_pickle:
        announce_pickle(options.model)
    return load_model(
        options.model,
        classes=parse_class_names(options.classes) if options.classes else None,
        rootpath=Path.cwd(),
        allow_pickle=not options.no_pickle,
        precision=options.precision,
    )


def explainer_of(options: argparse.Namespace) -> Explainer:
    """The explainer of ``--explainer``.

    Raises:
        TrustError: it is unknown, or a setting is out of its range.
    """
    from pytest_trust.explain import make_explainer

    return make_explainer(options.explainer, options.samples, options.features, options.sampling, options.cap)


def data_of(options: argparse.Namespace, source: str) -> TextDataset:
    """The labelled data at ``source``, by the names of ``--columns``.

    Raises:
        DataError: they cannot be read.
    """
    from pytest_trust.data import load_dataset

    return load_dataset(source, columns=columns_of(options), rootpath=Path.cwd())


def train_of(options: argparse.Namespace) -> TextDataset | None:
    """The data of ``--train``; columns of verdicts and groups, which only other data have, are not looked for there."""
    from pytest_trust.data import load_dataset

    if options.train is None:
        return None
    columns = {role: name for role, name in (columns_of(options) or {}).items() if role in ("text", "label")}
    return load_dataset(options.train, columns=columns, rootpath=Path.cwd())


def columns_of(options: argparse.Namespace) -> dict[str, str] | None:
    """What ``--columns`` says; None where it is not given."""
    from pytest_trust.data import parse_columns

    return parse_columns(options.columns) if options.columns else None


def oracle_parts_of(options: argparse.Namespace) -> OracleParts:
    """The oracle that the options name, with the training data read."""
    from pytest_trust._cli.oracle import OracleParts

    return OracleParts(
        options.oracle or ORACLE,
        train_of(options),
        options.index,
        options.embeddings,
        options.descriptions,
        options.seed,
        allow_pickle=not options.no_pickle,
    )


def oracle_of(options: argparse.Namespace, model: TextClassifier, explainer: Explainer) -> Oracle:
    """The oracle that the options name, for ``model``.

    Raises:
        TrustError: it, or something that it is made of, cannot be used.
    """
    from pytest_trust._cli.oracle import make_asked_oracle

    return make_asked_oracle(oracle_parts_of(options), model, explainer)

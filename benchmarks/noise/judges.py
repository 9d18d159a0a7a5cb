"""The oracles of a model in the experiment."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_trust.data import TextDataset
from pytest_trust.embeddings import Embedding
from pytest_trust.explain import LimeExplainer
from pytest_trust.keywords import build_index, index_origin
from pytest_trust.models import TextClassifier
from pytest_trust.oracles import ORACLES, Oracle, make_oracle, parse_oracle

# The oracles of a model, given some of the texts that it learned from.
Judges = Callable[[TextClassifier, TextDataset], Sequence[Oracle]]


def judges_of(
    members: Sequence[Embedding], explainer: LimeExplainer, seed: int, specs: Sequence[str] = ORACLES
) -> Judges:
    """Makes the oracles that ``specs`` name, with one keyword index of the model for all that need one."""
    parsed = [parse_oracle(spec) for spec in specs]

    def judges(model: TextClassifier, train: TextDataset) -> list[Oracle]:
        index = None
        if any(spec.needs_index(model, None) for spec in parsed):
            origin = index_origin(model, train, explainer, members, seed=seed)
            index = build_index(origin, model, train, explainer, members)
        return [make_oracle(spec, model, members=members, index=index) for spec in parsed]

    return judges

"""The scores of an oracle, over which the predictions that people are asked about are spread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_trust._cli.members import load_members
from pytest_trust._cli.picking import Prediction
from pytest_trust.data import TextDataset
from pytest_trust.embeddings import Embedding
from pytest_trust.embeddings.kept import keep_below
from pytest_trust.errors import ConfigurationError
from pytest_trust.explain import Explainer, Explanation
from pytest_trust.keywords import KeywordIndex, build_index, cached_index, default_index_path, index_origin
from pytest_trust.keywords.descriptions import Descriptions, read_descriptions
from pytest_trust.models import TextClassifier
from pytest_trust.oracles import Oracle, OracleSpec, make_oracle, parse_oracle
from pytest_trust.stats import sample_indices

# Predictions that are explained and judged to choose among: explaining all of large data would keep people waiting.
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Scoring:
    """An oracle as the command line names it, and what it is made of."""

    oracle: str
    train: TextDataset | None
    embeddings: str | None
    descriptions: Path | None
    seed: int
    allow_pickle: bool = True


def judged_sample(
    scoring: Scoring,
    model: TextClassifier,
    explainer: Explainer,
    predictions: Sequence[Prediction],
    explain: Callable[[Prediction], Explanation],
) -> tuple[list[Prediction], list[float]]:
    """A seeded sample of ``predictions`` that the oracle has a score for, and these scores.

    Raises:
        ConfigurationError: the oracle cannot be made, or has a score for none of them.
    """
    chosen = [predictions[i] for i in sample_indices(len(predictions), _LOOKED_AT, scoring.seed)]
    verdicts = _oracle(scoring, model, explainer).judge_many([explain(prediction) for prediction in chosen])
    scored = [(p, verdict.score) for p, verdict in zip(chosen, verdicts, strict=True) if verdict.score is not None]
    if not scored:
        raise ConfigurationError(f"the oracle {scoring.oracle!r} has a score for none of {len(chosen)} predictions")
    return [prediction for prediction, _ in scored], [score for _, score in scored]


def _oracle(scoring: Scoring, model: TextClassifier, explainer: Explainer) -> Oracle:
    spec = parse_oracle(scoring.oracle)
    descriptions = read_descriptions(scoring.descriptions) if scoring.descriptions is not None else None
    members = load_members(scoring.embeddings, allow_pickle=scoring.allow_pickle) if spec.needs_members else ()
    index = _index(scoring, spec, model, explainer, members, descriptions)
    keep = keep_below(Path.cwd())
    return make_oracle(spec, model, members=members, index=index, descriptions=descriptions, keep=keep)


def _index(
    scoring: Scoring,
    spec: OracleSpec,
    model: TextClassifier,
    explainer: Explainer,
    members: Sequence[Embedding],
    descriptions: Descriptions | None,
) -> KeywordIndex | None:
    if not spec.needs_index(model, descriptions):
        return None
    if scoring.train is None:
        raise ConfigurationError(f"the oracle {spec.name!r} needs a keyword index here: give --train DATA")
    train = scoring.train
    origin = index_origin(model, train, explainer, members, seed=scoring.seed)
    path = default_index_path(Path.cwd(), origin)
    return cached_index(path, origin, lambda: build_index(origin, model, train, explainer, members))
